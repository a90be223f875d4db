"""A chain of clothoids near the points of a stroke: where it starts from, how it gets nearer, where it needs knots."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen, stacked_offsets
from inbetweener.posing.strokes.clean import arc_lengths
from inbetweener.posing.strokes.clothoids import kernels
from inbetweener.posing.strokes.curve import StrokeCurve

CHORD = 0.03
"""Half the length of the chords whose directions are the first guess, in sizes of the stroke."""
ASTRAY = 0.2
"""Radians rms by which the headings of a first guess may be off: from there the fit finds the way by itself."""
LEAST_POINTS = 4
"""A segment is not halved when it has fewer points than twice these."""


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points (n, 2) of a stroke of size one; pieces go from bounds[p] to bounds[p + 1]."""

    places: Floats
    weights: Floats
    bounds: Ints

    @classmethod
    def of(cls, places: Floats, corners: Ints, pressed: Floats | None = None) -> Self:
        """Points that count what is given, times the length that each stands for: an uneven pace must not matter."""
        gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        weights = 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps)) / gaps.sum()
        if pressed is not None:
            # A pen is light as it comes down and as it lifts, wherever that is: it says nothing of the ends.
            weights[1:-1] *= pressed[1:-1]
        # Where a stroke begins and ends is meant, and half a gap would be little for it.
        weights[[0, -1]] *= 4.0
        # The point of a corner is seldom its tip, which the pieces on both sides know better.
        weights[corners] *= 0.1
        return cls(places, weights, np.concatenate([[0], corners, [len(places) - 1]]).astype(np.int64))

    @property
    def pieces(self) -> int:
        """How many smooth pieces there are."""
        return len(self.bounds) - 1

    @property
    def corners(self) -> Ints:
        """Indices of the points where pieces meet."""
        return self.bounds[1:-1]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Parameters as `kernels` orders them, knots as fractions of their piece, and the feet of the points."""

    points: Points
    fractions: tuple[Floats, ...]
    parameters: Floats
    along: Floats
    offs: Floats

    @classmethod
    def guess(cls, points: Points) -> Self:
        """As few even segments as give the headings of the polygon, so that nothing goes astray from there."""
        lengths, heads, tails, bends, fractions = [], [], [], [], []
        along = np.zeros(len(points.places))
        for p in range(points.pieces):
            first, last = points.bounds[p], points.bounds[p + 1]
            s = arc_lengths(points.places[first : last + 1])
            along[first + 1 : last + 1] = s[1:] / s[-1]
            knots, heading, found = _heading_fit(points.places[first : last + 1], s)
            lengths.append(s[-1])
            heads.append(heading)
            tails.append(heading + float(np.trapezoid(found, knots)) * s[-1])
            bends.append(found)
            fractions.append(knots)
        turns = [
            (head - tail + np.pi) % (2.0 * np.pi) - np.pi for tail, head in zip(tails[:-1], heads[1:], strict=True)
        ]
        parameters = np.concatenate([points.places[0], heads[:1], lengths, turns, *bends])
        return cls(points, tuple(fractions), parameters, along, np.zeros(len(along)))

    def improved(self, stiffness: float, *, rounds: int = 20, least_gain: float = 1e-4, tied: bool = False) -> Self:
        """Nearer to the points, round by round as long as that gains something.

        `tied` keeps every point's place on the chain, which is safe when it is far off.
        """
        points, parameters, along = self.points, self.parameters.copy(), self.along.copy()
        offs = np.empty(len(along))
        kernels.improve(self.stroke(stiffness, tied=tied), rounds, least_gain, parameters, along, offs)
        return type(self)(points, self.fractions, parameters, along, offs)

    def stroke(self, stiffness: float, *, tied: bool) -> kernels.Stroke:
        """What it shall come near, as kernels read it."""
        points, knots = self.points, frozen(self._knots, np.int64)
        given = frozen(points.places), frozen(points.weights), frozen(points.bounds, np.int64)
        return kernels.Stroke(*given, frozen(np.concatenate(self.fractions)), knots, stiffness, tied)

    @property
    def _knots(self) -> Ints:
        return stacked_offsets(len(each) for each in self.fractions)

    @property
    def mean_square(self) -> float:
        """Of the distances of the points, each counting as its weight."""
        weights = self.points.weights
        return float(weights @ self.offs / weights.sum())

    @property
    def turns(self) -> Floats:
        """By how much the heading jumps at each corner, −π to π."""
        pieces = self.points.pieces
        return (self.parameters[3 + pieces : 2 + 2 * pieces] + np.pi) % (2.0 * np.pi) - np.pi

    def refined(self) -> Self | None:
        """The same curve with the segments that are farthest from their points halved; none where all are short."""
        points, knots, pieces = self.points, self._knots, self.points.pieces
        bends = self.parameters[2 + 2 * pieces :]
        energy: list[Floats] = []
        for p, fractions in enumerate(self.fractions):
            members = np.arange(points.bounds[p] + 1, points.bounds[p + 1])
            segment = np.clip(np.searchsorted(fractions, self.along[members], side="right") - 1, 0, len(fractions) - 2)
            count = len(fractions) - 1
            total = np.bincount(segment, points.weights[members] * self.offs[members], count).astype(np.float64)
            total[np.bincount(segment, minlength=count) < 2 * LEAST_POINTS] = -1.0
            energy.append(total)
        worst = max(float(each.max()) for each in energy)
        if worst < 0.0:
            return None
        made_fractions, made_bends = [], []
        for p, fractions in enumerate(self.fractions):
            middles = 0.5 * (fractions[1:] + fractions[:-1])[energy[p] >= 0.5 * worst]
            finer = np.sort(np.concatenate([fractions, middles]))
            made_fractions.append(finer)
            made_bends.append(np.interp(finer, fractions, bends[knots[p] : knots[p + 1]]))
        parameters = np.concatenate([self.parameters[: 2 + 2 * pieces], *made_bends])
        return type(self)(points, tuple(made_fractions), parameters, self.along, self.offs)

    def curve(self, middle: Floats, size: float) -> StrokeCurve:
        """The chain as a curve, in the unit of the stroke as it was drawn."""
        pieces = self.points.pieces
        lengths = self.parameters[3 : 3 + pieces] * size
        starts = np.concatenate([[0.0], np.cumsum(lengths)])
        knots = np.concatenate([starts[p] + f * (starts[p + 1] - starts[p]) for p, f in enumerate(self.fractions)])
        # A corner is one arc length that stands twice, to the bit.
        joins = self._knots[1:-1]
        knots[joins - 1] = knots[joins]
        return StrokeCurve(
            middle + size * self.parameters[:2],
            float(self.parameters[2]),
            knots,
            self.parameters[2 + 2 * pieces :] / size,
            self.turns,
            size * float(np.sqrt(self.mean_square)),
        )


def _heading_fit(points: Floats, s: Floats) -> tuple[Floats, float, Floats]:
    """Fractions of the knots, start heading and curvatures, by least squares on the directions of chords."""
    length = s[-1]
    reach = min(CHORD, 0.25 * length)
    at = np.linspace(reach, length - reach, max(8, int(np.ceil(2.0 * length / CHORD))) + 1)
    ends = [np.stack([np.interp(each, s, points[:, i]) for i in (0, 1)], axis=1) for each in (at - reach, at + reach)]
    chord = ends[1] - ends[0]
    seen = np.unwrap(np.arctan2(chord[:, 1], chord[:, 0]))
    room, segments = min(len(points) // LEAST_POINTS, len(at) // 4), 1
    while True:
        fractions = np.linspace(0.0, 1.0, segments + 1)
        rows = np.column_stack([np.ones(len(at)), length * _turned(at / length, fractions)])
        found = np.linalg.lstsq(rows, seen, rcond=None)[0]
        if np.sqrt(np.mean((rows @ found - seen) ** 2)) <= ASTRAY or 2 * segments > room:
            return fractions, float(found[0]), found[1:]
        segments *= 2


def _turned(at: Floats, fractions: Floats) -> Floats:
    """How far (n, K) a curve of length one has turned at places (n,) for curvature one at one of its knots (K,)."""
    widths = np.diff(fractions)
    inside = np.clip((at[:, None] - fractions[:-1]) / widths, 0.0, 1.0)
    turned = np.zeros((len(at), len(fractions)))
    turned[:, :-1] += widths * (inside - 0.5 * inside * inside)
    turned[:, 1:] += widths * (0.5 * inside * inside)
    return turned
