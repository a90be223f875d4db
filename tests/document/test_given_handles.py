"""Handles on demand: limbs of any character on handles, and off them, with joints where they were; judged by scipy."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from benchmarks.characters.handles import parted, places
from inbetweener import formats
from inbetweener.anatomy import Part
from inbetweener.curves import Curve, Key, Tangent, set_interpolation
from inbetweener.document import Document, edits
from inbetweener.document.native import read_native, write_native
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Joint, Rig, joint_channels

NEAR = 1e-4
CHARACTERS = {
    "gltf/khronos-samples/CesiumMan.glb": 5,
    "gltf/khronos-samples/Fox.glb": 5,
    "gltf/characters/quaternius_Farmer.glb": 5,
    "gltf/characters/RobotExpressive.glb": 3,
    "gltf/exporter-quirks/momentum_test_24fps.glb": 5,
    "gltf/vrm/chatvrm_idle_loop.vrma": 5,
    "bvh/clips/fair1_dab.bvh": 5,
    "bvh/clips/makehuman_walk1.bvh": 5,
    "bvh/cmu/09_03_run.bvh": 5,
}
"""How many handles each gets, with the control of the body."""


def read(path: Path) -> Document:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return formats.load(path)


def shown(document: Document, clip: str, times: np.ndarray) -> np.ndarray:
    return places(document.rig, document.rig.dof_map.dofs(document.motion(clip).channels(times)))


def farthest(one: Document, other: Document, clip: str, times: np.ndarray | None = None) -> float:
    times = one.clip(clip).frame_times if times is None else times
    return float(np.linalg.norm(shown(one, clip, times) - shown(other, clip, times), axis=2).max())


def quarters(document: Document, clip: str) -> np.ndarray:
    return parted(document, clip, 4)


def leg(bends: list[float], stepped: bool = False, turned: float = 0.0) -> Document:
    """Hips that walk and a leg whose knee bends by so many radians, on keys half a second apart."""
    joints = (
        Joint("hips", rest=Transform((0.0, 0.9, 0.0)), order="YXZ"),
        Joint("thigh_l", 0, Transform((0.1, 0.0, 0.0))),
        Joint("shin_l", 1, Transform((0.0, -0.4, 0.0))),
        Joint("foot_l", 2, Transform((0.0, -0.4, 0.0))),
        Joint("toe_l", 3, Transform((0.0, -0.05, 0.15))),
    )
    channels = [c for j in joints for c in joint_channels(j, "tx ty tz rx ry rz" if j.name == "hips" else "rx ry rz")]
    times = 0.5 * np.arange(len(bends))

    def smooth(values: np.ndarray) -> Curve:
        slopes = np.gradient(values, times)
        keys = (
            Key(t, v, Tangent(0.12, 0.12 * m), Tangent(0.2, 0.2 * m))
            for t, v, m in zip(times.tolist(), values.tolist(), slopes.tolist(), strict=True)
        )
        curve = Curve.from_keys(keys)
        return set_interpolation(curve, "constant", range(len(times))).curve if stepped else curve

    curves = {
        "hips.tz": smooth(0.3 * times),
        "hips.ry": smooth(turned * times),
        "thigh_l.rx": smooth(-0.5 * np.array(bends) + 0.1 * np.sin(times)),
        "thigh_l.rz": smooth(0.1 * np.cos(times)),
        "shin_l.rx": smooth(np.array(bends)),
        "foot_l.rx": smooth(0.2 * np.sin(3 * times)),
    }
    clip = Clip("step", float(times[-1]), curves=Curves(curves))
    document = Document("leg", Rig(joints, tuple(channels)), clips=(clip,))
    said = [Part(name, name[:-2], "left") for name in ("thigh_l", "shin_l", "foot_l", "toe_l")]
    return edits.set_roles(document, [Part("hips", "hips"), *said])


@pytest.mark.sweep
@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_from_elsewhere_move_as_before_on_handles_and_off_them(data: Path, name: str) -> None:
    document = read(data / name)
    result = edits.give_handles(document)
    given = result.document
    assert len(result.handles) == CHARACTERS[name]
    assert not result.left
    rests = [places(each.rig, each.rig.dof_map.dofs(each.rig.defaults[None])) for each in (document, given)]
    assert np.abs(rests[0] - rests[1]).max() <= NEAR
    on_handles = 0
    for clip in document.clips:
        gap = farthest(document, given, clip.name, quarters(document, clip.name))
        assert gap <= 1.0001 * NEAR
        assert gap <= result.moved[1] + 1e-9
        for handle in given.rig.handles:
            old = document.motion(clip.name).key_times(ib.rig.Point(handle.tip.joint))
            new = given.clip(clip.name).curves[handle.channels[0]].times
            assert len(old) == 0 or np.isin(old.round(6), new.round(6)).all(), "keys stay where they are"
            blend = given.motion(clip.name).channels(clip.frame_times)[:, given.rig.channel_index(handle.channels[6])]
            on_handles += int(blend.sum())
    frames = sum(len(clip.frame_times) for clip in document.clips) * len(given.rig.handles)
    assert on_handles == frames
    assert edits.take_handles(given).document == document


def test_keys_are_added_only_where_those_of_the_limb_do_not_tell_the_motion() -> None:
    document = leg([0.4, 1.2, 0.5, 0.9], turned=0.4)
    result = edits.give_handles(document)
    curve = result.document.clip().curves["left_foot.y"]
    assert result.handles == ("left_foot", "body_control")
    assert len(curve) == 4 + result.keys
    assert 0 < result.keys < 12
    assert farthest(document, result.document, "step") <= NEAR
    between = np.linspace(0.0, 1.5, 721)
    assert farthest(document, result.document, "step", between) < 1.1 * NEAR
    loose = edits.give_handles(document, tolerance=5e-3)
    assert loose.keys < result.keys
    assert farthest(document, loose.document, "step") <= 5e-3


def test_the_target_is_at_the_ankle_and_the_pole_where_the_knee_points() -> None:
    document = leg([0.4, 1.2, 0.5, 0.9], turned=0.4)
    given = edits.give_handles(document).document
    times = given.clip().frame_times
    at = shown(document, "step", times)
    values = given.motion().channels(times)
    target, pole = (values[:, [given.rig.channel_index(n) for n in names]] for names in (
        given.rig.handles[0].channels[:3], given.rig.handles[0].channels[3:6]))  # fmt: skip
    assert np.abs(target - at[:, 3]).max() < 2e-4
    line = at[:, 3] - at[:, 1]
    knee, to = (each - line * ((each * line).sum(1) / (line * line).sum(1))[:, None]
                for each in (at[:, 2] - at[:, 1], pole - at[:, 1]))  # fmt: skip
    cosine = (knee * to).sum(1) / np.linalg.norm(knee, axis=1) / np.linalg.norm(to, axis=1)
    assert cosine.min() > 0.99999


def test_a_knee_that_bends_back_a_little_stays_on_its_handle() -> None:
    document = leg([0.6, -0.2, 0.6, 0.6])
    result = edits.give_handles(document)
    given = result.document
    assert farthest(document, given, "step", quarters(document, "step")) <= NEAR
    assert not result.joints
    assert "left_foot.blend" not in given.clip().curves, "on its handle all the time"
    # What is lifted there bends forwards, and the pole does not change sides on the way.
    times = quarters(given, "step")
    lifted = edits.set_curves(given, "step", {"body_control.y": Curve.constant(-0.1)})
    knee = lifted.rig.dof_map.dofs(lifted.motion().channels(times))[:, 9 * lifted.rig.joint_index("shin_l") + 3]
    assert knee.min() > 0.3
    assert np.abs(np.diff(knee)).max() < 0.05
    pole = given.motion().channels(times)[:, [given.rig.channel_index(f"left_foot.pole.{axis}") for axis in "xyz"]]
    assert np.linalg.norm(np.diff(pole, axis=0), axis=1).max() < 0.05


def test_a_knee_that_bends_back_far_turns_by_its_joints_meanwhile() -> None:
    document = leg([0.6, -0.8, 0.6, 0.6])
    result = edits.give_handles(document)
    assert farthest(document, result.document, "step", quarters(document, "step")) <= NEAR
    frames = document.clip().frame_times
    blend = result.document.motion().channels(frames)[:, result.document.rig.channel_index("left_foot.blend")]
    bent = document.motion().channels(frames)[:, document.rig.channel_index("shin_l.rx")]
    assert (blend[bent < -0.4] == 0.0).all()
    assert (blend[np.minimum(bent, np.append(bent[1:], bent[-1])) > -0.3] == 1.0).all()
    assert result.joints == {"left_foot in step": int((blend == 0.0).sum())}
    assert "turn by joints" in str(result)


@pytest.mark.parametrize(
    "bends", [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.9, 1.0, 2.9]], ids=["straight", "stretched", "folded"]
)
def test_straight_and_folded_legs_stay_where_they_are(bends: list[float]) -> None:
    document = leg(bends)
    given = edits.give_handles(document).document
    assert farthest(document, given, "step", quarters(document, "step")) <= NEAR
    values = given.motion().channels(given.clip().frame_times)
    target = values[:, [given.rig.channel_index(f"left_foot.{axis}") for axis in "xyz"]]
    away = np.linalg.norm(target - shown(document, "step", given.clip().frame_times)[:, 3], axis=1)
    assert away.max() < 0.01, "never far from the ankle"


def test_steps_stay_steps() -> None:
    document = leg([0.4, 1.2, 0.5, 0.9], stepped=True)
    result = edits.give_handles(document)
    assert result.keys == 0
    assert farthest(document, result.document, "step", np.linspace(0.0, 1.5, 301)) <= NEAR


def test_layers_count() -> None:
    document = leg([0.4, 1.2, 0.5, 0.9])
    lean = Layer("lean", Curves({"shin_l.rx": Curve.constant(0.3), "hips.tx": Curve.sampled([0.0, 1.5], [0.0, 0.2])}))
    document = edits.replace_clip(document, "step", replace(document.clip(), layers=(lean,)))
    given = edits.give_handles(document).document
    assert farthest(document, given, "step") <= NEAR
    fk = edits.switch_limb(given, "left_foot", "fk", frames=(6, 18)).document
    assert farthest(document, fk, "step") <= NEAR


def moved(document: Document) -> Document:
    """The same with the foot's target five centimetres higher and to the side in the middle of the clip."""
    clip = document.clip()
    for channel, by in (("left_foot.y", 0.05), ("left_foot.x", 0.04)):
        curve = clip.curves[channel]
        middle = np.abs(curve.times - 0.75) < 0.3
        raised = replace(curve, values=curve.values + by * middle)
        document = edits.set_curves(document, clip.name, {channel: raised})
    return document


