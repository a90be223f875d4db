# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver is compiled once, in the background, when the extension is first enabled; the status bar says how far."""

import bpy

from inbetweener.host import WarmUp

LATER = ("curves", "maths", "motion", "posing", "contacts", "guidance", "dynamics", "kinodynamics")
"""Where the kernels are of all that there is besides drags."""

_warming: WarmUp | None = None


def begin() -> None:
    """Compile what a drag needs, unless that has been done."""
    global _warming
    _warming = WarmUp(later=LATER)
    bpy.app.timers.register(_tell, first_interval=0.5)


def end() -> None:
    """Do not go on compiling."""
    if _warming is not None:
        _warming.stop()
    if bpy.app.timers.is_registered(_tell):
        bpy.app.timers.unregister(_tell)
    _say(None)


def is_ready() -> bool:
    """Whether a drag can begin at once."""
    return _warming is None or _warming.ready


def is_all_ready() -> bool:
    """Whether everything else can begin at once too."""
    return _warming is None or not _warming.alive


def percent() -> int:
    """How far it is."""
    return 100 if _warming is None else round(100.0 * _warming.progress)


def _tell() -> float | None:
    assert _warming is not None
    if _warming.alive and not _warming.ready:
        _say(f"Inbetweener: getting ready, {percent()} %")
        return 0.3
    _say(None if _warming.error is None else f"Inbetweener: cannot compile its solver: {_warming.error}")
    return None


def _say(text: str | None) -> None:
    for window in bpy.context.window_manager.windows:
        window.workspace.status_text_set(text)
