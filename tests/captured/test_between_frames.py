"""A frame of capture is a rotation: on the way to the next it turns straight, whatever the file's angles do."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.document.edits import rename_joint
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from tests.captured import plain
from tests.formats.bvh.samples import chain


@pytest.mark.sweep
@pytest.mark.parametrize("path", plain.CLIPS, ids=lambda path: path.stem)
def test_joints_are_on_the_straight_way_between_frames(path: Path) -> None:
    document = read(path).document
    capture = plain.read(path)
    at = capture.quarters()
    made = plain.ours(document, document.clip(), at)
    straight = plain.in_metres(capture.positions(at), document)
    # How far an even turn itself leaves the chord: what no one can know at that rate.
    left = np.floor(at)
    ends = [plain.in_metres(capture.positions(each), document) for each in (left, left + 1)]
    share = (at - left)[:, None, None]
    bend = np.linalg.norm(straight - ends[0] * (1 - share) - ends[1] * share, axis=-1)
    off = np.linalg.norm(made - straight, axis=-1)
    assert (off <= np.maximum(0.002, 1.5 * bend)).all(), f"{1000 * off.max():.1f} mm off"
    on_frames = np.linalg.norm(plain.ours(document, document.clip(), left) - ends[0], axis=-1)
    assert on_frames.max() < 1e-6


FLIPPED = [[0.0] * 6 + [0.0, 89.0, 0.0], [0.0] * 6 + [-90.0, 88.0, 94.0], [0.0] * 6 + [-178.0, 89.0, 176.0]]
"""A quarter turn a frame in two angles, against each other, while the arm hardly moves: past the pole of its order."""


def test_over_the_pole_the_arm_goes_straight_and_the_file_keeps_its_order(tmp_path: Path) -> None:
    source = tmp_path / "flipped.bvh"
    source.write_text(chain(*FLIPPED))
    reading = read(source, unit=1.0)
    document = reading.document
    assert document.source is not None
    assert document.source.orders == (("Arm", "ZXY"),)
    assert document.rig.joints[1].order != "ZXY"
    assert any("Arm: angles pass the pole of the file's order" in line for line in reading.repairs)
    between = np.linspace(0.0, 1.0, 9)
    tips = plain.ours(document, document.clip(), between)[:, 2]
    straight = plain.read(source).positions(between)[:, 2]
    assert np.abs(tips - straight).max() < 1e-3
    for each in (document, rename_joint(document, "Arm", "Wing")):
        assert write(each, tmp_path / "again.bvh") == ()
        again, before = plain.read(tmp_path / "again.bvh"), plain.read(source)
        frames = np.arange(3.0)
        assert np.abs(again.positions(frames) - before.positions(frames)).max() < 1e-9
        assert "CHANNELS 3 Zrotation Xrotation Yrotation" in (tmp_path / "again.bvh").read_text()


def test_angles_that_wind_up_for_nothing_are_brought_back(tmp_path: Path) -> None:
    """Near the pole the outer angles turn against each other, five times round, while the arm hardly moves."""
    winding = np.arange(0.0, 1971.0, 9.0)
    rows = [[0.0] * 6 + [-angle, 89.5, angle + np.sin(angle / 50.0)] for angle in winding]
    (tmp_path / "winding.bvh").write_text(chain(*rows))
    document = read(tmp_path / "winding.bvh", unit=1.0).document
    turned = [document.clip().curves[f"Arm.r{axis}"].values for axis in "xyz"]
    assert np.degrees(np.abs(turned)).max() < 360.0
