"""What all tests share: real files where they are available, and hypothesis without chance."""

import os
import subprocess
import sys
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
settings.register_profile("quick", settings.get_profile("steady"), max_examples=20)

REAL_FILES = Path(__file__).parents[2] / "shared" / "data"

LONGEST = (
    "browser/test_long_scenario.py",
    "scenario/test_stories.py",
    "browser/test_sketch.py",
    "verbs/test_surfaces.py",
    "test_docs.py",
    "formats/bvh/test_guess.py",
    "contacts/test_slide.py",
    "kinodynamics/test_scenes.py",
    "cli/test_studio.py",
    "studio/project/test_full_disk.py",
    "formats/gltf/test_validator.py",
    "formats/bvh/test_peers.py",
    "browser/test_files.py",
    "formats/bvh/test_round_trip.py",
    "browser/test_page_as_a_whole.py",
    "browser/test_loose_motion.py",
    "studio/project/test_files.py",
)
"""Files that take more than a quarter of a minute, about as long as they take."""


SWEPT = 4
"""Of a sweep over files or scenes, one in so many is looked at in a quick run…"""
MOST = 10
"""… and no more than so many."""
LARGE = ("kaykit_", "_long_")
"""Files of seventy clips each, or of minutes, which sweeps look at in a thorough run alone."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which tests to run; `make test` and `make thorough` together run all."""
    parser.addoption(
        "--which",
        choices=("quick", "thorough", "all"),
        default="quick",
        help="quick: one in four files of every sweep, a third of the examples of properties, no test that takes long; "
        "thorough: the others, and properties with all their examples; or all",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what marks mean, and do first and once what several processes would each do for themselves."""
    config.addinivalue_line("markers", "thorough: takes long; what it looks at has quicker tests too")
    config.addinivalue_line("markers", f"sweep: over files or scenes, of which a quick run looks at one in {SWEPT}")
    settings.load_profile("quick" if config.getoption("which") == "quick" else "steady")
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and not kernels.is_warm():
        # Asserts are rewritten when tests are first looked at: a quarter of a minute for each worker, unless somebody
        # has done so before. What tests compute while they are imported needs the first half of the kernels.
        looking, look = None, [sys.executable, "-m", "pytest", "--collect-only", "-qq", *config.args]
        for done, total, _ in kernels.warm_up():
            if looking is None and done > total / 2:
                looking = subprocess.Popen(look, stdout=subprocess.DEVNULL)
        if looking is not None:
            looking.wait()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose, and let what takes longest go first, so that at the end no worker is alone with it."""
    which = config.getoption("which")
    if which != "all":
        later = _later(items)
        # Properties are tried in both: the second time with all their examples.
        left = later if which == "quick" else {each for each in items if each not in later and not _is_property(each)}
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]
    turn = {Path(__file__).parent / name: n for n, name in enumerate(LONGEST)}
    assert all(path.is_file() for path in turn), "a file of LONGEST is gone"
    items.sort(key=lambda item: turn.get(item.path, len(turn)))


def _later(items: list[pytest.Item]) -> set[pytest.Item]:
    """What a quick run leaves out."""
    later = {item for item in items if item.get_closest_marker("thorough")}
    sweeps: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sweep"):
            test, _, file = item.nodeid.partition("[")
            if is_large(file):
                later.add(item)
            else:
                sweeps.setdefault(test, []).append(item)
    for swept in sweeps.values():
        kept = swept[:: max(SWEPT, -(-len(swept) // MOST))]
        later.update(item for item in swept if item not in kept)
    return later


def _is_property(item: pytest.Item) -> bool:
    return hasattr(getattr(item, "obj", None), "hypothesis")


def is_large(name: str) -> bool:
    """Whether a file is one of those."""
    return any(part in name for part in LARGE)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real files beside the checkout; they have licences of their own and are not part of it."""
    if not REAL_FILES.is_dir():
        pytest.skip(f"the folder of real test files is absent: {REAL_FILES}")
    return REAL_FILES
