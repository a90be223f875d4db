"""A stroke as a curve: clothoids end to end, so that heading and curvature are known everywhere."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen

CELL_TURN = 0.5
"""Radians within one cell at most: there, eight points of Gauss are exact to rounding."""

_AT, _SHARE = (0.5 * (np.polynomial.legendre.leggauss(8)[0] + 1.0), 0.5 * np.polynomial.legendre.leggauss(8)[1])


@dataclass(frozen=True, eq=False)
class StrokeCurve:
    """A plane curve whose curvature is linear in arc length between knots and continuous but at corners.

    start       (2,) where it begins, in the unit of the points
    heading     of its start: radians from +x, counter-clockwise
    knots       (K,) arc lengths, ascending from 0; a corner stands twice, once for either side
    bends       (K,) curvatures at the knots, radians per unit; positive turns left
    turns       (C,) by how much the heading jumps at each corner, −π to π
    error       rms distance of the cleaned points from the curve, in their unit, each counting for its stretch

    Arc lengths below 0 mean the start, those beyond `length` the end.
    """

    start: Floats
    heading: float
    knots: Floats
    bends: Floats
    turns: Floats
    error: float

    def __post_init__(self) -> None:
        for name in ("start", "knots", "bends", "turns"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def length(self) -> float:
        """Arc length from end to end."""
        return float(self.knots[-1])

    @property
    def corners(self) -> Floats:
        """Arc lengths (C,) of the corners, ascending."""
        return self.knots[1:][np.diff(self.knots) == 0.0]

    def positions(self, s: npt.ArrayLike) -> Floats:
        """Where the curve is (n, 2) at arc lengths (n,)."""
        s, cell = self._located(s)
        return self._cells.positions[cell] + self._cells.way(cell, s - self._cells.starts[cell])

    def headings(self, s: npt.ArrayLike) -> Floats:
        """Which way it goes (n,) at arc lengths (n,): radians that never wrap, so that a loop adds 2π.

        At a corner: which way it goes on.
        """
        s, cell = self._located(s)
        return self._cells.heading(cell, s - self._cells.starts[cell])

    def curvatures(self, s: npt.ArrayLike) -> Floats:
        """Radians per unit (n,) at arc lengths (n,); at a corner, those after it."""
        s, cell = self._located(s)
        return self._cells.curvatures[cell] + self._cells.slopes[cell] * (s - self._cells.starts[cell])

    @cached_property
    def _cells(self) -> "_Cells":
        return _Cells.of(self)

    def _located(self, s: npt.ArrayLike) -> tuple[Floats, npt.NDArray[np.intp]]:
        within = np.clip(np.atleast_1d(np.asarray(s, np.float64)), 0.0, self.length)
        cell = np.searchsorted(self._cells.starts, within, side="right") - 1
        return within, cell


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The curve cut into stretches that turn little: what it is at the start of each."""

    starts: Floats
    positions: Floats
    headings: Floats
    curvatures: Floats
    slopes: Floats

    @classmethod
    def of(cls, curve: StrokeCurve) -> "_Cells":
        knots, curvatures = curve.knots, curve.bends
        lengths = np.diff(knots)
        within = lengths > 0.0
        largest = np.maximum(np.abs(curvatures[:-1]), np.abs(curvatures[1:]))
        counts = np.where(within, np.ceil(largest * lengths / CELL_TURN).clip(1), 0).astype(np.int64)
        # Headings at the knots: the integral of curvature, and the jumps at corners.
        turned = 0.5 * (curvatures[:-1] + curvatures[1:]) * lengths
        turned[~within] = curve.turns
        at_knots = curve.heading + np.concatenate([[0.0], np.cumsum(turned)])
        segment = np.repeat(np.arange(len(lengths)), counts)
        step = np.repeat(lengths / np.maximum(counts, 1), counts)
        nth = np.arange(len(segment)) - np.repeat(np.cumsum(counts) - counts, counts)
        offset = nth * step
        slope = np.divide(np.diff(curvatures), lengths, out=np.zeros_like(lengths), where=within)[segment]
        made = cls(
            knots[segment] + offset,
            np.zeros((len(segment), 2)),
            at_knots[segment] + (curvatures[segment] + 0.5 * slope * offset) * offset,
            curvatures[segment] + slope * offset,
            slope,
        )
        ways = made.way(np.arange(len(segment)), step)
        made.positions[0] = curve.start
        made.positions[1:] = curve.start + np.cumsum(ways[:-1], axis=0)
        return made

    def heading(self, cell: npt.NDArray[np.intp], along: Floats) -> Floats:
        """Radians a little way into each cell."""
        return self.headings[cell] + (self.curvatures[cell] + 0.5 * self.slopes[cell] * along) * along

    def way(self, cell: npt.NDArray[np.intp], along: Floats) -> Floats:
        """The vector (n, 2) from the start of each cell to a place in it: the integral of (cos, sin) of the heading."""
        u = along[:, None] * _AT
        angle = self.headings[cell, None] + (self.curvatures[cell, None] + 0.5 * self.slopes[cell, None] * u) * u
        return along[:, None] * np.stack([np.cos(angle) @ _SHARE, np.sin(angle) @ _SHARE], axis=1)
