"""Sums of curves: what merging animation layers needs.

Two Bezier pieces over the same stretch of time add up exactly when time runs alike along both, that is when their
relative widths are equal: then handles add like values. A straight line or a hold fits any widths. So sums are
exact for tangents a third wide, for lines and for holds, and for any curve plus lines and holds. Elsewhere, and where a
term is multiplied by curves that are not level, the sum is no Bezier curve, and is subdivided until it misses by no
more than a tolerance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.curves import kernels
from inbetweener.curves.bundle import Bundle
from inbetweener.curves.curve import Curve
from inbetweener.curves.edit import slopes_agree
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR
from inbetweener.errors import InvalidCurve


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """m pieces between m + 1 cuts, times relative to each piece's length.

    starts, ends    (m,) values; an end is the limit from the left, which at a step is not the next start
    outs, ins       (m, 2) tangents, widths as a share of the piece
    held, bent      (m,) whether nothing moves in a piece, and whether it is a Bezier one; else it is a straight line
    """

    starts: Floats
    ends: Floats
    outs: Floats
    ins: Floats
    held: Bools
    bent: Bools

    @classmethod
    def of(cls, curve: Curve, cuts: Floats) -> Self:
        """The curve between the given times, which must include those of its keys that lie among them."""
        count = len(cuts) - 1
        segment = np.searchsorted(curve.times, cuts[:-1], side="right") - 1
        inside = (segment >= 0) & (segment < len(curve) - 1)
        k = np.clip(segment, 0, max(len(curve) - 2, 0))
        kinds = np.where(inside, curve.interpolations[k], CONSTANT)
        starts = np.where(segment < 0, curve.values[0], curve.values[np.maximum(segment, 0)])
        ends, outs, ins = starts.copy(), np.zeros((count, 2)), np.zeros((count, 2))
        moving = np.flatnonzero(kinds != CONSTANT)
        if len(moving):
            control, at = _control_points(curve, k[moving], cuts[moving], cuts[moving + 1], kinds[moving] == BEZIER)
            sub = np.stack([_polar(control, *at[:, [i, j, l]].T) for i, j, l in _CORNERS], axis=1)
            length = np.diff(cuts)[moving]
            starts[moving], ends[moving] = sub[:, 0, 1], sub[:, 3, 1]
            outs[moving], ins[moving] = sub[:, 1] - sub[:, 0], sub[:, 3] - sub[:, 2]
            outs[moving, 0] /= length
            ins[moving, 0] /= length
        return cls(frozen(starts), frozen(ends), frozen(outs), frozen(ins), kinds == CONSTANT, kinds == BEZIER)

    def is_level(self) -> Bools:
        """(m,) pieces of one value."""
        return (self.starts == self.ends) & (self.outs[:, 1] == 0.0) & (self.ins[:, 1] == 0.0)

    def start_slopes(self) -> Floats:
        """(m,) rise per piece length at the start of each piece, from the first control point that is apart."""
        return _first_slope(self.outs, self.ins, self.ends - self.starts)

    def end_slopes(self) -> Floats:
        """(m,) rise per piece length at the end of each piece."""
        return _first_slope(self.ins, self.outs, self.ends - self.starts)


_CORNERS = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1))
"""Which ends of a stretch the polar form of a cubic takes to give the stretch's own control points."""


def _control_points(curve: Curve, k: Ints, since: Floats, until: Floats, bezier: Bools) -> tuple[Floats, Floats]:
    """Control points (m, 4, 2) of the segments, times from their start, and parameters (m, 2) of each stretch."""
    length, rise = curve.times[k + 1] - curve.times[k], curve.values[k + 1] - curve.values[k]
    line = np.stack([length, rise], axis=-1) / 3.0
    outs = np.where(bezier[:, None], curve.outs[k], line)
    ins = np.where(bezier[:, None], curve.ins[k + 1], line)
    start = np.stack([np.zeros(len(k)), curve.values[k]], axis=-1)
    end = np.stack([length, curve.values[k + 1]], axis=-1)
    fractions = np.stack([since - curve.times[k], until - curve.times[k]], axis=-1) / length[:, None]
    parameters = np.empty_like(fractions)
    kernels.parameters(outs[:, 0] / length, ins[:, 0] / length, fractions, parameters)
    return np.stack([start, start + outs, end - ins, end], axis=1), parameters


