"""The process itself: `main(path, output, room, seconds, memory)`."""

import json
import sys
import tempfile
from pathlib import Path

from inbetweener.formats.usd.inside.telling import Refused, Telling
from inbetweener.system import limit_memory, peak_memory

BASE = 1 << 30
"""Bytes that the library itself may take."""


def main(arguments: list[str]) -> None:
    """Tell the stage of the first argument into the second; what cannot be read is told on one line."""
    path, output, room, memory = Path(arguments[0]), Path(arguments[1]), float(arguments[2]), float(arguments[3])
    from inbetweener.formats.usd.inside.stage import told

    if memory:
        limit_memory(int(peak_memory() + BASE + memory))
    telling = Telling(room)
    try:
        with tempfile.TemporaryDirectory(prefix="inbetweener-") as work:
            output.write_bytes(telling.packed(told(path, Path(work), telling)))
    except Refused as refused:
        output.write_text(json.dumps([refused.place, refused.problem, refused.remedy]))
        sys.exit(3)
    except MemoryError:
        output.write_text(json.dumps(["", "would unfold to more memory than its size explains", ""]))
        sys.exit(3)
