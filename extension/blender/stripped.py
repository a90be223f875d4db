# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of a control rig with only the bones that matter, in a scene of its own: quick to pose and to look at."""

import math
from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from .armature import bone_of
from .pins import Place
from .refusal import Refused
from .setter import Setter

NAME = ".inbetweener"
"""What copies are called; what is left of them, were Blender to crash, is swept by that name."""


class Stripped:
    """A rig to be posed beside the animator's own. It must be closed before an undo step is made: files keep scenes."""

    def __init__(self, ob: bpy.types.Object, places: Sequence[Place], kept: set[str], moves: bool = False) -> None:
        """Of an armature, the bones of some places and all others to be kept; of another object, the object.

        Where anything else `moves`, poses are measured with one number more, their frame.
        """
        self._moves = moves
        self._scene = bpy.data.scenes.new(NAME)
        try:
            self._copy = ob.copy()
            self._copy.name = NAME
            self._scene.collection.objects.link(self._copy)
            if self._copy.animation_data is not None:
                self._copy.animation_data.action = None
                for track in list(self._copy.animation_data.nla_tracks):
                    self._copy.animation_data.nla_tracks.remove(track)
            if ob.type == "ARMATURE":
                self._copy.data = ob.data.copy()
                self._copy.data.name = NAME
                self._copy.data.animation_data_clear()
                self._copy.data.pose_position = "POSE"
                self._cut(kept)
            # Not even saving by itself, of which no handler hears, writes it to a file.
            for each in (self._scene, self._copy, self._copy.data):
                if each is not None and each.name.startswith(NAME):
                    each.is_runtime_data = True
            self._layer = self._scene.view_layers[0]
            self._layer.update()
            self._places = [(self._copy.pose.bones[bone] if bone else None, end) for bone, end in places]
        except Exception:
            self.close()
            raise
        self._setters: dict[int, Setter] = {}
        self._last = np.zeros(0)

    def has(self, path: str) -> bool:
        """Whether the property that a data path names is still there."""
        name = bone_of(path)
        if name is not None and self._copy.type == "ARMATURE" and name not in self._copy.pose.bones:
            return False
        try:
            self._copy.path_resolve(path)
        except ValueError:
            return False
        return True

    def follow(self, channels: Iterable[tuple[str, int]]) -> None:
        """Say which properties, by path and index, are set by the columns of what is measured."""
        setters: dict[str, Setter] = {}
        for column, (path, index) in enumerate(channels):
            setters.setdefault(path, Setter(self._copy, path)).take(column, index)
        self._setters = {column: setter for setter in setters.values() for column in setter.columns}
        self._last = np.full(len(self._setters), np.nan)

    def measure(self, poses: np.ndarray) -> np.ndarray:
        """Where the places are (T, B, 3, 4), turned as their bones are, for channel values (T, C)."""
        found = np.empty((len(poses), len(self._places), 3, 4))
        for frames, pose in zip(found, poses, strict=True):
            tagged = False
            values = pose[:-1] if self._moves else pose
            for setter in {self._setters[column] for column in np.flatnonzero(values != self._last).tolist()}:
                tagged |= setter.put(values)
            if tagged:
                self._copy.update_tag()
            self._last = values.copy()
            if self._moves:
                whole = math.floor(pose[-1])
                self._scene.frame_set(whole, subframe=float(pose[-1] - whole))
            else:
                self._layer.update()
            world = np.array(self._copy.matrix_world)
            for frame, (bone, end) in zip(frames, self._places, strict=True):
                frame[:] = (world if bone is None else world @ np.array(bone.matrix))[:3]
                if bone is not None and end == "TAIL":
                    # At rest: what stretches it is in the frame already.
                    frame[:, 3] += bone.bone.length * frame[:, 1]
        return found

    def close(self) -> None:
        """Take the copy away."""
        sweep()

    def _cut(self, kept: set[str]) -> None:
        layer = self._scene.view_layers[0]
        layer.objects.active = self._copy
        self._copy.select_set(True, view_layer=layer)
        extra = [bone.name for bone in self._copy.data.bones if bone.name not in kept]
        if not extra:
            return
        self._copy.data.use_mirror_x = False
        about = {
            "scene": self._scene,
            "view_layer": layer,
            "object": self._copy,
            "active_object": self._copy,
            "selected_objects": [self._copy],
        }
        with bpy.context.temp_override(**about):
            if "FINISHED" not in bpy.ops.object.mode_set(mode="EDIT"):
                raise Refused("the copy of the rig cannot be edited; leave edit mode and local view, then drag again")
            for name in extra:
                self._copy.data.edit_bones.remove(self._copy.data.edit_bones[name])
            bpy.ops.object.mode_set(mode="OBJECT")


def sweep() -> None:
    """Remove every copy there is."""
    for scene in [each for each in bpy.data.scenes if each.name.startswith(NAME)]:
        bpy.data.scenes.remove(scene)
    for ob in [each for each in bpy.data.objects if each.name.startswith(NAME)]:
        bpy.data.objects.remove(ob)
    for data in [each for each in bpy.data.armatures if each.name.startswith(NAME)]:
        bpy.data.armatures.remove(data)
