"""Poses that are pasted, mirrored, reset and mixed; clips that are shifted, reversed, stepped and filtered."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import inbetweener as ib
from inbetweener.curves import CONSTANT, Curve, evaluate
from inbetweener.document import Document, edits
from inbetweener.document.edits.poses import Blend
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves
from inbetweener.motion.layers import Layer
from inbetweener.rig import Joint, Rig
from inbetweener.rig.channel import joint_channels
from inbetweener.tangents import Contact
from tests.studio.documents import arm

TIMES = np.linspace(0.0, 1.0, 41)


def value(document: Document, channel: str, time: float) -> float:
    return float(document.motion("swing").channels([time])[0, document.rig.channel_index(channel)])


def test_a_tween_lies_between_the_keys_around_it_and_beyond() -> None:
    before = arm()
    for share in (-0.2, 0.0, 0.3, 1.0, 1.4):
        after = edits.blend_pose(before, "swing", 0.75, "tween", share, channels=["elbow.rz", "hips.tx"])
        assert value(after, "elbow.rz", 0.75) == pytest.approx(0.4 + share * (1.0 - 0.4))
        assert value(after, "hips.tx", 0.75) == pytest.approx(0.3 + share * (0.4 - 0.3))
        assert after.clip().curves["hips.ty"] is before.clip().curves["hips.ty"]
    # On a key its own value is not counted: the neighbours are those before and after.
    onto = edits.blend_pose(before, "swing", 0.5, "tween", 0.5, channels=["elbow.rz"])
    assert value(onto, "elbow.rz", 0.5) == pytest.approx(0.5 * (0.9 + 1.0))
    assert np.array_equal(onto.clip().curves["elbow.rz"].times, before.clip().curves["elbow.rz"].times)


def test_a_key_that_a_tween_puts_in_does_not_overshoot() -> None:
    """A key cut out of a steep curve would keep its slope, and bulge beyond both neighbours."""
    curve = edits.blend_pose(arm(), "swing", 0.375, "tween", 0.1, channels=["elbow.rz"]).clip().curves["elbow.rz"]
    between = evaluate(curve, np.linspace(0.25, 0.5, 50))
    assert (np.diff(between) <= 1e-9).all()
    assert between.max() <= 0.9


def test_push_goes_away_from_the_straight_way_and_neighbour_to_a_key() -> None:
    before = arm()
    line = 0.9 + (1.0 - 0.9) * (0.5 - 0.25) / 0.75
    pushed = edits.blend_pose(before, "swing", 0.5, "push", 0.5, channels=["elbow.rz"])
    assert value(pushed, "elbow.rz", 0.5) == pytest.approx(0.4 + 0.5 * (0.4 - line))
    for amount, goal in ((1.0, 1.0), (-1.0, 0.9)):
        blended = edits.blend_pose(before, "swing", 0.5, "neighbour", 0.5 * amount, channels=["elbow.rz"])
        assert value(blended, "elbow.rz", 0.5) == pytest.approx(0.5 * (0.4 + goal))


STEP = 28 / 24
"""The boxer's left foot stands there on the keys around too; the right one is on its way."""
FEET = ("foot_l", "foot_r")


def strayed(before: Document, after: Document) -> np.ndarray:
    """How far (2,) the feet are from where they were, in metres."""
    points = [before.rig.point(foot) for foot in FEET]
    was, now = (each.motion().point_positions([STEP], points)[0] for each in (before, after))
    return np.asarray(np.linalg.norm(now - was, axis=1))


@pytest.mark.parametrize(("how", "amount"), [("tween", 1.3), ("push", 1.0), ("rest", 0.6)])
def test_planted_feet_stay_while_a_pose_is_blended_and_one_on_its_way_goes_along(how: Blend, amount: float) -> None:
    boxer = ib.example("boxer")
    clip = boxer.clip().name
    free = edits.blend_pose(boxer, clip, STEP, how, amount)
    held = edits.blend_pose(boxer, clip, STEP, how, amount, planted=True)
    assert strayed(boxer, free).min() > 0.03
    assert strayed(boxer, held)[0] < 1e-3
    assert strayed(boxer, held)[1] == pytest.approx(strayed(boxer, free)[1], rel=1e-6)
    # Legs give way, the body is as blended.
    hand = boxer.rig.point("palm_r")
    was, now = (each.motion().point_positions([STEP], [hand]) for each in (free, held))
    np.testing.assert_allclose(now, was, atol=1e-9)


