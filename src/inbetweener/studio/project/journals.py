"""Journals of the open document and of those that a crash, or an end without saving, left behind.

Each journal has a small note beside it: where its document came from, and which step is on the disk.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inbetweener.document import Document, Editor
from inbetweener.document.atomic import replace_file
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.folder import Origin

_SUFFIX = ".journal"
_log = logging.getLogger(__name__)


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a journal does not know about itself."""

    origin: Origin
    saved: int | None


@dataclass(frozen=True, slots=True)
class Left:
    """A journal that nobody writes any more."""

    path: Path
    note: Note


class Journals:
    """The journals in one folder, which belongs to this process as long as it holds the workspace's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, document: Document, origin: Origin) -> "Kept":
        """A fresh journal for a document just opened; its first step counts as saved, for nothing would be lost."""
        # The newest sorts last, whatever the file system makes of times.
        stem = re.sub(r"[^\w-]+", "-", Path(str(origin)).stem)[:60] or "document"
        path = self._folder / f"{time.time_ns():020d}-{stem}-{secrets.token_hex(2)}{_SUFFIX}"
        kept = Kept(path, Editor(document, path), origin)
        kept.note(0)
        return kept

    def resume(self, left: Left) -> "Kept":
        """Continue a journal, with its undo history."""
        editor = Editor.recover(left.path)
        kept = Kept(left.path, editor, left.note.origin)
        saved = left.note.saved
        kept.note(saved if saved is not None and saved < len(editor.history.steps) else None)
        return kept

    def left(self, origin: Origin | None = None) -> Iterator[Left]:
        """Journals left behind, the newest first: all of them, or those of one document."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}"), reverse=True):
            try:
                note = msgspec.json.decode(_note_of(path).read_bytes(), type=Note)
            except (OSError, msgspec.MsgspecError, ValueError) as error:
                # Its work may still be wanted, so it stays; but nobody can say whose it is.
                _log.warning("%s has no readable note: %s", path, error)
                continue
            if origin is None or note.origin == origin:
                yield Left(path, note)

    def newest(self, origin: Origin | None, *, besides: "Kept | None" = None) -> "Kept | None":
        """The newest journal that can be continued; a damaged one is left alone and told."""
        for left in self.left(origin):
            if besides is not None and left.path == besides.path:
                continue
            try:
                kept = self.resume(left)
            except InbetweenerError as error:
                _log.warning("a journal was left aside: %s", error)
                continue
            if len(kept.editor.history.steps) > 1:
                return kept
            # Nothing was done in it: better to open the document afresh.
            kept.close(discard=True)
        return None


class Kept:
    """An editor whose every step is in a journal, and what is known of it."""

    def __init__(self, path: Path, editor: Editor, origin: Origin) -> None:
        self.path, self.editor, self.origin = path, editor, origin
        self._saved: Document | None = None

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

    def was_saved(self, document: Document, origin: Origin) -> None:
        """A document of the history is on the disk now."""
        self._saved, self.origin = document, origin
        self.write_note()

    def write_note(self) -> None:
        """Put what is known on the disk."""
        replace_file(_note_of(self.path), msgspec.json.encode(Note(self.origin, self.saved)))

    def close(self, *, discard: bool) -> None:
        """Let go of the journal; discard it once nothing would be lost."""
        self.editor.close(discard=discard)
        if discard:
            for leftover in (_note_of(self.path), self.path.with_name(self.path.name + ".lock")):
                leftover.unlink(missing_ok=True)


def _note_of(journal: Path) -> Path:
    return journal.with_suffix(".json")
