"""A pose put on the curves: keys that are there take it, others are made, nothing else moves."""

from functools import cache

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Clip, Curves, Layer

CLIP = "jab and cross"


@cache
def boxer() -> Document:
    return ib.example("boxer")


def at(document: Document, time: float, clip: str = CLIP) -> np.ndarray:
    return document.motion(clip).channels([time])[0]


def test_keys_that_are_there_take_the_pose_and_stay_where_they_are() -> None:
    time, other = 14 / 24, 28 / 24
    pose = at(boxer(), time)
    pose[boxer().rig.channel_index("head.ry")] += 0.2
    document = edits.key_pose(boxer(), CLIP, time, pose)
    np.testing.assert_allclose(at(document, time), pose, atol=1e-12)
    np.testing.assert_array_equal(at(document, other), at(boxer(), other))
    before, after = boxer().clip().curves, document.clip().curves
    assert [name for name in after if after[name] is not before[name]] == ["head.ry"]
    np.testing.assert_array_equal(after["head.ry"].times, before["head.ry"].times)
    np.testing.assert_array_equal(after["head.ry"].outs, before["head.ry"].outs)


def test_where_there_is_no_key_one_is_put_in() -> None:
    time = 18 / 24
    pose = at(boxer(), time)
    same = edits.key_pose(boxer(), CLIP, time, pose, channels=["head.ry"])
    assert len(same.clip().curves["head.ry"]) == len(boxer().clip().curves["head.ry"]) + 1
    times = np.linspace(0.0, 2.0, 50)
    np.testing.assert_allclose(same.motion().channels(times), boxer().motion().channels(times), atol=1e-9)


def test_poses_make_a_clip_from_nothing() -> None:
    document = edits.add_clip(boxer(), Clip("new", end=2.0))
    poses = {0.0: at(boxer(), 0.0), 1.0: at(boxer(), 14 / 24), 2.0: at(boxer(), 34 / 24)}
    for time in (0.0, 2.0, 1.0):
        document = edits.key_pose(document, "new", time, poses[time], channels=boxer().clip().curves)
    for time, pose in poses.items():
        np.testing.assert_allclose(at(document, time, "new"), pose, atol=1e-12)
    curve = document.clip("new").curves["forearm_l.ry"]
    assert curve.times.tolist() == [0.0, 1.0, 2.0]
    smooth = edits.preset_tangents(document, "new", "forearm_l.ry", "smooth").clip("new").curves["forearm_l.ry"]
    assert (smooth.outs[:-1, 0] > 0).all(), "segments between poses can be shaped"


def test_channels_that_stood_still_change_in_this_pose_alone() -> None:
    curve = boxer().clip().curves["head.ry"]
    for stood, late in ((None, 0.0), (Curve.constant(0.1), 1e-9)):
        document = edits.set_curves(boxer(), CLIP, {"head.ry": stood})
        pose = at(document, 14 / 24)
        pose[document.rig.channel_index("head.ry")] += 0.2
        posed = edits.key_pose(document, CLIP, 14 / 24 + late, pose)
        np.testing.assert_allclose(at(posed, 14 / 24), pose, atol=1e-6)
        assert len(posed.clip().curves["head.ry"]) == len(curve), "times that all but agree are one key"
        for time in curve.times[curve.times != 14 / 24]:
            np.testing.assert_allclose(at(posed, time), at(document, time), atol=1e-12)


def test_layers_are_made_up_for() -> None:
    layer = Layer("more", Curves({"head.ry": Curve.constant(0.3)}), weight=0.5)
    layered = edits.add_layer(boxer(), CLIP, layer)
    pose = at(boxer(), 14 / 24)
    document = edits.key_pose(layered, CLIP, 14 / 24, pose)
    np.testing.assert_allclose(at(document, 14 / 24), pose, atol=1e-12)
    assert document.clip().layers == layered.clip().layers


def test_what_is_no_pose_is_refused() -> None:
    whole = at(boxer(), 0.5)
    for pose in (whole[:3], np.full_like(whole, np.nan)):
        with pytest.raises(InvalidDocument, match="one for every channel"):
            edits.key_pose(boxer(), CLIP, 0.5, pose)


def test_a_pose_that_is_there_already_changes_nothing() -> None:
    assert edits.key_pose(boxer(), CLIP, 0.5, at(boxer(), 0.5)) is boxer()
