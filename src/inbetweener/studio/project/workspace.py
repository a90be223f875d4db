"""Where the Studio keeps its own things about a project folder: journals beside the work, secrets in the user's state.

Journals, the lock and the note of the running server lie in `.inbetweener/` within the folder, so that they travel
with it; where that cannot be written, they lie in the user's state directory. Secrets always lie there.
"""

import hashlib
import os
import secrets
import tempfile
from pathlib import Path

import msgspec

from inbetweener.document.atomic import InUse, Lock, replace_file
from inbetweener.errors import InbetweenerError

OWN_FOLDER = ".inbetweener"


class FolderError(InbetweenerError):
    """A project folder that cannot be used; says why."""


class Running(msgspec.Struct, frozen=True):
    """The server that works on a folder now: how to reach it, and which start of it this is."""

    address: str
    instance: str
    process: int


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
            folder.mkdir(parents=True, exist_ok=True)
            self.folder = folder.resolve(strict=True)
        except OSError as error:
            raise FolderError(f"{folder} cannot be the project folder: {error.strerror or error}") from error
        self.key = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        self._state = (state or state_folder()) / "studio" / self.key
        self.journals = self._writable()
        self._lock: Lock | None = None

    def secret(self) -> bytes:
        """32 random bytes that only this user can read, made when first asked for; cookies and tokens come of it."""
        path = self._state / "secret"
        try:
            self._state.mkdir(parents=True, exist_ok=True, mode=0o700)
            if path.exists() and len(kept := path.read_bytes()) == 32:
                path.chmod(0o600)
                return kept
            made = secrets.token_bytes(32)
            path.unlink(missing_ok=True)
            # Never readable by others, not even for a moment.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(made)
        except OSError as error:
            raise FolderError(
                f"{path} cannot be written: {error.strerror or error}; set INBETWEENER_STATE to a writable folder"
            ) from error
        return made

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
        try:
            return msgspec.json.decode(self._note.read_bytes(), type=Running)
        except (OSError, msgspec.MsgspecError):
            return None

    def announce(self, running: Running) -> None:
        """Leave a note of where the server is."""
        replace_file(self._note, msgspec.json.encode(running))

    def release(self) -> None:
        """Take the note away and let other servers in."""
        if self._lock is not None:
            self._note.unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    @property
    def _note(self) -> Path:
        return self.journals / "running.json"

    def _writable(self) -> Path:
        problem: OSError | None = None
        for place in (self.folder / OWN_FOLDER, self._state / "journals"):
            try:
                place.mkdir(parents=True, exist_ok=True)
                tempfile.TemporaryFile(dir=place).close()
            except OSError as error:
                problem = error
            else:
                return place
        assert problem is not None
        raise FolderError(
            f"nothing can be written in {self.folder} nor in {self._state}: {problem.strerror or problem}; "
            "choose another folder, or set INBETWEENER_STATE to a writable one"
        ) from problem


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
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._file, msgspec.json.encode(self._paths))
