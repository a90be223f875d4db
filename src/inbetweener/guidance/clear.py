"""No penetration, as a hard constraint: what the motion's own parts and solids have to stay out of, by parameters."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.guidance.looks import Looks
from inbetweener.guidance.moments import Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.motion import Motion
from inbetweener.motion.clear import Apart, Clear, Inside
from inbetweener.tangents.sampling import fine_times

FEW = 400
"""Rows that a step has at most: the nearest speak for the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptClear:
    """Pairs that stay apart at the moments of `looks`."""

    apart: Apart
    looks: Looks
    seen: list[Floats] = field(default_factory=list)

    @classmethod
    def of(
        cls, motion: Motion, clear: Clear, parameters: Parameters, wiring: Wiring, weight: Floats, height: float
    ) -> Self:
        """What is looked at four times a frame, and more often where keys are near each other."""
        free = set(wiring.columns.tolist())
        apart = Apart.of(motion, clear, free, height, parameters.span)
        span, shortest = parameters.span, parameters.shortest
        times = fine_times(*span, shortest, motion.clip.rate) if len(apart.pairs) else np.zeros(0)
        return cls(apart, Looks.of(motion, parameters, wiring, weight, height, times))

    @property
    def active(self) -> bool:
        """Whether there is anything to stay out of."""
        return bool(len(self.looks.times))

    def offs(self, x: Floats) -> Floats:
        """(P,) how deep each pair is inside at most, in heights."""
        if not self.active:
            return np.zeros(0)
        return np.maximum(-self.separations(x), 0.0).max(axis=1) / self.looks.height

    def inside(self, x: Floats) -> tuple[Inside, ...]:
        """The same by what is to be clear of, in metres."""
        return self.apart.inside(self.separations(x)) if self.active else ()

    def separations(self, x: Floats) -> Floats:
        """(P, T) in metres."""
        # A search asks more than once how deep it is where it stands.
        if not self.seen or self.seen[0] is not x:
            self.seen[:] = x, self.apart.separations(self.apart.frames(self.looks.at(x)[0].posed))
        return self.seen[1]

    def depth(self, x: Floats) -> float:
        """How deep all pairs are inside, at all times together, in metres."""
        return float(np.maximum(-self.separations(x), 0.0).sum())

    def near(self, x: Floats, *, out: bool = False) -> tuple[Floats, Floats]:
        """Distances (K,) in heights of the pairs and moments that matter, and their derivatives (K, P)."""
        if not self.active:
            return np.zeros(0), np.zeros((0, len(x)))
        looks = self.looks
        moments, derivatives, indices = looks.at(x)
        frames = self.apart.frames(moments.posed)
        near = self.apart.near(moments.posed, frames, self.separations(x), out=out)
        few = np.sort(np.argsort(near.gaps, kind="stable")[:FEW])
        t = near.times[few]
        local = near.rows[few][:, looks.wiring.columns, None] * (derivatives[t] / looks.height)
        rows = np.zeros((len(few), len(x) + 1))
        np.add.at(rows, (np.arange(len(few))[:, None, None], indices[t]), local)
        return near.gaps[few] / looks.height, rows[:, :-1]
