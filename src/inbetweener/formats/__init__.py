"""Files: the native format, BVH, glTF, FBX and USD, each with a `read` and a `write`; the suffix chooses.

Numbers of a clip, as `.npz` and `.csv`, are written and read where they are asked for by name.

`load` and `save` warn of what was mended or lost; `read` and `write` return it.
"""

import inspect
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inbetweener.errors import FormatError, LossWarning, RepairWarning, UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.formats.files import Reading

__all__ = ["SUFFIXES", "load", "read", "save", "write"]

_MODULES = {
    ".tween": "native",
    ".bvh": "bvh",
    **dict.fromkeys((".gltf", ".glb"), "gltf"),
    ".fbx": "fbx",
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), "usd"),
}
SUFFIXES = tuple(_MODULES)
"""File name suffixes that can be read, and written of any document."""
_PEOPLE = {".vrm": "gltf", ".vrma": "gltf.vrm.animation"}
"""Those that are written of some documents alone: what was a .vrm file, clips of a person."""
_READ_ONLY = dict.fromkeys((".urdf", ".xml", ".mjcf"), "robots")
"""Those that we read, but do not write."""
_NUMBERS = {".npz": "arrays.npz", ".csv": "arrays.table"}
"""Numbers may be anybody's: who looks through folders for motion takes them for it only where they are named."""
NUMBERS = tuple(_NUMBERS)
READABLE = (*SUFFIXES, *_PEOPLE, *_READ_ONLY)
"""File name suffixes that can be read, and are looked for in folders."""
OPENED = (*SUFFIXES, *_PEOPLE, ".npz")
"""Those that stand for themselves, and are opened by whoever points at one of them: a table needs a rig."""
WRITABLE = (*SUFFIXES, *_PEOPLE, *_NUMBERS)
"""File name suffixes that can be written."""


def read(path: Path | str, **options: Any) -> "Reading":
    """The document in a file and what had to be mended or guessed; options are those of the format's `read`."""
    from inbetweener.formats.files import clear_file_errors

    path = Path(path)
    reader = function_for(path, "read", options)
    with clear_file_errors(path):
        return reader(path, **options)


def load(path: Path | str, **options: Any) -> "Document":
    """The document in a file; whatever had to be left out, mended or guessed is warned of."""
    reading = read(path, **options)
    for loss in reading.losses:
        warnings.warn(f"{path}: {loss}", LossWarning, stacklevel=2)
    for repair in reading.repairs:
        warnings.warn(f"{path}: {repair}", RepairWarning, stacklevel=2)
    return reading.document


def save(document: "Document", path: Path | str, **options: Any) -> None:
    """Write a document, all or nothing; whatever the format cannot hold is warned of.

    Options are those of the format's `write`.
    """
    for loss in write(document, path, **options):
        warnings.warn(f"{path}: {loss}", LossWarning, stacklevel=2)


def write(document: "Document", path: Path | str, **options: Any) -> tuple[str, ...]:
    """The same without warnings: returns one line for everything that the format cannot hold."""
    from inbetweener.formats.files import clear_file_errors

    path = Path(path)
    writer = function_for(path, "write", options)
    if not path.parent.is_dir():
        raise FormatError(path, "", f"there is no folder {path.parent}", "make it first")
    with clear_file_errors(path):
        losses: tuple[str, ...] = writer(document, path, **options)
    return losses


def function_for(path: Path, verb: str, options: dict[str, Any]) -> Callable[..., Any]:
    """The reader or writer for a path, once it is known to take these options.

    Imported only now: each has its own weight, and a pipeline of one format should not carry the others. As a whole
    package: where two threads import it and one of its modules at once, one of them may meet the other's half.
    """
    suffix = path.suffix.lower()
    modules = {**_MODULES, **_PEOPLE, **_NUMBERS, **(_READ_ONLY if verb == "read" else {})}
    if suffix not in modules:
        what = f"unknown suffix {path.suffix!r}" if path.suffix else "no suffix tells the format"
        raise FormatError(path, "", what, f"known: {' '.join(WRITABLE)}")
    function: Callable[..., Any] = getattr(import_module(f"inbetweener.formats.{modules[suffix]}"), verb)
    # The document and the path are no options.
    known = [name for name in inspect.signature(function).parameters if name not in ("document", "path")]
    for name in options:
        if name not in known:
            raise UnknownName(f"option of {verb} for {suffix}", name, known)
    return function