def test_what_was_moved_by_its_handle_is_taken_over_by_joints() -> None:
    given = edits.give_handles(leg([0.4, 1.2, 0.5, 0.9])).document
    document = moved(given)
    assert farthest(given, document, "step") > 0.04
    result = edits.take_handles(document)
    assert farthest(document, result.document, "step") <= NEAR
    assert result.document.rig == leg([0.4, 1.2]).rig
    assert set(result.document.clip().curves) <= {c.name for c in result.document.rig.channels}


def test_a_body_that_was_moved_by_its_control_stays_there_without_it() -> None:
    given = edits.give_handles(leg([0.4, 1.2, 0.5, 0.9])).document
    lower = Curve.sampled([0.0, 1.5], [0.0, -0.1])
    document = edits.set_curves(given, "step", {"body_control.y": lower, "body_control.ry": lower})
    hips, foot = ([shown(each, "step", np.array([1.5]))[0, j] for each in (given, document)] for j in (0, 3))
    assert np.allclose(hips[1] - hips[0], [0.0, -0.1, 0.0], atol=1e-9), "metres of the world"
    assert np.allclose(foot[0], foot[1], atol=NEAR), "feet stay where their handles are"
    result = edits.take_handles(document)
    assert farthest(document, result.document, "step") <= NEAR
    assert not any("body_control" in channel.name for channel in result.document.rig.channels)


