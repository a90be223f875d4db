"""The native file as one of the formats: nothing is ever lost, and only what is no more is mended."""

from pathlib import Path

from inbetweener.document import Document
from inbetweener.document.native import read_repaired, write_native
from inbetweener.formats.files import Reading


def read(path: Path | str, *, trust: bool = False) -> Reading:
    """Open a `.tween` file; `trust` one that unfolds to far more than its size explains."""
    return Reading(*read_repaired(path, trust=trust))


def write(document: Document, path: Path | str) -> tuple[str, ...]:
    """Save a `.tween` file."""
    write_native(document, path)
    return ()
