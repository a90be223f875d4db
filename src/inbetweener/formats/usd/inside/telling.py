"""What the process tells: a text of JSON in which arrays are named, and the arrays."""

import io
import json
from typing import Any

import numpy as np
import numpy.typing as npt

ARRAY = "\0"
"""What stands before the number of an array; no text in a file has it."""


class Refused(Exception):
    """A file that cannot be read: place, problem, remedy."""

    def __init__(self, place: str, problem: str, remedy: str = "") -> None:
        super().__init__(place, problem, remedy)
        self.place, self.problem, self.remedy = place, problem, remedy


class Telling:
    """Arrays and notes as they are gathered, up to `room` bytes."""

    def __init__(self, room: float) -> None:
        self.room = room
        self.spent = 0.0
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.notes: list[tuple[str, str]] = []

    def note(self, place: str, text: str) -> None:
        """Something that was left out or mended at `place`."""
        self.spend(200, place)
        self.notes.append((place, text))

    def spend(self, amount: float, place: str) -> None:
        """Bytes that `place` is about to become."""
        self.spent += amount
        if self.spent > self.room:
            raise Refused(place, "would unfold to more than its size explains", "open it with --trust if you know it")

    def put(self, values: Any, dtype: npt.DTypeLike = np.float64, place: str = "") -> str:
        """An array; returns how the text calls it."""
        array = np.ascontiguousarray(values, dtype)
        self.spend(array.nbytes, place)
        name = str(len(self.arrays))
        self.arrays[name] = array
        return ARRAY + name

    def packed(self, told: dict[str, Any]) -> bytes:
        """All of it."""
        stream = io.BytesIO()
        text = np.frombuffer(json.dumps({**told, "notes": self.notes}).encode(), np.uint8)
        np.savez(stream, allow_pickle=False, text=text, **self.arrays)
        return stream.getvalue()


def unpacked(data: bytes) -> dict[str, Any]:
    """The text with its arrays in their places."""
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        text = json.loads(found["text"].tobytes())
        arrays = {name: found[name] for name in found.files if name != "text"}
    return dict(_filled(text, arrays))


def _filled(value: Any, arrays: dict[str, npt.NDArray[Any]]) -> Any:
    if isinstance(value, str) and value.startswith(ARRAY):
        return arrays[value[1:]]
    if isinstance(value, list):
        return [_filled(each, arrays) for each in value]
    if isinstance(value, dict):
        return {name: _filled(each, arrays) for name, each in value.items()}
    return value
