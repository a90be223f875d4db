"""A curve cut at given times: every stretch between two cuts as a Bezier piece of its own."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.curves import kernels
from inbetweener.curves.curve import Curve
from inbetweener.curves.key import BEZIER, CONSTANT


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
