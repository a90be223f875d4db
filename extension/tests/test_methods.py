# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts, guidance and looseness on actions, judged by Blender: what stands, what holds, what swings, what stays."""

import bpy
import numpy as np
import pytest

from extension.blender import loose, methods, pins
from extension.blender.refusal import Refused
from extension.tests import stage

FINE = np.arange(1.0, 49.01, 0.25)


def stepping(scene: bpy.types.Scene, mode: str = "XYZ") -> bpy.types.Object:
    """A leg of three bones that stands on a foot, roughly, from frame 13 to 37, and steps before and after."""
    ob = stage.armature(scene, 3, connected=True)
    ob.location, ob.rotation_euler, ob.scale = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    rng = np.random.default_rng(7)
    swing = {1: -0.5, 13: 0.0, 25: 0.0, 37: 0.0, 49: 0.6}
    for frame, angle in swing.items():
        for n, bone in enumerate(ob.pose.bones):
            bone.rotation_mode = mode
            turn = (angle + 0.02 * rng.normal(), 0.02 * rng.normal(), 0.0)
            if mode == "QUATERNION":
                from mathutils import Euler

                bone.rotation_quaternion = Euler(turn).to_quaternion()
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            else:
                bone.rotation_euler = turn
                bone.keyframe_insert("rotation_euler", frame=frame)
            if n == 0:
                bone.location = (0.03 * (frame > 13), 0.0, 0.0)
                bone.keyframe_insert("location", frame=frame)
    return ob


def slide(scene: bpy.types.Scene, ob: bpy.types.Object) -> float:
    """How far the foot strays while it stands."""
    stands = stage.where(scene, ob, "b2", np.arange(13.0, 37.01, 0.25), "TAIL")
    return float(np.linalg.norm(stands - stands[0], axis=1).max())


@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION"])
def test_contacts_agree_and_hold_between_keys(scene: bpy.types.Scene, mode: str) -> None:
    ob = stepping(scene, mode)
    pins.keep(ob, [pins.Held("b2", "TAIL", "contact", 13.0, 37.0)])
    before, slid = stage.keys(ob), slide(scene, ob)
    assert slid > 0.02
    methods.agree(ob, scene)
    after = stage.keys(ob)
    for name, was in before.items():
        assert np.array_equal(after[name][:, 0], was[:, 0])
    posed = stage.where(scene, ob, "b2", [13.0, 25.0, 37.0], "TAIL")
    assert np.linalg.norm(posed - posed[0], axis=1).max() < 1e-3
    methods.hold(ob, scene)
    assert stage.same_keys(after, stage.keys(ob))
    assert slide(scene, ob) < 0.1 * slid
    assert pins.held(ob) == [pins.Held("b2", "TAIL", "contact", 13.0, 37.0)]


def test_contacts_of_chosen_bones_are_found(scene: bpy.types.Scene) -> None:
    ob = stepping(scene)
    pins.keep(ob, [pins.Held("b2", "TAIL", "contact", 13.0, 37.0)])
    methods.agree(ob, scene)
    methods.hold(ob, scene)
    pins.keep(ob, [])
    methods.find_contacts(ob, scene, [("b2", "TAIL")])
    (found,) = [each for each in pins.held(ob) if each.kind == "contact"]
    assert found.place == ("b2", "TAIL")
    assert abs(found.first - 13.0) <= 3.0
    assert abs(found.last - 37.0) <= 3.0
    again = pins.held(ob)
    methods.find_contacts(ob, scene, [("b2", "TAIL")])
    assert pins.held(ob) == again


def jerk(scene: bpy.types.Scene, ob: bpy.types.Object) -> float:
    """Of the angles, by differences, as Blender evaluates the curves."""
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    turns = [curve for curve in bag.fcurves if curve.data_path.endswith("rotation_euler")]
    values = np.array([[curve.evaluate(frame) for frame in np.arange(1.0, 49.01, 0.5)] for curve in turns])
    return float((np.diff(values, 3, axis=1) ** 2).sum())


