"""Corners: points where a stroke changes direction at once, which no smooth curve should round off."""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.posing.strokes import kernels
from inbetweener.posing.strokes.clean import arc_lengths, noise

REACHES = (0.06, 0.1, 0.15, 0.2, 0.25)
"""How far to look either side for the tangents, in sizes of the stroke: the more noise, the farther."""
CORNER_TURN = 0.7
"""Radians: a stroke that turns less at once only bends."""
DOUBT = 0.3
"""Radians of standard deviation at which tangents from one reach are not to be trusted."""
SURE = 3.0
"""Standard deviations by which a turn must stand out of the noise."""

MOST_CORNERS = 24
"""The sharpest ones: a scribble has no shape worth more time."""
HAIRPIN = 2.4
"""Radians by which a polygon turns at a point that can only be a corner."""


def find_corners(points: Floats) -> Ints:
    """Indices, ascending, of the cleaned points (n, 2), of size one, where the stroke has corners."""
    s, level = arc_lengths(points), noise(points)
    turns, doubts, reach = np.zeros(len(points)), np.full(len(points), np.inf), np.zeros(len(points))
    seen, doubt, out = np.empty(len(points)), np.empty(len(points)), np.empty((len(points), 2))
    outward = np.zeros((len(points), 2))
    for each in REACHES:
        kernels.turns_at(points, s, each, level, seen, doubt, out)
        better = (doubts > DOUBT) & (doubt < doubts)
        turns[better], doubts[better], reach[better] = seen[better], doubt[better], each
        outward[better] = out[better]
    sharp = np.abs(turns)
    likely = (sharp > CORNER_TURN) & (doubts <= DOUBT) & (sharp > SURE * doubts)
    # Nothing can be said of what is too near an end: that is where hooks are.
    likely &= (s >= REACHES[0]) & (s[-1] - s >= REACHES[0])
    sharp, likely = _with_hairpins(points, s, sharp, likely)
    found: list[int] = []
    for i in np.argsort(-sharp, kind="stable"):
        if likely[i] and all(abs(s[i] - s[j]) > max(reach[i], reach[j]) for j in found):
            found.append(int(i))
        if len(found) == MOST_CORNERS:
            break
    return np.unique([_tip(points, s, i, 0.5 * max(reach[i], REACHES[0]), outward[i]) for i in found]).astype(np.int64)


def _tip(points: Floats, s: Floats, corner: int, reach: float, outward: Floats) -> int:
    """The point near a corner that is farthest out: a stroke that turns back turns as much at the points beside it."""
    near = np.flatnonzero(np.abs(s - s[corner]) <= reach)
    near = near[(near > 0) & (near < len(points) - 1)]
    ahead = (points[near] - points[corner]) @ outward
    return int(near[np.argmax(ahead)]) if ahead.max() > 0.0 else corner


def _with_hairpins(points: Floats, s: Floats, sharp: Floats, likely: Bools) -> tuple[Floats, Bools]:
    """And where a few points far apart turn back: too few for tangents, but nobody means a round bend by them."""
    steps = np.diff(points, axis=0)
    cross = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    turns = np.abs(np.arctan2(cross, (steps[:-1] * steps[1:]).sum(axis=1)))
    gaps = np.diff(s)
    hairpin = np.zeros(len(points), np.bool_)
    hairpin[1:-1] = (turns > HAIRPIN) & (np.minimum(gaps[:-1], gaps[1:]) > REACHES[0])
    turned = sharp.copy()
    turned[1:-1][hairpin[1:-1]] = turns[hairpin[1:-1]]
    return turned, likely | hairpin