def test_what_is_in_contact_stays_planted_whatever_the_keys_around_say() -> None:
    boxer = ib.example("boxer")
    clip = boxer.clip().name
    foot = Contact(boxer.rig.point("foot_r"), STEP - 0.1, STEP + 0.1, "both")
    document = edits.add_constraint(boxer, clip, foot)
    assert strayed(document, edits.blend_pose(document, clip, STEP, "rest", 0.6, planted=True)).max() < 1e-3
    off = edits.switch_constraint(document, document.constraints[-1].name, False)
    assert strayed(off, edits.blend_pose(off, clip, STEP, "rest", 0.6, planted=True))[1] > 0.1


def test_legs_of_planted_feet_are_keyed_where_they_give_way_and_nothing_else_of_what_was_not_chosen() -> None:
    boxer = ib.example("boxer")
    clip = boxer.clip().name
    chosen = [channel.name for channel in boxer.rig.channels if channel.drives and channel.drives[0].joint == "hips"]
    held = edits.blend_pose(boxer, clip, STEP, "rest", 0.3, channels=chosen, planted=True)
    assert strayed(boxer, held)[0] < 1e-3
    changed = {name for name, curve in held.clip().curves.items() if curve is not boxer.clip().curves.get(name)}
    joints = {drive.joint for name in changed for drive in boxer.rig.channel(name).drives}
    assert joints > {"hips"}
    assert joints <= {"hips", "thigh_l", "shank_l", "foot_l"}
    # An arm alone moves no foot, and keys no leg.
    arm_only, plain = (
        edits.blend_pose(boxer, clip, STEP, "rest", 0.3, channels=["forearm_r.rx"], planted=planted)
        for planted in (True, False)
    )
    assert set(arm_only.clip().curves) == set(plain.clip().curves)
    for name, curve in plain.clip().curves.items():
        np.testing.assert_array_equal(arm_only.clip().curves[name].values, curve.values)


def test_where_legs_are_too_short_the_body_comes_back_to_its_planted_feet() -> None:
    boxer = ib.example("boxer")
    clip, height = boxer.clip().name, boxer.rig.channel_index("hips.ty")
    free, held = (
        edits.blend_pose(boxer, clip, STEP, "rest", 2.5, channels=["hips.ty"], planted=planted)
        for planted in (False, True)
    )
    was, high, low = (each.motion().channels([STEP])[0, height] for each in (boxer, free, held))
    assert strayed(boxer, free).min() > 0.1
    assert strayed(boxer, held)[0] < 1e-3
    assert was < low < high - 0.01


def test_a_layer_that_has_no_legs_blends_what_it_has() -> None:
    boxer = ib.example("boxer")
    clip = boxer.clip().name
    boxer = edits.add_layer(boxer, clip, Layer("arms", Curves(), joints=("forearm_r",)))
    elbow = boxer.rig.channel_index("forearm_r.rx")
    after = edits.blend_pose(boxer, clip, STEP, "rest", 1.0, channels=["forearm_r.rx"], layer="arms", planted=True)
    assert boxer.motion().channels([STEP])[0, elbow] != 0.0
    assert after.motion().channels([STEP])[0, elbow] == pytest.approx(0.0, abs=1e-9)
    assert after.clip().curves == boxer.clip().curves


def test_a_blend_that_cannot_be_is_refused_or_leaves_the_document() -> None:
    before = arm()
    assert edits.blend_pose(before, "swing", 0.0, "tween", 0.5) is before
    with pytest.raises(UnknownName, match="blend"):
        edits.blend_pose(before, "swing", 0.5, "melt", 0.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidDocument, match="blended by nan"):
        edits.blend_pose(before, "swing", 0.5, "tween", float("nan"))


