# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as Blender runs it: registered, its operators called, undone, saved and opened again."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from extension import blender
from extension.blender import arcs, pins, stripped
from extension.tests import stage


def dragged(scene: bpy.types.Scene, ob: bpy.types.Object, by: tuple[float, float, float]) -> np.ndarray:
    """Drag b3 at frame 19 by so much with the operator; the wish."""
    wish = stage.where(scene, ob, "b3", [19.0])[0] + np.array(by)
    assert bpy.ops.inbetweener.drag(bone="b3", frame=19.0, target=tuple(wish)) == {"FINISHED"}
    return wish


def test_the_operator_drags_and_one_undo_takes_it_back(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    before = stage.handles(arm)
    wish = dragged(scene, arm, (0.02, 0.0, -0.03))
    assert np.linalg.norm(stage.where(scene, arm, "b3", [19.0])[0] - wish) < 1e-4
    bpy.ops.ed.undo()
    assert stage.handles(bpy.data.objects["arm"]) == before
    bpy.ops.ed.redo()
    again = bpy.data.objects["arm"]
    assert np.linalg.norm(stage.where(bpy.context.scene, again, "b3", [19.0])[0] - wish) < 1e-4


def test_pins_and_handles_survive_a_save(scene: bpy.types.Scene, arm: bpy.types.Object, tmp_path: Path) -> None:
    assert bpy.ops.inbetweener.pin(kind="contact", over="FRAME") == {"FINISHED"}
    assert pins.held(arm) == [pins.Held("b3", "HEAD", "contact", 1.0 * scene.frame_current, 1.0 * scene.frame_current)]
    dragged(scene, arm, (0.01, 0.0, 0.0))
    after, rules = stage.handles(arm), pins.held(arm)
    # As if it had been saved in the middle of a drag.
    stripped.Stripped(arm, [("b3", "HEAD")], {"b0", "b1", "b2", "b3"})
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arm.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "arm.blend"))
    ob = bpy.data.objects["arm"]
    assert (stage.handles(ob), pins.held(ob)) == (after, rules)
    assert len(bpy.data.scenes) == len(bpy.data.armatures) == 1


