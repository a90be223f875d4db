"""What both containers of FBX hold: a tree of named records with values."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

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
        # Numbers too large for that type become some integer, or infinite: whoever asked checks them.
        with np.errstate(invalid="ignore", over="ignore"):
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
