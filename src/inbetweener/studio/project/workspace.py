"""Where the Studio keeps its own things about a project folder: journals beside the work, secrets in the user's state.

Journals, the lock and the note of the running server lie in `.inbetweener/` within the folder, so that they travel
with it; where that cannot be written, or is not ours, they lie in the user's state directory. Secrets always lie there.
"""

import hashlib
import os
import secrets
import tempfile
from pathlib import Path

import msgspec

from inbetweener.errors import InbetweenerError
from inbetweener.system import InUse, Lock, NotOurs, close_to_others, make_folder, own_folder, read_own, replace_file

OWN_FOLDER = ".inbetweener"
NOTE = "running.json"
LONGEST_NOTE = 1 << 16
"""Bytes of a note beside a journal or of the running server: a path and a few numbers."""


class FolderError(InbetweenerError):
    """A project folder that cannot be used; says why."""


class Running(msgspec.Struct, frozen=True):
    """The server that works on a folder now: how to reach it, and which start of it this is.

    Programs on this machine reach it at `local`, whatever stands before it for others.
    """

    address: str
    instance: str
    process: int
    local: str = ""
    version: str = ""
    folder: str = ""


class AlreadyRunning(InbetweenerError):
    """Another Studio works on the folder; `running` tells where it is, once it has said so."""

    def __init__(self, folder: Path, running: Running | None) -> None:
        where = f" at {running.address}" if running else ""
        super().__init__(f"a Studio is already running on {folder}{where}; use that one, or stop it first")
        self.running = running


def state_folder() -> Path:
    """Where the user's state is kept; INBETWEENER_STATE moves it."""
    if root := os.environ.get("INBETWEENER_STATE"):
        return Path(root).expanduser().absolute()
    from platformdirs import user_state_path

    return user_state_path("inbetweener")


class Workspace:
    """The Studio's own files about one folder; `lock` makes sure that only one server writes them."""

    def __init__(self, folder: Path, *, state: Path | None = None) -> None:
        try:
            make_folder(folder)
            self.folder = folder.resolve(strict=True)
        except OSError as error:
            raise FolderError(f"{folder} cannot be the project folder: {error.strerror or error}") from error
        self.key = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        self._state = (state or state_folder()) / "studio" / self.key
        self.remarks: tuple[str, ...] = ()
        self.journals = self._writable()
        self._lock: Lock | None = None

    def secret(self) -> bytes:
        """32 random bytes that only this user can read, made when first asked for; cookies and tokens come of it."""
        return _secret(self._state / "secret")

    def renewed_secret(self) -> bytes:
        """Another secret in place of this one: what was made from it is worth nothing any more."""
        (self._state / "secret").unlink(missing_ok=True)
        return self.secret()

    def seal(self) -> bytes:
        """The same for all folders: what marks journals as written by this user on this machine."""
        return _secret(self._state.parent / "seal")

    @property
    def recents(self) -> Path:
        """Where the list of what was opened lately is kept."""
        return self._state / "recents.json"

    def lock(self) -> None:
        """Keep other servers out; raises AlreadyRunning where there is one."""
        try:
            self._lock = Lock(self.journals / "studio.lock", self.folder)
        except InUse:
            raise AlreadyRunning(self.folder, self.running()) from None

    def running(self) -> Running | None:
        """The note that the last server left; it may be gone without having taken it away."""
        return _noted(self._notes[0])

    def announce(self, running: Running) -> None:
        """Leave a note of where the server is: in the folder and, for whoever looks for any Studio, in the state."""
        for note in self._notes:
            own_folder(note.parent)
            replace_file(note, msgspec.json.encode(running), own=True)

    def release(self) -> None:
        """Take the note away and let other servers in."""
        if self._lock is not None:
            for note in self._notes:
                note.unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    @property
    def _notes(self) -> tuple[Path, Path]:
        return self.journals / NOTE, self._state / NOTE

    def _writable(self) -> Path:
        problem = ""
        for place in (self.folder / OWN_FOLDER, self._state / "journals"):
            try:
                own_folder(place)
                tempfile.TemporaryFile(dir=place).close()
            except OSError as error:
                problem = error.strerror or str(error)
            except NotOurs as error:
                problem = str(error)
                self.remarks += (f"{error}; until then journals are kept in {self._state}",)
            else:
                return place
        raise FolderError(
            f"nothing can be written in {self.folder} nor in {self._state}: {problem}; "
            "choose another folder, or set INBETWEENER_STATE to a writable one"
        )


def _noted(note: Path) -> Running | None:
    try:
        return msgspec.json.decode(read_own(note, LONGEST_NOTE), type=Running)
    except (OSError, NotOurs, msgspec.MsgspecError):
        return None


def all_running(state: Path | None = None) -> list[tuple[Running, bytes]]:
    """The notes of this user's servers, whichever folders they work on, with their secrets; the latest first.

    A server that was killed may have left its note.
    """
    found = []
    for note in ((state or state_folder()) / "studio").glob(f"*/{NOTE}"):
        running = _noted(note)
        try:
            if running is not None:
                found.append((note.stat().st_mtime_ns, running, read_own(note.with_name("secret"), LONGEST_NOTE)))
        except (OSError, NotOurs):
            continue
    found.sort(key=lambda each: -each[0])
    return [(running, secret) for _, running, secret in found]


def _secret(path: Path) -> bytes:
    try:
        own_folder(path.parent)
        if os.path.lexists(path) and len(kept := read_own(path, LONGEST_NOTE)) == 32:
            close_to_others(path)
            return kept
        made = secrets.token_bytes(32)
        # Never readable by others, not even for a moment.
        replace_file(path, made, own=True)
    except OSError as error:
        raise FolderError(
            f"{path} cannot be written: {error.strerror or error}; set INBETWEENER_STATE to a writable folder"
        ) from error
    return made


MOST = 12


class Recents:
    """Paths within the folder, the latest first."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._paths = msgspec.json.decode(file.read_bytes(), type=list[str])[:MOST]
        except (OSError, msgspec.MsgspecError):
            self._paths = []

    @property
    def paths(self) -> tuple[str, ...]:
        """The latest first."""
        return tuple(self._paths)

    def add(self, path: str) -> None:
        """Put a path first."""
        self._paths = [path, *(each for each in self._paths if each != path)][:MOST]
        own_folder(self._file.parent)
        replace_file(self._file, msgspec.json.encode(self._paths), own=True)
