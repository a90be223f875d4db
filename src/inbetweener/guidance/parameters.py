"""The tangents that guidance may change, as one vector of plain numbers, and back ([OM] Eqs. 1–2).

A tied key has three: the widths of its in and out tangents, as shares of their segments, and the slope they have in
common. A broken key has two slopes. In a seamless loop, the last key of a curve goes on as its first: they have one
slope. Slopes are counted in radians — or heights of the character — over the mean length of the segments beside the
key. Tangents that touch no Bezier segment have no effect, and no parameter.

Parameters are numbered by when they cease to matter. A tangent touches the two segments beside its key, so each
meets few of those before it, whatever the length of the clip: all from the first that ends after it has begun.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, read_only
from inbetweener.curves import BEZIER, Bundle, Curve
from inbetweener.curves.curve import with_tangents
from inbetweener.curves.seam import passes, seam_slopes
from inbetweener.curves.widths import MARGIN, slack
from inbetweener.guidance import kernels
from inbetweener.rig import Channel

LEAST_WIDTH, MOST_WIDTH = 0.15, 0.65
"""Widths that guidance makes, as shares of a segment: beyond them, bursts hide between the Gauss nodes."""

STEEPEST = 6.0
"""Slopes that guidance makes: radians, or heights, over the mean length of the segments beside a key."""

Frozen = frozenset[tuple[str, int]]
"""Keys whose tangents stay, as (channel, number of the key)."""

Loop = tuple[float, float]
"""When a clip that loops starts and ends, in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Parameters:
    """C curves with N keys in all, P parameters.

    bundle           the curves before
    indices          (N, 4) which parameter is the width and the slope of the out tangent, the width and the slope of
                     the in tangent; −1 for none
    slopes           (N,) slope = parameter × slopes, in the curve's unit per second
    lengths          (N, 2) of the segments after and before each key, nought at the ends
    start            (P,) parameters before; lower, upper (P,)
    owners           (P,) the curve of each parameter; is_width (P,)
    firsts           (P,) the first parameter that matters at a moment at which each of them does
    """

    bundle: Bundle
    indices: Ints
    slopes: Floats
    lengths: Floats
    start: Floats
    lower: Floats
    upper: Floats
    owners: Ints
    is_width: Bools
    firsts: Ints

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(
        cls, curves: Sequence[Curve], channels: Sequence[Channel], height: float,
        start: float = -np.inf, end: float = np.inf, frozen_keys: Frozen = frozenset(), loop: Loop | None = None,
    ) -> Self:  # fmt: skip
        """The parameters of all keys from start to end seconds, except frozen ones; `height` of the character.

        `loop` says from when to when the curves go round.
        """
        bundle = Bundle.of(curves)
        count = len(bundle.times)
        indices, slopes, lengths = np.full((count, 4), -1, np.int64), np.ones(count), np.zeros((count, 2))
        values: list[float] = []
        low: list[float] = []
        high: list[float] = []
        owners: list[int] = []
        kinds: list[bool] = []

        def add(owner: int, value: float, within: tuple[float, float], is_width: bool) -> int:
            values.append(value)
            low.append(within[0])
            high.append(within[1])
            owners.append(owner)
            kinds.append(is_width)
            return len(values) - 1

        for c, (curve, channel) in enumerate(zip(curves, channels, strict=True)):
            first = int(bundle.starts[c])
            steps = np.diff(curve.times)
            bounds = _width_bounds(curve)
            unit = height if channel.kind == "translation" else 1.0
            last = first + len(curve) - 1
            stays = [
                not start - 1e-9 <= time <= end + 1e-9 or (channel.name, k) in frozen_keys
                for k, time in enumerate(curve.times)
            ]
            seam = seam_slopes(curve, *loop) if loop is not None else None
            round_ = seam is not None and passes(seam)
            if round_ and (stays[0] or stays[-1]):
                stays[0] = stays[-1] = True
            for k in range(len(curve)):
                n = first + k
                lengths[n] = steps[k] if k < len(steps) else 0.0, steps[k - 1] if k > 0 else 0.0
                beside = steps[[0, -1]] if round_ and n in (first, last) else lengths[n][lengths[n] > 0]
                slopes[n] = unit / (beside.mean() if len(steps) else 1.0)
                if stays[k]:
                    continue
                out, in_ = _is_alive(curve, k), k > 0 and _is_alive(curve, k - 1, arriving=True)
                slope = [
                    tangent[1] / tangent[0] / slopes[n] if alive else 0.0
                    for tangent, alive in ((curve.outs[k], out), (curve.ins[k], in_))
                ]
                if out:
                    indices[n, 0] = add(c, curve.outs[k, 0] / steps[k], bounds[k][0], True)
                    indices[n, 1] = add(c, slope[0], _slope_bounds(slope[0]), False)
                if in_:
                    indices[n, 2] = add(c, curve.ins[k, 0] / steps[k - 1], bounds[k - 1][1], True)
                    if out and curve.tied[k]:
                        indices[n, 3] = indices[n, 1]
                    elif round_ and n == last:
                        indices[n, 3] = indices[first, 1]
                    else:
                        indices[n, 3] = add(c, slope[1], _slope_bounds(slope[1]), False)
        order, firsts = _in_time(indices, bundle.times, lengths, len(values))
        places = np.append(np.argsort(order), -1)
        return cls(
            bundle,
            frozen(places[indices], np.int64),
            frozen(slopes),
            frozen(lengths),
            frozen(np.array(values)[order]),
            frozen(np.array(low)[order]),
            frozen(np.array(high)[order]),
            frozen(np.array(owners)[order], np.int64),
            frozen(np.array(kinds)[order], np.bool_),
            frozen(firsts, np.int64),
        )

    @property
    def shortest(self) -> float:
        """Seconds of the shortest segment beside a key whose tangents may change."""
        lengths = self.lengths[(self.indices >= 0).any(axis=1)]
        return float(lengths[lengths > 0].min())

    @property
    def span(self) -> tuple[float, float]:
        """The stretch of time in which anything can change."""
        times, free = self.bundle.times, self.indices >= 0
        outs, ins = free[:, :2].any(axis=1), free[:, 2:].any(axis=1)
        starts = np.concatenate([times[outs], (times - self.lengths[:, 1])[ins]])
        ends = np.concatenate([(times + self.lengths[:, 0])[outs], times[ins]])
        return float(starts.min()), float(ends.max())

    def tangents(self, x: Floats) -> tuple[Floats, Floats]:
        """Ins and outs (N, 2) of all keys for parameters x (P,); what has no parameter is as it was."""
        outs, ins = self.bundle.outs.copy(), self.bundle.ins.copy()
        for tangents, first, side in ((outs, 0, 0), (ins, 2, 1)):
            width, slope = self.indices[:, first], self.indices[:, first + 1]
            n = np.flatnonzero(width >= 0)
            # What has not changed keeps its very bits: rounding must not look like an edit.
            moved = n[(x[width[n]] != self.start[width[n]]) | (x[slope[n]] != self.start[slope[n]])]
            tangents[moved, 0] = x[width[moved]] * self.lengths[moved, side]
            tangents[moved, 1] = x[slope[moved]] * self.slopes[moved] * tangents[moved, 0]
        return ins, outs

    def changed(self, curves: Sequence[Curve], x: Floats) -> tuple[Curve, ...]:
        """The same curves with the tangents that x describes."""
        ins, outs = self.tangents(x)
        edges = self.bundle.starts
        pieces = [slice(a, b) for a, b in pairwise(edges)]
        return with_tangents(curves, [ins[p].copy() for p in pieces], [outs[p].copy() for p in pieces])

    def motion(self, x: Floats, times: Floats) -> tuple[Floats, Floats, Ints]:
        """Value, velocity, acceleration, jerk (T, C, 4), their derivatives (T, C, 4, 4) by local parameters, and which
        parameters these are (T, C, 4), −1 for none.
        """
        bundle, (ins, outs) = self.bundle, self.tangents(x)
        count = len(bundle)
        motion, segments = np.empty((len(times), count, 4)), np.empty((len(times), count), np.int64)
        derivatives = np.empty((len(times), count, 4, 4))
        keys = bundle.keys._replace(ins=read_only(ins), outs=read_only(outs))
        kernels.differentiate(keys, self.slopes, times, motion, segments, derivatives)
        return motion, derivatives, self.local_indices(segments)

    def local_indices(self, segments: Ints) -> Ints:
        """The parameters (T, C, 4) of the segments (T, C) that start at the given keys."""
        k = np.maximum(segments, 0)
        after = np.minimum(k + 1, len(self.indices) - 1)
        found = np.concatenate([self.indices[k, :2], self.indices[after, 2:]], axis=-1)
        return np.ascontiguousarray(np.where(segments[..., None] >= 0, found, -1))