def test_a_reset_pose_is_at_rest_there_and_other_keys_stay() -> None:
    before = arm()
    after = edits.reset_pose(before, "swing", 0.25, ["elbow.rz"])
    assert value(after, "elbow.rz", 0.25) == 0.0
    assert value(after, "hips.tx", 0.25) == value(before, "hips.tx", 0.25)
    whole = edits.reset_pose(before, "swing", 0.25)
    assert whole.motion("swing").channels([0.25])[0] == pytest.approx(before.rig.defaults, abs=1e-12)
    assert whole.motion("swing").channels([1.0])[0] == pytest.approx(before.motion("swing").channels([1.0])[0])


def test_a_pasted_pose_is_there_and_a_mirrored_one_is_its_image() -> None:
    document = ib.example("boxer")
    rig, clip = document.rig, document.clip()
    pose = document.motion().channels([0.3])[0]
    values = {channel.name: float(x) for channel, x in zip(rig.channels, pose, strict=True)}
    pasted = edits.paste_pose(document, clip.name, 1.0, values)
    assert pasted.motion().channels([1.0])[0] == pytest.approx(pose, abs=1e-9)
    mirrored = edits.paste_pose(document, clip.name, 1.0, values, mirrored=True)
    there = {joint.name: rig.world_from_joint(pose[None])[0, j, :, 3] for j, joint in enumerate(rig.joints)}
    world = mirrored.motion().world_from_joint([1.0])[0, :, :, 3]
    for j, joint in enumerate(rig.joints):
        other = joint.name.replace("_l", "_L").replace("_r", "_l").replace("_L", "_r")
        assert world[j] == pytest.approx(there[other] * [-1.0, 1.0, 1.0], abs=1e-6), joint.name
    again = edits.mirror_pose(edits.mirror_pose(document, clip.name, 0.3), clip.name, 0.3)
    assert again.motion().joint_positions([0.3]) == pytest.approx(document.motion().joint_positions([0.3]), abs=1e-6)
    with pytest.raises(InvalidDocument, match="same rig"):
        edits.paste_pose(document, clip.name, 1.0, {"fin.rx": 1.0})


def test_a_second_pose_leaves_the_first_alone() -> None:
    """Where all channels have a single key, that is a pose too."""
    bare = edits.new_clip(replace(arm(), clips=(), constraints=()))
    first = edits.paste_pose(bare, "clip 1", 0.0, {"elbow.rz": 1.0, "hips.tx": 0.2})
    second = edits.paste_pose(first, "clip 1", 0.5, {"elbow.rz": -1.0, "elbow.ry": 0.5})
    index = [second.rig.channel_index(name) for name in ("elbow.rz", "hips.tx", "elbow.ry")]
    poses = second.motion().channels([0.0, 0.5])[:, index]
    assert poses == pytest.approx(np.array([[1.0, 0.2, 0.0], [-1.0, 0.2, 0.5]]))


def test_a_pose_is_pasted_onto_chosen_channels_alone() -> None:
    before = arm()
    after = edits.paste_pose(before, "swing", 0.5, {"elbow.rz": 1.5, "hips.tx": 9.0}, channels=["elbow.rz"])
    assert value(after, "elbow.rz", 0.5) == 1.5
    assert after.clip().curves["hips.tx"] is before.clip().curves["hips.tx"]


def test_a_reversed_clip_has_every_pose_at_the_other_end() -> None:
    before = edits.add_constraint(arm(), "swing", Contact(arm().rig.point("hand"), 0.5, 0.75))
    after = edits.reverse_clip(before, "swing")
    assert after.motion("swing").channels(TIMES) == pytest.approx(before.motion("swing").channels(1.0 - TIMES))
    assert [(each.rule.start, each.rule.end) for each in after.constraints] == [(0.75, 1.0), (0.25, 0.5)]
    twice = edits.reverse_clip(after, "swing")
    assert twice.motion("swing").channels(TIMES) == pytest.approx(before.motion("swing").channels(TIMES))


def test_a_shifted_clip_moves_with_all_that_is_in_it() -> None:
    after = edits.shift_clip(arm(), "swing", 2.0)
    assert (after.clip("swing").start, after.clip("swing").end) == (2.0, 3.0)
    assert after.motion("swing").channels(TIMES + 2.0) == pytest.approx(arm().motion("swing").channels(TIMES))
    assert after.constraints[0].rule.start == 2.0
    assert after.clip("still") is not None
    with pytest.raises(InvalidDocument, match="finite"):
        edits.shift_clip(arm(), "swing", float("inf"))


