# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of rig is seen as Blender shows it and dragged by handles, or refused by name: nothing silently wrong."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from extension.blender.dragging import Dragging
from extension.blender.refusal import Refused
from extension.blender.take import Take
from extension.tests import stage

FINE = np.arange(1.0, 49.01, 0.5)
PLACE = ("b3", "TAIL")
Rigging = Callable[[bpy.types.Object, bpy.types.Object], object]
"""Does something to the rig; the empty moves."""


def slots(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """One action for both, with a slot each."""
    own, other = ob.animation_data.action, empty.animation_data.action
    slot = own.slots.new("OBJECT", "empty")
    bag = own.layers[0].strips[0].channelbag(slot, ensure=True)
    for curve in other.layers[0].strips[0].channelbag(empty.animation_data.action_slot).fcurves:
        made = bag.fcurves.new(curve.data_path, index=curve.array_index)
        for key in curve.keyframe_points:
            made.keyframe_points.insert(*key.co)
    empty.animation_data.action, empty.animation_data.action_slot = own, slot
    ob.pose.bones["b2"].constraints.new("COPY_LOCATION").target = empty
    ob.pose.bones["b2"].constraints[0].influence = 0.5


def stretch(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """Stretch To another bone, Copy Transforms of a third."""
    to = ob.pose.bones["b2"].constraints.new("STRETCH_TO")
    to.target = empty
    to.influence = 0.3
    follow = ob.pose.bones["b3"].constraints.new("COPY_TRANSFORMS")
    follow.target, follow.subtarget, follow.influence = ob, "b0", 0.3


def child_of(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    of = ob.pose.bones["b1"].constraints.new("CHILD_OF")
    of.target, of.influence = empty, 0.4


def switch(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """A keyed property of a bone that switches between its own motion and another's."""
    ob.pose.bones["b0"]["follow"] = 0.0
    for frame, value in ((1, 0.0), (25, 0.8), (49, 0.2)):
        ob.pose.bones["b0"]["follow"] = value
        ob.pose.bones["b0"].keyframe_insert('["follow"]', frame=frame)
    follow = ob.pose.bones["b3"].constraints.new("COPY_ROTATION")
    follow.target, follow.subtarget = ob, "b0"
    driver = follow.driver_add("influence").driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = ob, 'pose.bones["b0"]["follow"]'
    driver.expression = "var"


def influence(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """A constraint whose influence is keyed."""
    follow = ob.pose.bones["b2"].constraints.new("COPY_LOCATION")
    follow.target = empty
    for frame, value in ((1, 0.0), (30, 0.7)):
        follow.influence = value
        follow.keyframe_insert("influence", frame=frame)


def driven_by_another(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    driver = ob.pose.bones["b2"].driver_add("location", 1).driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = empty, "location.x"
    driver.expression = "var"


def shape_key(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """A bone that a keyed shape key drives."""
    data = bpy.data.meshes.new("face")
    data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    face = bpy.data.objects.new("face", data)
    bpy.context.scene.collection.objects.link(face)
    face.shape_key_add(name="Basis")
    smile = face.shape_key_add(name="smile")
    for frame, value in ((1, 0.0), (25, 1.0)):
        smile.value = value
        smile.keyframe_insert("value", frame=frame)
    driver = ob.pose.bones["b2"].driver_add("location", 1).driver
    variable = driver.variables.new()
    variable.targets[0].id_type = "KEY"
    variable.targets[0].id, variable.targets[0].data_path = data.shape_keys, 'key_blocks["smile"].value'
    driver.expression = "var * 0.2"


def path(ob: bpy.types.Object, empty: bpy.types.Object) -> bpy.types.Object:
    """An object that goes along a path whose time is keyed."""
    data = bpy.data.curves.new("path", "CURVE")
    spline = data.splines.new("POLY")
    spline.points.add(2)
    for point, at in zip(spline.points, ((0, 0, 0, 1), (1, 0.5, 0, 1), (2, 0, 1, 1)), strict=True):
        point.co = at
    data.use_path, data.dimensions = True, "3D"
    for frame, value in ((1, 0.0), (49, 90.0)):
        data.eval_time = value
        data.keyframe_insert("eval_time", frame=frame)
    made = bpy.data.objects.new("path", data)
    bpy.context.scene.collection.objects.link(made)
    return made


def follow_path(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    ob.constraints.new("FOLLOW_PATH").target = path(ob, empty)


def spline(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """Spline IK along a curve that moves."""
    made = path(ob, empty)
    made.parent = empty
    ik = ob.pose.bones["b2"].constraints.new("SPLINE_IK")
    ik.target, ik.chain_count = made, 2


def deformed(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """A target that is hooked to what moves."""
    made = path(ob, empty)
    made.modifiers.new("Hook", "HOOK").object = empty
    made.modifiers[0].vertex_indices_set([0, 1])
    ik = ob.pose.bones["b2"].constraints.new("SPLINE_IK")
    ik.target, ik.chain_count = made, 2


def scaled(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """Keyed scale that children inherit aligned."""
    ob.data.bones["b3"].inherit_scale = "ALIGNED"
    for frame, value in ((1, 1.0), (25, 1.4)):
        ob.pose.bones["b1"].scale = (value, 1.0, value)
        ob.pose.bones["b1"].keyframe_insert("scale", frame=frame)


def squashed(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """The bone itself is scaled, now and at other frames otherwise."""
    for frame, value in ((1, 1.0), (25, 1.4)):
        ob.pose.bones["b3"].scale = (1.0, value, 1.0)
        ob.pose.bones["b3"].keyframe_insert("scale", frame=frame)


def mirrored(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    ob.scale.x = -1.0


def in_anothers_hand(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """An armature that hangs on a bone of another that is animated."""
    other = stage.armature(bpy.context.scene)
    other.name = "other"
    stage.animate(other, ["XYZ"], seed=3)
    ob.parent, ob.parent_type, ob.parent_bone = other, "BONE", "b2"


def muted_group(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    group = bag.groups.get("b1") or bag.groups.new("b1")
    for curve in bag.fcurves:
        if '"b1"' in curve.data_path:
            curve.group = group
    group.mute = True


def cyclic(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    bag.fcurves[0].modifiers.new("CYCLES")


def straight(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    bag.fcurves[0].extrapolation = "LINEAR"
    for curve in bag.fcurves:
        curve.keyframe_points.remove(curve.keyframe_points[0])


def easing(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    for curve, kind in zip(bag.fcurves, ("SINE", "ELASTIC", "BACK"), strict=False):
        curve.keyframe_points[1].interpolation = kind


def override(ob: bpy.types.Object, empty: bpy.types.Object) -> None:
    """What a driver of the object itself does."""
    driver = ob.driver_add("location", 2).driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = empty, "location.x"
    driver.expression = "var"


SEEN: list[Rigging] = [
    slots, stretch, child_of, switch, influence, driven_by_another, shape_key, follow_path, spline, deformed, scaled,
    squashed, mirrored, in_anothers_hand, muted_group, cyclic, straight, easing, override,
]  # fmt: skip


@pytest.fixture
def ob(scene: bpy.types.Scene) -> bpy.types.Object:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ", "QUATERNION"])
    return ob


@pytest.fixture
def empty(scene: bpy.types.Scene) -> bpy.types.Object:
    """Something that moves."""
    made = bpy.data.objects.new("empty", None)
    scene.collection.objects.link(made)
    for frame, x in ((1, 0.0), (25, 0.5), (49, -0.3)):
        made.location = (x, 0.2, 0.5)
        made.keyframe_insert("location", frame=frame)
    return made


@pytest.mark.parametrize("rigged", SEEN, ids=lambda each: each.__name__)
def test_it_is_seen_as_blender_shows_it_and_dragged_by_handles_alone(
    scene: bpy.types.Scene, ob: bpy.types.Object, empty: bpy.types.Object, rigged: Rigging
) -> None:
    rigged(ob, empty)
    bpy.context.view_layer.update()
    keys = stage.keys(ob)
    seen = Take(ob, [PLACE], scene)
    ours = seen.motion.states(FINE / 24.0, seen.place(PLACE))[0]
    seen.close()
    theirs = stage.where(scene, ob, "b3", FINE, "TAIL")
    np.testing.assert_allclose(ours, theirs, atol=1e-5 if rigged not in (easing, cyclic, straight) else 5e-4)
    drag = Dragging(ob, PLACE, 19.0, scene)
    # Across the bone: where it alone may turn, it reaches nothing along itself.
    wish = drag.start + 0.002 * drag.axes[:, 0] + 0.002 * drag.axes[:, 2]
    solution = drag.to(wish)
    drag.keep()
    # Where a curve leads a whole chain, no handle may lead there; what is told is true all the same.
    assert solution.reached or rigged in (spline, deformed)
    there = stage.where(scene, ob, "b3", [19.0], "TAIL")[0]
    assert np.linalg.norm(there - solution.position) < 1e-4
    assert np.linalg.norm(there - wish) < (1e-4 if solution.reached else 0.5 * np.linalg.norm(wish - drag.start))
    assert stage.same_keys(keys, stage.keys(ob))
    assert len(bpy.data.scenes) == 1


def hooked_to_itself(ob: bpy.types.Object, empty: bpy.types.Object) -> str:
    made = path(ob, empty)
    hook = made.modifiers.new("Hook", "HOOK")
    hook.object, hook.subtarget = ob, "b0"
    ik = ob.pose.bones["b2"].constraints.new("SPLINE_IK")
    ik.target, ik.chain_count = made, 2
    return "target of Spline IK: path follows arm itself; bake path, or take that target away"


def at_rest(ob: bpy.types.Object, empty: bpy.types.Object) -> str:
    ob.data.pose_position = "REST"
    return "arm shows its rest position; set the armature to Pose Position"


def remapped(ob: bpy.types.Object, empty: bpy.types.Object) -> str:
    bpy.context.scene.render.frame_map_new = 200
    return "the scene stretches its time; set Time Stretching to 100 and 100"


def blended(ob: bpy.types.Object, empty: bpy.types.Object) -> str:
    ob.animation_data.action_blend_type = "ADD"
    return "its action is blended in; set its influence to 1 and its blending to Replace"


@pytest.mark.parametrize("rigged", [hooked_to_itself, at_rest, remapped, blended], ids=lambda each: each.__name__)
def test_what_cannot_be_is_refused_by_name_and_left(
    scene: bpy.types.Scene,
    ob: bpy.types.Object,
    empty: bpy.types.Object,
    rigged: Callable[[bpy.types.Object, bpy.types.Object], str],
) -> None:
    said, before = rigged(ob, empty), stage.handles(ob)
    with pytest.raises(Refused) as told:
        Dragging(ob, PLACE, 19.0, scene)
    assert said in str(told.value)
    assert stage.handles(ob) == before
    assert len(bpy.data.scenes) == 1


def test_linked_rigs_are_refused_and_overrides_dragged(
    scene: bpy.types.Scene, ob: bpy.types.Object, tmp_path: Path
) -> None:
    file = tmp_path / "rig.blend"
    bpy.data.libraries.write(str(file), {ob})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 49
    with bpy.data.libraries.load(str(file), link=True) as (_, wanted):
        wanted.objects = ["arm"]
    linked = wanted.objects[0]
    scene.collection.objects.link(linked)
    with pytest.raises(Refused, match="arm is linked from another file; make a library override that can be edited"):
        Take(linked, [PLACE], scene)
    own = linked.override_create(remap_local_usages=True)
    own.override_library.is_system_override = False
    with pytest.raises(Refused, match=r"action .* is linked from another file; make it local first"):
        Take(own, [PLACE], scene)
    own.animation_data.action = own.animation_data.action.copy()
    own.animation_data.action_slot = own.animation_data.action.slots[0]
    keys = stage.keys(own)
    drag = Dragging(own, PLACE, 19.0, scene)
    wish = drag.start + 0.005 * drag.axes[:, 0]
    drag.to(wish)
    drag.keep()
    assert np.linalg.norm(stage.where(scene, own, "b3", [19.0], "TAIL")[0] - wish) < 1e-4
    assert stage.same_keys(keys, stage.keys(own))
