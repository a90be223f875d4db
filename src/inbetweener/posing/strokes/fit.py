"""From the points of a stroke to the curve that was meant."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.posing.strokes.clean import arc_lengths, cleaned
from inbetweener.posing.strokes.curve import StrokeCurve

PIECES = 8


def fit_stroke(points: npt.ArrayLike, *, smoothing: float = 1.0) -> StrokeCurve:
    """The curve through the noisy points (n, 2) of a stroke, in their order and unit.

    More `smoothing` gives fewer, longer clothoids that stay farther from the points. Raises `InvalidStroke` where the
    points make no stroke.
    """
    clean = cleaned(points)
    s = arc_lengths(clean)
    knots = np.linspace(0.0, s[-1], PIECES + 1)
    heading, bends = _from_headings(clean, s, knots)
    curve = StrokeCurve(clean[0], heading, knots, bends, np.zeros(0), 0.0)
    off = clean.mean(axis=0) - curve.positions(s).mean(axis=0)
    error = float(np.sqrt(((curve.positions(s) + off - clean) ** 2).sum(axis=1).mean()))
    return StrokeCurve(clean[0] + off, heading, knots, bends, np.zeros(0), error)


def _from_headings(points: Floats, s: Floats, knots: Floats) -> tuple[float, Floats]:
    """The start heading and curvatures at the knots whose headings come nearest to those of the polygon."""
    steps = np.diff(points, axis=0)
    seen = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    middle = 0.5 * (s[1:] + s[:-1])
    fine = np.linspace(0.0, knots[-1], 16 * len(knots) + 1)
    hats = np.stack([np.interp(fine, knots, row) for row in np.eye(len(knots))], axis=1)
    grown = np.concatenate([np.zeros((1, len(knots))), np.cumsum(0.5 * (hats[1:] + hats[:-1]), axis=0) * fine[1]])
    basis = np.stack([np.interp(middle, fine, column) for column in grown.T], axis=1)
    rows = np.concatenate([np.ones((len(middle), 1)), basis], axis=1) * np.sqrt(np.diff(s))[:, None]
    found = np.linalg.lstsq(rows, seen * np.sqrt(np.diff(s)), rcond=None)[0]
    return float(found[0]), found[1:]
