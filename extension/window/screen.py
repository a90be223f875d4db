# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender with a window on a screen that nobody sees, with a mouse and a keyboard."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 1000, 700
PATIENCE = 600.0
"""Seconds: software draws slowly, and the solver may have to be compiled first."""


class Failed(Exception):
    """What was not as it should be."""


class Window:
    """A Blender on a screen of its own."""

    def __init__(self, blender: str, archive: Path, folder: Path, display: str, shown: str = "arm") -> None:
        """With the extension from a zip; what is `shown` is made by `inside.py`."""
        self.state = folder / "state.json"
        home = folder / "blender"
        home.mkdir()
        self._env = {
            **os.environ,
            "BLENDER_USER_RESOURCES": str(home),
            "DISPLAY": display,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            # As after installing, when nothing has been compiled yet.
            "INBETWEENER_CACHE": str(folder / "cache"),
        }
        install = (blender, "--command", "extension", "install-file", "-r", "user_default", "--enable", str(archive))
        self._run(*install)
        self._started = [
            subprocess.Popen(("Xvfb", display, "-screen", "0", f"{2 * WIDTH}x{HEIGHT}x24", "+extension", "GLX"))
        ]
        time.sleep(3.0)
        geometry = ("--window-geometry", "0", "0", str(WIDTH), str(HEIGHT))
        script = ("--python", str(Path(__file__).with_name("inside.py")), "--", str(self.state), shown)
        command = (blender, "--gpu-backend", "opengl", "--enable-autoexec", *geometry, *script)
        self._started.append(subprocess.Popen(command, env=self._env))

    def close(self) -> None:
        for each in reversed(self._started):
            each.kill()
            each.wait()

    def until(self, what: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What is seen once something holds."""
        begun = time.monotonic()
        while time.monotonic() - begun < PATIENCE:
            if self._started[-1].poll() is not None:
                raise Failed(f"Blender ended before {what}")
            seen = json.loads(self.state.read_text()) if self.state.exists() else {}
            if "error" in seen:
                raise Failed(seen["error"])
            if seen and holds(seen):
                return seen
            time.sleep(0.3)
        raise Failed(f"not within {PATIENCE:g} s: {what}")

    def numbers(self) -> list[str]:
        """What the screen calls Blender's windows, oldest first."""
        command = ("xdotool", "search", "--onlyvisible", "--class", "Blender")
        found = subprocess.run(command, env=self._env, stdout=subprocess.PIPE, text=True).stdout.split()
        return sorted(found, key=int)

    def press(self, x: int, y: int) -> None:
        """Press the left button, and wait until something is held.

        A Blender that is busy drawing tells of a press where the pointer has got to by then.
        """
        self.mouse("mousemove", x, y)
        self.mouse("mousedown", 1)
        self.until("something is held", lambda seen: bool(seen["busy"]))

    def follows(self, before: dict[str, Any]) -> None:
        """Wait until what is held has followed the pointer, and has been drawn."""
        self.until("handles follow", lambda seen: bool(seen["busy"]) and seen["handles"] != before["handles"])
        time.sleep(1.0)

    def mouse(self, *words: object) -> None:
        """One word to xdotool, and time for Blender to see it."""
        self._run("xdotool", *map(str, words))
        time.sleep(0.7)

    def picture(self, path: Path, *how: str) -> None:
        """What is on the screen; `how` are further words to ImageMagick."""
        self._run("import", "-window", "root", "-crop", f"{WIDTH}x{HEIGHT}+0+0", "+repage", *how, str(path))

    def _run(self, *command: str) -> None:
        subprocess.run(command, env=self._env, check=True)
