"""Real Blender on a few scenes, one for each kind of thing; `make blender` installs it and shows it everything."""

from pathlib import Path

import pytest

from inbetweener.builtin import example
from inbetweener.formats import write
from interop.blender import environment
from interop.blender.cases import FILES, cases
from interop.blender.compare import Apart, Sight
from interop.blender.trip import MADE, TOLERANCE, Trip

pytestmark = pytest.mark.skipif(
    not environment.is_there(), reason="Blender is not installed: `make blender` does, into .venv-blender (1 GB)"
)
SHOWN = ("flying-robot", "talking-face")
FROM_FILES = ("character", "aframe_leftHandHigh", "07_nla-anim", "02_01_walk")


@pytest.mark.parametrize("name", SHOWN)
def test_scenes_go_there_and_back(name: str, tmp_path: Path) -> None:
    trip = Trip.of(next(case for case in cases() if case.name == name), tmp_path)
    assert trip.holds, trip


@pytest.mark.skipif(not FILES.is_dir(), reason=f"the folder of real test files is absent: {FILES}")
@pytest.mark.parametrize("name", FROM_FILES)
def test_characters_from_files_go_there_and_back(name: str, tmp_path: Path) -> None:
    trip = Trip.of(next(case for case in cases() if case.name == name), tmp_path)
    assert trip.holds, trip


@pytest.mark.parametrize("scene", MADE)
def test_what_is_made_in_blender_is_read(scene: str, tmp_path: Path) -> None:
    trip = Trip.from_blender(scene, tmp_path)
    assert trip.holds, trip


def test_blender_still_drops_slopes(tmp_path: Path) -> None:
    """Once this fails, nobody needs `sampled` for Blender any more."""
    robot = example("flying-robot")
    times = robot.clip().frame_times
    write(robot, tmp_path / "ours.glb")
    seen = tmp_path / "seen.npz"
    job = {"source": str(tmp_path / "ours.glb"), "importing": {}, "rate": 24, "seen": str(seen)}
    environment.do({**job, "clips": {robot.clip().name: times.tolist()}}, tmp_path)
    theirs = Sight.recorded(seen)[robot.clip().name]
    assert Apart.between(Sight.of(robot, robot.clip().name, times), theirs).joints > 100 * TOLERANCE
