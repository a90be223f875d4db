"""Channel limits while contacts are held: extremes of segments that come too near to a limit, as rows to push back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.contacts.free_keys import IN_SLOPE, IN_WIDTH, NUMBERS, OUT_SLOPE, OUT_WIDTH, VALUE, FreeKeys
from inbetweener.curves import BEZIER, Bundle
from inbetweener.rig import Channel

if TYPE_CHECKING:
    from scipy import sparse

ROUNDING = 1e-9
"""Beyond a limit by less than this is not beyond."""

MARGIN = 1e-4
"""Curves are kept this far inside their limits, in the channel's unit, so that pushing back may give way a little."""


@dataclass(frozen=True, slots=True, eq=False)
class ValueLimits:
    """lower, upper (N,) of the segment after each key, widened to what it already reaches."""

    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, keys: FreeKeys, channels: list[Channel]) -> Self:
        """The limits of all segments of the free curves."""
        bundle = keys.bundle
        counts = np.diff(bundle.starts)
        lower = np.repeat([channel.lower for channel in channels], counts)
        upper = np.repeat([channel.upper for channel in channels], counts)
        key, _, value = _extremes(bundle)
        np.minimum.at(lower, key, value)
        np.maximum.at(upper, key, value)
        return cls(frozen(lower), frozen(upper))

    def excess(self, shaped: Bundle) -> Floats:
        """(F,) how far each curve goes beyond its limits at the worst; zero where it does not."""
        key, _, value = _extremes(shaped)
        curve = np.searchsorted(shaped.starts, key, side="right") - 1
        worst = np.zeros(len(shaped))
        np.maximum.at(worst, curve, np.maximum(value - self.upper[key], self.lower[key] - value))
        return worst

    def beyond(self, shaped: Bundle) -> tuple[Ints, Floats]:
        """The extremes that are beyond a limit: the key that starts the segment, and the parameter u."""
        key, u, value = _extremes(shaped)
        out = np.maximum(value - self.upper[key], self.lower[key] - value) > ROUNDING
        return key[out], u[out]

    def rows(self, shaped: Bundle, keys: FreeKeys) -> "tuple[Floats, sparse.csr_array]":
        """(m,) how far extremes are beyond the margin, signed, and how these move with z: sparse (m, n)."""
        from scipy import sparse

        key, u, value = _extremes(shaped)
        ends = np.stack([shaped.values[key], shaped.values[key + 1]])
        # No extreme can be asked to stay within less than its own keys.
        highest = np.maximum(self.upper[key] - MARGIN, ends.max(axis=0))
        lowest = np.minimum(self.lower[key] + MARGIN, ends.min(axis=0))
        beyond = np.maximum(value - highest, 0.0) + np.minimum(value - lowest, 0.0)
        near = beyond != 0.0
        key, u, beyond = key[near], u[near], beyond[near]
        v, after = 1.0 - u, key + 1
        by_out, by_in, share = 3.0 * u * v * v, -3.0 * u * u * v, u * u * (3.0 - 2.0 * u)
        out, in_ = shaped.outs[key], shaped.ins[after]
        entries = [
            (key, VALUE, 1.0 - share),
            (after, VALUE, share),
            (key, OUT_SLOPE, by_out * out[:, 0]),
            (key, OUT_WIDTH, by_out * out[:, 1] / np.maximum(out[:, 0], 1e-12)),
            (after, IN_SLOPE, by_in * in_[:, 0]),
            (after, IN_WIDTH, by_in * in_[:, 1] / np.maximum(in_[:, 0], 1e-12)),
        ]
        rows = np.tile(np.arange(len(key)), len(entries))
        columns = np.concatenate([NUMBERS * k + number for k, number, _ in entries])
        weights = np.concatenate([w for _, _, w in entries])
        raw = sparse.csr_array((weights, (rows, columns)), shape=(len(key), NUMBERS * len(shaped.times)))
        derivative = (raw @ keys.chosen).tocsr()
        movable = np.flatnonzero(np.diff(derivative.indptr))
        return beyond[movable], derivative[movable]


def _extremes(bundle: Bundle) -> tuple[Ints, Floats, Floats]:
    """All interior extremes of Bezier segments: key that starts the segment, parameter u, value."""
    inner = np.ones(len(bundle.times), np.bool_)
    inner[bundle.starts[1:] - 1] = False
    key = np.flatnonzero(inner & (bundle.kinds == BEZIER))
    start, rise = bundle.values[key], bundle.values[key + 1] - bundle.values[key]
    first, last = bundle.outs[key, 1], bundle.ins[key + 1, 1]
    # A third of V′ is (1−u)²·first + 2u(1−u)·middle + u²·last.
    middle = rise - first - last
    a, b = first - 2.0 * middle + last, middle - first
    under = b * b - a * first
    q = -(b + np.copysign(np.sqrt(np.maximum(under, 0.0)), b))
    far = np.full(len(key), -1.0)
    roots = [np.divide(q, a, out=far.copy(), where=a != 0), np.divide(first, q, out=far.copy(), where=q != 0)]
    u = np.stack([np.where(under > 0.0, root, -1.0) for root in roots])
    found = (u > 0.0) & (u < 1.0)
    v = 1.0 - u
    value = start + rise * u * u * (3.0 - 2.0 * u) + 3.0 * u * v * (v * first - u * last)
    return np.broadcast_to(key, u.shape)[found], u[found], value[found]
