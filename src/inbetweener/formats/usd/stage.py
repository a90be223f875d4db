"""A stage, opened in a process of its own: what a file does to usd-core, it does not do to us."""

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from inbetweener.document.budget import ROOM, TIMES
from inbetweener.errors import FormatError
from inbetweener.formats.usd.inside.telling import unpacked

EXTRA = "pip install 'inbetweener[usd]'"
SECONDS, BYTES_A_SECOND = 60.0, 200_000
"""What any file may take to open, and how many bytes more for each second more."""
_FOLDING = 8
"""How many times a layer's bytes the library may take while it composes them."""
_RUN = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from inbetweener.formats.usd.inside.main import main"


def require_usd(path: Path) -> None:
    """Say what to install where usd-core is not there."""
    if importlib.util.find_spec("pxr") is None:
        raise FormatError(path, "", "USD files need usd-core, which is not installed", f"install it with: {EXTRA}")


def opened(path: Path, *, trust: bool = False) -> dict[str, Any]:
    """What is on the stage of a file, in plain arrays; see `inside.stage`."""
    require_usd(path)
    with path.open("rb"):
        # What the system says of a file that cannot be opened, it says here.
        size = path.stat().st_size
    beside = sum(each.stat().st_size for each in path.parent.glob("*.usd*") if each.is_file())
    room = float("inf") if trust else ROOM + TIMES * size
    memory = 0.0 if trust else _FOLDING * (ROOM + TIMES * max(size, beside))
    with tempfile.TemporaryDirectory(prefix="inbetweener-") as folder:
        output = Path(folder) / "stage"
        command = [sys.executable, "-c", f"{_RUN}; main(sys.argv[2:])", json.dumps(sys.path)]
        try:
            done = subprocess.run(
                [*command, str(path), str(output), str(room), str(memory)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=None if trust else SECONDS + size / BYTES_A_SECOND,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise FormatError(path, "", "takes longer to open than its size explains") from None
        if done.returncode == 3:
            raise FormatError(path, *json.loads(output.read_text()))
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            last = said[-1][:200] if said else ""
            why = f"usd-core ended with {done.returncode}" + (f" ({last})" if last else "")
            raise FormatError(path, "", f"cannot be opened: {why}", "it is damaged or too large for its memory")
        return unpacked(output.read_bytes())