@pytest.mark.parametrize("to", ["fk", "ik"])
def test_a_limb_is_switched_within_some_frames_without_a_pop(to: str) -> None:
    document = moved(edits.give_handles(leg([0.4, 1.2, 0.5, 0.9], turned=0.4)).document)
    if to == "ik":
        document = edits.switch_limb(document, "left_foot", "fk").document
    result = edits.switch_limb(document, "left_foot", to, frames=(9, 21))
    assert farthest(document, result.document, "step", quarters(document, "step")) <= NEAR
    assert result.moved[1] <= NEAR
    fine = np.linspace(0.0, 1.5, 1441)
    assert farthest(document, result.document, "step", fine) < 1.5 * NEAR
    rig, clip = result.document.rig, result.document.clip()
    blend = result.document.motion().channels(clip.frame_times)[:, rig.channel_index("left_foot.blend")]
    inside = np.zeros(len(blend), np.bool_)
    inside[9:21] = True
    assert (blend == np.where(inside == (to == "ik"), 1.0, 0.0)).all()
    # Keys on both sides, so that what is done within moves nothing without.
    own = clip.curves["thigh_l.rx" if to == "fk" else "left_foot.y"]
    assert np.isin((np.array([8, 9, 21, 22]) / 24).round(6), own.times.round(6)).all()
    name = "thigh_l.rx" if to == "fk" else "left_foot.y"
    within = (own.times > 10 / 24) & (own.times < 20 / 24)
    assert within.any()
    raised = replace(own, values=own.values + 0.05 * within)
    changed = edits.set_curves(result.document, "step", {name: raised})
    outside = np.concatenate([np.arange(0, 10), np.arange(21, 37)]) / 24
    assert farthest(result.document, changed, "step", outside) < 1e-9
    assert farthest(result.document, changed, "step") > 0.01


