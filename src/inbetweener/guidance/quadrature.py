"""When a cost is looked at: Gauss nodes between neighbouring keys, by nature closer together beside these.

An optimiser finds every gap between samples: looked at on frames alone, it hides bursts of acceleration between them.
A short tangent with a steep slope makes such a burst right beside its key, where three evenly spread groups of nodes
miss it; twelve nodes of one Gauss rule do not. None falls on a key, where accelerations jump.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve

NODES = 12
"""Gauss nodes of a piece that is most of a segment; with widths from 0.15 to 0.65 mean squares are right to 1 %."""

FEWER = 6
"""Gauss nodes of a piece that is short beside all segments around it, as between staggered keys."""


def gauss_nodes(curves: Sequence[Curve], start: float, end: float, *, finer: int = 1) -> tuple[Floats, Floats]:
    """Times (T,) and weights (T,) in seconds that integrate from start to end; `finer` cuts every piece in so many."""
    keys = np.unique(np.concatenate([[start, end], *(curve.times for curve in curves)]).round(9))
    keys = keys[(keys >= start - 1e-9) & (keys <= end + 1e-9)]
    # Keys that differ by less than a thousandth of a second would make pieces that cost and weigh nothing.
    keys = keys[np.concatenate([[True], np.diff(keys) > 1e-3])]
    times, weights = [], []
    for a, b in pairwise(keys):
        whole = b - a > 0.5 * _segment_around(curves, 0.5 * (a + b))
        at, shares = np.polynomial.legendre.leggauss(NODES if whole else FEWER)
        for first, last in pairwise(np.linspace(a, b, finer + 1)):
            times.append(0.5 * (first + last) + 0.5 * (last - first) * at)
            weights.append(0.5 * (last - first) * shares)
    return np.concatenate(times), np.concatenate(weights)


def _segment_around(curves: Sequence[Curve], time: float) -> float:
    """Length of the shortest segment that holds a time; infinite where none does."""
    found = np.inf
    for curve in curves:
        k = int(np.searchsorted(curve.times, time))
        if 0 < k < len(curve):
            found = min(found, float(curve.times[k] - curve.times[k - 1]))
    return found
