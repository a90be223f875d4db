"""No penetration, as a hard constraint: what the motion's own parts and solids have to stay out of, by parameters."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.motion import Motion
from inbetweener.motion.clear import Apart, Clear, Inside
from inbetweener.tangents.sampling import fine_times

FEW = 400
"""Rows that a step has at most: the nearest speak for the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """Pairs that stay apart at times (T,); channels (T, A) of all channels before, offsets (T, C) of the free ones.

    These count with `weight` (C,).
    """

    apart: Apart
    parameters: Parameters
    wiring: Wiring
    weight: Floats
    height: float
    times: Floats
    channels: Floats
    offsets: Floats
    seen: list[Floats] = field(default_factory=list)

    @classmethod
    def of(
        cls, motion: Motion, clear: Clear, parameters: Parameters, wiring: Wiring, weight: Floats, height: float
    ) -> Self:
        """What is looked at four times a frame, and more often where keys are near each other."""
        free = set(wiring.columns.tolist())
        apart = Apart.of(motion, clear, free, height, parameters.span)
        lengths = parameters.lengths[(parameters.indices >= 0).any(axis=1)]
        shortest = float(lengths[lengths > 0].min())
        times = fine_times(*parameters.span, shortest, motion.clip.rate) if len(apart.pairs) else np.zeros(0)
        channels = motion.channels(times) if len(times) else np.zeros((0, len(motion.rig.channels)))
        own = parameters.motion(parameters.start, times)[0][..., 0]
        return cls(
            apart, parameters, wiring, weight, height,
            frozen(times), frozen(channels), frozen(channels[:, wiring.columns] - weight * own),
        )  # fmt: skip

    @property
    def active(self) -> bool:
        """Whether there is anything to stay out of."""
        return bool(len(self.times))

    def offs(self, x: Floats) -> Floats:
        """(P,) how deep each pair is inside at most, in heights."""
        if not self.active:
            return np.zeros(0)
        return np.maximum(-self.separations(x), 0.0).max(axis=1) / self.height

    def inside(self, x: Floats) -> tuple[Inside, ...]:
        """The same by what is to be clear of, in metres."""
        return self.apart.inside(self.separations(x)) if self.active else ()

    def separations(self, x: Floats) -> Floats:
        """(P, T) in metres."""
        # A search asks more than once how deep it is where it stands.
        if not self.seen or self.seen[0] is not x:
            self.seen[:] = x, self.apart.separations(self.apart.frames(self._moments(x)[0].posed))
        return self.seen[1]

    def depth(self, x: Floats) -> float:
        """How deep all pairs are inside, at all times together, in metres."""
        return float(np.maximum(-self.separations(x), 0.0).sum())

    def near(self, x: Floats, *, out: bool = False) -> tuple[Floats, Floats]:
        """Distances (K,) in heights of the pairs and moments that matter, and their derivatives (K, P)."""
        if not self.active:
            return np.zeros(0), np.zeros((0, len(x)))
        moments, derivatives, indices = self._moments(x)
        frames = self.apart.frames(moments.posed)
        near = self.apart.near(moments.posed, frames, self.separations(x), out=out)
        few = np.sort(np.argsort(near.gaps, kind="stable")[:FEW])
        t = near.times[few]
        local = near.rows[few][:, self.wiring.columns, None] * (
            self.weight[:, None] / self.height * derivatives[t, :, 0]
        )
        rows = np.zeros((len(few), len(x) + 1))
        np.add.at(rows, (np.arange(len(few))[:, None, None], indices[t]), local)
        return near.gaps[few] / self.height, rows[:, :-1]

    def _moments(self, x: Floats) -> tuple[Moments, Floats, Ints]:
        motion, derivatives, indices = self.parameters.motion(x, self.times)
        channels = self.channels.copy()
        channels[:, self.wiring.columns] = self.weight * motion[..., 0] + self.offsets
        return (
            Moments(self.wiring, self.times, self.times, motion, channels[..., None], self.height),
            derivatives,
            indices,
        )
