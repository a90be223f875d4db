# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs made in Blender from nothing, and where Blender itself says that things are."""

from collections.abc import Iterable, Sequence

import bpy
import numpy as np
from mathutils import Euler, Quaternion

FRAMES = (1, 13, 25, 37, 49)


def armature(scene: bpy.types.Scene, count: int = 4, connected: bool = False, limbs: bool = False) -> bpy.types.Object:
    """Rolled bones called b0, b1 … on an object that is turned, moved and scaled: a chain, or a spine of six and limbs
    of four on its end."""
    name = "arm"
    data = bpy.data.armatures.new(name)
    ob = bpy.data.objects.new(name, data)
    scene.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    at = np.zeros(3)
    for n in range(count):
        bone = data.edit_bones.new(f"b{n}")
        bone.head = at
        at = at + np.array([0.05 * n, 0.1 * (n % 2), 0.4])
        bone.tail, bone.roll = at, 0.3 * n
        if n:
            parent = 5 if limbs and n > 6 and (n - 6) % 4 == 0 else n - 1
            bone.parent = data.edit_bones[f"b{parent}"]
            bone.use_connect = connected
    bpy.ops.object.mode_set(mode="OBJECT")
    ob.location, ob.rotation_euler, ob.scale = (0.3, -0.2, 0.1), (0.2, -0.1, 0.7), (1.1, 1.1, 1.1)
    return ob


def animate(
    ob: bpy.types.Object, modes: Sequence[str], seed: int = 0, frames: Iterable[int] = FRAMES, turn: float = 0.35
) -> None:
    """Random keys for all bones that turn by the given modes in turn; the first one moves too."""
    rng = np.random.default_rng(seed)
    for frame in frames:
        for n, bone in enumerate(ob.pose.bones):
            bone.rotation_mode = modes[n % len(modes)]
            angles = Euler(turn * rng.normal(size=3))
            if bone.rotation_mode == "QUATERNION":
                bone.rotation_quaternion = Quaternion(angles.to_quaternion()) * (1.0 + 0.2 * (n % 2))
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            else:
                bone.rotation_euler = angles
                bone.keyframe_insert("rotation_euler", frame=frame)
            if n == 0:
                bone.location = 0.1 * rng.normal(size=3)
                bone.keyframe_insert("location", frame=frame)


def where(
    scene: bpy.types.Scene, ob: bpy.types.Object, bone: str, frames: Iterable[float], end: str = "HEAD"
) -> np.ndarray:
    """(T, 3) where Blender itself puts a bone's head or tail, on frames and between."""
    found = []
    for frame in frames:
        scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        seen = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
        posed = seen.pose.bones[bone]
        found.append(np.array(seen.matrix_world @ (posed.head if end == "HEAD" else posed.tail)))
    return np.array(found)


def turned(scene: bpy.types.Scene, ob: bpy.types.Object, bone: str, frame: float) -> np.ndarray:
    """(3, 3) how Blender itself turns a bone in the world."""
    scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
    seen = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array((seen.matrix_world @ seen.pose.bones[bone].matrix).to_quaternion().to_matrix())


def keys(ob: bpy.types.Object) -> dict[str, np.ndarray]:
    """The points of all keys by curve."""
    action, found = ob.animation_data.action, {}
    for curve in action.layers[0].strips[0].channelbag(ob.animation_data.action_slot).fcurves:
        found[f"{curve.data_path}[{curve.array_index}]"] = np.array([tuple(key.co) for key in curve.keyframe_points])
    return found


def handles(ob: bpy.types.Object) -> dict[str, list[tuple[object, ...]]]:
    """All handles and their types by curve."""
    action, found = ob.animation_data.action, {}
    for curve in action.layers[0].strips[0].channelbag(ob.animation_data.action_slot).fcurves:
        found[f"{curve.data_path}[{curve.array_index}]"] = [
            (*key.handle_left, *key.handle_right, key.handle_left_type, key.handle_right_type)
            for key in curve.keyframe_points
        ]
    return found


def same_keys(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> bool:
    return before.keys() == after.keys() and all(np.array_equal(each, after[name]) for name, each in before.items())


def rigify(scene: bpy.types.Scene, frames: Iterable[int] = FRAMES) -> bpy.types.Object:
    """A generated human with keys on all controls that an animator keys: quaternions, places, IK and FK."""
    ob = _human()
    rng = np.random.default_rng(5)
    controls = [bone for bone in ob.pose.bones if not bone.name.startswith(("DEF-", "MCH-", "ORG-", "VIS_"))]
    for frame in frames:
        for bone in controls:
            if not all(bone.lock_location):
                bone.location = 0.02 * rng.normal(size=3)
                bone.keyframe_insert("location", frame=frame)
            if not all(bone.lock_rotation):
                angles = Euler(0.05 * rng.normal(size=3))
                name = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
                setattr(bone, name, angles.to_quaternion() if bone.rotation_mode == "QUATERNION" else angles)
                bone.keyframe_insert(name, frame=frame)
    return ob


def _human() -> bpy.types.Object:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    bpy.ops.pose.rigify_generate()
    return next(each for each in bpy.data.objects if each.type == "ARMATURE" and each.name != "metarig")


def reaching(scene: bpy.types.Scene) -> bpy.types.Object:
    """A generated human in three key poses, with a body: the left hand goes from the hip forward and up."""
    ob = _human()
    bpy.data.objects["metarig"].hide_set(True)
    hand, torso = ob.pose.bones["hand_ik.L"], ob.pose.bones["torso"]
    for frame, place, by in (
        (1, (0.35, -0.2, 0.8), 0.0),
        (17, (0.35, -0.45, 1.2), -0.04),
        (33, (0.5, -0.15, 1.7), 0.0),
    ):
        torso.location = (0.0, by, by)
        torso.keyframe_insert("location", frame=frame)
        bpy.context.view_layer.update()
        there = hand.matrix.copy()
        there.translation = place
        hand.matrix = there
        for name in ("location", "rotation_quaternion"):
            hand.keyframe_insert(name, frame=frame)
    _body(ob)
    return ob


def _body(ob: bpy.types.Object) -> None:
    """A box for every bone that deforms, bound to it."""
    bones = [bone for bone in ob.data.bones if bone.name.startswith("DEF-") and "f_" not in bone.name]
    corners = np.array([(x, y, z) for y in (0.05, 0.95) for x in (-1, 1) for z in (-1, 1)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    places, faces = [], []
    for n, bone in enumerate(bones):
        rest, wide = np.array(bone.matrix_local), min(0.06, 0.25 * bone.length)
        places += [tuple(rest[:3, :3] @ (corner * (wide, bone.length, wide)) + rest[:3, 3]) for corner in corners]
        faces += [tuple(8 * n + corner for corner in side) for side in sides]
    data = bpy.data.meshes.new("body")
    data.from_pydata(places, [], faces)
    body = bpy.data.objects.new("body", data)
    bpy.context.scene.collection.objects.link(body)
    for n, bone in enumerate(bones):
        body.vertex_groups.new(name=bone.name).add(list(range(8 * n, 8 * n + 8)), 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = ob
