"""When a cost is looked at: Gauss nodes between neighbouring keys, by nature closer together beside these.

An optimiser finds every gap between samples: looked at on frames alone, it hides bursts of acceleration between them.
A short tangent with a steep slope makes such a burst right beside its key, where three evenly spread groups of nodes
miss it; twelve nodes of one Gauss rule do not. None falls on a key, where accelerations jump.
"""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves import Curve

NODES = 12
"""Gauss nodes of a piece that is most of a segment; with widths from 0.15 to 0.65 mean squares are right to 1 %."""

FEWER = 6
"""The most of a piece that is short beside all segments around it, as between staggered keys."""


def gauss_nodes(curves: Sequence[Curve], start: float, end: float, *, finer: int = 1) -> tuple[Floats, Floats]:
    """Times (T,) and weights (T,) in seconds that integrate from start to end; `finer` cuts every piece in so many."""
    keys = np.unique(np.concatenate([[start, end], *(curve.times for curve in curves)]).round(9))
    keys = keys[(keys >= start - 1e-9) & (keys <= end + 1e-9)]
    # Keys that differ by less than a thousandth of a second would make pieces that cost and weigh nothing.
    keys = keys[np.concatenate([[True], np.diff(keys) > 1e-3])]
    counts = np.repeat(_counts(*_shares(curves, keys[:-1], keys[1:])), finer)
    pieces = np.linspace(keys[:-1], keys[1:], finer + 1, axis=1)
    firsts, lasts = pieces[:, :-1].ravel(), pieces[:, 1:].ravel()
    times, weights = np.empty(int(counts.sum())), np.empty(int(counts.sum()))
    places = np.cumsum(counts) - counts
    for count in np.unique(counts):
        at, shares = np.polynomial.legendre.leggauss(int(count))
        chosen = np.flatnonzero(counts == count)
        middle, half = 0.5 * (firsts + lasts)[chosen, None], 0.5 * (lasts - firsts)[chosen, None]
        where = places[chosen, None] + np.arange(count)
        times[where], weights[where] = middle + half * at, half * shares
    return times, weights


def _counts(share: Floats, whole: Bools) -> Ints:
    """How many nodes each piece gets: as many as `NODES` on the whole of any segment around it would have there."""
    return np.where(whole, NODES, np.clip(np.ceil(NODES * share), 1, FEWER).astype(np.int64))


def _shares(curves: Sequence[Curve], firsts: Floats, lasts: Floats) -> tuple[Floats, Bools]:
    """What share of the Gauss nodes of any segment around each piece lies in it, at most; and whether it is most of
    the shortest one.
    """
    middles = 0.5 * (firsts + lasts)
    shortest, share = np.full(len(firsts), np.inf), np.zeros(len(firsts))
    for curve in curves:
        k = np.searchsorted(curve.times, middles)
        inside = np.flatnonzero((k > 0) & (k < len(curve)))
        begins, length = curve.times[k[inside] - 1], np.diff(curve.times)[k[inside] - 1]
        shortest[inside] = np.minimum(shortest[inside], length)
        # Gauss nodes lie as evenly spread points of a half circle do, seen from its diameter.
        ends = np.clip([(firsts[inside] - begins) / length, (lasts[inside] - begins) / length], 0.0, 1.0)
        share[inside] = np.maximum(share[inside], np.diff(np.arccos(1.0 - 2.0 * ends), axis=0)[0] / np.pi)
    return share, lasts - firsts > 0.5 * shortest
