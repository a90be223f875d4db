# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender runs at its start: an animated arm or human with arcs, and a timer that writes what is to be seen of it.

Called by `blender --python inside.py -- STATE SCENE`, where the scene is "arm" or "rigify".
"""

import hashlib
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

import bpy
from bpy_extras import view3d_utils
from mathutils import Euler

sys.path.insert(0, str(Path(__file__).parents[2]))
from extension.tests import stage

STATE, SCENE = sys.argv[sys.argv.index("--") + 1 :]
OURS = "bl_ext.user_default.inbetweener"
BEGUN, READY = time.monotonic(), list[float]()


def prepare() -> None:
    """Something in pose mode, a bone of it selected, its arc shown."""
    scene = bpy.context.scene
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    if SCENE == "arm":
        scene.frame_start, scene.frame_end = 1, 49
        made, active = stage.armature(scene), "b3"
        stage.animate(made, ["QUATERNION", "XYZ"], seed=4)
    else:
        scene.frame_start, scene.frame_end = 1, 33
        made, active = stage.reaching(scene), "hand_ik.L"
    bpy.context.view_layer.objects.active = made
    made.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in made.pose.bones:
        bone.select = bone.name == active
    made.data.bones.active = made.data.bones[active]
    scene.frame_set(19 if SCENE == "arm" else 8)
    scene.inbetweener.show = True
    bpy.context.preferences.view.show_splash = False
    bpy.ops.ed.undo_push(message="ready")


def turn_view() -> None:
    """Look from the front at everything, or at the human a little from the side, with the sidebar open."""
    window = bpy.context.window_manager.windows[0]
    for area in window.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces[0].show_region_ui = True
            region = next(each for each in area.regions if each.type == "WINDOW")
            with bpy.context.temp_override(window=window, area=area, region=region):
                bpy.ops.view3d.view_axis(type="FRONT")
                bpy.ops.view3d.view_all()
            if SCENE != "arm":
                view = area.spaces[0].region_3d
                view.view_perspective = "PERSP"
                view.view_rotation = Euler((1.45, 0.0, 0.6)).to_quaternion()
                view.view_location, view.view_distance = (0.15, -0.1, 1.05), 2.9
                area.spaces[0].overlay.show_bones = True


def wait() -> float | None:
    """Note when the first drag could begin."""
    if importlib.import_module(f"{OURS}.readiness").is_ready():
        READY.append(time.monotonic() - BEGUN)
    return None if READY else 0.1


def second() -> float:
    """Open a second window with all that the first shows while a file asks for it, and close it when that is gone."""
    windows = bpy.context.window_manager.windows
    asked = Path(STATE).with_name("second").exists()
    if asked != (len(windows) == 2):
        with bpy.context.temp_override(window=windows[-1]):
            (bpy.ops.wm.window_new if asked else bpy.ops.wm.window_close)()
    return 0.3


def look() -> float:
    """Write down what is shown; an error too, as nobody reads the log in time."""
    try:
        seen = _seen()
    except Exception:
        seen = {"error": traceback.format_exc()}
    room = Path(STATE).with_suffix(".part")
    room.write_text(json.dumps(seen))
    os.replace(room, STATE)
    return 0.3


def _seen() -> dict[str, object]:
    arcs, readiness, pins = (importlib.import_module(f"{OURS}.{name}") for name in ("arcs", "readiness", "pins"))
    rig = bpy.context.window_manager.windows[0].view_layer.objects.active
    seen: dict[str, object] = {
        "ready": readiness.is_ready(),
        "scenes": len(bpy.data.scenes),
        "ready_after": READY,
        "windows": len(bpy.context.window_manager.windows),
        "busy": [each.bl_idname for one in bpy.context.window_manager.windows for each in one.modal_operators],
        # Whether they are the same is all that is asked.
        "handles": _digest(stage.handles(rig)),
        "keys": _digest({name: keys.tolist() for name, keys in stage.keys(rig).items()}),
        "pins": [str(each) for each in pins.held(rig)],
        "locks": len(arcs.SHOWN.locks),
    }
    for window, name in zip(bpy.context.window_manager.windows, ("ticks", "second"), strict=False):
        for area in window.screen.areas:
            for region in area.regions if area.type == "VIEW_3D" else ():
                # Tabs are known once they have been drawn.
                if region.type == "UI" and region.active_panel_category not in ("UNSUPPORTED", "Inbetweener"):
                    region.active_panel_category = "Inbetweener"
            if area.type == "VIEW_3D" and arcs.SHOWN.arcs and not arcs.SHOWN.stale and arcs.SHOWN.making is None:
                region = next(each for each in area.regions if each.type == "WINDOW")
                view = area.spaces[0].region_3d
                (arc,) = arcs.SHOWN.arcs
                at = [view3d_utils.location_3d_to_region_2d(region, view, tick) for tick in arc.ticks]
                seen["points"] = {f"{frame:g}": p.tolist() for frame, p in zip(arc.frames, arc.ticks, strict=True)}
                # Screens count from the top; what is turned away is not seen.
                seen[name] = {
                    f"{frame:g}": (region.x + p.x, window.height - region.y - p.y)
                    for frame, p in zip(arc.frames, at, strict=True)
                    if p is not None
                }
    return seen


def _digest(content: object) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()


prepare()
bpy.app.timers.register(wait)
bpy.app.timers.register(second)
bpy.app.timers.register(turn_view, first_interval=2.0)
bpy.app.timers.register(look, first_interval=4.0)
