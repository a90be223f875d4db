# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags in Blender, judged by Blender: targets and pins to a tenth of a millimetre, no key added or moved."""

import bpy
import numpy as np
import pytest

from extension.blender import pins
from extension.blender.dragging import Dragging
from extension.blender.take import Take
from extension.tests import stage

MODES = {"angles": ["XYZ", "ZXY", "YXZ"], "quaternions": ["QUATERNION"], "both": ["QUATERNION", "XYZ"]}
FINE = np.arange(1.0, 49.01, 0.25)


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
@pytest.mark.parametrize("connected", [False, True])
def test_plain_bones_are_taken_exactly(scene: bpy.types.Scene, modes: list[str], connected: bool) -> None:
    ob = stage.armature(scene, connected=connected)
    stage.animate(ob, modes)
    take = Take(ob, [("b3", "HEAD")], scene, 19.0)
    assert take.is_exact
    ours = take.motion.states(FINE / 24.0, take.place(("b3", "HEAD")))[0]
    np.testing.assert_allclose(ours, stage.where(scene, ob, "b3", FINE), atol=2e-6)


@pytest.mark.parametrize("frame", [6.0, 19.0, 45.0])
@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_a_plain_bone_goes_where_it_is_dragged_and_pins_hold(
    scene: bpy.types.Scene, modes: list[str], frame: float
) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, modes, seed=4)
    pins.keep(ob, [pins.Held("b1")])
    before = stage.keys(ob)
    pinned = stage.where(scene, ob, "b1", FINE)
    drag = Dragging(ob, ("b3", "HEAD"), frame, scene)
    wish = drag.start + np.array([0.005, 0.01, -0.01])
    assert drag.to(wish).reached
    drag.keep()
    assert np.linalg.norm(stage.where(scene, ob, "b3", [frame])[0] - wish) < 1e-4
    assert np.linalg.norm(stage.where(scene, ob, "b1", FINE) - pinned, axis=1).max() < 1e-4
    assert stage.same_keys(before, stage.keys(ob))


def test_a_cancelled_drag_leaves_everything_as_it_was(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["QUATERNION", "XYZ"])
    before, path = stage.handles(ob), stage.where(scene, ob, "b3", FINE)
    drag = Dragging(ob, ("b3", "HEAD"), 7.0, scene)
    drag.to(drag.start + 0.05)
    assert stage.handles(ob) != before
    drag.cancel()
    assert stage.handles(ob) == before
    assert np.array_equal(stage.where(scene, ob, "b3", FINE), path)


def test_freezing_automatic_keys_moves_nothing_elsewhere(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    away = FINE[FINE > 37.0]
    before = stage.where(scene, ob, "b3", away)
    drag = Dragging(ob, ("b3", "HEAD"), 7.0, scene)
    drag.to(drag.start + np.array([0.03, 0.0, 0.0]))
    drag.keep()
    assert np.abs(stage.where(scene, ob, "b3", away) - before).max() < 1e-5


def reaching(scene: bpy.types.Scene) -> bpy.types.Object:
    """A chain whose last bones follow a target by inverse kinematics, beside bones that have nothing to do with it."""
    ob = stage.armature(scene, 3, connected=True)
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    for name, x in (("goal", 0.0), ("other", 1.0), ("more", 2.0)):
        bone = ob.data.edit_bones.new(name)
        bone.head, bone.tail = (x, 0.3, 0.9), (x, 0.3, 1.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    follow = ob.pose.bones["b2"].constraints.new("IK")
    follow.target, follow.subtarget, follow.chain_count = ob, "goal", 3
    rng = np.random.default_rng(2)
    for frame in stage.FRAMES:
        for name in ("goal", "other", "more"):
            ob.pose.bones[name].location = 0.12 * rng.normal(size=3)
            ob.pose.bones[name].keyframe_insert("location", frame=frame)
    return ob


def test_what_constraints_move_is_measured_on_a_copy_that_goes_again(scene: bpy.types.Scene) -> None:
    ob = reaching(scene)
    pins.keep(ob, [pins.Held("b2", "TAIL", "pin", 31.0, 31.0)])
    before, pinned = stage.keys(ob), stage.where(scene, ob, "b2", [31.0], "TAIL")
    drag = Dragging(ob, ("b2", "TAIL"), 19.0, scene)
    assert not drag.take.is_exact
    wish = drag.start + np.array([0.01, 0.015, -0.01])
    assert drag.to(wish).reached
    assert len(bpy.data.scenes) == 2
    drag.keep()
    assert len(bpy.data.scenes) == len(bpy.data.objects) == len(bpy.data.armatures) == 1
    assert np.linalg.norm(stage.where(scene, ob, "b2", [19.0], "TAIL")[0] - wish) < 1e-4
    assert np.linalg.norm(stage.where(scene, ob, "b2", [31.0], "TAIL") - pinned) < 1e-4
    assert stage.same_keys(before, stage.keys(ob))


def test_an_object_can_be_dragged_too(scene: bpy.types.Scene) -> None:
    ob = bpy.data.objects.new("ball", None)
    scene.collection.objects.link(ob)
    for frame, x in ((1, 0.0), (25, 2.0), (49, 3.0)):
        ob.location = (x, 0.5 * x, 0.0)
        ob.keyframe_insert("location", frame=frame)
    drag = Dragging(ob, ("", "HEAD"), 13.0, scene)
    wish = drag.start + np.array([0.0, 0.0, 0.4])
    assert drag.to(wish).reached
    drag.keep()
    scene.frame_set(13)
    np.testing.assert_allclose(ob.matrix_world.translation, wish, atol=1e-4)


def test_a_generated_rigify_character_is_dragged_by_its_hand(scene: bpy.types.Scene) -> None:
    ob = stage.rigify(scene)
    pins.keep(ob, [pins.Held("foot_ik.L"), pins.Held("DEF-forearm.L", "HEAD", "pin", 30.0, 30.0)])
    before = stage.keys(ob)
    foot, elbow = stage.where(scene, ob, "foot_ik.L", FINE[::4]), stage.where(scene, ob, "DEF-forearm.L", [30.0])
    drag = Dragging(ob, ("DEF-hand.L", "HEAD"), 19.0, scene)
    assert not drag.take.is_exact
    wish = drag.start + np.array([0.02, -0.04, 0.03])
    assert drag.to(wish).reached
    drag.keep()
    assert np.linalg.norm(stage.where(scene, ob, "DEF-hand.L", [19.0])[0] - wish) < 1e-4
    assert np.linalg.norm(stage.where(scene, ob, "foot_ik.L", FINE[::4]) - foot, axis=1).max() < 1e-4
    assert np.linalg.norm(stage.where(scene, ob, "DEF-forearm.L", [30.0]) - elbow) < 1e-4
    assert stage.same_keys(before, stage.keys(ob))


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_a_bone_is_turned_where_it_stands(scene: bpy.types.Scene, modes: list[str]) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, modes, seed=4)
    before = stage.keys(ob)
    was, turned = stage.where(scene, ob, "b3", [19.0])[0], stage.turned(scene, ob, "b3", 19.0)
    drag = Dragging(ob, ("b3", "HEAD"), 19.0, scene, turning=True)
    assert drag.to(turn=(0.0, 0.0, 0.1)).reached
    drag.keep()
    c, s = np.cos(0.1), np.sin(0.1)
    wish = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ turned
    assert np.abs(stage.turned(scene, ob, "b3", 19.0) - wish).max() < 1e-3
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0])[0] - was) < 1e-4
    assert stage.same_keys(before, stage.keys(ob))