def test_pinning_again_unpins(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    bpy.ops.inbetweener.pin()
    assert pins.held(arm) == [pins.Held("b3")]
    bpy.ops.inbetweener.pin()
    assert pins.held(arm) == []
    bpy.ops.inbetweener.pin()
    bpy.ops.inbetweener.unpin()
    assert pins.held(arm) == []


def test_arcs_are_where_blender_puts_the_bone(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    scene.inbetweener.show = True
    arcs.refresh(bpy.context)
    (arc,) = arcs.SHOWN.arcs
    assert (arc.place, arcs.SHOWN.problem) == (("b3", "HEAD"), "")
    np.testing.assert_allclose(arc.ticks, stage.where(scene, arm, "b3", range(1, 50)), atol=2e-6)
    assert arc.keys.round(3).tolist() == list(stage.FRAMES)
    scene.inbetweener.around = 5
    scene.frame_set(20)
    arcs.refresh(bpy.context)
    assert arcs.SHOWN.arcs[0].frames.tolist() == list(range(15, 26))
    scene.inbetweener.show = False
    arcs.refresh(bpy.context)
    assert arcs.SHOWN.arcs == []


def test_arcs_of_constrained_bones_are_measured(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    follow = arm.pose.bones["b3"].constraints.new("COPY_ROTATION")
    follow.target, follow.subtarget, follow.influence = arm, "b0", 0.5
    scene.inbetweener.show, scene.inbetweener.end = True, "TAIL"
    arcs.refresh(bpy.context)
    (arc,) = arcs.SHOWN.arcs
    np.testing.assert_allclose(arc.ticks, stage.where(scene, arm, "b3", range(1, 50), "TAIL"), atol=5e-6)
    assert len(bpy.data.scenes) == 1
    # Measuring is no reason to measure again; a change of a curve is.
    bpy.context.view_layer.update()
    arm.update_tag()
    bpy.context.view_layer.update()
    assert not arcs.SHOWN.stale
    assert arcs.SHOWN.of == arcs.wanted(bpy.context)
    dragged(scene, arm, (0.005, 0.0, 0.0))
    assert arcs.SHOWN.stale


def refusal(ob: bpy.types.Object) -> str:
    """What the operator says; handles must be as they were."""
    before = stage.handles(ob) if ob.animation_data and ob.animation_data.action else None
    with pytest.raises(RuntimeError) as told:
        bpy.ops.inbetweener.drag(bone="b3", frame=19.0, target=(0.0, 0.0, 0.0))
    assert before is None or stage.handles(ob) == before
    assert len(bpy.data.scenes) == 1
    return str(told.value)


def test_what_is_refused_is_named_with_its_remedy(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    track = arm.animation_data.nla_tracks.new()
    track.strips.new("strip", 1, arm.animation_data.action)
    assert "NLA tracks" in refusal(arm)
    arm.animation_data.nla_tracks.remove(track)

    arm.animation_data.action_influence = 0.5
    assert "influence" in refusal(arm)
    arm.animation_data.action_influence = 1.0

    goal, above = bpy.data.objects.new("goal", None), bpy.data.objects.new("above", None)
    for each in (goal, above):
        scene.collection.objects.link(each)
    follow = arm.pose.bones["b2"].constraints.new("COPY_LOCATION")
    follow.target, goal.parent = goal, above
    above.parent, above.parent_type, above.parent_bone = arm, "BONE", "b0"
    assert "goal follows arm itself; bake goal, or take that target away" in refusal(arm)
    goal.parent = None
    back = goal.constraints.new("COPY_LOCATION")
    back.target, back.subtarget = arm, "b0"
    assert "goal follows arm itself" in refusal(arm)
    arm.pose.bones["b2"].constraints.remove(follow)

    driver = arm.pose.bones["b2"].driver_add("location", 0).driver
    driver.expression = "bpy.context.scene.frame_current / 100"
    assert "reads more than its variables; bake it, or mute it" in refusal(arm)
    variable = driver.variables.new()
    variable.type, driver.expression = "SINGLE_PROP", "var"
    variable.targets[0].id_type = "SCENE"
    variable.targets[0].id, variable.targets[0].data_path = scene, "frame_end"
    assert "reads scene 'Scene'; bake it, or mute it" in refusal(arm)
    arm.pose.bones["b2"].driver_remove("location", 0)

    arm.animation_data_clear()
    assert "key some poses first" in refusal(arm)


def test_curves_that_are_no_beziers_are_held_still(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    bag = arm.animation_data.action.layers[0].strips[0].channelbag(arm.animation_data.action_slot)
    waving, easing = bag.fcurves[0], bag.fcurves[1]
    waving.modifiers.new("NOISE").strength = 0.1
    easing.keyframe_points[1].interpolation = "BOUNCE"
    before = stage.handles(arm)
    wish = dragged(scene, arm, (0.005, 0.0, -0.005))
    assert np.linalg.norm(stage.where(scene, arm, "b3", [19.0])[0] - wish) < 1e-4
    for curve in (waving, easing):
        name = f"{curve.data_path}[{curve.array_index}]"
        assert stage.handles(arm)[name] == before[name]


def test_locked_properties_stay(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    arm.pose.bones["b1"].lock_rotation = (True, True, True)
    before = stage.handles(arm)
    dragged(scene, arm, (0.005, 0.0, -0.005))
    changed = {name for name, each in stage.handles(arm).items() if each != before[name]}
    assert changed
    assert not any('"b1"' in name for name in changed)


def test_it_can_be_disabled_and_enabled_again(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    blender.unregister()
    assert not hasattr(bpy.types.Scene, "inbetweener")
    blender.register()
    dragged(scene, arm, (0.01, 0.0, 0.0))
