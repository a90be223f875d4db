"""What all tests share: real files where they are available, and hypothesis without chance."""

import os
from collections import Counter, deque
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Several workers that each share out their small matrices to all cores wait for each other most of the time. Read when
# numpy is imported, here and in every process that a test starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from inbetweener import kernels

settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

REAL_FILES = Path(__file__).parents[2] / "shared" / "data"

LONGEST = (
    "test_docs.py",
    "browser/test_long_scenario.py",
    "contacts/test_slide.py",
    "browser/test_sketch.py",
    "formats/bvh/test_guess.py",
    "scenario/test_stories.py",
    "formats/bvh/test_peers.py",
    "browser/test_files.py",
    "formats/bvh/test_round_trip.py",
    "verbs/test_surfaces.py",
    "browser/test_page_as_a_whole.py",
    "kinodynamics/test_scenes.py",
    "browser/test_loose_motion.py",
    "formats/gltf/test_validator.py",
    "cli/test_studio.py",
    "studio/project/test_files.py",
    "cli/test_verbs.py",
    "studio/project/test_full_disk.py",
)
"""Files that take more than a quarter of a minute, about as long as they take."""


SWEPT = 4
"""Of a sweep over real files, one in so many is looked at in a quick run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which tests to run; `make test` and `make thorough` together run all."""
    parser.addoption(
        "--which",
        choices=("quick", "thorough", "all"),
        default="quick",
        help="quick: one in four files of every sweep, and no test that takes long; thorough: the others; or all",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what marks mean, and compile first what several processes would each compile for themselves."""
    config.addinivalue_line("markers", "thorough: takes long; what it looks at has quicker tests too")
    config.addinivalue_line("markers", f"sweep: over real files, of which a quick run looks at one in {SWEPT}")
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and not kernels.is_warm():
        deque(kernels.warm_up(), maxlen=0)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose, and let what takes longest go first, so that at the end no worker is alone with it."""
    which = config.getoption("which")
    if which != "all":
        later = _later(items)
        left = [item for item in items if (item in later) == (which == "quick")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if (item in later) == (which == "thorough")]
    turn = {Path(__file__).parent / name: n for n, name in enumerate(LONGEST)}
    assert all(path.is_file() for path in turn), "a file of LONGEST is gone"
    items.sort(key=lambda item: turn.get(item.path, len(turn)))


def _later(items: list[pytest.Item]) -> set[pytest.Item]:
    """What a quick run leaves out."""
    later = {item for item in items if item.get_closest_marker("thorough")}
    seen: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("sweep"):
            test = item.nodeid.partition("[")[0]
            if seen[test] % SWEPT:
                later.add(item)
            seen[test] += 1
    return later


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real files beside the checkout; they have licences of their own and are not part of it."""
    if not REAL_FILES.is_dir():
        pytest.skip(f"the folder of real test files is absent: {REAL_FILES}")
    return REAL_FILES
