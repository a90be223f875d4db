"""What all tests share: real files where they are available, and hypothesis without chance."""

import os
from collections import deque
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


def pytest_configure(config: pytest.Config) -> None:
    """Compile first what several processes would each compile for themselves."""
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and not kernels.is_warm():
        deque(kernels.warm_up(), maxlen=0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest goes first, so that at the end no worker is alone with it while the others have nothing."""
    turn = {Path(__file__).parent / name: n for n, name in enumerate(LONGEST)}
    assert all(path.is_file() for path in turn), "a file of LONGEST is gone"
    items.sort(key=lambda item: turn.get(item.path, len(turn)))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real files beside the checkout; they have licences of their own and are not part of it."""
    if not REAL_FILES.is_dir():
        pytest.skip(f"the folder of real test files is absent: {REAL_FILES}")
    return REAL_FILES