def test_guidance_lessens_what_costs_by_handles_alone(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    pins.keep(ob, [pins.Held("b1")])
    points, before, pinned = stage.keys(ob), jerk(scene, ob), stage.where(scene, ob, "b1", FINE)
    result = methods.guide(ob, scene, {"jerk": 1.0}, regularise=0.05)
    assert not result.problem
    assert stage.same_keys(points, stage.keys(ob))
    assert jerk(scene, ob) < 0.9 * before
    assert np.linalg.norm(stage.where(scene, ob, "b1", FINE) - pinned, axis=1).max() < 2e-3
    with pytest.raises(Refused, match="choose effort"):
        methods.guide(ob, scene, {})


def test_effort_of_quaternions_is_refused_with_the_remedy(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["QUATERNION", "XYZ"])
    before = stage.handles(ob)
    with pytest.raises(Refused, match=r"b0, b2 turn by quaternions, which cannot be guided; .*Convert Rotation Modes"):
        methods.guide(ob, scene, {"torque": 1.0})
    assert stage.handles(ob) == before


def test_loose_bones_swing_hit_their_marks_and_are_baked_into_a_new_action(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"], turn=0.3)
    keyed, old = stage.where(scene, ob, "b3", FINE, "TAIL"), ob.animation_data.action
    above = stage.where(scene, ob, "b2", FINE)
    handles = stage.handles(ob)
    wish = stage.where(scene, ob, "b3", [30.0], "TAIL")[0] + np.array([0.02, 0.0, 0.02])
    loose.keep(ob, loose.falling(["b2", "b3"], 2.0, 0.3, 0.6), [loose.Mark("b3", "TAIL", 30.0, tuple(wish))])
    told = methods.bake(ob, scene, 0.001)
    assert "2 springs, 1 marks baked" in told
    assert ob.animation_data.action is not old
    swung = stage.where(scene, ob, "b3", FINE, "TAIL")
    assert np.linalg.norm(swung - keyed, axis=1).max() > 0.01
    assert np.linalg.norm(stage.where(scene, ob, "b3", [30.0], "TAIL")[0] - wish) < 0.004
    # What is above gives way to the mark alone, shortly before and after it; the action before stays.
    early = FINE <= 17.0
    np.testing.assert_allclose(stage.where(scene, ob, "b2", FINE[early]), above[early], atol=1e-5)
    slot = ob.animation_data.action_slot.identifier
    ob.animation_data.action = old
    ob.animation_data.action_slot = next(each for each in old.slots if each.identifier == slot)
    assert stage.handles(ob) == handles
    np.testing.assert_allclose(stage.where(scene, ob, "b3", FINE, "TAIL"), keyed, atol=1e-6)


def test_springs_and_marks_come_along_and_back(scene: bpy.types.Scene) -> None:
    from extension.blender.exchange import fetched, sent
    from inbetweener.document import edits
    from inbetweener.kinodynamics import Spring

    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    pins.keep(ob, [pins.Held("b0")])
    springs = [loose.Swing("b3", 2.0, 0.4)]
    loose.keep(ob, springs, [loose.Mark("b3", "TAIL", 20.0, (0.5, 0.25, 1.0), 24.0)])
    document = sent(ob, scene).document
    assert document.loosening("action").looseness.springs == {"b3": Spring(2.0, 0.4)}
    assert document.loosening("action").aims[0].target.position == (0.5, 1.0, -0.25)
    fetched(ob, scene, edits.set_springs(document, "action", {"b2": Spring(3.0, 0.5)}))
    assert loose.swings(ob) == [*springs, loose.Swing("b2", 3.0, 0.5)]
    assert loose.marks(ob) == [loose.Mark("b3", "TAIL", 20.0, (0.5, 0.25, 1.0), 24.0)]
    assert pins.held(ob) == [pins.Held("b0")]


def test_the_operators_plant_loosen_and_bake(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    for bone in arm.pose.bones:
        bone.rotation_mode = "XYZ"
    arm.animation_data_clear()
    stage.animate(arm, ["XYZ"], turn=0.2)
    scene.frame_set(19)
    arm.data.bones.active = arm.data.bones["b3"]
    assert bpy.ops.inbetweener.loosen(preset="loose") == {"FINISHED"}
    assert bpy.ops.inbetweener.mark(end="TAIL") == {"FINISHED"}
    assert loose.swings(arm) == [loose.Swing("b3", 2.2, 0.35)]
    wish = stage.where(scene, arm, "b3", [19.0], "TAIL")[0]
    np.testing.assert_allclose(loose.marks(arm)[0].place, wish, atol=1e-6)
    bpy.ops.ed.undo_push(message="loosened")
    assert bpy.ops.inbetweener.bake() == {"FINISHED"}
    again = bpy.data.objects["arm"]
    assert again.animation_data.action.name.endswith("loose")
    assert np.linalg.norm(stage.where(scene, again, "b3", [19.0], "TAIL")[0] - wish) < 0.003
    assert loose.swings(again) == []
    assert bpy.ops.inbetweener.loosen(preset="none") == {"FINISHED"}
    assert bpy.ops.inbetweener.pin(kind="contact", over="ALL") == {"FINISHED"}
    assert bpy.ops.inbetweener.plant(agree=False) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="nothing of arm is loose; select bones and loosen them first"):
        bpy.ops.inbetweener.bake()
    with pytest.raises(RuntimeError, match="choose Agree, Hold or both"):
        bpy.ops.inbetweener.plant(agree=False, hold=False)
