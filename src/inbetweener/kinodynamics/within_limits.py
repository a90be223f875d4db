"""Limits of channels, as bounds on corrections: these lead no keyed channel beyond them, further than it was.

Limits stop what swings, but what is keyed is let be: a correction counts as keyed, and a stop would move along with it.
So corrections keep to them by themselves, at every time that their bells reach. Each is a sum of bells and wiggles, so
that one bound at one time is one row over the coefficients of its channel. What follows a spring without a mass, a
blend shape or a control, is cut off at its limits wherever it is shown, so that its keys may go beyond.
"""

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.kinodynamics.problem import Problem
from inbetweener.kinodynamics.residuals import PoseAsk
from inbetweener.kinodynamics.ways import Ways
from inbetweener.maths.steps import bound_damped_step, damped_step

LOOKS, BUMPY = 257, 1025
"""Times at which a correction is looked at: so many that what swings out between two of them is next to nothing; more
where there are bumps before it."""

BEYOND = 1e-6
"""Radians or metres by which a channel may leave its limits, for rounding."""

CUTS = 12
"""How often bounds that a step would break join it, where it breaks each channel's most."""

STRONG = 0.05
"""A limit is to blame where more than this share of what would still bring a target nearer leads beyond it."""


class Limits:
    """The bounds of one problem: channels (L,) that have limits, and what is left for corrections (T, L) at T times."""

    def __init__(self, problem: Problem) -> None:
        rig, clip = problem.motion.rig, problem.motion.clip
        following = problem.motion.loosened.following.channels
        moved = sorted({int(c) for ask in problem.asks for c in ask.gives} - set(following.tolist()))
        ends = np.array([(channel.lower, channel.upper) for channel in rig.channels]).reshape(-1, 2)
        self.channels = np.array([c for c in moved if np.isfinite(ends[c]).any()], np.int64)
        reached = [shape.parts[0].times for shape in problem.shapes] if len(self.channels) else []
        looks = [BUMPY if isinstance(ask, PoseAsk) else LOOKS for ask in problem.asks]
        spread = (np.linspace(t[0], t[-1], count) for t, count in zip(reached, looks, strict=False))
        times = np.unique(np.concatenate([np.zeros(0), *spread]))
        times = times[(times >= clip.start) & (times <= clip.end)]
        self._parts = problem.parts
        self._bells = problem.motions(times)[:, :, 0].T
        keyed = problem.motion.tight.channels(times)[:, self.channels]
        low, high = (np.tile(ends[self.channels, side], (len(times), 1)) for side in range(2))
        self._room = np.minimum(low - keyed, 0.0), np.maximum(high - keyed, 0.0)

    def _added(self, coefficients: Floats) -> Floats:
        """What corrections (K, B, C) add to limited channels (T, L)."""
        return self._bells.T @ coefficients.reshape(len(self._bells), -1)[:, self.channels]

    def beyond(self, coefficients: Floats) -> Floats:
        """How far corrections (K, B, C) lead limited channels (T, L) out of what is left for them."""
        added, (low, high) = self._added(coefficients), self._room
        return np.maximum(low - added, added - high)

    def leaving(self, ways: Ways, step: Floats, here: Floats) -> list[int]:
        """The channels that a step (n,) along ways to correct would lead beyond their limits."""
        if not len(self.channels):
            return []
        beyond = self.beyond(here + ways.coefficients(step[None], here.shape)[0])
        return [int(c) for c in self.channels[(beyond > BEYOND / 2).any(axis=0)]]

    def shortened(self, here: Floats, there: Floats) -> Floats:
        """Corrections (K, B, C) on the way from those that keep to limits, `here`, each channel as far as it may."""
        if not len(self.channels) or not (self.beyond(there) > BEYOND / 2).any():
            return there
        before, after, (low, high) = self._added(here), self._added(there), self._room
        change = after - before
        room = np.where(change > 0, high - before, before - low)
        shares = np.where(np.abs(change) > 1e-15, room / np.maximum(np.abs(change), 1e-15), np.inf)
        kept = there.copy()
        kept[..., self.channels] = (
            here[..., self.channels] + np.clip(shares.min(axis=0), 0.0, 1.0) * (there - here)[..., self.channels]
        )
        return kept

    def step(self, ways: Ways, J: Floats, residual: Floats, damping: float, here: Floats) -> Floats:
        """The step (n,) along ways to correct that makes residuals smallest and keeps to limits.

        Of the many bounds few are met: those that a step without them would break join it, until none does.
        """
        step = damped_step(J, residual, damping)
        if not len(self.channels):
            return step
        before, (low, high), met = self._added(here), self._room, set[tuple[int, int]]()
        for _ in range(CUTS):
            beyond = self.beyond(here + ways.coefficients(step[None], here.shape)[0])
            around = np.pad(beyond, ((1, 1), (0, 0)), constant_values=-np.inf)
            peaks = (beyond > BEYOND / 2) & (beyond >= around[:-2]) & (beyond >= around[2:])
            new = {(int(t), int(n)) for t, n in np.argwhere(peaks)} - met
            if not new:
                break
            met |= new
            at, which = np.array(sorted(met)).T
            rows = (
                self._bells[self._parts * ways.targets + ways.kinds][:, at].T * ways.vectors[:, self.channels[which]].T
            )
            room = np.minimum(low - before, 0.0)[at, which], np.maximum(high - before, 0.0)[at, which]
            found = bound_damped_step(J, residual, damping, rows, *room)
            if found is None:
                break
            step = found
        return step

    def blocking(self, ways: Ways, J: Floats, residual: Floats, here: Floats) -> dict[int, list[int]]:
        """By target, the channels that would bring what is missing nearer and stand at a limit, the strongest first."""
        pull = -J.T @ residual
        added, (low, high) = self._added(here), self._room
        found: dict[int, dict[int, float]] = {}
        for n, (k, kind) in enumerate(zip(ways.targets.tolist(), ways.kinds, strict=True)):
            share = abs(pull[n]) / max(float(np.abs(pull[ways.targets == k]).max()), 1e-300)
            for column in np.flatnonzero(ways.vectors[n, self.channels]) if share > STRONG else ():
                way = pull[n] * ways.vectors[n, self.channels[column]] * self._bells[self._parts * k + kind]
                if _stopped(way, added[:, column] - low[:, column], high[:, column] - added[:, column]).any():
                    own = found.setdefault(k, {})
                    own[int(self.channels[column])] = max(own.get(int(self.channels[column]), 0.0), share)
        return {k: sorted(own, key=lambda c: -own[c]) for k, own in found.items()}


def _stopped(way: Floats, below: Floats, above: Floats) -> Bools:
    """Times (T,) at which a way leads out where nothing is left."""
    large = np.abs(way) > 0.1 * float(np.abs(way).max(initial=0.0))
    return np.asarray(large & (np.where(way > 0, above, below) < 10 * BEYOND), np.bool_)
