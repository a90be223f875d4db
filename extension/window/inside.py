# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender runs at its start: an animated arm with arcs, and a timer that writes what is to be seen of it.

Called by `blender --python inside.py -- STATE`.
"""

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

import bpy
from bpy_extras import view3d_utils

sys.path.insert(0, str(Path(__file__).parents[2]))
from extension.tests import stage

STATE = Path(sys.argv[sys.argv.index("--") + 1])
OURS = "bl_ext.user_default.inbetweener"


def prepare() -> None:
    """An arm in pose mode, its last bone selected, its arc shown."""
    scene = bpy.context.scene
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    scene.frame_start, scene.frame_end = 1, 49
    arm = stage.armature(scene)
    stage.animate(arm, ["QUATERNION", "XYZ"], seed=4)
    arm.select_set(True)
    bpy.context.view_layer.objects.active = arm
    bpy.ops.object.mode_set(mode="POSE")
    for bone in arm.pose.bones:
        bone.select = bone.name == "b3"
    scene.frame_set(19)
    scene.inbetweener.show = True
    bpy.context.preferences.view.show_splash = False
    bpy.ops.ed.undo_push(message="ready")


def turn_view() -> None:
    """Look from the front at everything, with the sidebar open."""
    window = bpy.context.window_manager.windows[0]
    for area in window.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces[0].show_region_ui = True
            region = next(each for each in area.regions if each.type == "WINDOW")
            with bpy.context.temp_override(window=window, area=area, region=region):
                bpy.ops.view3d.view_axis(type="FRONT")
                bpy.ops.view3d.view_all()


def look() -> float:
    """Write down what is shown; an error too, as nobody reads the log in time."""
    try:
        seen = _seen()
    except Exception:
        seen = {"error": traceback.format_exc()}
    room = STATE.with_suffix(".part")
    room.write_text(json.dumps(seen))
    os.replace(room, STATE)
    return 0.3


def _seen() -> dict[str, object]:
    arcs, readiness, pins = (importlib.import_module(f"{OURS}.{name}") for name in ("arcs", "readiness", "pins"))
    window, arm = bpy.context.window_manager.windows[0], bpy.data.objects["arm"]
    seen: dict[str, object] = {
        "ready": readiness.is_ready(),
        "scenes": len(bpy.data.scenes),
        "busy": [each.bl_idname for each in window.modal_operators],
        "handles": stage.handles(arm),
        "keys": {name: keys.tolist() for name, keys in stage.keys(arm).items()},
        "pins": [str(each) for each in pins.held(arm)],
    }
    for area in window.screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            # Tabs are known once they have been drawn.
            if region.type == "UI" and region.active_panel_category not in ("UNSUPPORTED", "Inbetweener"):
                region.active_panel_category = "Inbetweener"
        if area.type == "VIEW_3D" and arcs.SHOWN.arcs and not arcs.SHOWN.stale:
            region = next(each for each in area.regions if each.type == "WINDOW")
            view = area.spaces[0].region_3d
            (arc,) = arcs.SHOWN.arcs
            at = [view3d_utils.location_3d_to_region_2d(region, view, tick) for tick in arc.ticks]
            seen["points"] = {f"{frame:g}": p.tolist() for frame, p in zip(arc.frames, arc.ticks, strict=True)}
            # Screens count from the top.
            seen["ticks"] = {
                f"{frame:g}": (region.x + p.x, window.height - region.y - p.y)
                for frame, p in zip(arc.frames, at, strict=True)
            }
    return seen


prepare()
bpy.app.timers.register(turn_view, first_interval=2.0)
bpy.app.timers.register(look, first_interval=4.0)
