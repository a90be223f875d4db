"""Limits of the channels, kept exactly: no curve leaves its limits, however the tangents are turned.

Along a segment the value depends on the two heights alone and linearly (curves.limits): what keeps within limits is a
convex set of heights that holds the flat ones. Steps are led by half-planes at the extremes that would break out; what
rounding and the product of slope and width leave of a breach is then taken back by flattening its two tangents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.curves import BEZIER
from inbetweener.guidance.parameters import Parameters

MARGIN = 1e-8
"""Half-planes are kept this far inside the limit, in the curve's unit."""

TOLERANCE = 1e-10
"""A curve within this of its limit is inside it."""

ROUNDS = 60
"""How often breaches are flattened a little before their tangents are made level."""


@dataclass(frozen=True, slots=True, eq=False)
class ValueLimits:
    """keys (S,) where the watched segments start; low and high (S,), widened to what was there already."""

    parameters: Parameters
    keys: Ints
    low: Floats
    high: Floats

    @classmethod
    def of(cls, parameters: Parameters, rooms: Sequence[Floats]) -> Self:
        """The segments that can change and have limits; rooms (n−1, 2) are those of each curve's segments."""
        bundle = parameters.bundle
        keys, low, high = [], [], []
        for c, room in enumerate(rooms):
            for k, (least, most) in enumerate(room):
                n = int(bundle.starts[c]) + k
                free = (parameters.indices[n, :2] >= 0).any() or (parameters.indices[n + 1, 2:] >= 0).any()
                if free and bundle.kinds[n] == BEZIER and (np.isfinite(least) or np.isfinite(most)):
                    keys.append(n)
                    low.append(least)
                    high.append(most)
        chosen = np.array(keys, np.int64)
        _, values = extremes(bundle.values, bundle.ins, bundle.outs, chosen)
        return cls(
            parameters,
            frozen(chosen, np.int64),
            frozen(np.minimum(low, values.min(axis=1)) if keys else np.zeros(0)),
            frozen(np.maximum(high, values.max(axis=1)) if keys else np.zeros(0)),
        )

    def breaches(self, x: Floats) -> tuple[Ints, Floats, Floats]:
        """Where curves with parameters x leave their limits: segments (n,), u (n,), and by how much, signed (n,)."""
        ins, outs = self.parameters.tangents(x)
        return self._breaches(ins, outs)

    def _breaches(self, ins: Floats, outs: Floats) -> tuple[Ints, Floats, Floats]:
        if len(self.keys) == 0:
            return np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
        u, values = extremes(self.parameters.bundle.values, ins, outs, self.keys)
        by = np.maximum(values - self.high[:, None], 0.0) + np.minimum(values - self.low[:, None], 0.0)
        s, e = np.nonzero(np.abs(by) > TOLERANCE)
        return s, u[s, e], by[s, e]

    def cuts(self, x: Floats, found: tuple[Ints, Floats, Floats]) -> tuple[Floats, Floats]:
        """Rows (n, P) and upper bounds (n,) on rows · (new − x) that keep the curves inside at these places."""
        segments, u, by = found
        parameters, side = self.parameters, np.sign(by)
        ins, outs = parameters.tangents(x)
        k = self.keys[segments]
        rows = np.zeros((len(k), len(parameters)))
        v, values = 1.0 - u, parameters.bundle.values
        flat = values[k] + (values[k + 1] - values[k]) * u * u * (3.0 - 2.0 * u)
        now = flat + 3.0 * u * v * (v * outs[k, 1] - u * ins[k + 1, 1])
        for key, first, tangents, length, by_height in (
            (k, 0, outs, parameters.lengths[k, 0], 3.0 * u * v * v),
            (k + 1, 2, ins, parameters.lengths[k + 1, 1], -3.0 * u * u * v),
        ):
            for i, n in enumerate(key):
                width, slope = parameters.indices[n, first], parameters.indices[n, first + 1]
                if width >= 0:
                    steepness = x[slope] * parameters.slopes[n]
                    rows[i, width] += side[i] * by_height[i] * steepness * length[i]
                    rows[i, slope] += side[i] * by_height[i] * parameters.slopes[n] * tangents[n, 0]
        limit = np.where(side > 0, self.high[segments], self.low[segments])
        return rows, side * (limit - now) - MARGIN

    def brought_in(self, x: Floats) -> Floats:
        """x with the slopes of breaching segments flattened until all curves are inside."""
        indices = self.parameters.indices
        for turn in range(ROUNDS + 1):
            segments, _, by = self.breaches(x)
            if len(segments) == 0:
                return x
            x = x.copy()
            for s in np.unique(segments):
                n = int(self.keys[s])
                room = 0.5 * (self.high[s] - self.low[s]) if np.isfinite(self.high[s] - self.low[s]) else 1.0
                worst = float(np.abs(by[segments == s]).max())
                share = 0.0 if turn == ROUNDS else min(0.999, room / (room + 2.0 * worst))
                for slope in {int(indices[n, 1]), int(indices[n + 1, 3])} - {-1}:
                    x[slope] *= share
        return x


def extremes(values: Floats, ins: Floats, outs: Floats, keys: Ints) -> tuple[Floats, Floats]:
    """Parameters u (S, 4) and values (S, 4) of segments: both ends and the turning points; an end where none is."""
    start, end, out, in_ = values[keys], values[keys + 1], outs[keys, 1], ins[keys + 1, 1]
    d1, d2, d3 = out, end - start - out - in_, in_
    a, b, c = d1 - 2.0 * d2 + d3, d2 - d1, d1
    under = b * b - a * c
    with np.errstate(divide="ignore", invalid="ignore"):
        q = -(b + np.copysign(np.sqrt(np.maximum(under, 0.0)), b))
        roots = np.stack([q / a, c / q], axis=1)
    inside = (roots > 0.0) & (roots < 1.0) & (under > 0.0)[:, None]
    u = np.concatenate([np.zeros((len(keys), 1)), np.where(inside, roots, 0.0), np.ones((len(keys), 1))], axis=1)
    v = 1.0 - u
    found = (
        v * v * (v + 3.0 * u) * start[:, None]
        + u * u * (u + 3.0 * v) * end[:, None]
        + 3.0 * u * v * (v * out[:, None] - u * in_[:, None])
    )
    return u, found
