"""Posing on a key: the pose there changes, the poses on other keys do not."""

from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import edits
from inbetweener.document.edits.pull import NoKeyThere
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Curves
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Pin
from tests.studio.documents import arm
from tests.studio.gestures.hands import hold, position
from tests.studio.pages import place


def test_the_point_goes_there_and_other_keys_keep_their_poses() -> None:
    before = arm()
    wish = position(before, "hand", 0.5) + np.array([0.05, 0.08, 0.02])
    outcome = hold(before, "pull-pose", place=place("hand"), time=0.5).to(wish)
    assert outcome.reached
    assert position(outcome.document, "hand", 0.5) == pytest.approx(wish, abs=1e-3)
    # On keys that all curves share the pose is the very same; elsewhere curves that are not keyed bend along.
    for key in (0.0, 1.0):
        assert position(outcome.document, "hand", key) == pytest.approx(position(before, "hand", key), abs=1e-12)


def test_a_still_channel_is_keyed_wherever_the_place_is() -> None:
    before = arm()
    wish = position(before, "hand", 0.5) + np.array([0.0, 0.0, 0.1])
    after = hold(before, "pull-pose", place=place("hand"), time=0.5).to(wish).document
    new = after.clip().curves.keys() - before.clip().curves.keys()
    assert new >= {"hips.tz"}
    for name in new:
        curve = after.clip().curves[name]
        assert curve.times == pytest.approx([0.0, 0.25, 0.37, 0.5, 1.0])
        default = after.rig.channel(name).default
        assert np.count_nonzero(curve.values != default) == 1
        assert curve.tied.all()


def test_a_curve_without_a_key_there_gets_one_and_keeps_its_tangents() -> None:
    before = arm()
    wish = position(before, "hand", 0.5) + np.array([0.0, 0.0, 0.1])
    after = hold(before, "pull-pose", place=place("hand"), time=0.5).to(wish).document
    old, new = before.clip().curves["elbow.ry"], after.clip().curves["elbow.ry"]
    assert 0.5 not in old.times
    assert new.times == pytest.approx([0.0, 0.37, 0.5, 1.0])
    old, new = before.clip().curves["elbow.rz"], after.clip().curves["elbow.rz"]
    assert np.array_equal(new.times, old.times)
    assert np.array_equal(new.ins, old.ins)
    assert np.array_equal(new.outs, old.outs)


def test_layers_are_taken_into_account() -> None:
    before = edits.set_layer_weight(arm(), "swing", "lean", 3.0)
    wish = position(before, "hand", 0.5) + np.array([0.03, 0.05, 0.0])
    after = hold(before, "pull-pose", place=place("hand"), time=0.5).to(wish).document
    assert position(after, "hand", 0.5) == pytest.approx(wish, abs=1e-3)
    assert after.clip().layers == before.clip().layers


def test_between_keys_it_says_how_to_key_the_pose() -> None:
    with pytest.raises(NoKeyThere, match=r"there is no key on frame 8: press K to key the pose here"):
        hold(arm(), "pull-pose", place=place("hand"), time=8 / 24)


def test_a_pose_that_is_keyed_for_the_first_time_can_be_pulled() -> None:
    bare = arm()
    clip = replace(bare.clip("swing"), curves=Curves(), layers=())
    document = edits.replace_clip(bare, "swing", clip)
    with pytest.raises(NoKeyThere):
        hold(document, "pull-pose", place=place("hand"), time=0.5)
    for channel in document.rig.channels:
        document = edits.set_curves(document, "swing", {channel.name: Curve.constant(channel.default, 0.5)})
    wish = position(document, "hand", 0.5) + np.array([-0.05, 0.1, 0.0])
    after = hold(document, "pull-pose", place=place("hand"), time=0.5).to(wish).document
    assert position(after, "hand", 0.5) == pytest.approx(wish, abs=1e-3)


@pytest.mark.parametrize(
    ("rule", "called"), [(Pin(Point("hips")), "hips pin"), (Contact(Point("elbow"), 0.4, 0.6), "elbow contact")]
)
def test_what_is_pinned_or_planted_stays_and_is_named_when_it_blocks(rule: Pin | Contact, called: str) -> None:
    document = edits.remove_constraint(arm(), "hips pin")
    document = edits.add_constraint(document, "swing", rule)
    joint = rule.point.joint
    outcome = hold(document, "pull-pose", place=place("hand"), time=0.5).to([0.0, 5.0, 0.0])
    assert not outcome.reached
    assert position(outcome.document, joint, 0.5) == pytest.approx(position(document, joint, 0.5), abs=1e-3)
    assert called in [blocker.name for blocker in outcome.blockers]


