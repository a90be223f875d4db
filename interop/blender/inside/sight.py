"""Where Blender has joints and vertices: every frame of every clip, in our axes."""

from typing import Any

import bpy
import numpy as np

Times = dict[str, list[float]]
Animated = Any
"""An object or a set of shape keys: what may have an action of its own."""


def record(scene: bpy.types.Scene, clips: Times | None, path: str) -> None:
    """Write names, times, joint positions (F, J, 3) and vertices (F, V, 3) of all clips to an .npz.

    One clip after the other, as an animator would switch: what a clip does not key keeps the pose of the one before.
    """
    times = _whole_frames(scene) if clips is None else clips
    found: dict[str, np.ndarray] = {"clips": np.array(list(times))}
    for number, (clip, moments) in enumerate(times.items()):
        _play(clip)
        joints, vertices = [], []
        for moment in moments:
            _go_to(scene, moment * scene.render.fps)
            names, positions = _joints()
            joints.append(positions)
            vertices.append(_vertices())
        found["names"] = np.array(names)
        found[f"times {number}"] = np.array(moments)
        found[f"joints {number}"] = _y_up(np.array(joints))
        found[f"vertices {number}"] = _y_up(np.array(vertices))
    np.savez(path, **found)


def _whole_frames(scene: bpy.types.Scene) -> Times:
    return {
        action.name: [
            frame / scene.render.fps for frame in range(int(action.frame_range[0]), int(action.frame_range[1]) + 1)
        ]
        for action in bpy.data.actions
    }


def _go_to(scene: bpy.types.Scene, frame: float) -> None:
    # Key times come in single precision: what is a frame but for rounding is that frame.
    frame = round(frame) if abs(frame - round(frame)) < 1e-4 else frame
    whole = int(np.floor(frame))
    scene.frame_set(whole, subframe=float(frame - whole))


def _animated() -> list[Animated]:
    return [*bpy.data.objects, *bpy.data.shape_keys]


def _play(clip: str) -> None:
    """Put the clip's action on everything that has a stashed track of that name, and nothing on all others."""
    for thing in _animated():
        data = thing.animation_data
        if data is None or not data.nla_tracks:
            # Nothing stashed: a scene made here has its only action in place.
            continue
        strips = [track.strips[0] for track in data.nla_tracks if track.name == clip and track.strips]
        data.action = strips[0].action if strips else None
        if strips:
            data.action_slot = strips[0].action_slot


def _bones() -> list[tuple[bpy.types.Object, bpy.types.PoseBone]]:
    return [(arm, bone) for arm in _armatures() for bone in arm.pose.bones]


def _armatures() -> list[bpy.types.Object]:
    return [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]


def _joints() -> tuple[list[str], np.ndarray]:
    """Names and places of all bones' heads and all objects; a bone counts where an object bears the same name."""
    places = {thing.name: thing.matrix_world.translation for thing in bpy.data.objects}
    places |= {bone.name: arm.matrix_world @ bone.head for arm, bone in _bones()}
    return list(places), np.array([tuple(place) for place in places.values()], np.float64).reshape(-1, 3)


def _vertices() -> np.ndarray:
    """Vertices (V, 3) of all meshes, one after the other, skinned and shaped."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = [np.empty((0, 3), np.float32)]
    for thing in bpy.data.objects:
        if thing.type == "MESH":
            posed = thing.evaluated_get(graph)
            mesh = posed.to_mesh()
            flat = np.empty(3 * len(mesh.vertices), np.float32)
            mesh.vertices.foreach_get("co", flat)
            posed.to_mesh_clear()
            world = np.array(posed.matrix_world)
            parts.append(flat.reshape(-1, 3) @ world[:3, :3].T.astype(np.float32) + world[:3, 3].astype(np.float32))
    return np.concatenate(parts)


def _y_up(places: np.ndarray) -> np.ndarray:
    """From Blender's Z up to our Y up."""
    return np.stack([places[..., 0], places[..., 2], -places[..., 1]], axis=-1)
