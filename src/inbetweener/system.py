"""The system underneath, as it differs: files replaced in one stroke, files and folders of our own, locks, signals.

A file of our own is one that only this user writes. A folder may come from a stranger, with links where we are about
to write; so such files are opened by what they are, never by where a link leads.

Nothing else asks which system this is, or calls what only some have.
"""

import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from inbetweener.errors import InbetweenerError

if TYPE_CHECKING:
    from socket import socket

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
    with replacing(path, own=own) as file:
        file.write(content)


@contextmanager
def replacing(path: Path, *, own: bool = False) -> Iterator[BinaryIO]:
    """The same for what is too long to hold at once: a file to write to, which takes the place of `path` at the end."""
    path = path.resolve() if path.is_symlink() and not own else path
    temporary = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}{_SUFFIX}")
    # Opened by number rather than with `open`, so that the user's mask decides the permissions of a new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if own else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            if not own and path.exists():
                os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
            sync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink()
        raise
    sync_folder(path.parent)


def move_file(source: Path, target: Path) -> None:
    """Give a finished file or folder its name, on the same disk; a file that had that name is gone."""
    os.replace(source, target)
    sync_folder(target.parent)


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
        close_to_others(path, facts)


def close_to_others(path: Path, facts: os.stat_result | None = None) -> None:
    """Let nobody else read or write a file or folder of our own."""
    mode = stat.S_IMODE((facts or path.lstat()).st_mode)
    if os.name != "nt" and mode & 0o077:
        path.chmod(mode & 0o700)


def folder_for_code(path: Path) -> None:
    """Make a folder of our own for machine code; raises NotOurs where somebody else can, or could, put some there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if os.name != "nt":
        if path.exists() and _open_to_others(path.lstat()):
            raise NotOurs(f"{path} can be written by others; remove it")
        # Whoever may rename a folder above can put another one in its place.
        parent = path.parent.resolve()
        for above in (parent, *parent.parents):
            facts = above.stat()
            if facts.st_uid not in (0, os.geteuid()) or (_open_to_others(facts) and not facts.st_mode & stat.S_ISVTX):
                raise NotOurs(f"{above} belongs to somebody else, or can be written by others")
    own_folder(path)


def _open_to_others(facts: os.stat_result) -> bool:
    # Many systems give each user a group of the same name, and new folders are open to it.
    others = stat.S_IWOTH if facts.st_gid == os.getegid() else stat.S_IWOTH | stat.S_IWGRP
    return bool(facts.st_mode & others)


def cache_root() -> Path:
    """Where all that can be made again is kept; INBETWEENER_CACHE moves it."""
    if root := os.environ.get("INBETWEENER_CACHE"):
        return Path(root).expanduser().absolute()
    from platformdirs import user_cache_path

    return user_cache_path("inbetweener")


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
        # There fsync stops at the drive's own memory; what is no drive of its own knows only that.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
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


def limit_memory(size: int) -> None:
    """Let this process have so many bytes and no more; where the system knows no such limit, nothing is limited."""
    if sys.platform == "linux":
        import resource

        # What is written to, not what is merely mapped: libraries and drivers map far more than they use.
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def peak_memory() -> int:
    """The most bytes that this process ever held; nought where the system does not count."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def total_memory() -> int:
    """The bytes of memory that this machine has; nought where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def free_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_stop(stop: Callable[[int], None]) -> None:
    """Call `stop` with the number of every signal that asks us to end; in the main thread."""
    import signal

    # Only Windows has Ctrl-Break.
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, lambda given, _frame: stop(given))


def take_port_again(listening: "socket") -> None:
    """Let a server that is started again have the port at once, whose old connections the system still remembers."""
    from socket import SO_REUSEADDR, SOL_SOCKET

    # On Windows this would let two programs share a port.
    if os.name == "posix":
        listening.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)


def is_text(name: str) -> bool:
    """Whether the name of a file is text: some systems let names be any bytes, which no message can hold."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def python_tag() -> str:
    """Names this Python and its version, as its compiled files are named."""
    return str(sys.implementation.cache_tag)


def date_file(path: Path, seconds: int) -> None:
    """Say when a file was last changed, for archives that repeat that."""
    os.utime(path, (seconds, seconds))


def has_display() -> bool:
    """Whether a window that we open is seen by somebody."""
    seen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(seen) and not os.environ.get("SSH_CONNECTION")


def fall_silent() -> None:
    """Nobody reads our output any more: let what is still to be written go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
