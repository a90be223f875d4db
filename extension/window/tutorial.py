# SPDX-License-Identifier: GPL-3.0-or-later
"""The tutorial on Rigify, followed with a real mouse as its page says, and photographed."""

import math
from pathlib import Path
from typing import Any

from extension.window.screen import Failed, Window

FRAME, LOCKED, AGAIN = "8", "24", "30"
STEPS = 12
MOVE, SECOND = (-60, -70), (40, 30)
NEAR = 2.5
"""Pixels."""
VIEW = ("-crop", "760x560+0+60", "+repage")
"""The viewport, with the header."""


def play(window: Window, pictures: Path) -> None:
    """See the arc, drag it, lock a frame, drag again: no key moves."""
    before = window.until("the arc is shown and the solver is ready", lambda seen: seen["ready"] and "ticks" in seen)
    after = drag(window, before, FRAME, MOVE, pictures, "rigify-drag")
    print(f"dragged: {off(after, before, FRAME, MOVE):.2f} pixels from where the pointer let go")

    x, y = map(round, after["ticks"][LOCKED])
    window.mouse("mousemove", x, y)
    window.mouse("keydown", "ctrl")
    window.mouse("click", 1)
    window.mouse("keyup", "ctrl")
    window.until("a frame is locked", lambda seen: seen["locks"] == 1)
    again = drag(window, after, AGAIN, SECOND, pictures, "rigify-locked")
    moved = math.dist(again["ticks"][LOCKED], after["ticks"][LOCKED])
    if moved > 1.0:
        raise Failed(f"a locked frame moved by {moved:.1f} pixels")
    print(f"dragged again: the locked frame moved by {moved:.2f} pixels")

    window.mouse("key", "ctrl+z")
    window.until("undo takes one drag back", lambda seen: seen["handles"] == after["handles"] and "ticks" in seen)


def drag(
    window: Window, before: dict[str, Any], frame: str, by: tuple[int, int], pictures: Path, name: str
) -> dict[str, Any]:
    """Take a frame of the arc somewhere in steps, each photographed, the last one with the header."""
    x, y = map(round, before["ticks"][frame])
    window.mouse("mousemove", x + 2, y)
    window.press(x, y)
    for n in range(1, STEPS + 1):
        window.mouse("mousemove", x + n * by[0] // STEPS, y + n * by[1] // STEPS)
        window.picture(pictures / f"{name}-{n:02}.png", *VIEW)
    window.follows(before)
    window.picture(pictures / f"{name}.png")
    window.mouse("mouseup", 1)
    window.mouse("mousemove", 300, 520)
    after = window.until(
        "the drag is done", lambda seen: not seen["busy"] and "ticks" in seen and seen["handles"] != before["handles"]
    )
    if after["keys"] != before["keys"] or after["scenes"] != 1:
        raise Failed("keys moved, or a copy is left")
    if off(after, before, frame, by) > NEAR:
        raise Failed(f"the arc is {off(after, before, frame, by):.1f} pixels from the pointer")
    return after


def off(after: dict[str, Any], before: dict[str, Any], frame: str, by: tuple[int, int]) -> float:
    """Pixels from where the pointer let go."""
    x, y = map(round, before["ticks"][frame])
    return math.dist(after["ticks"][frame], (x + by[0], y + by[1]))
