# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver is compiled once, in the background, when the extension is first enabled; the status bar says how far."""

import bpy

from inbetweener.host import WarmUp
from inbetweener.host.ready import load_compiler

LATER = ("curves", "maths", "motion", "posing", "contacts", "guidance", "dynamics", "kinodynamics")
"""Where the kernels are of all that there is besides drags."""

_begun = False
_warming: WarmUp | None = None


def begin() -> None:
    """Compile what a drag needs, unless that has been done, once Blender has started."""
    global _begun, _warming
    _begun, _warming = True, None
    bpy.app.timers.register(_tell, first_interval=0.1)


def end() -> None:
    """Do not go on compiling."""
    global _begun
    _begun = False
    if _warming is not None:
        _warming.stop()
    if bpy.app.timers.is_registered(_tell):
        bpy.app.timers.unregister(_tell)
    _say(None)


def is_ready() -> bool:
    """Whether a drag can begin at once."""
    return not _begun or (_warming is not None and _warming.ready)


def is_all_ready() -> bool:
    """Whether everything else can begin at once too."""
    return not _begun or (_warming is not None and not _warming.alive)


def percent() -> int:
    """How far it is."""
    return 0 if _warming is None else round(100.0 * _warming.progress)


def _tell() -> float | None:
    global _warming
    if _warming is None:
        # Here and not in the thread: other add-ons look through all modules while they are enabled.
        load_compiler()
        _warming = WarmUp(later=LATER)
        return 0.3
    if _warming.alive and not _warming.ready:
        _say(f"Inbetweener: getting ready, {percent()} %")
        return 0.3
    _say(None if _warming.error is None else f"Inbetweener: cannot compile its solver: {_warming.error}")
    return None


def _say(text: str | None) -> None:
    for window in bpy.context.window_manager.windows:
        window.workspace.status_text_set(text)