def _polar(control: Floats, u: Floats, v: Floats, w: Floats) -> Floats:
    """The polar form of cubics (m, 4, 2): de Casteljau with another parameter at each level."""
    row = control
    for parameter in (u, v, w):
        t = parameter[:, None, None]
        row = (1.0 - t) * row[:, :-1] + t * row[:, 1:]
    return row[:, 0]


def _first_slope(near: Floats, far: Floats, rise: Floats) -> Floats:
    # A handle without width leaves the direction to the next control point, and that one to the far key.
    across = np.stack([1.0 - far[:, 0], rise - far[:, 1]], axis=-1)
    whole = np.stack([np.ones(len(rise)), rise], axis=-1)
    step = np.where(near[:, :1] > 0, near, np.where(across[:, :1] > 0, across, whole))
    return step[:, 1] / step[:, 0]


STEP_SHARE = 1e-6
"""A step on top of something moving is drawn within this share of the stretch before it: keys hold one value each."""

DEPTH = 26
"""How often a piece is halved at most; where the sum is vertical, the rest is less than any frame."""


Term = tuple[float, *tuple[Curve, ...]]
"""A weight, the curve that it weighs, and further curves that both are multiplied by."""


def weighted_sum(terms: Sequence[Term], tolerance: float = 1e-4) -> Curve:
    """The curve of Σ weight·value over all terms, times their factors; within `tolerance` where it cannot be exact."""
    if not terms:
        raise InvalidCurve("a sum needs at least one curve")
    if not tolerance > 0:
        raise InvalidCurve(f"a sum needs a tolerance above zero, not {tolerance:g}")
    curves = [curve for _, *each in terms for curve in each]
    cuts, frozen_before = _cuts(curves)
    if len(cuts) == 1:
        values = [weight * math.prod(float(curve.values[0]) for curve in each) for weight, *each in terms]
        return Curve.constant(sum(values), float(cuts[0]))
    total = _Sum(cuts, terms, frozen_before)
    rows = _Rows()
    same = total.same_widths()
    rough = _subdivided(total, np.flatnonzero(~same), tolerance)
    for i in range(len(cuts) - 1):
        if same[i]:
            rows.add(cuts[i], *total.exact(i))
        else:
            for row in rough[i]:
                rows.add(*row)
    return rows.curve(cuts[-1], total.last_value())


