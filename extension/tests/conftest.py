# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test has a fresh Blender without anything in it."""

import bpy
import pytest


@pytest.fixture
def scene() -> bpy.types.Scene:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.edit.keyframe_new_handle_type = "AUTO_CLAMPED"
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 49
    return scene
