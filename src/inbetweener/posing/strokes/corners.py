"""Corners: points where a stroke changes direction at once, which no smooth curve should round off."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.posing.strokes import kernels
from inbetweener.posing.strokes.clean import arc_lengths, noise

REACHES = (0.06, 0.12, 0.2)
"""How far to look either side for the tangents, in sizes of the stroke: the more noise, the farther."""
CORNER_TURN = 0.7
"""Radians: a stroke that turns less at once only bends."""
DOUBT = 0.2
"""Radians of standard deviation at which tangents from one reach are not to be trusted."""
SURE = 3.5
"""Standard deviations by which a turn must stand out of the noise."""


def find_corners(points: Floats) -> Ints:
    """Indices, ascending, of the cleaned points (n, 2), of size one, where the stroke has corners."""
    s, level = arc_lengths(points), noise(points)
    turns, doubts, reach = np.zeros(len(points)), np.full(len(points), np.inf), np.zeros(len(points))
    seen, doubt = np.empty(len(points)), np.empty(len(points))
    for each in REACHES:
        kernels.turns_at(points, s, each, level, seen, doubt)
        better = (doubts > DOUBT) & (doubt < doubts)
        turns[better], doubts[better], reach[better] = seen[better], doubt[better], each
    sharp = np.abs(turns)
    likely = (sharp > CORNER_TURN) & (doubts <= DOUBT) & (sharp > SURE * doubts)
    # Nothing can be said of what is too near an end: that is where hooks are.
    likely &= (s >= REACHES[0]) & (s[-1] - s >= REACHES[0])
    found: list[int] = []
    for i in np.argsort(-sharp, kind="stable"):
        if likely[i] and all(abs(s[i] - s[j]) > max(reach[i], reach[j]) for j in found):
            found.append(int(i))
    return np.array(sorted(found), np.int64)