class _Sum:
    """All terms cut at the same times, and what is exact about their sum.

    pieces, products  of every term its curve and the curves it is multiplied by
    weights           (m, terms) by how much each term's curve counts in a piece, its factors being level there
    """

    def __init__(self, cuts: Floats, terms: Sequence[Term], frozen_before: Bools) -> None:
        self.cuts, self.lengths = cuts, np.diff(cuts)
        self.scales = np.array([scale for scale, *_ in terms])
        self.counts = [len(curves) for _, *curves in terms]
        self.bundle = Bundle.of([curve for _, *curves in terms for curve in curves])
        self.products = [[Pieces.of(curve, cuts) for curve in curves] for _, *curves in terms]
        self.pieces = [each[0] for each in self.products]
        level = [[p.held | p.is_level() for p in each[1:]] for each in self.products]
        self.level = np.all([np.ones(len(self.lengths), np.bool_), *(each for some in level for each in some)], axis=0)
        factors = [
            np.prod([np.ones(len(self.lengths)), *(p.starts for p in each[1:])], axis=0) for each in self.products
        ]
        self.weights = self.scales * np.stack(factors, axis=1)
        firsts, lasts = self.end_motions()
        self.starts, self.ends = firsts[:, 0], lasts[:, 0]
        held = [p.held for each in self.products for p in each]
        self.held = np.all(held, axis=0) | frozen_before
        self.bent = np.any([p.bent for p in self.pieces], axis=0) & ~self.held

    def same_widths(self) -> Bools:
        """Pieces (m,) where time runs alike along every bent term, so that the sum is exact."""
        lowest, highest = np.full((2, len(self.lengths), 2), np.nan)
        for piece in self.pieces:
            widths = np.where(piece.bent[:, None], np.stack([piece.outs[:, 0], piece.ins[:, 0]], -1), np.nan)
            lowest, highest = np.fmin(lowest, widths), np.fmax(highest, widths)
        self.widths = np.where(np.isnan(lowest), 1.0 / 3.0, lowest)
        return self.held | (self.level & ~(highest - lowest > 1e-9).any(axis=1))

    def exact(self, i: int) -> tuple[float, Floats, Floats, int]:
        """Start value, out and in tangent and kind of piece i of the sum."""
        kind = CONSTANT if self.held[i] else BEZIER if self.bent[i] else LINEAR
        out, in_ = np.zeros(2), np.zeros(2)
        if kind != CONSTANT:
            out[0], in_[0] = self.widths[i]
            for weight, piece in zip(self.weights[i], self.pieces, strict=True):
                # Lines and holds take on the widths of the others.
                rise = piece.ends[i] - piece.starts[i]
                out[1] += weight * (piece.outs[i, 1] if piece.bent[i] else rise * out[0])
                in_[1] += weight * (piece.ins[i, 1] if piece.bent[i] else rise * in_[0])
        stretch = np.array([self.lengths[i], 1.0])
        return self.starts[i], out * stretch, in_ * stretch, kind

    def end_motions(self) -> tuple[Floats, Floats]:
        """(m, 2) value and slope of the sum at the start and, from the left, at the end of each piece."""
        every = [piece for each in self.products for piece in each]
        first = np.stack([np.stack([p.starts, p.start_slopes() / self.lengths], axis=-1) for p in every], axis=1)
        last = np.stack([np.stack([p.ends, p.end_slopes() / self.lengths], axis=-1) for p in every], axis=1)
        return self._summed(first), self._summed(last)

    def motion(self, at: Floats) -> Floats:
        """(value, slope) (T, 2) of the sum within pieces."""
        return self._summed(self.bundle.evaluate_motion(at)[..., :2])

    def values(self, at: Floats) -> Floats:
        """Values (T,) of the sum."""
        return self._summed(self.bundle.evaluate(at)[..., None])[:, 0]

    def last_value(self) -> float:
        """The value on the last key."""
        return float(self.values(self.cuts[-1:])[0])

    def _summed(self, curves: Floats) -> Floats:
        """The sum (T, orders) of all terms, each a product of its curves (T, n, orders): values, slopes."""
        total, n = np.zeros((len(curves), curves.shape[2])), 0
        for scale, count in zip(self.scales, self.counts, strict=True):
            made = curves[:, n]
            for factor in range(n + 1, n + count):
                by = curves[:, factor]
                slope = made[:, 1:] * by[:, :1] + made[:, :1] * by[:, 1:]
                made = np.concatenate([made[:, :1] * by[:, :1], slope], axis=1)
            total += scale * made
            n += count
        return total


@dataclass(slots=True)
class _Rows:
    """Keys in the making: a piece sets its own start, its out tangent, and the in tangent of the key to come."""

    times: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    outs: list[Floats] = field(default_factory=list)
    ins: list[Floats] = field(default_factory=lambda: [np.zeros(2)])
    kinds: list[int] = field(default_factory=list)

    def add(self, time: float, value: float, out: Floats, in_: Floats, kind: int) -> None:
        self.times.append(time)
        self.values.append(value)
        self.outs.append(out)
        self.ins.append(in_)
        self.kinds.append(kind)

    def curve(self, time: float, value: float) -> Curve:
        """The curve, closed by a last key."""
        ins, outs = np.array(self.ins), np.array([*self.outs, np.zeros(2)])
        kinds = np.array([*self.kinds, BEZIER], np.uint8)
        return Curve(
            np.array([*self.times, time]), np.array([*self.values, value]), ins, outs, kinds, slopes_agree(ins, outs)
        )


