"""When a cost is looked at: Gauss nodes between neighbouring keys.

An optimiser finds every gap between samples: looked at on frames alone, it hides bursts of acceleration between them.
Three Gauss nodes on each piece between the union of all keys integrate what cubics do there, and never fall on a key,
where accelerations jump.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve

NODES = 3
"""Gauss nodes a piece."""

LONGEST = 0.2
"""Seconds: longer pieces are cut evenly, because a body's torques are no polynomials of time."""


def gauss_nodes(
    curves: Sequence[Curve], start: float, end: float, *, nodes: int = NODES, longest: float = LONGEST
) -> tuple[Floats, Floats]:
    """Times (T,) and weights (T,) in seconds that integrate from start to end, by pieces between all keys."""
    keys = np.unique(np.concatenate([[start, end], *(curve.times for curve in curves)]).round(9))
    keys = keys[(keys >= start - 1e-9) & (keys <= end + 1e-9)]
    # Keys that differ by less than a thousandth of a second would make pieces that cost and weigh nothing.
    keys = keys[np.concatenate([[True], np.diff(keys) > 1e-3])]
    edges = [keys[:1]]
    for a, b in pairwise(keys):
        edges.append(np.linspace(a, b, max(1, int(np.ceil((b - a) / longest - 1e-9))) + 1)[1:])
    ends = np.concatenate(edges)
    at, weights = np.polynomial.legendre.leggauss(nodes)
    half = 0.5 * np.diff(ends)[:, None]
    middle = 0.5 * (ends[:-1] + ends[1:])[:, None]
    return (middle + half * at).ravel(), (half * weights).ravel()
