"""Studios to be tortured: real ones in processes of their own, and a session in this process that does the same.

A process is forked from one that has everything imported and compiled, so that a start takes a tenth of a second and
a thousand of them are practical; from there on it is what `inbetweener studio` runs.
"""

import itertools
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from inbetweener.arrays import Floats
from inbetweener.document import Document, Editor, journal, write_native
from inbetweener.document.pose import SUFFIX, Pose, write_pose
from inbetweener.errors import UnknownName
from inbetweener.studio.nearby import enter
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.protocol import gestures, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import Studio
from inbetweener.studio.session import Refusal, Session
from tests.studio.pages import PageForTests, session_of
from torture.script import BESIDE, KEPT

PATIENCE = 600.0
FILE = "arm.tween"


class StudioProcess:
    """A Studio on `root/project`; what it says on stderr is added to `root/log`."""

    def __init__(self, root: Path, *, smallest_outgrown: int = journal.SMALLEST_OUTGROWN) -> None:
        self.log = root / "log"
        ours, theirs = _FORKS.Pipe()
        self._process = _FORKS.Process(target=_serve, args=(root, theirs, smallest_outgrown), daemon=True)
        self._process.start()
        theirs.close()
        with ours:
            if not ours.poll(PATIENCE):
                raise TimeoutError(f"no Studio within {PATIENCE:.0f} s; {self.log} may say why")
            self.invitation: str = ours.recv()
        self.address = self.invitation.partition("?")[0]
        self.headers = enter(self.invitation)
        assert self._process.pid is not None
        self.number = self._process.pid

    def join(self) -> Client:
        """A page that has been let in."""
        return Client(self.address, self.headers)

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.is_alive()

    @property
    def work(self) -> float:
        """Seconds that processors have worked for it, which other work on the machine does not change."""
        # The clock of another process's work; Linux makes its number of the process's.
        return time.clock_gettime((~self.number << 3) | 2)

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()
        self._process.join(PATIENCE)


def prepared(root: Path, document: Document) -> Path:
    """A fresh folder with a project of one document, and what lies beside it."""
    (root / "project" / "poses").mkdir(parents=True)
    write_pose(KEPT, root / "project" / "poses" / f"{KEPT.name}{SUFFIX}")
    for name, content in BESIDE.items():
        (root / "project" / name).write_bytes(content)
    write_native(document, root / "project" / FILE)
    return root


def workspace(root: Path) -> Workspace:
    """The Studio's own files of a prepared folder."""
    return Workspace(root / "project", state=root / "state")


def journals_of(root: Path) -> list[Path]:
    """All journals that are there."""
    return sorted((root / "project" / ".inbetweener").glob("*.journal"))


def journal_of(root: Path) -> Path:
    """The one journal that is there."""
    (found,) = journals_of(root)
    return found


def _serve(root: Path, told: Connection, smallest_outgrown: int) -> None:
    log = os.open(root / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    rewrite_from(smallest_outgrown)
    studio = Studio(workspace(root), Origin(path=FILE), port=0)
    told.send(studio.invitation())
    told.close()
    studio.serve()


def rewrite_from(size: int) -> None:
    """Let journals of this size already be rewritten when they have outgrown themselves, so that cuts hit that too."""
    for make in (Editor.__init__, Editor.recover.__func__):  # type: ignore[attr-defined]
        make.__kwdefaults__["smallest_outgrown"] = size


def give_what_lies_beside(session: Session) -> None:
    """Let a session without a project find what `prepared` puts into one."""

    def content(path: str) -> bytes:
        if path not in BESIDE:
            raise UnknownName("file", path, BESIDE)
        return BESIDE[path]

    def pose(name: str) -> Pose:
        if name != KEPT.name:
            raise UnknownName("pose", name, [KEPT.name])
        return KEPT

    session.content, session.poses = content, pose


class Mirror:
    """A session in this process, without a disk, that is asked the same and so must come to the same."""

    def __init__(self, document: Document) -> None:
        self._session = session_of(document)
        give_what_lies_beside(self._session)
        self._page = PageForTests(self._session)
        self._gestures = itertools.count(1)

    @property
    def editor(self) -> Editor:
        """Its document and history."""
        return self._session.editor

    def ask(self, request: to_server.AnyRequest) -> None:
        """Send a request and wait for its answer; raises what is refused."""
        fields: dict[str, Any] = msgspec.to_builtins(request)
        kind, _ = fields.pop("type"), fields.pop("id")
        answer = self._page.ask(kind, **fields)
        self._page.told.clear()
        if answer["type"] == "refused":
            raise Refusal(answer["text"])

    def begin(self, gesture: gestures.AnyGesture) -> int:
        """Take hold of something."""
        number = next(self._gestures)
        self.ask(to_server.Begin(id=0, gesture=number, what=gesture))
        return number

    def move(self, gesture: int, sequence: int, values: Floats) -> None:
        """Move the hand."""
        self._page.sequence = sequence
        self._page.send_move(values, gesture)
        self._page.flush()

    def close(self) -> None:
        """End the session."""
        self._session.stop()


# A process that forks should have no threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["torture.warm"])
