"""Journals of the open document and of those that a crash, or an end without saving, left behind.

Each journal has a small note beside it: where its document came from, which step is on the disk, and a mark that says
that this user wrote it on this machine. One without that came with the folder, and is opened only when asked for.
"""

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inbetweener.document import Document, Editor
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import LONGEST_NOTE
from inbetweener.system import NotOurs, read_own, replace_file

_SUFFIX = ".journal"
ASIDE = ".damaged"
"""How copies of damaged journals end."""


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a journal does not know about itself; `stamp` is that of the file when it was read or written last."""

    origin: Origin
    saved: int | None
    mark: str = ""
    stamp: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A journal that nobody writes any more; without a readable note nobody can say whose it is."""

    path: Path
    note: Note | None
    is_ours: bool

    @property
    def when(self) -> str:
        """The day of its last step."""
        return time.strftime("%Y-%m-%d", time.localtime(self.path.lstat().st_mtime))


class Journals:
    """The journals in one folder, which belongs to this process as long as it holds the workspace's lock."""

    def __init__(self, folder: Path, seal: bytes) -> None:
        self._folder = folder
        self._seal = seal

    def begin(self, document: Document, origin: Origin, stamp: tuple[int, int] | None = None) -> "Kept":
        """A fresh journal for a document just opened; its first step counts as saved, for nothing would be lost."""
        # The newest sorts last, whatever the file system makes of times.
        stem = re.sub(r"[^\w-]+", "-", Path(str(origin)).stem)[:60] or "document"
        path = self._folder / f"{time.time_ns():020d}-{stem}-{secrets.token_hex(2)}{_SUFFIX}"
        kept = Kept(path, Editor(document, path), origin, self._mark(path), stamp)
        kept.note(0)
        return kept

    def resume(self, left: Left, origin: Origin | None = None) -> "Kept":
        """Continue a journal, with its undo history; one without a note is of `origin`."""
        editor = Editor.recover(left.path)
        note = left.note or Note(origin or Origin(path=f"{left.path.stem}.tween"), None)
        kept = Kept(left.path, editor, note.origin, self._mark(left.path), note.stamp)
        # Where records were lost, nobody knows which step was the saved one.
        counts = note.saved is not None and note.saved < len(editor.history.steps) and not kept.lost
        kept.note(note.saved if counts else None)
        return kept

    def left(self) -> Iterator[Left]:
        """Journals left behind, the newest first."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}"), reverse=True):
            try:
                note = msgspec.json.decode(read_own(_note_of(path), LONGEST_NOTE), type=Note)
            except (OSError, NotOurs, msgspec.MsgspecError, ValueError):
                yield Left(path, None, is_ours=False)
            else:
                yield Left(path, note, hmac.compare_digest(note.mark.encode(), self._mark(path).encode()))

    def newest(self, origin: Origin | None, problems: list[str], *, besides: "Kept | None" = None) -> "Kept | None":
        """Our newest journal, of one document or of any, that can be continued; others add to `problems`."""
        for left in self.left():
            if not left.is_ours or left.note is None or (besides is not None and left.path == besides.path):
                continue
            if origin is not None and left.note.origin != origin:
                continue
            try:
                kept = self.resume(left)
            except InbetweenerError as error:
                problems.append(
                    f"work on {left.note.origin} of {left.when} cannot be opened, and stays as it is: {error}"
                )
                continue
            if len(kept.editor.history.steps) > 1:
                return kept
            # Nothing was done in it: better to open the document afresh.
            kept.close(discard=True)
        return None

    def aside(self, name: str) -> bytes | None:
        """The copy of a damaged journal; None where there is no such copy."""
        path = self._folder / name
        if path.parent != self._folder or path.suffix != ASIDE:
            return None
        with suppress(OSError, NotOurs):
            return read_own(path)
        return None

    def _mark(self, path: Path) -> str:
        return hmac.new(self._seal, os.fsencode(path), hashlib.sha256).hexdigest()


class Kept:
    """An editor whose every step is in a journal, and what is known of it."""

    def __init__(
        self, path: Path, editor: Editor, origin: Origin, mark: str, stamp: tuple[int, int] | None = None
    ) -> None:
        self.path, self.editor, self.origin, self.stamp = path, editor, origin, stamp
        self._mark = mark
        self._saved: Document | None = None

    @property
    def lost(self) -> int:
        """How many steps could not be read from a damaged journal."""
        return self.editor.recovery.lost if self.editor.recovery else 0

    @property
    def saved(self) -> int | None:
        """The step that is on the disk, counted from the oldest that can be undone; None when it is forgotten."""
        steps = self.editor.history.steps
        return next((number for number, step in enumerate(steps) if step.document is self._saved), None)

    @property
    def is_safe(self) -> bool:
        """Whether nothing would be lost without the journal."""
        return self.editor.document is self._saved

    @property
    def unsaved(self) -> int:
        """How many edits lie between what is on the disk and what is shown."""
        at = self.editor.history.at
        return abs(at - (self.saved or 0))

    def note(self, saved: int | None) -> None:
        """Remember which step is on the disk."""
        self._saved = None if saved is None else self.editor.history.steps[saved].document
        self.write_note()

    def was_saved(self, document: Document, origin: Origin, stamp: tuple[int, int] | None) -> None:
        """A document of the history is on the disk now."""
        self._saved, self.origin, self.stamp = document, origin, stamp
        self.write_note()

    def write_note(self) -> None:
        """Put what is known on the disk."""
        note = Note(self.origin, self.saved, self._mark, self.stamp)
        replace_file(_note_of(self.path), msgspec.json.encode(note), own=True)

    def close(self, *, discard: bool) -> None:
        """Let go of the journal; discard it once nothing would be lost."""
        self.editor.close(discard=discard)
        if discard:
            for leftover in (_note_of(self.path), self.path.with_name(self.path.name + ".lock")):
                leftover.unlink(missing_ok=True)


def _note_of(journal: Path) -> Path:
    return journal.with_suffix(".json")
