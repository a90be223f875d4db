# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender is told of us: classes, keys, handlers; and forgets again when the extension is disabled."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from . import arcs, operators, panel, readiness, stripped

CLASSES = (*panel.CLASSES, *operators.CLASSES)

_keys: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []
_drawn: list[Any] = []


def register() -> None:
    """Enable the extension."""
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.inbetweener = bpy.props.PointerProperty(type=panel.InbetweenerSettings)
    for handlers, each in _handlers():
        handlers.append(each)
    # Without a window there is nobody to look, and nobody to press keys.
    if not bpy.app.background:
        _drawn.append(bpy.types.SpaceView3D.draw_handler_add(arcs.draw, (), "WINDOW", "POST_VIEW"))
        config = bpy.context.window_manager.keyconfigs.addon
        if config is not None:
            view = config.keymaps.new(name="3D View", space_type="VIEW_3D")
            _keys.append((view, view.keymap_items.new("inbetweener.drag", "LEFTMOUSE", "PRESS", any=True, head=True)))
            pose = config.keymaps.new(name="Pose")
            _keys.append((pose, pose.keymap_items.new("inbetweener.pin", "P", "PRESS")))
        readiness.begin()
    bpy.app.timers.register(_keep_fresh, first_interval=0.2, persistent=True)


def unregister() -> None:
    """Disable it, and leave nothing behind."""
    if bpy.app.timers.is_registered(_keep_fresh):
        bpy.app.timers.unregister(_keep_fresh)
    readiness.end()
    while _keys:
        view, item = _keys.pop()
        view.keymap_items.remove(item)
    while _drawn:
        bpy.types.SpaceView3D.draw_handler_remove(_drawn.pop(), "WINDOW")
    for handlers, each in _handlers():
        if each in handlers:
            handlers.remove(each)
    arcs.SHOWN.clear()
    stripped.sweep()
    del bpy.types.Scene.inbetweener
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)


def _handlers() -> list[tuple[list[Any], Any]]:
    on = bpy.app.handlers
    return [
        (on.depsgraph_update_post, _updated),
        (on.undo_post, _forget),
        (on.redo_post, _forget),
        (on.load_post, _forget),
        (on.save_pre, _save),
    ]


@persistent
def _updated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Curves or the selection changed: arcs are made anew when Blender is idle."""
    if not scene.name.startswith(stripped.NAME) and any(
        isinstance(each.id, bpy.types.Action | bpy.types.Object | bpy.types.Scene) for each in depsgraph.updates
    ):
        arcs.SHOWN.stale = True


@persistent
def _forget(*_: object) -> None:
    """After an undo or with another file all that we knew is stale."""
    arcs.SHOWN.clear()
    arcs.SHOWN.locks.clear()


@persistent
def _save(*_: object) -> None:
    """A file never holds copies that were only measured."""
    stripped.sweep()


def _keep_fresh() -> float:
    """Make stale arcs anew while nobody drags or plays."""
    context = bpy.context
    idle = not any(window.modal_operators for window in context.window_manager.windows)
    if idle and arcs.SHOWN.stale and not (context.screen and context.screen.is_animation_playing):
        arcs.refresh(context)
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
    return 0.1
