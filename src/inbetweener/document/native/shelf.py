"""The table of arrays in a file: each content stored once, under a name made from it."""

import hashlib
import math
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.document.budget import Budget
from inbetweener.document.native import schema
from inbetweener.document.native.misfit import Misfit, placed

LARGEST_RATIO = 1032
"""Deflate cannot shrink anything further: a larger claim is a lie, found before any memory is taken."""
LARGEST_ARRAY = 1 << 31
"""Bytes of one array, a hundred times what any character needs."""
LEVEL = 4
"""Of zlib: float arrays hardly shrink further beyond it, and saving stays quick."""

SAMPLE, KEY = 8, 42
"""Bytes of a key in a packed curve, plain and shaped: reckoned for every table, even where tables share an array."""


class Packer:
    """Takes arrays in and keeps those that are new, ready for the file."""

    def __init__(self, known: Iterable[str] = (), level: int = LEVEL) -> None:
        self.known = set(known)
        self._level = level
        self.unfolds = 0
        """Bytes that a reader will reckon with."""
        self.new: dict[str, schema.Array] = {}
        # The array is kept beside its name, so that its id cannot be given to another one.
        self._named: dict[int, tuple[str, npt.NDArray[Any]]] = {}

    @property
    def packs(self) -> bool:
        """Whether anything gets smaller."""
        return self._level > 0

    def put(self, array: npt.NDArray[Any], type: schema.ArrayType) -> str:
        """The name under which the array can be found."""
        if id(array) in self._named:
            return self._named[id(array)][0]
        content = np.ascontiguousarray(array, dtype=f"<{type}").tobytes()
        digest = hashlib.blake2b(f"{type} {array.shape} ".encode(), digest_size=12)
        digest.update(content)
        name = digest.hexdigest()
        self._named[id(array)] = (name, array)
        if name not in self.known:
            self.known.add(name)
            self.unfolds += len(content)
            self.new[name] = schema.Array(type, list(array.shape), zlib.compress(content, self._level))
        return name


class Unpacker:
    """Gives arrays out; the same array for the same name."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget
        self._stored: dict[str, tuple[str, schema.Array]] = {}
        self._open: dict[str, npt.NDArray[Any]] = {}

    @property
    def names(self) -> set[str]:
        """All that have been offered."""
        return set(self._stored)

    def offer(self, arrays: Mapping[str, schema.Array], place: str) -> None:
        """More arrays, standing at `place`; nothing is unpacked before it is asked for."""
        self._stored.update({name: (f'{place}["{name}"]', array) for name, array in arrays.items()})

    def get(self, name: str, type: schema.ArrayType, asked_at: str) -> npt.NDArray[Any]:
        """The read-only array of that name, which must hold numbers of that type."""
        if name not in self._stored:
            raise Misfit(asked_at, f"there is no array called {name!r}")
        place, stored = self._stored[name]
        if stored.type != type:
            raise Misfit(place, f"holds {stored.type}, but {asked_at} needs {type}")
        if name not in self._open:
            self.spend(_promised(stored, place), place)
            self._open[name] = _unpacked(stored, place)
        return self._open[name]

    def spend(self, amount: int, place: str) -> None:
        """Bytes about to be made of what stands at `place`."""
        if self._budget is not None:
            with placed(place):
                self._budget.spend(amount)


def _promised(stored: schema.Array, place: str) -> int:
    """Bytes that an array's shape promises, where it can hold them."""
    size = math.prod(stored.shape) * np.dtype(f"<{stored.type}").itemsize
    if size > LARGEST_ARRAY or size > LARGEST_RATIO * len(stored.zlib):
        raise Misfit(place, f"claims {size} bytes, more than its {len(stored.zlib)} compressed bytes can hold")
    return size


def _unpacked(stored: schema.Array, place: str) -> npt.NDArray[Any]:
    size = _promised(stored, place)
    stream = zlib.decompressobj()
    try:
        # One byte more than promised, to notice when there is more.
        content = stream.decompress(stored.zlib, size + 1)
    except zlib.error as error:
        raise Misfit(place, f"cannot be decompressed: {error}") from None
    if len(content) != size or not (stream.eof or (size == 0 and not stored.zlib)):
        raise Misfit(place, f"does not hold the {size} bytes that its shape {stored.shape} promises")
    return np.frombuffer(content, f"<{stored.type}").reshape(stored.shape)
