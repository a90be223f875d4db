# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m extension.window ZIP`: install the zip; drag, type, turn the wheel, undo and pin with a real mouse.

Needs Blender 5.2, Xvfb, xdotool and ImageMagick on the machine. Nothing of the user's own Blender is touched.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from extension.window import tutorial, two
from extension.window.screen import Failed, Window

FRAME, MOVE = "19", (45, -30)
NEAR = 2.0
"""Pixels."""
ARROW = 42
"""Pixels from the frame to a place on an arrow of its gizmo."""


def play(window: Window, pictures: Path) -> None:
    """Drag, undo, cancel, pin; each is looked at."""
    before = window.until(
        "the arc is shown and the solver is ready", lambda seen: seen["ready_after"] and "ticks" in seen
    )
    print(f"ready {before['ready_after'][0]:.1f} s after the start, nothing compiled before")
    x, y = map(round, before["ticks"][FRAME])
    window.press(x, y)
    for n in range(1, 7):
        window.mouse("mousemove", x + n * MOVE[0] // 6, y + n * MOVE[1] // 6)
    window.follows(before)
    window.picture(pictures / "drag.png")
    window.mouse("mouseup", 1)

    def arrived(seen: dict[str, Any]) -> bool:
        return not seen["busy"] and "ticks" in seen and seen["handles"] != before["handles"]

    after = window.until("the drag is done", arrived)
    off = math.dist(after["ticks"][FRAME], (x + MOVE[0], y + MOVE[1]))
    if off > NEAR or after["keys"] != before["keys"] or after["scenes"] != 1:
        raise Failed(f"the arc is {off:.1f} pixels from the pointer, or keys moved, or a copy is left")
    print(f"dragged: {off:.2f} pixels from where the pointer let go, no key moved")

    window.mouse("mousemove", 300, 520)
    window.mouse("key", "ctrl+z")
    window.until("undo puts everything back", lambda seen: seen["handles"] == before["handles"] and "ticks" in seen)
    print("undone by one step")

    window.press(x, y)
    window.mouse("mousemove", x + 20, y + 20)
    window.mouse("mousemove", x + 30, y + 20)
    window.until("a drag is under way", lambda seen: bool(seen["busy"]) and seen["handles"] != before["handles"])
    window.mouse("key", "Escape")
    window.mouse("mouseup", 1)
    window.until("Esc puts everything back", lambda seen: not seen["busy"] and seen["handles"] == before["handles"])
    print("cancelled by Esc")

    typed(window, pictures, before)
    timed(window, before)
    by_gizmo(window, pictures, before)

    window.mouse("mousemove", 300, 520)
    window.mouse("key", "p")
    window.until("the bone is pinned", lambda seen: seen["pins"] == ["b3"] and "ticks" in seen)
    window.picture(pictures / "pinned.png")
    print("pinned by P")


def typed(window: Window, pictures: Path, before: dict[str, Any]) -> None:
    """Drag along X by a number that is typed."""
    x, y = map(round, before["ticks"][FRAME])
    window.press(x, y)
    for key in ("x", "0", "period", "0", "5"):
        window.mouse("key", key)
    window.follows(before)
    window.picture(pictures / "typed.png")
    window.mouse("key", "Return")
    window.mouse("mouseup", 1)
    moved = _moved(window, before, "a number is typed")
    if math.dist(moved, (0.05, 0.0, 0.0)) > 2e-4:
        raise Failed(f"0.05 was typed along X, and the arc moved by {moved}")
    print(f"typed: moved by {moved[0]:.4f} along X")
    _undo(window, before)


def timed(window: Window, before: dict[str, Any]) -> None:
    """Scale timing with the wheel while a frame is held."""
    x, y = map(round, before["ticks"][FRAME])
    window.press(x, y)
    for _ in range(3):
        window.mouse("click", 4)
    window.mouse("mouseup", 1)
    _moved(window, before, "the wheel has scaled timing")
    print("timing scaled by the wheel")
    _undo(window, before)


def by_gizmo(window: Window, pictures: Path, before: dict[str, Any]) -> None:
    """Drag the arrow that points up."""
    x, y = map(round, before["ticks"][FRAME])
    window.mouse("mousemove", x, y - ARROW + 8)
    window.press(x, y - ARROW)
    for n in range(1, 5):
        window.mouse("mousemove", x + 5 * n, y - ARROW - 10 * n)
    window.follows(before)
    window.picture(pictures / "gizmo.png")
    window.mouse("mouseup", 1)
    moved = _moved(window, before, "an arrow was dragged")
    if max(map(abs, moved[:2])) > 2e-4 or moved[2] < 0.01:
        raise Failed(f"the arrow along Z was dragged up, and the arc moved by {moved}")
    print(f"dragged by the arrow: {moved[2]:.3f} along Z alone")
    _undo(window, before)


def _moved(window: Window, before: dict[str, Any], what: str) -> list[float]:
    """By how much the frame has moved once handles are others."""
    seen = window.until(
        what, lambda seen: not seen["busy"] and "points" in seen and seen["handles"] != before["handles"]
    )
    if seen["keys"] != before["keys"]:
        raise Failed(f"{what}, and keys moved")
    return [a - b for a, b in zip(seen["points"][FRAME], before["points"][FRAME], strict=True)]


def _undo(window: Window, before: dict[str, Any]) -> None:
    window.mouse("mousemove", 300, 520)
    window.mouse("key", "ctrl+z")
    window.until("undo puts it back", lambda seen: seen["handles"] == before["handles"] and "ticks" in seen)


def main() -> None:
    """Play it all, and leave pictures."""
    parser = argparse.ArgumentParser(prog="python -m extension.window")
    parser.add_argument("zip", type=Path)
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--pictures", type=Path, default=Path("out/blender"))
    parser.add_argument("--display", default=":78")
    parser.add_argument("--tutorial", action="store_true", help="follow the tutorial on Rigify instead")
    parser.add_argument("--two", action="store_true", help="close one of two windows while something is held instead")
    wanted = parser.parse_args()
    wanted.pictures.mkdir(parents=True, exist_ok=True)
    # Whatever Blender had compile may still write.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shown, played = ("rigify", tutorial.play) if wanted.tutorial else ("arm", two.play if wanted.two else play)
        window = Window(wanted.blender, wanted.zip.resolve(), Path(folder), wanted.display, shown)
        try:
            played(window, wanted.pictures)
        finally:
            window.close()


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{error}")
