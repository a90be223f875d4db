"""What is noted while a file is read: the same remark about many places is one line."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from inbetweener.document import Document
from inbetweener.document.budget import Budget, OverBudget
from inbetweener.errors import FormatError
from inbetweener.formats.files import Question, Reading

SHOWN = 2
"""Places that a line names."""
_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.e+-]*")


def grouped(notes: Iterable[tuple[str, str]]) -> list[str]:
    """One line for all remarks, each a place and a text, that differ in places, numbers and names alone.

    Where numbers differ, those of the first place are told. A remark about the whole file has no place.
    """
    alike: dict[str, dict[str, str]] = {}
    for place, text in notes:
        alike.setdefault(_VARIES.sub("#", text), {}).setdefault(place, text)
    lines = []
    for listed in alike.values():
        places, texts = list(listed), list(listed.values())
        rest = len(places) - SHOWN
        if len(places) == 1:
            lines.append(_line(places[0], texts[0]))
        elif len(set(texts)) == 1:
            more = f" and {rest} more" if rest > 0 else ""
            lines.append(_line(", ".join(places[:SHOWN]) + more, texts[0]))
        else:
            more = f"{places[1]}" + (f" and {rest} more" if rest > 0 else "")
            lines.append(_line(places[0], f"{texts[0]}; the like at {more}"))
    return lines


def _line(place: str, text: str) -> str:
    return f"{place}: {text}" if place else text


class Source:
    """A file being read: what may be spent on it, and the notes taken on the way."""

    def __init__(self, path: Path, budget: Budget) -> None:
        self.path = path
        self.budget = budget
        self._lost: list[tuple[str, str]] = []
        self._mended: list[tuple[str, str]] = []

    def note(self, place: str, text: str) -> None:
        """Remember what was mended or guessed at `place`."""
        self._mended.append((place, text))

    def leave_out(self, place: str, text: str) -> None:
        """Remember what is lost at `place`."""
        self._lost.append((place, text))

    def fail(self, place: str, problem: str, remedy: str = "") -> NoReturn:
        """Give up, naming the place."""
        raise FormatError(self.path, place, problem, remedy)

    def spend(self, amount: float, place: str) -> None:
        """Say how many bytes `place` is about to become."""
        try:
            self.budget.spend(amount)
        except OverBudget as error:
            self.fail(place, str(error))

    def reading(self, document: Document, question: Question | None = None) -> Reading:
        """The document with all that was noted."""
        every = dict.fromkeys(_line(*each) for each in (*self._lost, *self._mended))
        return Reading(document, tuple(grouped(self._mended)), question, tuple(grouped(self._lost)), tuple(every))
