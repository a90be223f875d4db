"""Undo and redo: documents in the order in which they were made, and where we stand among them."""

from dataclasses import dataclass, replace
from typing import Self

from inbetweener.document.document import Document
from inbetweener.errors import InbetweenerError

LIMIT = 500
"""Steps that can be undone; documents share what they have in common, so a step costs only what it changed."""


class NothingToUndo(InbetweenerError):
    """Undo before the first step or redo after the last."""


@dataclass(frozen=True, slots=True)
class Step:
    """What was done, in the animator's words ("Drag hand_l"), and the document that came of it."""

    label: str
    document: Document


@dataclass(frozen=True, slots=True)
class History:
    """Steps in order, the first being the document as opened; `at` is where we stand. Immutable, like documents."""

    steps: tuple[Step, ...]
    at: int = 0
    limit: int = LIMIT

    @classmethod
    def of(cls, document: Document, *, limit: int = LIMIT) -> Self:
        """A history in which nothing has happened yet."""
        return cls((Step("Open", document),), 0, limit)

    @property
    def document(self) -> Document:
        """The document where we stand."""
        return self.steps[self.at].document

    @property
    def undo_label(self) -> str | None:
        """What `undone` would undo; None when there is nothing."""
        return self.steps[self.at].label if self.at > 0 else None

    @property
    def redo_label(self) -> str | None:
        """What `redone` would do again; None when there is nothing."""
        return self.steps[self.at + 1].label if self.at + 1 < len(self.steps) else None

    def done(self, label: str, document: Document) -> "History":
        """One step on; steps that had been undone are forgotten, and the oldest beyond the limit."""
        steps = (*self.steps[: self.at + 1], Step(label, document))[-(self.limit + 1) :]
        return replace(self, steps=steps, at=len(steps) - 1)

    def undone(self) -> "History":
        """One step back."""
        if self.undo_label is None:
            raise NothingToUndo("there is nothing to undo")
        return replace(self, at=self.at - 1)

    def redone(self) -> "History":
        """One undone step forward again."""
        if self.redo_label is None:
            raise NothingToUndo("there is nothing to redo")
        return replace(self, at=self.at + 1)