def test_a_whole_clip_is_baked_either_way() -> None:
    document = moved(edits.give_handles(leg([0.4, 1.2, 0.5, 0.9])).document)
    joints = edits.switch_limb(document, "left_foot", "fk").document
    assert farthest(document, joints, "step") <= NEAR
    handles = edits.switch_limb(joints, "left_foot", "ik").document
    assert farthest(document, handles, "step") <= NEAR
    again = moved(handles)
    assert farthest(handles, again, "step") > 0.04


def test_the_arc_of_a_handle_is_dragged_by_its_tangents() -> None:
    given = edits.give_handles(leg([0.4, 1.2, 0.5, 0.9], turned=0.4), tolerance=5e-3).document
    assert 15 not in (24 * given.clip().curves["left_foot.y"].times).round(3)
    result = edits.drag(given, "foot_l", frame=15, by=(0.02, 0.03, 0.0))
    assert not result.problem
    at = shown(result.document, "step", np.array([15 / 24]))[0, 3] - shown(given, "step", np.array([15 / 24]))[0, 3]
    assert np.allclose(at, [0.02, 0.03, 0.0], atol=1e-4)
    before, after = given.clip().curves, result.document.clip().curves
    assert all(np.array_equal(before[name].values, after[name].values) for name in before), "tangents alone"
    assert any(before[name] != after[name] for name in given.rig.handles[0].channels[:3])


def test_a_person_from_a_file_is_dragged_by_the_hand(data: Path) -> None:
    document = read(data / "gltf/vrm/chatvrm_idle_loop.vrma")
    given = edits.give_handles(document).document
    hand = next(each for each in given.rig.handles if each.name == "right_hand").tip.joint
    result = edits.drag(given, hand, frame=100.5, by=(0.0, 0.01, 0.0))
    assert not result.problem


def test_handles_are_saved(tmp_path: Path) -> None:
    given = edits.give_handles(leg([0.0, 1.2])).document
    write_native(given, tmp_path / "leg.tween")
    assert read_native(tmp_path / "leg.tween") == given
    assert given.rig.handles[0].soft == 2e-3
    assert given.rig.handles[0].back > 0


def test_some_limbs_and_no_control() -> None:
    document = ib.example("waving")
    result = edits.give_handles(document, ["right_hand"], body=False)
    assert result.handles == ("right_hand",)
    assert farthest(document, result.document, document.clip().name) <= NEAR
    more = edits.give_handles(result.document)
    assert "right_hand" not in more.handles
    assert "already" in more.problem
    some = edits.take_handles(more.document, ["left_foot"])
    assert {each.name for each in some.document.rig.handles} == {"right_hand", "left_hand", "right_foot"}


def test_what_cannot_be_is_said() -> None:
    document = leg([0.4, 1.2])
    with pytest.raises(UnknownName, match="no limb called 'left_hand'"):
        edits.give_handles(document, ["left_hand"])
    with pytest.raises(InvalidDocument, match="recognise --set"):
        edits.give_handles(ib.example("talking-face"))
    with pytest.raises(UnknownName, match="no handle called"):
        edits.switch_limb(document, "left_foot", "fk")
    given = edits.give_handles(document).document
    with pytest.raises(UnknownName, match="no handle called"):
        edits.take_handles(given, ["left_hand"])
    with pytest.raises(InvalidEdit, match="no stretch of clip 'step'"):
        edits.switch_limb(given, "left_foot", "fk", frames=(9, 3))
    with pytest.raises(UnknownName, match="no way called"):
        edits.switch_limb(given, "left_foot", "sideways")  # type: ignore[arg-type]
