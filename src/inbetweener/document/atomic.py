"""Replace a file in one stroke: readers see the old content or the new, whatever happens in between."""

import os
import secrets
import stat
import sys
from pathlib import Path
from typing import Self

from inbetweener.errors import InbetweenerError

_SUFFIX = ".saving"


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; on any failure the old file stays and nothing is left behind."""
    path = path.resolve() if path.is_symlink() else path
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


class InUse(InbetweenerError):
    """Somebody else is writing there; the message says who."""


class Lock:
    """Held from creation to `release`. The small file stays: removing it would race with the next holder."""

    def __init__(self, path: Path, guarded: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _take(self._descriptor)
        except OSError:
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            holder = os.read(self._descriptor, 32).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            who = f" by process {holder}" if holder else ""
            raise InUse(f"{guarded} is in use{who}; close it there first") from None
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let others in; releasing twice does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        # Far behind the text, so that others can still read who holds the lock.
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
