"""Limits of the channels, kept exactly: no curve leaves its limits, however the tangents are turned.

Steps are led by half-planes at the extremes that would break out; what rounding and the product of slope and width
leave of a breach is then taken back by flattening tangents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.curves import BEZIER
from inbetweener.curves.value_limits import Extremes, Shape, ValueLimits
from inbetweener.guidance.parameters import Parameters


@dataclass(frozen=True, slots=True, eq=False)
class ParameterLimits:
    """The limits of those segments that can change; slopes (S, 2) the parameters of the slopes at their ends."""

    parameters: Parameters
    limits: ValueLimits
    slopes: Ints

    @classmethod
    def of(cls, parameters: Parameters, rooms: Sequence[Floats]) -> Self:
        """The segments that can change and have limits; rooms (n−1, 2) are those of each curve's segments."""
        bundle = parameters.bundle
        # What follows a curve's last key is no segment of it.
        low, high = np.concatenate([np.append(room, [[-np.inf, np.inf]], axis=0) for room in rooms]).T
        free = np.asarray((parameters.indices[:, :2] >= 0).any(axis=1), np.bool_)
        free[:-1] |= (parameters.indices[1:, 2:] >= 0).any(axis=1)
        keys = np.flatnonzero(free & (bundle.kinds == BEZIER) & (np.isfinite(low) | np.isfinite(high)))
        limits = ValueLimits.of(bundle, keys, low[keys], high[keys])
        slopes = np.stack([parameters.indices[limits.keys, 1], parameters.indices[limits.keys + 1, 3]], axis=1)
        return cls(parameters, limits, frozen(slopes, np.int64))

    def beyond(self, x: Floats) -> Extremes:
        """Where curves with parameters x leave their limits."""
        return self.limits.beyond(self._shape(x))

    def cuts(self, x: Floats, at: Extremes) -> tuple[Floats, Floats]:
        """Rows (n, P) and upper bounds (n,) on rows · (new − x) that keep the curves inside at these places."""
        parameters, (by, room) = self.parameters, self.limits.cuts(at, self._shape(x))
        ins, outs = parameters.tangents(x)
        k = self.limits.keys[at.segments]
        rows = np.zeros((len(k), len(x) + 1))
        n = np.arange(len(k))
        for key, first, tangents, side, by_height in ((k, 0, outs, 0, by[:, 1]), (k + 1, 2, ins, 1, by[:, 3])):
            width, slope = parameters.indices[key, first], parameters.indices[key, first + 1]
            steepness = x[slope] * parameters.slopes[key]
            rows[n, width] += by_height * steepness * parameters.lengths[key, side]
            rows[n, slope] += by_height * parameters.slopes[key] * tangents[key, 0]
        return np.ascontiguousarray(rows[:, :-1]), room

    def brought_in(self, x: Floats) -> Floats:
        """x with the slopes of breaching segments flattened until all curves are inside."""
        parameters = self.parameters
        return self.limits.brought_in(
            x, self._shape, self.slopes, np.zeros(len(x)), parameters.start, parameters.owners
        )

    def _shape(self, x: Floats) -> Shape:
        return Shape(self.parameters.bundle.values, *self.parameters.tangents(x))