def test_constraints_of_other_times_do_not_hold_it() -> None:
    document = edits.add_constraint(arm(), "swing", Pin(Point("hand"), start=0.7, end=1.0))
    wish = position(document, "hand", 0.5) + np.array([0.0, 0.05, 0.0])
    assert hold(document, "pull-pose", place=place("hand"), time=0.5).to(wish).reached


def test_on_a_whole_body_other_keys_are_where_they_were() -> None:
    document = ib.example("diver")
    clip = document.clips[0].name
    motion = document.motion(clip)
    keys = motion.key_times(document.rig.point("hand_l"))
    wish = position(document, "hand_l", keys[2], clip) + np.array([0.1, 0.1, 0.0])
    outcome = hold(document, "pull-pose", clip=clip, place=place("hand_l"), time=float(keys[2])).to(wish)
    assert outcome.reached
    others = np.delete(keys, 2)
    off = outcome.document.motion(clip).joint_positions(others) - motion.joint_positions(others)
    assert np.abs(off).max() < 1e-6


def test_feet_that_stand_stay_when_the_hips_are_pulled() -> None:
    document = ib.example("waving")
    (clip,) = document.clips
    feet = [part.joint for part in document.anatomy().find("foot")]
    assert len(feet) == 2
    wish = position(document, "hips", 0.0, clip.name) + np.array([0.02, -0.08, 0.02])
    free, planted = (
        hold(document, "pull-pose", clip=clip.name, place=place("hips"), time=0.0, key=True, planted=each).settled(wish)
        for each in (False, True)
    )
    assert planted.reached
    turns = [
        each.motion(clip.name).states([0.0], document.rig.point("hips"))[1] for each in (document, planted.document)
    ]
    assert turns[1] == pytest.approx(turns[0], abs=1e-3)
    for foot in feet:
        before = position(document, foot, 0.0, clip.name)
        assert position(planted.document, foot, 0.0, clip.name) == pytest.approx(before, abs=1e-3)
        assert np.linalg.norm(position(free.document, foot, 0.0, clip.name) - before) > 0.03


def test_a_foot_that_is_pulled_itself_or_hangs_in_the_air_is_not_held() -> None:
    document = ib.example("waving")
    (clip,) = document.clips
    left, right = (part.joint for part in document.anatomy().find("foot"))
    wish = position(document, left, 0.0, clip.name) + np.array([0.0, 0.25, 0.1])
    hand = hold(document, "pull-pose", clip=clip.name, place=place(left), time=0.0, key=True, planted=True)
    lifted = hand.to(wish).document
    assert position(lifted, left, 0.0, clip.name) == pytest.approx(wish, abs=1e-3)
    stood = position(document, right, 0.0, clip.name)
    assert position(lifted, right, 0.0, clip.name) == pytest.approx(stood, abs=1e-3)
    hips = position(lifted, "hips", 0.0, clip.name) + np.array([0.0, -0.1, 0.0])
    sunk = hold(lifted, "pull-pose", clip=clip.name, place=place("hips"), time=0.0, planted=True).to(hips).document
    assert position(sunk, right, 0.0, clip.name) == pytest.approx(stood, abs=1e-3)
    assert np.linalg.norm(position(sunk, left, 0.0, clip.name) - wish) > 0.02


def test_frames_are_numbered_as_rulers_show_them() -> None:
    """A clip that was trimmed begins on another frame than nought."""
    document = edits.set_clip_range(arm(), "swing", 0.25, 1.0)
    assert hold(document, "pull-pose", place=place("hand"), time=0.5).label == "Pose hand at frame 12"
    with pytest.raises(NoKeyThere, match="no key on frame 8"):
        hold(document, "pull-pose", place=place("hand"), time=8 / 24)


def test_a_joint_without_rotations_cannot_be_turned_alone() -> None:
    document = arm()
    rig = replace(document.rig, channels=document.rig.channels[:-1])
    with pytest.raises(InvalidEdit, match="'hand' has no rotations of its own"):
        hold(
            replace(document, rig=rig),
            "pull-pose",
            place=place("hand"),
            time=0.5,
            wanted="orientation",
            alone=True,
        )
