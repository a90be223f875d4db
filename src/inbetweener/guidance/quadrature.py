"""When a cost is looked at: Gauss nodes between neighbouring keys, closer together where curves bend most.

An optimiser finds every gap between samples: looked at on frames alone, it hides bursts of acceleration between them.
A short tangent with a steep slope makes such a burst right beside its key, so the pieces between keys are graded
towards both ends. Three Gauss nodes on each part never fall on a key, where accelerations jump.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve

NODES = 3
"""Gauss nodes a part."""

GRADED = (0.0, 0.06, 0.25, 0.5, 0.75, 0.94, 1.0)
"""Where a piece that is most of a segment is parted; with widths from 0.15 to 0.65 torques are right to 1 %."""

EVEN = (0.0, 0.5, 1.0)
"""Where a piece is parted that is short beside all segments around it, as between staggered keys."""


def gauss_nodes(
    curves: Sequence[Curve], start: float, end: float, *, nodes: int = NODES, finer: int = 1
) -> tuple[Floats, Floats]:
    """Times (T,) and weights (T,) in seconds that integrate from start to end; `finer` cuts every part in so many."""
    keys = np.unique(np.concatenate([[start, end], *(curve.times for curve in curves)]).round(9))
    keys = keys[(keys >= start - 1e-9) & (keys <= end + 1e-9)]
    # Keys that differ by less than a thousandth of a second would make pieces that cost and weigh nothing.
    keys = keys[np.concatenate([[True], np.diff(keys) > 1e-3])]
    edges = [keys[:1]]
    for a, b in pairwise(keys):
        parts = np.array(GRADED if b - a > 0.5 * _segment_around(curves, 0.5 * (a + b)) else EVEN)
        parts = np.interp(np.linspace(0, len(parts) - 1, finer * (len(parts) - 1) + 1), np.arange(len(parts)), parts)
        edges.append(a + (b - a) * parts[1:])
    ends = np.concatenate(edges)
    at, weights = np.polynomial.legendre.leggauss(nodes)
    half = 0.5 * np.diff(ends)[:, None]
    middle = 0.5 * (ends[:-1] + ends[1:])[:, None]
    return (middle + half * at).ravel(), (half * weights).ravel()


def _segment_around(curves: Sequence[Curve], time: float) -> float:
    """Length of the shortest segment that holds a time; infinite where none does."""
    found = np.inf
    for curve in curves:
        k = int(np.searchsorted(curve.times, time))
        if 0 < k < len(curve):
            found = min(found, float(curve.times[k] - curve.times[k - 1]))
    return found
