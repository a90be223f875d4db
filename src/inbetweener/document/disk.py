"""The disk, as it differs between systems: files replaced in one stroke, files of our own, locks.

A file of our own is one that only this user writes. A folder may come from a stranger, with links where we are about
to write; so such files are opened by what they are, never by where a link leads.
"""

import os
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Self

from inbetweener.errors import InbetweenerError

_SUFFIX = ".saving"
_BINARY = getattr(os, "O_BINARY", 0)
# A FIFO would be waited for, so that what it is could never be asked.
_UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class NotOurs(InbetweenerError):
    """A file or folder where one of our own should be; says what it is instead."""


def replace_file(path: Path, content: bytes, *, own: bool = False) -> None:
    """Write `content` to `path`; on any failure the old file stays and nothing is left behind.

    A link is followed, and the file that it leads to replaced, unless it is to be a file of our `own`.
    """
    path = path.resolve() if path.is_symlink() and not own else path
    temporary = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}{_SUFFIX}")
    # Opened by number rather than with `open`, so that the user's mask decides the permissions of a new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if own else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if not own and path.exists():
                os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
            sync(file.fileno())
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


def _prefix(path: Path) -> str:
    # Short enough that the whole name fits where the file's own does.
    return f".{path.name[:100]}."


def open_own(path: Path, flags: int) -> int:
    """A descriptor of a file of our own, made private if it is made; raises NotOurs for anything else there."""
    try:
        descriptor = os.open(path, flags | _UNFOLLOWED | _BINARY, 0o600)
    except OSError:
        if path.is_symlink():
            raise NotOurs(f"{path} is a link, and might lead anywhere; remove it") from None
        raise
    try:
        facts = os.fstat(descriptor)
        _check_own(path, facts, stat.S_ISREG)
        if facts.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR):
            raise NotOurs(f"{path} is the same file as another one elsewhere; put a copy in its place")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_own(path: Path, most: int | None = None) -> bytes:
    """What a file of our own holds; raises NotOurs for one of more than `most` bytes, which we never wrote."""
    with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
        if most is not None and os.fstat(file.fileno()).st_size > most:
            raise NotOurs(f"{path} is far too large; remove it")
        return file.read()


def make_folder(path: Path) -> None:
    """Make a folder, and those above it where they are missing, so that they outlast a power cut."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


def own_folder(path: Path) -> None:
    """Make a folder that only this user can look into; raises NotOurs where something else is in its place."""
    make_folder(path.parent)
    try:
        path.mkdir(mode=0o700)
        sync_folder(path.parent)
    except FileExistsError:
        facts = path.lstat()
        _check_own(path, facts, stat.S_ISDIR)
        if os.name != "nt" and stat.S_IMODE(facts.st_mode) & 0o077:
            path.chmod(0o700)


def _check_own(path: Path, facts: os.stat_result, kind: Callable[[int], bool]) -> None:
    if stat.S_ISLNK(facts.st_mode):
        raise NotOurs(f"{path} is a link, and might lead anywhere; remove it")
    if not kind(facts.st_mode):
        raise NotOurs(f"{path} is not a {'folder' if kind is stat.S_ISDIR else 'plain file'}; remove it")
    if os.name != "nt" and facts.st_uid != os.geteuid():
        raise NotOurs(f"{path} belongs to somebody else; remove it, or work in a folder of your own")


def sync(descriptor: int) -> None:
    """Return when what was written will outlast a power cut."""
    if sys.platform == "darwin":
        # There fsync stops at the drive's own memory.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make a renaming in `folder` last; folders cannot be opened on Windows, where renaming is already durable."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


class InUse(InbetweenerError):
    """Somebody else is writing there; the message says who."""


class Lock:
    """Held from creation to `release`. The small file stays: removing it would race with the next holder."""

    def __init__(self, path: Path, guarded: Path) -> None:
        self._descriptor = open_own(path, os.O_RDWR | os.O_CREAT)
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