def _in_time(indices: Ints, times: Floats, lengths: Floats, count: int) -> tuple[Ints, Ints]:
    """The order (P,) of parameters by when they end, and the first (P,) in it that each of them meets."""
    n, side = np.nonzero(indices >= 0)
    own = indices[n, side]
    begins, ends = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(begins, own, np.where(side < 2, times[n], times[n] - lengths[n, 1]).round(9))
    np.maximum.at(ends, own, np.where(side < 2, times[n] + lengths[n, 0], times[n]).round(9))
    order = np.argsort(ends, kind="stable")
    return order, np.searchsorted(ends[order], begins[order], side="right")


def _is_alive(curve: Curve, k: int, *, arriving: bool = False) -> bool:
    """Whether the tangent at the start, or at the end, of segment k exists and shapes it."""
    if k >= len(curve) - 1 or curve.interpolations[k] != BEZIER:
        return False
    width = curve.ins[k + 1, 0] if arriving else curve.outs[k, 0]
    return bool(width > 1e-9 * (curve.times[k + 1] - curve.times[k]))


def _slope_bounds(now: float) -> tuple[float, float]:
    """The same both ways, and twice as steep as what is there already."""
    most = max(STEEPEST, 2.0 * abs(now))
    return -most, most


def _width_bounds(curve: Curve) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """For each segment, the least and greatest width of its out and of its in tangent; what is there always fits."""
    found = []
    for k, step in enumerate(np.diff(curve.times)):
        now = np.array([curve.outs[k, 0], curve.ins[k + 1, 0]]) / step
        low, high = np.minimum(LEAST_WIDTH, now), np.maximum(MOST_WIDTH, now)
        corners = ((high[0], high[1]), (low[0], high[1]), (high[0], low[1]))
        if min(float(slack(a, b)) for a, b in corners) < MARGIN:
            # Overlong tangents: another width beside them could make time run backwards.
            low, high = now, now
        found.append(((float(low[0]), float(high[0])), (float(low[1]), float(high[1]))))
    return found
