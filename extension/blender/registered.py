# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender is told of us: classes, keys, handlers; and forgets again when the extension is disabled."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from . import (
    arcs,
    drag_operator,
    exchange_operators,
    gesture,
    gizmos,
    method_operators,
    operators,
    panel,
    pose_operators,
    readiness,
    stripped,
)

CLASSES = (
    *panel.CLASSES,
    *drag_operator.CLASSES,
    *operators.CLASSES,
    *exchange_operators.CLASSES,
    *pose_operators.CLASSES,
    *method_operators.CLASSES,
    *gizmos.CLASSES,
)

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
            _keys.append((pose, pose.keymap_items.new("inbetweener.pull", "G", "PRESS", shift=True, alt=True)))
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
    gesture.cancel_all()
    arcs.SHOWN.clear()
    stripped.sweep()
    del bpy.types.Scene.inbetweener
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)


def _handlers() -> list[tuple[list[Any], Any]]:
    on = bpy.app.handlers
    return [
        (on.depsgraph_update_post, _updated),
        (on.frame_change_post, _frame_changed),
        (on.undo_post, _forget),
        (on.redo_post, _forget),
        (on.load_post, _forget),
    ]


@persistent
def _updated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Curves changed, or maybe the selection: arcs are made anew when Blender is idle."""
    if not scene.name.startswith(stripped.NAME):
        arcs.SHOWN.doubtful = True
        arcs.SHOWN.stale |= any(isinstance(each.id, bpy.types.Action) for each in depsgraph.updates)


@persistent
def _frame_changed(*_: object) -> None:
    """Arcs around the current frame are others now; everything that is animated counts as updated, and is not."""
    arcs.SHOWN.doubtful = True


@persistent
def _forget(*_: object) -> None:
    """After an undo or with another file all that we knew is stale; copies that an undo brought back go."""
    gesture.lose_all()
    arcs.SHOWN.clear()
    arcs.SHOWN.locks.clear()
    stripped.sweep()


def _keep_fresh() -> float:
    """Make stale arcs anew while nobody drags or plays, a slice at a time; seconds until the next look."""
    context = bpy.context
    idle = not any(window.modal_operators for window in context.window_manager.windows)
    if not idle or (context.screen and context.screen.is_animation_playing):
        arcs.SHOWN.stale |= arcs.SHOWN.making is not None
        arcs.SHOWN.stop()
        return 0.1
    if arcs.SHOWN.doubtful:
        arcs.SHOWN.doubtful = False
        arcs.SHOWN.stale |= arcs.SHOWN.of != arcs.wanted(context)
    if arcs.SHOWN.stale:
        arcs.begin(context)
    elif arcs.SHOWN.making is None:
        return 0.1
    if arcs.go_on():
        return 0.0
    arcs.redraw()
    return 0.1
