"""Value limits of many segments while their keys are searched for: where they are broken, and rows that mend it.

What a segment's value does depends on four numbers alone, linearly: the values at its two keys and the heights of the
tangents between (curves.limits). What keeps within limits is a convex set, the meeting of half-planes over u. Few of
those ever matter, so they are made where an extreme is beyond a limit. How the four numbers follow from a solver's own
variables is the solver's to say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.curves import limit_kernels
from inbetweener.curves.bundle import Bundle

ROUNDING = 1e-9
"""Beyond a limit by no more than this, in the curve's unit, is not beyond."""

MARGIN = 1e-8
"""Half-planes are kept this far inside the limit: the accuracy of the programs that they go into."""

FLATTENINGS = 30
"""How often tangents are flattened, each time more: so often, any that can be is level."""

BEHIND = 10
"""So many turns later the farther of two tangents is flattened as much as the nearer one."""

HALVINGS = 10
"""How often the change of a curve is halved that flattening did not bring inside; what is then left is taken back."""


class Shape(NamedTuple):
    """What limits look at: values (N,), ins and outs (N, 2) of keys that lie end to end."""

    values: Floats
    ins: Floats
    outs: Floats


class Extremes(NamedTuple):
    """Of which segment each is (n,), at which u (n,), and how far it is beyond a limit (n,), negative below."""

    segments: Ints
    u: Floats
    by: Floats


NOWHERE = Extremes(frozen([], np.int64), frozen([]), frozen([]))
"""No extreme at all."""


class Cuts(NamedTuple):
    """Rows (n, 4) by start value, out height, end value, in height of segments, and by how much these may grow (n,)."""

    rows: Floats
    room: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ValueLimits:
    """keys (S,) where Bezier segments start, and of which curves; low and high (S,) what they must stay within."""

    keys: Ints
    curves: Ints
    low: Floats
    high: Floats

    @classmethod
    def of(cls, bundle: Bundle, keys: Ints, low: Floats, high: Floats) -> Self:
        """Those of the segments that have a limit, widened to what is already there: it may stay, not get worse."""
        limited = np.isfinite(low) | np.isfinite(high)
        keys, low, high = keys[limited], low[limited], high[limited]
        limit_kernels.widen(bundle.values, bundle.ins, bundle.outs, keys, low, high)
        curves = np.searchsorted(bundle.starts, keys, side="right") - 1
        return cls(frozen(keys, np.int64), frozen(curves, np.int64), frozen(low), frozen(high))

    def beyond(self, shape: Shape, rounding: float = ROUNDING) -> Extremes:
        """The extremes that are beyond a limit."""
        count = len(self.keys)
        if not count:
            return NOWHERE
        segments, how = np.empty(2 * count, np.int64), np.empty((2 * count, 2))
        count = limit_kernels.find_beyond(*shape, self.keys, self.low, self.high, rounding, segments, how)
        return Extremes(segments[:count], how[:count, 0], how[:count, 1])

    def followed(self, shape: Shape) -> Callable[[], Extremes]:
        """`beyond` again and again, of a shape whose tangents change in their place; an answer holds until the next."""
        if not len(self.keys):
            return lambda: NOWHERE
        segments, how = np.empty(2 * len(self.keys), np.int64), np.empty((2 * len(self.keys), 2))
        find = limit_kernels.find_beyond.bound(*shape, self.keys, self.low, self.high, ROUNDING, segments, how)

        def beyond() -> Extremes:
            count = find()
            return Extremes(segments[:count], how[:count, 0], how[:count, 1]) if count else NOWHERE

        return beyond

    def worst(self, shape: Shape) -> float:
        """How far the worst segment leaves its limits, in its own unit."""
        found = self.beyond(shape).by
        return float(np.abs(found).max()) if len(found) else 0.0

    def cuts(self, at: Extremes, shape: Shape) -> Cuts:
        """The half-planes that keep segments inside at some u, seen from a shape; at.by says on which side."""
        values, ins, outs = shape
        k, u, side = self.keys[at.segments], at.u, np.sign(at.by)
        v, share = 1.0 - u, u * u * (3.0 - 2.0 * u)
        rows = np.stack([1.0 - share, 3.0 * u * v * v, share, -3.0 * u * u * v], axis=1)
        numbers = np.stack([values[k], outs[k, 1], values[k + 1], ins[k + 1, 1]], axis=1)
        limit = np.where(side > 0, self.high[at.segments], self.low[at.segments])
        return Cuts(side[:, None] * rows, side * (limit - (rows * numbers).sum(axis=1)) - MARGIN)

    def brought_in(
        self, x: Floats, shape: Callable[[Floats], Shape], slopes: Ints, level: Floats, start: Floats, owners: Ints
    ) -> Floats:
        """x (n,), with tangents flattened beside extremes that are beyond a limit until none is.

        Rounding, and what rows do not see, leave a breach of a hair; a key that sits on its limit must even be level,
        which rows only tend to. slopes (S, 2) are the variables of the slopes at both ends of each segment, −1 where
        they are fixed, and level (n,) what variables are where their tangents are level. Where that does not help, the
        variables of a curve, `owners` (n,) says of which, go back towards the `start`, where it was inside.
        """
        for turn in range(FLATTENINGS):
            segments, u, by = self.beyond(shape(x))
            if not len(u):
                return x
            x = x.copy()
            # By as much as seems needed and by a thousandth at least; twice as much each time, as that may not help.
            room = np.where(np.isfinite(self.high - self.low), 0.5 * (self.high - self.low), 1.0)[segments]
            share = np.minimum(0.999, room / (room + 2.0 * np.abs(by)))
            # The tangent nearer to the extreme makes most of it, and mostly gives way; but it may be level already.
            flat, near = np.ones(len(x) + 1), (u >= 0.5).astype(np.int64)
            np.minimum.at(flat, slopes[segments, near], share**2.0**turn)
            np.minimum.at(flat, slopes[segments, 1 - near], share**2.0 ** (turn - BEHIND))
            moved = np.flatnonzero(flat[:-1] < 1.0)
            x[moved] = level[moved] + flat[moved] * (x[moved] - level[moved])
        share = np.ones(max(int(owners.max(initial=0)), int(self.curves.max(initial=0))) + 1)
        for _ in range(HALVINGS):
            share[self.curves[self.beyond(shape(start + share[owners] * (x - start))).segments]] *= 0.5
        share[self.curves[self.beyond(shape(start + share[owners] * (x - start))).segments]] = 0.0
        return start + share[owners] * (x - start)
