"""Replace a file in one stroke: readers see the old content or the new, whatever happens in between."""

import os
import secrets
import stat
from pathlib import Path

_SUFFIX = ".saving"


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; on any failure the old file stays and nothing is left behind."""
    path = _target(path)
    temporary = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}{_SUFFIX}")
    # Opened by number rather than with `open`, so that the user's mask decides the permissions of a new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if path.exists():
                os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink()
        raise
    sync_folder(path.parent)


def remove_leftovers(path: Path) -> None:
    """Delete what killed processes left while replacing `path`; only for whoever alone may write it."""
    for file in path.parent.iterdir():
        if file.name.startswith(_prefix(path)) and file.name.endswith(_SUFFIX):
            file.unlink()


def sync_folder(folder: Path) -> None:
    """Make a renaming in `folder` last; folders cannot be opened on Windows, where renaming is already durable."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _prefix(path: Path) -> str:
    # Short enough that the whole name fits where the file's own does.
    return f".{path.name[:100]}."


def _target(path: Path) -> Path:
    """Where the content belongs: a link keeps pointing to it."""
    return path.resolve() if path.is_symlink() else path
