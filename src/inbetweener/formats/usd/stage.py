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
_RUN = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from inbetweener.formats.usd.inside"
_FAILED = {
    "main": ("cannot be opened", "it is damaged or too large for its memory"),
    "writing": ("cannot be written", "another format may hold it"),
}
REFUSED = 3
"""What the process ends with where it says itself what is wrong."""


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
    limit = None if trust else SECONDS + size / BYTES_A_SECOND
    with tempfile.TemporaryDirectory(prefix="inbetweener-") as folder:
        output = Path(folder) / "stage"
        _run("main", path, limit, str(path), str(output), str(room), str(memory))
        return unpacked(output.read_bytes())


def written(path: Path, told: bytes, pictures: dict[str, bytes]) -> bytes:
    """The bytes of the file that `told` tells; see `inside.writing`. A package has the pictures inside, by name."""
    require_usd(path)
    with tempfile.TemporaryDirectory(prefix="inbetweener-") as folder:
        source, output = Path(folder) / "told", Path(folder) / f"made{path.suffix.lower()}"
        source.write_bytes(told)
        for name, data in pictures.items():
            (Path(folder) / name).write_bytes(data)
        _run("writing", path, None, str(source), str(output))
        return output.read_bytes()


def _run(module: str, path: Path, limit: float | None, *arguments: str) -> None:
    """Run `main` of a module of `inside` in a process of its own; what it makes goes where the second argument says."""
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                f"{_RUN}.{module} import main; main(sys.argv[2:])",
                json.dumps(sys.path),
                *arguments,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise FormatError(path, "", "takes longer to open than its size explains") from None
    if done.returncode == REFUSED:
        raise FormatError(path, *json.loads(Path(arguments[1]).read_text()))
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        last = said[-1][:200] if said else ""
        why = f"usd-core ended with {done.returncode}" + (f" ({last})" if last else "")
        problem, remedy = _FAILED[module]
        raise FormatError(path, "", f"{problem}: {why}", remedy)
