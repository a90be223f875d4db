"""The editor: one document, changed by whole gestures that can be undone and are never lost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Literal, Self

from inbetweener.document.document import Document
from inbetweener.document.history import LIMIT, History
from inbetweener.document.journal import SMALLEST_OUTGROWN, Journal, Recovery
from inbetweener.document.validation import validate
from inbetweener.errors import InbetweenerError

Edit = Callable[[Document], Document]
ChangeKind = Literal["preview", "commit", "cancel", "undo", "redo"]


class TransactionError(InbetweenerError):
    """A gesture out of turn: another one is under way, or this one is over."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What listeners are told: what happened, to which gesture, and what is to be shown now."""

    kind: ChangeKind
    label: str
    document: Document


Listener = Callable[[Changed], None]


class Editor:
    """Holds the document and its history; every method may be called from any thread.

    With a journal, a commit, undo or redo has reached the disk before it returns; if it cannot, an error is raised and
    nothing has changed. The journal is rewritten when it is much longer than it need be and `smallest_outgrown` bytes
    or more. Documents are checked before they are committed.
    """

    def __init__(
        self,
        document: Document,
        journal: Path | str | None = None,
        *,
        limit: int = LIMIT,
        smallest_outgrown: int = SMALLEST_OUTGROWN,
    ) -> None:
        validate(document)
        self._lock = RLock()
        self._history = History.of(document, limit=limit)
        self._journal: Journal | None = None
        if journal is not None:
            self._journal = Journal.create(journal, self._history, smallest_outgrown=smallest_outgrown)
        self._transaction: Transaction | None = None
        self._listeners: list[Listener] = []
        self._telling = False
        self.recovery: Recovery | None = None

    @classmethod
    def recover(cls, journal: Path | str, *, smallest_outgrown: int = SMALLEST_OUTGROWN) -> Self:
        """Continue where a journal ends, with its undo history; `recovery` tells what was found."""
        opened, recovery = Journal.recover(journal, smallest_outgrown=smallest_outgrown)
        try:
            editor = cls(recovery.history.document, limit=recovery.history.limit)
        except BaseException:
            opened.close()
            raise
        editor._journal, editor._history, editor.recovery = opened, recovery.history, recovery
        return editor

    @property
    def document(self) -> Document:
        """The document as committed."""
        return self._history.document

    @property
    def shown(self) -> Document:
        """The document as it is to be shown: the preview of a gesture under way, else as committed."""
        with self._lock:
            return self.document if self._transaction is None else self._transaction.document

    @property
    def history(self) -> History:
        """What can be undone and redone."""
        return self._history

    def begin(self, label: str) -> "Transaction":
        """Start a gesture, named as the animator will read it under Undo."""
        with self._lock:
            self._require_idle()
            self._transaction = Transaction(self, label, self.document)
            return self._transaction

    def apply(self, label: str, edit: Edit) -> Document:
        """One edit as a whole gesture; returns the new document."""
        with self._lock, self.begin(label) as transaction:
            transaction.preview(edit(transaction.document))
        return self.document

    def undo(self) -> Document:
        """Take back the last step."""
        with self._lock:
            self._require_idle()
            label, history = self._history.undo_label or "", self._history.undone()
            if journal := self._ready_journal():
                journal.undo()
            self._history = history
            self._tell(Changed("undo", label, self.document))
            return self.document

    def redo(self) -> Document:
        """Do the last undone step again."""
        with self._lock:
            self._require_idle()
            label, history = self._history.redo_label or "", self._history.redone()
            if journal := self._ready_journal():
                journal.redo()
            self._history = history
            self._tell(Changed("redo", label, self.document))
            return self.document

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every change, in order; returns what ends that. A listener must not edit."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def close(self, *, discard: bool = False) -> None:
        """Close the journal; `discard` deletes it, once the document is saved."""
        with self._lock:
            if self._transaction is not None:
                self._transaction.cancel()
            if self._journal is not None:
                if discard:
                    self._journal.discard()
                self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _commit(self, label: str, document: Document) -> None:
        before = self.document
        validate(document, since=before)
        if journal := self._ready_journal():
            journal.do(label, before, document)
        self._history = self._history.done(label, document)

    def _ready_journal(self) -> Journal | None:
        # Before a step rather than after it: when rewriting fails, the step has not been taken and can be refused.
        if self._journal is not None and self._journal.wants_rewriting:
            self._journal.rewrite(self._history)
        return self._journal

    def _require_idle(self) -> None:
        if self._telling:
            raise TransactionError("a listener must not edit; do it after the change has been told")
        if self._transaction is not None:
            raise TransactionError(f"{self._transaction.label!r} is under way; commit or cancel it first")

    def _tell(self, change: Changed) -> None:
        """All listeners hear of a change that has happened, even when one of them fails."""
        failures: list[Exception] = []
        self._telling = True
        try:
            for listener in tuple(self._listeners):
                try:
                    listener(change)
                except Exception as error:
                    failures.append(error)
        finally:
            self._telling = False
        if failures:
            raise ExceptionGroup(f"listeners failed at {change.kind} of {change.label!r}, which took place", failures)


class Transaction:
    """A gesture under way: previews, then commit or cancel. As a context it commits, or cancels on an exception."""

    def __init__(self, editor: Editor, label: str, document: Document) -> None:
        self._editor = editor
        self.label = label
        self.before = document
        self.document = document

    @property
    def is_open(self) -> bool:
        """True until commit or cancel."""
        return self._editor._transaction is self

    def preview(self, document: Document) -> None:
        """Show a document that nobody has committed."""
        with self._editor._lock:
            self._require_open()
            self.document = document
            self._editor._tell(Changed("preview", self.label, document))

    def commit(self) -> Document:
        """Make the last preview the document, as one step; a gesture that changed nothing leaves none.

        When the document is invalid or the journal fails, the gesture stays open: mend it or cancel.
        """
        editor = self._editor
        with editor._lock:
            self._require_open()
            if self.document is not self.before:
                editor._commit(self.label, self.document)
            editor._transaction = None
            editor._tell(Changed("commit", self.label, self.document))
            return self.document

    def cancel(self) -> Document:
        """Forget the previews; the document is as before."""
        editor = self._editor
        with editor._lock:
            self._require_open()
            self.document = self.before
            editor._transaction = None
            editor._tell(Changed("cancel", self.label, self.before))
            return self.before

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if not self.is_open:
            return
        if error is not None:
            self.cancel()
            return
        try:
            self.commit()
        except BaseException:
            if self.is_open:
                self.cancel()
            raise

    def _require_open(self) -> None:
        if not self.is_open:
            raise TransactionError(f"{self.label!r} is over; begin a new gesture")