def test_blocking_holds_every_pose_and_splining_flows_through_the_same_keys() -> None:
    before = arm()
    blocked = edits.block_clip(before, "swing")
    curve = blocked.clip().curves["elbow.rz"]
    assert evaluate(curve, [0.1, 0.24, 0.3, 0.9]) == pytest.approx([0.2, 0.2, 0.9, 0.4])
    flowing = edits.block_clip(blocked, "swing", stepped=False).clip().curves["elbow.rz"]
    assert (flowing.interpolations[:-1] != CONSTANT).all()
    assert np.array_equal(flowing.values, curve.values)
    assert 0.2 < evaluate(flowing, [0.125])[0] < 0.9
    assert edits.block_clip(before, "swing", stepped=False) is before


def test_filtered_angles_turn_the_same_way_without_jumps() -> None:
    joint = Joint("hip", order="ZYX")
    rig = Rig((joint,), joint_channels(joint))
    smooth = np.stack([np.linspace(0.2, 0.9, 6), np.linspace(1.0, 2.2, 6), np.linspace(-0.3, 0.4, 6)], axis=1)
    # Beyond 90° of the middle angle the usual writing jumps; scipy's is that one.
    jumping = Rotation.from_euler("ZYX", smooth[:, ::-1]).as_euler("ZYX")[:, ::-1]
    assert np.abs(np.diff(jumping, axis=0)).max() > 2.0
    times = np.linspace(0.0, 1.0, 6)
    curves = {f"hip.r{axis}": Curve.sampled(times, jumping[:, i]) for i, axis in enumerate("xyz")}
    document = Document("hip", rig, clips=(Clip("turn", 1.0, curves=Curves(curves)),))
    after = edits.filter_angles(document, "turn").clip().curves
    angles = np.stack([after[f"hip.r{axis}"].values for axis in "xyz"], axis=1)
    assert angles == pytest.approx(smooth)
    alone = edits.set_curves(document, "turn", {"hip.rx": None, "hip.rz": Curve.sampled([0.0, 1.0], [3.0, -3.0])})
    assert edits.filter_angles(alone, "turn").clip().curves["hip.rz"].values == pytest.approx([3.0, 2 * np.pi - 3.0])


def test_a_symmetric_pull_moves_the_other_limb_in_the_mirror() -> None:
    """As far from the middle of the body, as high; what carries both arms bends forward at most, never to a side."""
    waving = ib.example("waving")
    clip = waving.clip().name
    at_rest = edits.remove_curves(waving, clip, list(waving.clip().curves))
    made = edits.pull(at_rest, "hand_l", frame=6, by=(0.05, 0.15, 0.1), key=True, symmetric=True)
    pose = made.document.motion(clip).channels([made.time])
    world = made.document.rig.posed(pose).world_from_joint[0, :, :, 3]
    rig = waving.rig
    left, right = (world[rig.joint_index(name)] - world[rig.joint_index("chest")] for name in ("hand_l", "hand_r"))
    rest = rig.rest_world()[rig.joint_index("hand_r"), :, 3]
    assert np.linalg.norm(world[rig.joint_index("hand_r")] - rest) > 0.05
    assert right == pytest.approx(left * [-1.0, 1.0, 1.0], abs=1e-6)
    assert made.reached
    far = edits.pull(at_rest, "hand_l", frame=6, by=(0.0, 0.6, 0.1), key=True, symmetric=True)
    for result in (made, far):
        spots = result.document.motion(clip).joint_positions([result.time])[0]
        for name in ("hips", "chest", "head"):
            assert spots[rig.joint_index(name), 0] == pytest.approx(rig.rest_world()[rig.joint_index(name), 0, 3])
    trunk = edits.pull(at_rest, "head", frame=6, by=(0.0, 0.0, 0.05), key=True, symmetric=True)
    assert trunk.document == edits.pull(at_rest, "head", frame=6, by=(0.0, 0.0, 0.05), key=True).document
