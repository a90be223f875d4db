"""Ways to correct: the directions in which a run may change the corrections of its targets."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kinodynamics.corrections import SLOPE
from inbetweener.kinodynamics.residuals import REACTION, Directions

FURTHEST = 1.0
"""Radians or metres by which one step may correct a channel at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All ways to correct: of which target, of which kind (n,), and what a unit does to the channels (n, C)."""

    targets: Ints
    kinds: Ints
    vectors: Floats

    @classmethod
    def of(cls, directions: list[Directions]) -> Self:
        """Those of every target, one after the other."""
        targets = np.repeat(np.arange(len(directions)), [len(each.kinds) for each in directions])
        kinds = np.concatenate([each.kinds for each in directions])
        return cls(targets, kinds, np.concatenate([each.vectors for each in directions]))

    def coefficients(self, steps: Floats, shape: tuple[int, ...]) -> Floats:
        """What steps (V, n) add to coefficients: (V, K, B, C)."""
        result = np.zeros((len(steps), *shape))
        for n, (k, kind) in enumerate(zip(self.targets, self.kinds, strict=True)):
            result[:, k, kind] += steps[:, n, None] * self.vectors[n]
        return result

    def bounded(self, step: Floats) -> Floats:
        """The step (n,), each of its parts shortened where it would correct a channel too much at once."""
        sizes = np.abs(self.vectors).max(axis=1, initial=0.0) * np.where(self.kinds == SLOPE, REACTION, 1.0)
        most = FURTHEST / np.maximum(sizes, 1e-300)
        return np.clip(step, -most, most)
