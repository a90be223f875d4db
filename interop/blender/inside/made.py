"""Scenes made in Blender from nothing, with what our files never hold: rolls, free handles, parent inverses."""

import math
from collections.abc import Callable, Iterable

import bpy
from mathutils import Euler, Quaternion, Vector

LAST = 48
_RINGS, _SIDES = 25, 8


def tentacle(scene: bpy.types.Scene) -> None:
    """A skinned tube on four rolled bones under a turned, unevenly scaled armature; all bones on every vertex."""
    scene.frame_start, scene.frame_end = 1, LAST
    arm = _armature(scene)
    arm.location, arm.rotation_euler, arm.scale = (0.3, -0.2, 0.1), (0.2, -0.4, 0.7), (1.0, 1.3, 0.8)
    _tube(scene, arm)
    first, second, third, fourth = (arm.pose.bones[f"bone {n}"] for n in range(4))
    second.rotation_mode = "ZXY"
    for frame, shift, turn in ((1, 0.0, 0.0), (17, 0.5, 0.9), (LAST, -0.2, -0.4)):
        first.location = (shift, 0.3 * shift, -0.5 * shift)
        first.rotation_quaternion = Quaternion((0.3, 1.0, -0.2), turn)
        second.rotation_euler = Euler((turn, -1.7 * turn, 0.4 + turn), "ZXY")
        third.scale = (1.0 + shift, 1.0, 1.0 - 0.7 * shift)
        fourth.rotation_quaternion = Quaternion((1.0, 0.1, 0.5), -1.3 * turn)
        first.keyframe_insert("location", frame=frame)
        first.keyframe_insert("rotation_quaternion", frame=frame)
        second.keyframe_insert("rotation_euler", frame=frame)
        third.keyframe_insert("scale", frame=frame)
        fourth.keyframe_insert("rotation_quaternion", frame=frame)
    _bend_handles(arm.animation_data.action)


def mobile(scene: bpy.types.Scene) -> None:
    """Objects under objects: an uneven scale above a turned child, a parent inverse, shapes; held and eased keys."""
    scene.frame_start, scene.frame_end = 1, LAST
    hub = bpy.data.objects.new("hub", None)
    box, ball = _cube("box"), _cube("ball")
    for thing in (hub, box, ball):
        scene.collection.objects.link(thing)
    hub.scale = (1.0, 2.0, 0.5)
    box.parent, box.location, box.rotation_euler = hub, (1.0, 0.4, 0.2), (0.3, 0.2, 0.9)
    ball.parent, ball.location = box, (0.0, 0.0, 1.5)
    ball.matrix_parent_inverse.translation = Vector((0.2, 0.1, -0.3))
    box.shape_key_add(name="basis")
    bulge = box.shape_key_add(name="bulge")
    for corner in bulge.data:
        corner.co = corner.co * 1.4 + Vector((0.1, 0.0, 0.0))
    for frame, turn in ((1, 0.0), (20, 2.5), (LAST, 7.0)):
        hub.rotation_euler = (0.2 * turn, 0.0, turn)
        hub.keyframe_insert("rotation_euler", frame=frame)
    action = hub.animation_data.action
    ball.animation_data_create().action = action
    box.data.shape_keys.animation_data_create().action = action
    for frame, height in ((5, 1.5), (30, 2.5), (40, 1.0)):
        ball.location.z = height
        ball.keyframe_insert("location", frame=frame)
        bulge.value = height / 2.5
        bulge.keyframe_insert("value", frame=frame)
    for curve, kind in zip(_curves(action), ("CONSTANT", "BOUNCE", "BEZIER", "ELASTIC", "LINEAR") * 2, strict=False):
        for key in curve.keyframe_points:
            key.interpolation = kind


SCENES: dict[str, Callable[[bpy.types.Scene], None]] = {"tentacle": tentacle, "mobile": mobile}


def _armature(scene: bpy.types.Scene) -> bpy.types.Object:
    arm = bpy.data.objects.new("armature", bpy.data.armatures.new("armature"))
    scene.collection.objects.link(arm)
    bpy.context.view_layer.objects.active = arm
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for n in range(4):
        bone = arm.data.edit_bones.new(f"bone {n}")
        bone.head = above.tail if above else (0.0, 0.0, 0.0)
        bone.tail = bone.head + Vector((0.15 * math.sin(2.0 * n), 0.1 * n, 0.5))
        bone.roll = 0.7 * n - 0.4
        bone.parent, bone.use_connect = above, n > 1
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return arm


def _tube(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    heights = [2.0 * ring / (_RINGS - 1) for ring in range(_RINGS)]
    turns = [2 * math.pi * side / _SIDES for side in range(_SIDES)]
    places = [(0.15 * math.cos(turn), 0.15 * math.sin(turn) + 0.1 * z, z) for z in heights for turn in turns]
    edges = [(_SIDES * r + s, _SIDES * r + (s + 1) % _SIDES) for r in range(_RINGS - 1) for s in range(_SIDES)]
    faces = [(a, b, b + _SIDES, a + _SIDES) for a, b in edges]
    mesh = bpy.data.meshes.new("tube")
    mesh.from_pydata(places, [], faces)
    skin = bpy.data.objects.new("tube", mesh)
    scene.collection.objects.link(skin)
    skin.parent = arm
    skin.modifiers.new("armature", "ARMATURE").object = arm
    for n in range(4):
        group = skin.vertex_groups.new(name=f"bone {n}")
        for vertex, (_, _, z) in enumerate(places):
            # All bones at once, and sums that are not one: Blender divides by them, and so must everybody.
            group.add([vertex], 0.9 * math.exp(-4.0 * (z - 0.5 * n - 0.25) ** 2), "REPLACE")


def _cube(name: str) -> bpy.types.Object:
    corners = [(x, y, z) for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.3, 0.3)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    return bpy.data.objects.new(name, mesh)


def _curves(action: bpy.types.Action) -> Iterable[bpy.types.FCurve]:
    return (curve for bag in action.layers[0].strips[0].channelbags for curve in bag.fcurves)


def _bend_handles(action: bpy.types.Action) -> None:
    """Free handles of uneven length and slope on all keys."""
    for number, curve in enumerate(_curves(action)):
        for key in curve.keyframe_points:
            key.interpolation, key.handle_left_type, key.handle_right_type = "BEZIER", "FREE", "FREE"
            frame, value = key.co
            key.handle_left = (frame - 4.0 - number % 3, value - 0.1)
            key.handle_right = (frame + 9.0, value + 0.05 * (number % 4))
