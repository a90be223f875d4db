# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test has a fresh Blender without anything in it."""

from collections.abc import Iterator

import bpy
import pytest

from extension import blender
from extension.tests import stage


@pytest.fixture
def scene() -> bpy.types.Scene:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.edit.keyframe_new_handle_type = "AUTO_CLAMPED"
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 49
    return scene


@pytest.fixture
def arm(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """An animated arm in pose mode, its last bone selected, with the extension enabled."""
    ob = stage.armature(scene)
    stage.animate(ob, ["QUATERNION", "XYZ"])
    blender.register()
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in ob.pose.bones:
        bone.select = bone.name == "b3"
    bpy.ops.ed.undo_push(message="ready")
    yield bpy.data.objects["arm"]
    blender.unregister()
