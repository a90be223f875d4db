"""Value limits of a Bezier segment: which tangent heights keep it between a lower and an upper value.

Along a segment from value c₀ to c₁ with out height y and in height z the value is the cubic

    V(u) = H(u) + 3u(1−u)·[(1−u)·y − u·z],    H(u) = c₀ + (c₁ − c₀)·u²(3 − 2u),

whatever the widths, because they only bend time. For every u, V(u) ≤ upper is therefore a half-plane of (y, z), and the
admissible heights are a convex set: the intersection over all u. [TSO] Eqs. 8–9 keep a box inside that set; it is sound
([TSO] Appendix A) but small. Note the sign: the in handle sits at key − in, so raising z lowers the curve.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import limit_kernels
from inbetweener.curves.curve import Curve
from inbetweener.curves.key import BEZIER
from inbetweener.errors import InvalidCurve

Heights = tuple[float, float]
"""Out height of the key that starts a segment, in height of the key that ends it."""


@dataclass(frozen=True, slots=True)
class HalfPlane:
    """All heights with out·y + in_·z ≤ bound; `u` is where on the segment it comes from."""

    out: float
    in_: float
    bound: float
    u: float

    def excess(self, heights: Heights) -> float:
        """How far outside the half-plane the heights are; negative inside."""
        return self.out * heights[0] + self.in_ * heights[1] - self.bound


@dataclass(frozen=True, slots=True)
class HeightSet:
    """The exact convex set of heights that keep a Bezier segment from `start` to `end` within `lower` … `upper`.

    A limit that a key already breaks is widened to that key, so the set is never empty: flat tangents (0, 0) always
    belong to it.
    """

    start: float
    end: float
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        if math.isnan(self.lower) or math.isnan(self.upper) or self.lower > self.upper:
            raise InvalidCurve(f"lower limit {self.lower:g} is above upper limit {self.upper:g}; swap them")
        object.__setattr__(self, "lower", min(self.lower, self.start, self.end))
        object.__setattr__(self, "upper", max(self.upper, self.start, self.end))

    @classmethod
    def of(cls, curve: Curve, segment: int, lower: float, upper: float) -> Self:
        """The set for one segment of a curve, limits widened so that its present heights are admissible."""
        low, high = map(float, value_ranges(curve)[segment])
        return cls(float(curve.values[segment]), float(curve.values[segment + 1]), min(lower, low), max(upper, high))

    def extremes(self, heights: Heights) -> tuple[tuple[float, float], ...]:
        """(u, V(u)) at the ends and at every interior extreme of the value."""
        turns = limit_kernels.turning_points(self.end - self.start, *heights)
        return tuple((u, self.value(heights, u)) for u in (0.0, *turns, 1.0) if u <= 1.0)

    def value(self, heights: Heights, u: float) -> float:
        """V(u)."""
        v = 1.0 - u
        return self._flat(u) + 3.0 * u * v * (v * heights[0] - u * heights[1])

    def violation(self, heights: Heights) -> float:
        """How far the segment leaves the limits, in the curve's unit; zero when it does not."""
        values = [value for _, value in self.extremes(heights)]
        return max(0.0, max(values) - self.upper, self.lower - min(values))

    def contains(self, heights: Heights, tolerance: float = 1e-12) -> bool:
        """True when the segment stays within the limits, up to `tolerance` relative to the values involved."""
        return self.violation(heights) <= tolerance * self._scale(heights)

    def half_plane(self, u: float, side: Literal["lower", "upper"]) -> HalfPlane:
        """The condition that one limit puts on the heights at 0 < u < 1, divided by 3u(1−u)."""
        v = 1.0 - u
        room = (self.upper if side == "upper" else self.lower) - self._flat(u)
        sign = 1.0 if side == "upper" else -1.0
        return HalfPlane(sign * v, -sign * u, sign * room / (3.0 * u * v), u)

    def cuts(self, heights: Heights, tolerance: float = 1e-12) -> tuple[HalfPlane, ...]:
        """Half-planes that hold the whole set and exclude these heights: one for each violated extreme."""
        slack = tolerance * self._scale(heights)
        inside = [(u, value) for u, value in self.extremes(heights) if 0.0 < u < 1.0]
        above = [self.half_plane(u, "upper") for u, value in inside if value > self.upper + slack]
        below = [self.half_plane(u, "lower") for u, value in inside if value < self.lower - slack]
        return (*above, *below)

    def nearest(self, heights: Heights, weights: Heights = (1.0, 1.0)) -> Heights:
        """The admissible heights that minimise w₀(y − y′)² + w₁(z − z′)².

        Cutting planes: project onto the half-planes seen so far, cut off the worst extremes of the answer, repeat.
        Only planes that hold the current answer are kept, so at most four are ever in play.
        """
        if not (weights[0] > 0 and weights[1] > 0):
            raise InvalidCurve(f"weights {weights[0]:g} and {weights[1]:g} of the nearest heights must be positive")
        at, kept = heights, list[HalfPlane]()
        for _ in range(200):
            cuts = self.cuts(at)
            if not cuts:
                break
            planes = [*kept, *cuts]
            at, active = _project(heights, weights, planes)
            kept = [planes[i] for i in active]
        return at

    def box(self) -> tuple[Heights, Heights]:
        """The box of [TSO] Eqs. 8–9 inside the set: (lowest, highest) out height, (lowest, highest) in height.

        φ = 4/3·(lower − min), ψ = 4/3·(upper − max); out within [φ, ψ], in within [−ψ, −φ].
        """
        phi = 4.0 / 3.0 * (self.lower - min(self.start, self.end))
        psi = 4.0 / 3.0 * (self.upper - max(self.start, self.end))
        return (phi, psi), (-psi, -phi)

    def _flat(self, u: float) -> float:
        return self.start + (self.end - self.start) * u * u * (3.0 - 2.0 * u)

    def _scale(self, heights: Heights) -> float:
        return max(abs(self.start), abs(self.end), abs(heights[0]), abs(heights[1]), 1e-300)


