"""What a file holds beside what we edit: kept as it is, so that it can be written back."""

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from inbetweener.arrays import same


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A file without the animation that clips were made of; only the reader and writer of its format look into it.

    text    the words of the file
    blocks  arrays of single precision or bytes that, laid end to end, are its data; meshes may hold the same ones
    joints  for each node of the file the joint that it became; empty where it became none
    clips   for each animation that `text` still has something of, the clip that it belongs to
    """

    text: bytes = field(repr=False)
    blocks: tuple[npt.NDArray[Any], ...] = field(default=(), repr=False)
    joints: tuple[str, ...] = field(default=(), repr=False)
    clips: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Kept):
            return NotImplemented
        plain = (self.text, self.joints, self.clips) == (other.text, other.joints, other.clips)
        alike = len(self.blocks) == len(other.blocks)
        return plain and alike and all(same(a, b) for a, b in zip(self.blocks, other.blocks, strict=True))

    def __hash__(self) -> int:
        return hash((self.text, self.joints, self.clips))
