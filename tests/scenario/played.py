"""A story played through an editor: every document on the way, and the journal that was written."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.gestures.long_scenario import Step
from inbetweener.document import Document, Editor


@dataclass(frozen=True)
class Played:
    """documents[n] is what step n, called labels[n], came to; documents[0] is as opened. `hand` is what is dragged."""

    documents: tuple[Document, ...]
    labels: tuple[str, ...]
    journal: Path
    hand: str

    @property
    def start(self) -> Document:
        """As opened."""
        return self.documents[0]

    @property
    def end(self) -> Document:
        """With everything done to it."""
        return self.documents[-1]

    def before(self, label: str) -> Document:
        """What a step was done to."""
        return self.documents[self.labels.index(label) - 1]

    def after(self, label: str) -> Document:
        """What a step came to."""
        return self.documents[self.labels.index(label)]


def play(document: Document, story: list[Step], journal: Path, hand: str) -> Played:
    """One undoable step for every gesture."""
    documents = [document]
    with Editor(document, journal) as editor:
        for step in story:
            documents.append(editor.apply(step.label, step.edit))
    return Played(tuple(documents), ("Open", *(step.label for step in story)), journal, hand)
