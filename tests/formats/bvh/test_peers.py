"""Joint positions against two independent readers, in the file's own axes and units."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pybvh
import pytest

from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from tests.formats.bvh.samples import CLIPS, FIXTURES, FOLDER, opened

with warnings.catch_warnings():
    # Its own import of PyGLM is deprecated.
    warnings.simplefilter("ignore")
    import bvhio


def is_plain(name: str) -> bool:
    """Three channels on every joint but the root: all that pybvh reads."""
    path = FOLDER / name
    counts = [line.split()[1] for line in path.read_text("utf-8").splitlines() if line.strip().startswith("CHANNELS")]
    return set(counts[1:]) <= {"3"}


ODD = (
    "malformed/03_odd_zero_one_two_channel_joints.bvh",
    "malformed/07_odd_position_channels_on_every_joint.bvh",
)
UNFILLED = tuple(
    f"{name}.bvh" for name in ("clips/makehuman_walk1", "fixtures/makehuman_face-poseunits", "fixtures/makehuman_tpose")
)
"""Position channels at nought throughout, which the peers take as places and we as shifts."""
PLAIN = [name for name in CLIPS + FIXTURES if name not in UNFILLED and (not (FOLDER / name).exists() or is_plain(name))]


def positions(path: Path) -> np.ndarray:
    document = read(path, unit=1.0, up="y").document
    return document.motion().joint_positions(document.clip().frame_times)


@pytest.mark.sweep
@pytest.mark.parametrize("name", PLAIN)
def test_joints_are_where_pybvh_puts_them(data: Path, name: str) -> None:
    ours = positions(data / "bvh" / name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pybvh.read_bvh_file(data / "bvh" / name).joint_positions()
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 1e-11


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in FIXTURES if name not in PLAIN + list(UNFILLED)),
        *ODD,
        "fixtures/pybvh_rotation_first_root.bvh",
        "clips/fair1_dab.bvh",
    ],
)
def test_joints_are_where_bvhio_puts_them(data: Path, name: str) -> None:
    ours = positions(data / "bvh" / name)
    root = bvhio.readAsHierarchy(str(data / "bvh" / name))
    for frame in sorted({0, len(ours) // 2, len(ours) - 1}):
        root.loadPose(frame)
        theirs = np.array([list(joint.PositionWorld) for joint, _, _ in root.layout()])
        # bvhio works in float32.
        assert np.abs(ours[frame] - theirs).max() < 1e-6 * max(np.abs(theirs).max(), 1.0)


@pytest.mark.parametrize("name", ["clips/fair1_dab.bvh", "cmu/49_06_cartwheel.bvh", "fixtures/bvhio_example.bvh"])
def test_peers_read_what_we_write(data: Path, tmp_path: Path, name: str) -> None:
    """A document that is not BVH's own any more: its source forgotten, written anew in metres with y up."""
    document = replace(opened(data / "bvh" / name).document, source=None)
    write(document, tmp_path / "ours.bvh", unit=1.0)
    theirs = pybvh.read_bvh_file(tmp_path / "ours.bvh").joint_positions()
    assert np.abs(document.motion().joint_positions(document.clip().frame_times) - theirs).max() < 1e-9
    root = bvhio.readAsHierarchy(str(tmp_path / "ours.bvh"))
    assert [joint.Name for joint, _, _ in root.layout()] == [joint.name for joint in document.rig.joints]
