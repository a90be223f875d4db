"""Where pictures go: paths checked before the work starts, files that appear only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inbetweener.errors import InbetweenerError
from inbetweener.system import move_file


class OutputError(InbetweenerError, ValueError):
    """A picture or movie that cannot be written there; says what can."""


def checked(path: str | Path, suffixes: tuple[str, ...], what: str) -> Path:
    """The path, if a file of one of the given suffixes may be written there."""
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        named = f"ends in {path.suffix!r}" if path.suffix else "has no suffix"
        raise OutputError(f"{path}: {named}; {what} can be written as {', '.join(suffixes)}")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; give the name of a file")
    return path


@contextmanager
def complete(path: Path) -> Iterator[Path]:
    """A place to write to; it becomes `path` when all went well and vanishes otherwise."""
    partial = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield partial
        move_file(partial, path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        # Asked first: where nothing may be written, even deleting nothing is refused.
        if partial.exists():
            partial.unlink()
