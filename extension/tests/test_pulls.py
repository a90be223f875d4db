# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses that are pulled, and chains laid on strokes, judged by Blender: where bones are, which keys changed."""

import bpy
import numpy as np
import pytest

from extension.blender import pins
from extension.blender.pulling import Pulling, along
from extension.blender.refusal import Refused
from extension.tests import stage
from extension.tests.test_drags import MODES, reaching


def now(ob: bpy.types.Object, bone: str, end: str = "HEAD") -> np.ndarray:
    """Where Blender shows a bone, without going to any frame."""
    bpy.context.view_layer.update()
    seen = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    posed = seen.pose.bones[bone]
    return np.array(seen.matrix_world @ (posed.head if end == "HEAD" else posed.tail))


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_a_bone_is_pulled_on_a_key_and_pins_hold(scene: bpy.types.Scene, modes: list[str]) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, modes, seed=4)
    pins.keep(ob, [pins.Held("b1")])
    scene.frame_set(25)
    points, pinned = stage.keys(ob), now(ob, "b1")
    others = stage.where(scene, ob, "b3", [1, 13, 37, 49], "TAIL")
    scene.frame_set(25)
    pull = Pulling(ob, [("b3", "TAIL")], scene)
    wish = pull.starts[0] + np.array([0.1, 0.05, -0.1])
    assert pull.to(wish).reached
    assert np.linalg.norm(now(ob, "b3", "TAIL") - wish) < 1e-3
    assert pull.keep() > 0
    assert np.linalg.norm(stage.where(scene, ob, "b3", [25], "TAIL")[0] - wish) < 1e-3
    assert np.linalg.norm(stage.where(scene, ob, "b1", [25])[0] - pinned) < 1e-4
    np.testing.assert_allclose(stage.where(scene, ob, "b3", [1, 13, 37, 49], "TAIL"), others, atol=1e-5)
    # Only values of keys that were there have changed.
    for name, was in points.items():
        assert np.array_equal(stage.keys(ob)[name][:, 0], was[:, 0])


def test_a_pose_between_keys_gets_keys_of_its_own_where_it_changed(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"])
    scene.frame_set(20)
    before = stage.keys(ob)
    pull = Pulling(ob, [("b3", "HEAD")], scene, chain=3)
    wish = pull.starts[0] + 0.05 * np.array(ob.matrix_world.to_3x3() @ ob.pose.bones["b2"].x_axis)
    assert pull.to(wish).reached
    pull.keep()
    assert np.linalg.norm(stage.where(scene, ob, "b3", [20])[0] - wish) < 1e-3
    keyed = {name for name, each in stage.keys(ob).items() if 20.0 in each[:, 0]}
    assert keyed
    assert not any('"b0"' in name for name in keyed)
    for name, was in before.items():
        left = np.array([key for key in stage.keys(ob)[name] if key[0] != 20.0])
        assert np.array_equal(left, was)


def test_an_armature_without_any_action_is_posed(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    pull = Pulling(ob, [("b3", "TAIL")], scene)
    wish = pull.starts[0] + np.array([0.3, 0.1, -0.2])
    assert pull.to(wish).reached
    pull.keep()
    assert np.linalg.norm(now(ob, "b3", "TAIL") - wish) < 2e-3
    assert ob.animation_data is None or ob.animation_data.action is None


def test_a_cancelled_pull_puts_the_pose_back(scene: bpy.types.Scene) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["QUATERNION", "XYZ"])
    scene.frame_set(25)
    before, was = stage.handles(ob), now(ob, "b3")
    pull = Pulling(ob, [("b3", "HEAD")], scene)
    pull.to(pull.starts[0] + 0.1)
    assert np.linalg.norm(now(ob, "b3") - was) > 0.05
    pull.cancel()
    np.testing.assert_allclose(now(ob, "b3"), was, atol=1e-6)
    assert stage.handles(ob) == before


def test_what_constraints_move_is_pulled_by_measuring(scene: bpy.types.Scene) -> None:
    ob = reaching(scene)
    scene.frame_set(25)
    pull = Pulling(ob, [("b2", "TAIL")], scene)
    assert not pull.take.is_exact
    wish = pull.starts[0] + np.array([0.03, 0.02, -0.03])
    assert pull.to(wish).reached
    pull.keep()
    assert np.linalg.norm(stage.where(scene, ob, "b2", [25], "TAIL")[0] - wish) < 1e-3
    assert len(bpy.data.scenes) == 1


def test_ends_of_bones_lie_on_the_stroke_and_are_as_far_apart_as_they_are_long() -> None:
    turns = np.linspace(0.0, 1.5, 200)
    stroke = np.stack([np.sin(turns), np.zeros(200), 1.0 - np.cos(turns)], axis=1)
    lengths = [0.3, 0.2, 0.4, 1.5]
    ends = along(stroke, (5.0, 0.0, 1.0), lengths)
    apart = np.linalg.norm(np.diff(np.vstack([[5.0, 0.0, 1.0], ends]), axis=0), axis=1)
    np.testing.assert_allclose(apart, lengths, rtol=1e-6)
    on = ends[:3] - np.array([5.0, 0.0, 1.0])
    assert np.abs(np.linalg.norm(on - np.array([0.0, 0.0, 1.0]), axis=1) - 1.0).max() < 1e-4
    with pytest.raises(Refused, match="draw it longer"):
        along([(0.0, 0.0, 0.0)] * 3, (0.0, 0.0, 0.0), lengths)


def chosen(ob: bpy.types.Object, names: list[str]) -> None:
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="POSE")
    for bone in ob.pose.bones:
        bone.select = bone.name in names
    ob.data.bones.active = ob.data.bones[names[-1]]


def test_the_operators_pull_and_lay_a_chain_along_a_line(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    scene.frame_set(25)
    chosen(arm, ["b1", "b2", "b3"])
    wish = now(arm, "b3", "TAIL") + np.array([0.05, 0.0, -0.05])
    assert bpy.ops.inbetweener.pull(target=tuple(wish)) == {"FINISHED"}
    assert np.linalg.norm(stage.where(scene, arm, "b3", [25], "TAIL")[0] - wish) < 1e-3
    # A quarter of a circle that begins where the chain does.
    start, turns = stage.where(scene, arm, "b1", [25])[0], np.linspace(0.0, 1.5, 40)
    stroke = start + np.stack([np.sin(turns), 0.0 * turns, 1.0 - np.cos(turns)], axis=1)
    told = [{"name": "", "location": tuple(each)} for each in stroke]
    assert bpy.ops.inbetweener.line(stroke=told) == {"FINISHED"}
    middle = start + np.array([0.0, 0.0, 1.0])
    for bone, end in (("b2", "HEAD"), ("b3", "HEAD"), ("b3", "TAIL")):
        place = stage.where(scene, arm, bone, [25], end)[0]
        assert abs(np.linalg.norm(place - middle) - 1.0) < 2e-3
        assert abs(place[1] - start[1]) < 2e-3
    np.testing.assert_allclose(stage.where(scene, arm, "b1", [25])[0], start, atol=1e-5)


def test_bones_that_are_no_chain_are_refused(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    before = stage.handles(arm)
    chosen(arm, ["b1", "b3"])
    with pytest.raises(RuntimeError, match="b3 is no child of b1; select bones that follow each other"):
        bpy.ops.inbetweener.line(stroke=[{"name": "", "location": (0, 0, n)} for n in (0, 1)])
    assert stage.handles(arm) == before