def test_timing_is_scaled_on_the_same_path(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    # Curves that share their widths keep the path: all handles as long, and flat.
    for curve in ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot).fcurves:
        for key in curve.keyframe_points:
            key.handle_left_type = key.handle_right_type = "ALIGNED"
            key.handle_left, key.handle_right = (key.co.x - 4.0, key.co.y), (key.co.x + 4.0, key.co.y)
        curve.update()
    before, fine = stage.keys(ob), np.arange(13.0, 25.01, 0.02)
    path, speed = stage.where(scene, ob, "b3", fine), stage.where(scene, ob, "b3", [18.5, 19.5])
    drag = Dragging(ob, ("b3", "HEAD"), 19.0, scene)
    drag.faster(0.3)
    assert 0.0 < drag.amount <= 0.3
    drag.keep()
    after = stage.where(scene, ob, "b3", fine[::10])
    assert np.linalg.norm(after[:, None] - path, axis=2).min(axis=1).max() < 2e-3
    assert np.linalg.norm(np.diff(stage.where(scene, ob, "b3", [18.5, 19.5]), axis=0)) > 1.1 * np.linalg.norm(
        np.diff(speed, axis=0)
    )
    assert stage.same_keys(before, stage.keys(ob))


def test_timing_leaves_what_is_held(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    pins.keep(ob, [pins.Held("b2")])
    pinned, was = stage.where(scene, ob, "b2", FINE), stage.handles(ob)
    drag = Dragging(ob, ("b3", "TAIL"), 19.0, scene)
    drag.faster(0.3)
    # Across the bone: along it there is nothing that could give way.
    wish = drag.start + 0.005 * drag.axes[:, 0]
    assert drag.to(wish).reached
    drag.keep()
    assert stage.handles(ob) != was
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0], "TAIL")[0] - wish) < 1e-4
    assert np.abs(stage.where(scene, ob, "b2", FINE) - pinned).max() < 1e-4


@pytest.mark.parametrize("what", ["target", "parent", "driver"])
def test_what_moves_besides_is_seen_as_it_is_at_each_frame(scene: bpy.types.Scene, what: str) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    other = bpy.data.objects.new("other", None)
    scene.collection.objects.link(other)
    for frame, x in ((1, 0.0), (25, 0.5), (49, -0.3)):
        other.location = (x, 0.2, 0.5)
        other.keyframe_insert("location", frame=frame)
    if what == "target":
        follow = ob.pose.bones["b2"].constraints.new("COPY_LOCATION")
        follow.target, follow.influence = other, 0.5
    elif what == "parent":
        ob.parent = other
    else:
        ob.pose.bones["b3"].driver_add("location", 0).driver.expression = "frame / 100"
    pins.keep(ob, [pins.Held("b3", "TAIL", "pin", 31.0, 31.0)])
    pinned = stage.where(scene, ob, "b3", [31.0], "TAIL")
    seen = Take(ob, [("b3", "TAIL")], scene)
    assert not seen.is_exact
    ours = seen.motion.states(FINE / 24.0, seen.place(("b3", "TAIL")))[0]
    seen.close()
    np.testing.assert_allclose(ours, stage.where(scene, ob, "b3", FINE, "TAIL"), atol=5e-6)
    drag = Dragging(ob, ("b3", "TAIL"), 19.0, scene)
    wish = drag.start + 0.01 * drag.axes[:, 0]
    assert drag.to(wish).reached
    drag.keep()
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0], "TAIL")[0] - wish) < 1e-4
    assert np.linalg.norm(stage.where(scene, ob, "b3", [31.0], "TAIL") - pinned) < 1e-4
    assert len(bpy.data.scenes) == 1
