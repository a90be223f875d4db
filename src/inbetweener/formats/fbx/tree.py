"""What both containers of FBX hold: a tree of named records with values."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from inbetweener.document.budget import Budget, OverBudget
from inbetweener.errors import FormatError

DEEPEST = 32
"""Records within records; real files stop at a dozen."""
RECORD, VALUE = 200, 40
"""Bytes that a record and a value of it take in memory, about."""
BIG_OFFSETS = 7500
"""From this version on a record's sizes have eight bytes."""


@dataclass(slots=True)
class Record:
    """A name, values (numbers, texts, bytes, arrays) and the records inside."""

    name: str
    values: list[Any] = field(default_factory=list)
    inside: list["Record"] = field(default_factory=list)

    def find(self, name: str) -> "Record | None":
        """The first record of that name inside."""
        return next((each for each in self.inside if each.name == name), None)

    def all(self, name: str) -> Iterator["Record"]:
        """All records of that name inside."""
        return (each for each in self.inside if each.name == name)

    def value(self, name: str, otherwise: Any = None) -> Any:
        """The first value of the record of that name inside."""
        found = self.find(name)
        return found.values[0] if found is not None and found.values else otherwise

    def text(self, name: str) -> str:
        """The same where it is a text, else nothing."""
        found = self.value(name)
        return found if isinstance(found, str) else ""

    def array(self, name: str, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
        """The array of the record of that name inside; old files list its numbers as values."""
        found = self.find(name)
        if found is None:
            return None
        if found.values and isinstance(found.values[0], np.ndarray):
            return found.values[0].astype(dtype, copy=False)
        if all(isinstance(each, int | float) for each in found.values):
            return np.array(found.values, np.float64).astype(dtype)
        return None


@dataclass(slots=True)
class Tree:
    """A file: its version, whether it was text, and its records under one without a name."""

    version: int
    is_text: bool
    top: Record


class Source:
    """A file being read: what may be spent on it, and the notes taken on the way."""

    def __init__(self, path: Path, budget: Budget) -> None:
        self.path = path
        self.budget = budget
        self._notes: dict[str, list[str]] = {}

    def note(self, place: str, text: str) -> None:
        """Remember what was mended, guessed or left out at `place`."""
        self._notes.setdefault(text, []).append(place)

    def notes(self) -> list[str]:
        """One line for every remark, with the first places and how many more there are."""
        lines = []
        for text, all_places in self._notes.items():
            places = list(dict.fromkeys(all_places))
            more = f" and {len(places) - 2} more" if len(places) > 2 else ""
            lines.append(f"{', '.join(places[:2])}{more}: {text}")
        return lines

    def fail(self, place: str, problem: str, remedy: str = "") -> NoReturn:
        """Give up, naming the place."""
        raise FormatError(self.path, place, problem, remedy)

    def spend(self, amount: float, place: str) -> None:
        """Say how many bytes `place` is about to become."""
        try:
            self.budget.spend(amount)
        except OverBudget as error:
            self.fail(place, str(error))
