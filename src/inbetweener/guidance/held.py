"""Pins and contacts as hard constraints: where their points must be, how far they are off, and how that changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.guidance.looks import Looks
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.maths import quaternions
from inbetweener.motion import Constraint, Motion
from inbetweener.tangents.sampling import constraint_times, times_within

TOLERANCE = 1e-4
"""How far a held point may be off, as a share of the character's height; turns in radians."""


@dataclass(frozen=True, slots=True, eq=False)
class _Watch:
    """A rule that must have positions (m, 3) and turns (m, 3, 3) at the moments `at` (m,)."""

    owner: int
    rule: Constraint
    at: Ints
    positions: Floats
    turns: Floats


@dataclass(frozen=True, slots=True, eq=False)
class KeptStates:
    """Constraints, and what of them is watched at the moments of `looks`."""

    constraints: tuple[Constraint, ...]
    looks: Looks
    watches: tuple[_Watch, ...]

    @classmethod
    def of(
        cls, motion: Motion, constraints: Sequence[Constraint], parameters: Parameters, wiring: Wiring,
        weight: Floats, height: float,
    ) -> Self:  # fmt: skip
        """Those constraints whose points can move. A contact's point stays where it is when the contact begins."""
        span, free = parameters.span, set(wiring.columns.tolist())
        every = constraint_times(*span, parameters.bundle.times, parameters.shortest, motion.clip.rate)
        found: list[tuple[int, Floats]] = []
        for i, each in enumerate(constraints):
            if each.channels(motion.rig) & free:
                found.append((i, times_within(every, each.start, each.end, span)))
        times = np.unique(np.concatenate([np.zeros(0), *(at for _, at in found)]))
        watches = []
        for i, at in found:
            wished = constraints[i].states(motion, constraints[i].reference(at))
            watches.append(_Watch(i, constraints[i], np.searchsorted(times, at), *wished))
        looks = Looks.of(motion, parameters, wiring, weight, height, times)
        return cls(tuple(constraints), looks, tuple(watch for watch in watches if len(watch.at)))

    @property
    def active(self) -> bool:
        """Whether anything has to be held."""
        return bool(self.watches)

    def errors(self, x: Floats, *, derive: bool = False) -> tuple[Floats, Floats]:
        """How far each watched state is off (K,), in heights and radians, and derivatives (K, P) if wanted."""
        moments, derivatives, indices = self.looks.at(x)
        errors, rows = [], []
        for watch in self.watches:
            off = self._off(moments, watch)
            halves = np.repeat(watch.rule.wants, 3)
            errors.append(off[:, halves].ravel())
            if derive:
                by = self._by(moments, watch)[:, halves]
                rows.append(self._rows(by, watch, derivatives, indices))
        joined = np.concatenate([np.zeros(0), *errors])
        return joined, np.concatenate([np.zeros((0, len(x))), *rows])

    def tolerances(self) -> Floats:
        """(K,) how far each watched state may be off: heights of the character, or radians; each rule has its own."""
        found = [np.zeros(0)]
        for watch in self.watches:
            far, wide = watch.rule.allowed(self.looks.height, TOLERANCE)
            halves = np.repeat([far] * watch.rule.wants[0] + [wide] * watch.rule.wants[1], 3)
            found.append(np.tile(halves, len(watch.at)))
        return np.concatenate(found)

    def worst(self, x: Floats) -> float:
        """The largest error, in heights or radians."""
        return float(np.abs(self.errors(x)[0]).max(initial=0.0))

    def offs(self, x: Floats) -> Floats:
        """(watched constraints,) how far each is off, as if `TOLERANCE` were what it may be off."""
        return np.array([*self._worst(self.errors(x)[0] * (TOLERANCE / self.tolerances())).values()])

    def by_constraint(self, x: Floats) -> dict[int, float]:
        """The largest error of each watched constraint, in heights or radians."""
        return self._worst(self.errors(x)[0])

    def _worst(self, errors: Floats) -> dict[int, float]:
        first, found = 0, {}
        for watch in self.watches:
            count = 3 * sum(watch.rule.wants) * len(watch.at)
            found[watch.owner] = float(np.abs(errors[first : first + count]).max(initial=0.0))
            first += count
        return found

    def _off(self, moments: Moments, watch: _Watch) -> Floats:
        """(m, 6) position in heights, turn as a rotation vector."""
        place, turned = watch.rule.seen(moments.posed, watch.at)
        off = np.zeros((len(place), 6))
        off[:, :3] = (place - watch.positions) / self.looks.height
        if watch.rule.wants[1]:
            off[:, 3:] = _turn_vectors(turned @ np.swapaxes(watch.turns, -1, -2))
        return off

    def _by(self, moments: Moments, watch: _Watch) -> Floats:
        """(m, 6, C) how that changes with the free channels."""
        by = watch.rule.jacobian(moments.posed, watch.at)[..., self.looks.wiring.columns]
        by[:, :3] /= self.looks.height
        return by

    def _rows(self, by: Floats, watch: _Watch, derivatives: Floats, indices: Ints) -> Floats:
        """(m · rows, P) from derivatives by channels (m, rows, C)."""
        count, rows, _ = by.shape
        local = by[:, :, :, None] * derivatives[watch.at][:, None]
        result = np.zeros((count, rows, len(self.looks.parameters) + 1))
        where = np.broadcast_to(indices[watch.at][:, None], local.shape)
        t, r = np.arange(count)[:, None, None, None], np.arange(rows)[None, :, None, None]
        np.add.at(result, (t, r, where), local)
        return result[:, :, :-1].reshape(count * rows, -1)


def _turn_vectors(turns: Floats) -> Floats:
    """Rotation vectors (m, 3) of matrices (m, 3, 3)."""
    q = quaternions.from_matrix(turns)
    q = np.where(q[:, :1] < 0, -q, q)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2.0 * np.arctan2(sine, q[:, 0])
    return q[:, 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 2.0)[:, None]
