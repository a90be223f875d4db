"""What a verb answers: the document as it is now, and what became of the wish, in a few lines that a person reads."""

from collections.abc import Sequence
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
        """What to tell the person who asked: with the problem, if there is one, three lines at most."""
        raise NotImplementedError

    @property
    def facts(self) -> dict[str, Any]:
        """The same as plain numbers, texts and lists: what `--json` prints."""
        raise NotImplementedError

    @property
    def problem(self) -> str:
        """One line on what fell short of the wish; empty when nothing did."""
        return ""

    def __str__(self) -> str:
        return "\n".join(filter(None, (*self.lines, self.problem)))

    def __repr__(self) -> str:
        return str(self)


def not_here(names: Sequence[str]) -> str:
    """One line on what was brought along for somebody else; empty where all of it has a place."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"not here: {', '.join(names[:3])}{more}" if names else ""
