"""What a verb answers: the document as it is now, and what became of the wish, in a few lines that a person reads."""

from dataclasses import dataclass
from typing import Any

from inbetweener.document.document import Document


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """An edited document and a report of the edit; each verb has a kind of its own.

    Printed, a result is at most three lines and holds no arrays; `facts` is the same for pipelines.
    """

    document: Document

    @property
    def lines(self) -> tuple[str, ...]:
        """What to tell the person who asked, three lines at most."""
        raise NotImplementedError

    @property
    def facts(self) -> dict[str, Any]:
        """The same as plain numbers, texts and lists: what `--json` prints."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return str(self)