def value_ranges(curve: Curve) -> Floats:
    """Exact (n−1, 2) lowest and highest values of all segments, ends included."""
    start, end = curve.values[:-1], curve.values[1:]
    low, high = np.minimum(start, end), np.maximum(start, end)
    bends = np.flatnonzero(curve.interpolations[:-1] == BEZIER)
    inner = low[bends], high[bends]
    limit_kernels.widen(curve.values, curve.ins, curve.outs, bends, *inner)
    low[bends], high[bends] = inner
    return np.stack([low, high], axis=-1)


@dataclass(frozen=True, slots=True)
class Breach:
    """A key, or the inside of the segment after a key, that lies outside its limits.

    `index` is the key's, `by` is positive above the upper limit and negative below the lower one.
    """

    where: Literal["key", "segment"]
    index: int
    time: float
    value: float
    by: float

    def __str__(self) -> str:
        side = "above the upper" if self.by > 0 else "below the lower"
        place = f"key {self.index}" if self.where == "key" else f"segment after key {self.index}"
        return f"{place} at {self.time:g} s: {self.value:g} is {abs(self.by):g} {side} limit"


def breaches(curve: Curve, lower: float, upper: float) -> tuple[Breach, ...]:
    """Where a curve lies outside its limits: every such key, and the worst points between keys, in time order.

    The inside of a segment is listed when it goes further out than both of its keys.
    """
    found: list[Breach] = []
    for k in range(len(curve)):
        value, time = float(curve.values[k]), float(curve.times[k])
        if by := _beyond(value, lower, upper):
            found.append(Breach("key", k, time, value, by))
        if k + 1 == len(curve) or curve.interpolations[k] != BEZIER:
            continue
        ends = (value, float(curve.values[k + 1]))
        for u, extreme in _extremes(curve, k):
            by = _beyond(extreme, lower, upper)
            if (by > 0 and extreme > max(ends)) or (by < 0 and extreme < min(ends)):
                found.append(Breach("segment", k, _time_at(curve, k, u), extreme, by))
    return tuple(found)


def _beyond(value: float, lower: float, upper: float) -> float:
    return max(0.0, value - upper) + min(0.0, value - lower)


def _extremes(curve: Curve, k: int) -> tuple[tuple[float, float], ...]:
    """(u, value) at the ends and interior extremes of a Bezier segment."""
    whole = HeightSet(float(curve.values[k]), float(curve.values[k + 1]))
    return whole.extremes((float(curve.outs[k, 1]), float(curve.ins[k + 1, 1])))


def _time_at(curve: Curve, k: int, u: float) -> float:
    v, (t0, t1) = 1.0 - u, curve.times[k : k + 2]
    handles = v * (t0 + curve.outs[k, 0]) + u * (t1 - curve.ins[k + 1, 0])
    return float(v**3 * t0 + 3.0 * u * v * handles + u**3 * t1)


def _project(heights: Heights, weights: Heights, planes: Sequence[HalfPlane]) -> tuple[Heights, tuple[int, ...]]:
    """The point nearest to `heights` in all half-planes, and which one or two of them hold it there.

    A nearest point in the plane is held by at most two lines; with so few planes, trying all is the simplest.
    """
    candidates: list[tuple[tuple[int, ...], Heights | None]] = [
        ((i,), _foot(heights, weights, plane)) for i, plane in enumerate(planes)
    ]
    candidates += [((i, j), _crossing(planes[i], planes[j])) for i, j in combinations(range(len(planes)), 2)]
    ranked: list[tuple[float, float, Heights, tuple[int, ...]]] = []
    for active, at in candidates:
        if at is None:
            continue
        outside = max((plane.excess(at) for i, plane in enumerate(planes) if i not in active), default=0.0)
        rounding = 1e-13 * max(abs(at[0]), abs(at[1]))
        distance = weights[0] * (at[0] - heights[0]) ** 2 + weights[1] * (at[1] - heights[1]) ** 2
        ranked.append((outside if outside > rounding else 0.0, distance, at, active))
    # The planes all hold (0, 0), so some candidate is feasible; rounding may hide that, then the least wrong one wins.
    _, _, at, active = min(ranked)
    return at, active


def _foot(heights: Heights, weights: Heights, plane: HalfPlane) -> Heights:
    """The foot of the perpendicular, in the weighted metric, on the plane's line."""
    step_out, step_in = plane.out / weights[0], plane.in_ / weights[1]
    t = plane.excess(heights) / (plane.out * step_out + plane.in_ * step_in)
    return heights[0] - t * step_out, heights[1] - t * step_in


def _crossing(a: HalfPlane, b: HalfPlane) -> Heights | None:
    determinant = a.out * b.in_ - a.in_ * b.out
    if determinant == 0.0:
        return None
    return (a.bound * b.in_ - a.in_ * b.bound) / determinant, (a.out * b.bound - a.bound * b.out) / determinant