def _cuts(curves: Sequence[Curve]) -> tuple[Floats, Bools]:
    """All key times, one more just before each step that something else moves into; and which pieces those cut off."""
    cuts = np.unique(np.concatenate([curve.times for curve in curves]))
    if len(cuts) == 1:
        return cuts, np.zeros(0, np.bool_)
    pieces = [Pieces.of(curve, cuts) for curve in curves]
    steps = np.zeros(len(cuts) - 1, np.bool_)
    for piece in pieces:
        steps[:-1] |= piece.held[:-1] & (piece.ends[:-1] != piece.starts[1:])
    for piece, curve in zip(pieces, curves, strict=True):
        steps[-1] |= bool(piece.held[-1]) and piece.ends[-1] != curve.values[-1] and curve.times[-1] == cuts[-1]
    steps &= ~np.all([piece.held for piece in pieces], axis=0)
    before = cuts[1:][steps] - STEP_SHARE * np.diff(cuts)[steps]
    finer = np.unique(np.concatenate([cuts, before]))
    return finer, np.isin(finer[:-1], before)


_FRACTIONS = np.arange(1, 16) / 16.0
_Row = tuple[float, float, Floats, Floats, int]


def _subdivided(total: _Sum, pieces: Ints, tolerance: float) -> dict[int, list[_Row]]:
    """Pieces of the sum as rows of shorter ones, halved until each is near enough to the cubic of its ends."""
    done: dict[int, list[_Row]] = {int(i): [] for i in pieces}
    firsts, lasts = total.end_motions()
    todo = [(int(i), total.cuts[i], total.cuts[i + 1], firsts[i], lasts[i]) for i in pieces]
    for depth in range(DEPTH + 1):
        if not todo:
            break
        since, until = np.array([row[1] for row in todo]), np.array([row[2] for row in todo])
        ends = np.array([(row[3], row[4]) for row in todo])  # (rows, start or end, value or slope)
        at = since[:, None] + (until - since)[:, None] * _FRACTIONS
        missed = np.abs(_hermite(until - since, ends) - total.values(at.ravel()).reshape(at.shape)).max(axis=1)
        middle = 0.5 * (since + until)
        motions = total.motion(middle)
        halves = []
        for n, (i, start, end, first, last) in enumerate(todo):
            # A little is kept back for what happens between the places that were looked at.
            if missed[n] <= 0.9 * tolerance:
                third = (end - start) / 3.0
                row = np.array([third, third * first[1]]), np.array([third, third * last[1]])
                done[i].append((start, first[0], *row, BEZIER))
            elif depth == DEPTH:
                done[i].append((start, first[0], np.zeros(2), np.zeros(2), LINEAR))
            else:
                halves += [(i, start, middle[n], first, motions[n]), (i, middle[n], end, motions[n], last)]
        todo = halves
    return {i: sorted(rows, key=lambda row: row[0]) for i, rows in done.items()}


def _hermite(lengths: Floats, ends: Floats) -> Floats:
    """Values (rows, 15) of the cubics with given values and slopes at both ends, at the fractions looked at."""
    s, v = _FRACTIONS, 1.0 - _FRACTIONS
    values, heights = ends[:, :, 0], ends[:, :, 1] * lengths[:, None]
    level = values[:, :1] * v * v * (1.0 + 2.0 * s) + values[:, 1:] * s * s * (3.0 - 2.0 * s)
    return level + s * v * (v * heights[:, :1] - s * heights[:, 1:])
