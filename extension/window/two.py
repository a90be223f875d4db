# SPDX-License-Identifier: GPL-3.0-or-later
"""Two windows, of which one is closed while an arc is held: the other one, then the one in which it is held."""

from pathlib import Path
from typing import Any

from extension.window.screen import WIDTH, Failed, Window

FRAME, MOVE = "19", (45, -30)


def play(window: Window, pictures: Path) -> None:
    """Hold in the first window and close the second: the drag goes on. Hold in the second and close it: all is back."""
    before = window.until(
        "the arc is shown and the solver is ready", lambda seen: seen["ready_after"] and "ticks" in seen
    )
    print(f"ready {before['ready_after'][0]:.1f} s after the start, nothing compiled before")
    first = window.numbers()[-1]

    opened(window, first)
    x, y = map(round, before["ticks"][FRAME])
    hold(window, before, first, x, y)
    window.picture(pictures / "two.png")
    window.state.with_name("second").unlink()
    window.until("the other window is closed", lambda seen: seen["windows"] == 1)
    if not window.until("it is told", lambda seen: True)["busy"]:
        raise Failed("closing another window has ended the drag")
    window.mouse("mousemove", "--window", first, x + MOVE[0], y + MOVE[1])
    window.mouse("mouseup", 1)
    done = window.until(
        "the drag is done", lambda seen: not seen["busy"] and "ticks" in seen and seen["handles"] != before["handles"]
    )
    if done["keys"] != before["keys"] or done["scenes"] != 1:
        raise Failed("keys moved, or a copy is left")
    away = [a - b for a, b in zip(done["ticks"][FRAME], (x + MOVE[0], y + MOVE[1]), strict=True)]
    if max(map(abs, away)) > 2.0:
        raise Failed(f"the arc is {away} pixels from the pointer")
    print(f"the other window closed: the drag went on, and ended {max(map(abs, away)):.2f} pixels from the pointer")
    window.mouse("mousemove", "--window", first, 300, 520)
    window.mouse("key", "ctrl+z")
    window.until("undo puts it back", lambda seen: seen["handles"] == before["handles"] and "ticks" in seen)

    other = opened(window, first)
    x, y = (
        round(each)
        for each in window.until("it is seen", lambda seen: FRAME in seen.get("second", {}))["second"][FRAME]
    )
    hold(window, before, other, x, y)
    window.state.with_name("second").unlink()
    window.until(
        "closing its window puts everything back",
        lambda seen: seen["windows"] == 1 and not seen["busy"] and seen["handles"] == before["handles"],
    )
    window.mouse("mouseup", 1)
    seen = window.until("arcs are shown again", lambda seen: "ticks" in seen)
    if seen["keys"] != before["keys"] or seen["scenes"] != 1:
        raise Failed("keys moved, or a copy is left")
    print("its own window closed: everything is back")


def opened(window: Window, first: str) -> str:
    """A second window beside the first."""
    window.state.with_name("second").touch()
    window.until("there are two windows", lambda seen: seen["windows"] == 2)
    (number,) = [each for each in window.numbers() if each != first]
    window.mouse("windowmove", number, WIDTH, 0)
    window.until("the second is drawn", lambda seen: FRAME in seen.get("second", {}))
    return number


def hold(window: Window, before: dict[str, Any], number: str, x: int, y: int) -> None:
    """Take hold of a pixel of a window, and move it some way."""
    window.mouse("mousemove", "--window", number, x + 3, y)
    window.mouse("mousemove", "--window", number, x, y)
    window.mouse("mousedown", 1)
    window.until("something is held", lambda seen: bool(seen["busy"]))
    for n in range(1, 4):
        window.mouse("mousemove", "--window", number, x + n * MOVE[0] // 6, y + n * MOVE[1] // 6)
    window.follows(before)
