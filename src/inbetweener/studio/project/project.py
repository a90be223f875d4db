"""The project in front of the pages: what is open, and opening and saving it."""

from pathlib import Path
from typing import Any

from inbetweener.builtin import example, examples
from inbetweener.document import Document, write_native
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.formats import read
from inbetweener.formats.files import Reading, clear_file_errors
from inbetweener.studio.gestures import GuideTangents
from inbetweener.studio.project import notices
from inbetweener.studio.project.batches import Batches
from inbetweener.studio.project.exporting import SUFFIXES as EXPORTS
from inbetweener.studio.project.exporting import Exporting
from inbetweener.studio.project.folder import Folder, Origin, download_url
from inbetweener.studio.project.journals import Journals, Kept
from inbetweener.studio.project.poses import Poses
from inbetweener.studio.project.workspace import Recents, Workspace
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.session import Page, Refusal, Session
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page_view import text

NATIVE = ".tween"
FIRST = Origin(example="flying-robot")
"""What a newcomer sees."""
MOST_BESIDE = 64 << 20
"""Bytes of a sound or a picture that is brought into a document; what they may be themselves, documents know."""


class Project:
    """The session's document as one of the folder's files. Everything but `close` happens on the session's worker."""

    def __init__(
        self, workspace: Workspace, origin: Origin | None = None, *, server: str = "", trust: bool = False
    ) -> None:
        self._trust = trust
        self.folder = Folder(workspace.folder)
        self.folder.remove_leftovers()
        self._journals = Journals(workspace.journals, workspace.seal())
        self._recents = Recents(workspace.recents)
        self._unsent = [to_page.Notice(level="warning", text=line) for line in workspace.remarks]
        self._open = self._first(origin)
        self.session = Session(self._open.editor, server=server)
        self.session.saved = self._open.saved
        self.session.library = self._other
        self.session.content = lambda path: self.folder.content(path, MOST_BESIDE)
        self.session.on_change.append(self._follow)
        exporting = Exporting(self.session, self.folder, self.tell_files)
        self._poses = Poses(self.session, self.folder)
        self._batches = Batches(self.session, self.folder, lambda: self._open, self._was_kept)
        self.session.handle_with(
            {
                to_server.OpenExample: self._open_example,
                to_server.OpenFile: self._open_file,
                to_server.OpenLeft: self._open_left,
                to_server.ReadAgain: self._read_again,
                to_server.Save: self._save,
                to_server.Export: exporting.export,
                to_server.ShowBatch: self._batches.show,
                to_server.MarkClip: self._batches.mark,
            }
        )

    def close(self) -> None:
        """Let go of the document, after the session has ended; the journal stays if work is not saved."""
        self._open.close(discard=self._open.is_safe)

    def greet(self, page: Page) -> None:
        """Tell a new page about files, and the first one what happened before it came."""
        told, self._unsent = self._unsent, []
        page.send([*map(text, told), text(self.files()), text(self._poses.listing())])

    def files(self) -> to_page.Files:
        """The folder, the open file and what may be opened."""
        listed = self.folder.listing()
        known = {info.path for info in listed}
        return to_page.Files(
            # To be read only: where the project is need not be text.
            folder=str(self.folder.root).encode(errors="replace").decode(),
            path=self._open.origin.path,
            recent=[path for path in self._recents.paths if path in known],
            files=listed,
            examples=[to_page.ExampleInfo(each.name, each.line, f"/thumbnail/{each.name}.png") for each in examples()],
            batches=self._batches.listed(),
            clip=self._batches.place(self._open.origin.path),
        )

    def tell_files(self) -> None:
        """Files came or went."""
        self.session.tell(self.files())

    # --- opening ----------------------------------------------------------------------------------------------------

    def _first(self, origin: Origin | None) -> Kept:
        """What is open when the server starts: work left behind, else the document asked for, else the first."""
        problems: list[str] = []
        kept = self._journals.newest(origin, problems)
        if kept is not None:
            self._unsent += notices.recovered(kept)
        else:
            origin = origin or FIRST
            stamp = self._stamp(origin)
            reading = self._read(origin)
            self._unsent += notices.opened(origin, reading)
            kept = self._journals.begin(reading.document, origin, stamp)
            if origin.path is not None:
                self._recents.add(origin.path)
        self._unsent += [to_page.Notice(level="error", text=line) for line in problems]
        self._unsent += notices.left_behind(each for each in self._journals.left() if not each.is_ours)
        return kept

    def _stamp(self, origin: Origin) -> tuple[int, int] | None:
        return None if origin.path is None else self.folder.stamp(origin.path)

    def aside(self, name: str) -> bytes | None:
        """The copy of a damaged journal, by its name; any thread may ask."""
        return self._journals.aside(name)

    def _open_example(self, _page: Page, request: to_server.OpenExample) -> Job:
        return self._opening(Origin(example=request.name), request.discard)

    def _open_file(self, _page: Page, request: to_server.OpenFile) -> Job:
        self.folder.file(request.path)
        return self._opening(Origin(path=request.path), request.discard)

    def _open_left(self, _page: Page, request: to_server.OpenLeft) -> Job:
        left = next((each for each in self._journals.left() if each.path.name == request.name), None)
        if left is None or left.path == self._open.path:
            raise Refusal(f"there is no work called {request.name} that was left behind")
        self._require_safe(request.discard)
        fresh = Origin(path=self.folder.free(f"{left.path.stem}{NATIVE}"))

        def put(kept: Kept) -> None:
            try:
                self._require_safe(request.discard)
            except Refusal:
                kept.close(discard=False)
                raise
            self._exchange(kept, notices.recovered(kept))

        return self.session.jobs.start(f"Open {request.name}", lambda _: self._journals.resume(left, fresh), put)

    def _other(self, name: str) -> Document:
        """Another document: a file of the folder or, where none has that name, an example."""
        if Path(name).suffix:
            self.folder.file(name)
            return self._read(Origin(path=name)).document
        return example(name)

    def _opening(self, origin: Origin, discard: bool) -> Job:
        self._require_safe(discard)

        def reading(_progress: Progress) -> tuple[tuple[int, int] | None, Reading]:
            # Before it is read: whoever writes meanwhile has changed it.
            return self._stamp(origin), self._read(origin)

        return self.session.jobs.start(f"Open {origin}", reading, lambda found: self._put(origin, discard, *found))

    def _require_safe(self, discard: bool) -> None:
        if discard:
            return
        if isinstance(self.session.gestures.hand, GuideTangents):
            raise Refusal("a run of guidance is not kept; keep or discard it first, maybe in another tab", "unkept")
        if not self._open.is_safe:
            raise Refusal(f"{_unsaved(self._open)} not saved; save first, or give that up", "unsaved")

    def _read_again(self, _page: Page, request: to_server.ReadAgain) -> Job:
        """Read the open file with what the animator says of it, as a step that can be undone."""
        origin, document = self._open.origin, self._open.editor.document
        if origin.path is None or document.source is None or Path(origin.path).suffix.lower() != ".bvh":
            raise Refusal("only a BVH file that is open can be read with another unit or up axis; open it again")
        self.session.gestures.require_free()
        unit = document.source.unit if request.unit is None else request.unit
        up = document.source.up if request.up is None else request.up
        label = f"Read with {unit:g} m a unit" if request.up is None else f"Read with {up.upper()} up"
        return self.session.jobs.start(
            label,
            lambda _: self._read(origin, unit=unit, up=up).document,
            lambda found: self.session.apply_later(document, label, lambda _: found),
        )

    def _read(self, origin: Origin, **options: Any) -> Reading:
        if origin.path is None:
            return Reading(example(origin.example or ""))
        try:
            return read(self.folder.file(origin.path), trust=self._trust, **options)
        except FormatError as error:
            # By its name within the folder, which is the one that the animator knows.
            raise FormatError(origin.path, error.place, error.problem, error.remedy) from error

    def _put(
        self,
        origin: Origin,
        discard: bool,
        stamp: tuple[int, int] | None,
        reading: Reading,
    ) -> None:
        """Open what was read. Only when that has worked is the document before let go."""
        self._require_safe(discard)
        problems: list[str] = []
        kept = self._journals.newest(origin, problems, besides=self._open)
        told = notices.recovered(kept) if kept else notices.opened(origin, reading)
        told += [to_page.Notice(level="error", text=line) for line in problems]
        self._exchange(kept or self._journals.begin(reading.document, origin, stamp), told)

    def _exchange(self, kept: Kept, told: list[to_page.Notice]) -> None:
        before, self._open = self._open, kept
        self.session.saved = kept.saved
        self.session.open(kept.editor)
        before.close(discard=True)
        if kept.origin.path is not None:
            self._recents.add(kept.origin.path)
        self.tell_files()
        for notice in told:
            self.session.tell(notice)

    def receive(self, document: Document, sender: str) -> str:
        """Take a document from a program beside: the one that is open as it is there now, as a step, or else open it.

        Says what was done. Nothing that is there already is overwritten.
        """
        self.session.gestures.require_free()
        before = self._open.editor.document
        if is_same(before, document):
            if document == before:
                return f"{document.name} is as it was"
            self._open.editor.apply(f"From {sender}", lambda _: document)
            return f"{document.name} is as it is in {sender} now; undo brings back what was there"
        self._require_safe(False)
        path = self.folder.free(f"{file_name(document.name)}{NATIVE}")
        place = self.folder.place(path)
        with clear_file_errors(place):
            write_native(document, place)
        origin = Origin(path=path)
        self._put(origin, False, self._stamp(origin), Reading(document))
        return f"{path} is open"

    # --- saving -----------------------------------------------------------------------------------------------------

    def _was_kept(self) -> None:
        self._follow()
        self.tell_files()

    def _save(self, _page: Page, request: to_server.Save) -> Job:
        kept, document = self._open, self._open.editor.document
        if request.path is None and (job := self._batches.save(kept)) is not None:
            return job
        own = kept.origin.path if kept.origin.path and Path(kept.origin.path).suffix.lower() == NATIVE else None
        path = own or f"{file_name(document.name)}{NATIVE}" if request.path is None else _native(request.path)
        place = self.folder.place(path)
        if path != own and place.exists() and not request.replace:
            raise Refusal(f"there is a {path} already; replace it, or choose another name", "exists")
        if path == own and not request.replace and kept.stamp and self.folder.stamp(path) not in (kept.stamp, None):
            raise Refusal(f"{path} was changed by somebody else since it was opened", "changed")

        def write(_progress: Progress) -> tuple[int, int] | None:
            with clear_file_errors(place):
                write_native(document, place)
            return self.folder.stamp(path)

        def then(stamp: tuple[int, int] | None) -> Ending:
            if kept is self._open:
                kept.was_saved(document, Origin(path=path), stamp)
                self._follow()
            self._recents.add(path)
            self.tell_files()
            return Ending(f"Saved {path}", path=path, url=download_url(path))

        return self.session.jobs.start(f"Save {path}", write, then, prompt=True)

    def _follow(self) -> None:
        """Tell pages which step is on the disk; a step that was undone and overwritten is no more."""
        if (saved := self._open.saved) != self.session.saved:
            self.session.saved = saved
            try:
                self._open.write_note()
            except OSError as error:
                # The step itself is in the journal: it was taken, whatever becomes of the note.
                problem = (
                    f"{error.strerror or error}; your edits are kept, but after a crash all of them count as unsaved"
                )
                self.session.tell(
                    to_page.Notice(level="warning", text=f"The note beside the journal cannot be written: {problem}")
                )
            for page in tuple(self.session.pages.values()):
                self.session.update(page)


def is_same(one: Document, other: Document) -> bool:
    """Whether two documents are of one thing: called alike, with the same joints."""
    return one.name == other.name and [each.name for each in one.rig.joints] == [each.name for each in other.rig.joints]


def _native(path: str) -> str:
    suffix = Path(path).suffix.lower()
    if suffix == NATIVE:
        return path
    if suffix in EXPORTS:
        raise InbetweenerError(f"Save writes {NATIVE} files, which keep everything; export to get a {suffix} file")
    return path + NATIVE


def file_name(name: str) -> str:
    """A document's name as a file may be called."""
    kept = "".join(letter if letter.isalnum() or letter in " -_()" else "-" for letter in name).strip(" -.")[:80]
    return kept or "untitled"


def _unsaved(kept: Kept) -> str:
    """The beginning of a sentence: "3 edits of walk.tween are"."""
    count = kept.unsaved
    return f"1 edit of {kept.origin} is" if count == 1 else f"{count} edits of {kept.origin} are"
