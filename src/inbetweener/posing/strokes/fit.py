"""From the points of a stroke to the curve that was meant."""

import math

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.posing.strokes.clean import InvalidStroke, arc_lengths, cleaned, stroke_size
from inbetweener.posing.strokes.clothoids import Chain, Points
from inbetweener.posing.strokes.corners import find_corners
from inbetweener.posing.strokes.curve import StrokeCurve

CLOSE = 0.001
"""At smoothing 1: a share of the stroke's size nearer than which nobody draws, and which no knot is spent on."""
STIFFNESS = 1e-11
"""What ∫ (dκ/ds)² costs against mean squares of distances, in sizes: it only decides what the points leave open."""
ROUGHLY = 0.02
"""Share of its cost by which a chain must get better in a round to go on while knots are still being chosen."""
MOST_PARAMETERS = 64
BLUNT = 0.45
"""Radians: what seemed a corner but turns less, once all points have had their say, is none."""
SHARP = 1.2
"""Radians: what seemed a corner but turns less must cost less than a round bend would."""
PATIENCE = 2
"""Refinements that do not pay before no more are tried."""


def fit_stroke(points: npt.ArrayLike, *, pressures: npt.ArrayLike | None = None, smoothing: float = 1.0) -> StrokeCurve:
    """The curve through the noisy points (n, 2) of a stroke, in their order and unit.

    Where a pen pressed harder than it mostly did, by its `pressures` (n,) of any unit, the points count more, up to
    four times, and less where it was light; pressed alike all over they count as without.

    Corners split it into smooth pieces, each a chain of clothoids: G2 by construction. More `smoothing` gives fewer
    clothoids that stay farther from the points; 0 follows them as closely as it can. Raises `InvalidStroke` where the
    points make no stroke.
    """
    if not (smoothing >= 0.0 and math.isfinite(smoothing)):
        raise InvalidStroke(f"smoothing {smoothing:g} must be a number from 0 up")
    clean, weights = cleaned(points, pressures)
    middle, size = clean.mean(axis=0), stroke_size(clean)
    places = np.ascontiguousarray((clean - middle) / size)
    if len(places) == 2:
        return _line(clean)
    chain = fit_chain(Points.of(places, find_corners(places), weights), smoothing)
    for least, certain in ((BLUNT, True), (SHARP, False)):
        sharp = np.abs(chain.turns) >= least
        if not sharp.all():
            rounded = fit_chain(Points.of(places, chain.points.corners[sharp], weights), smoothing)
            if certain or price(rounded, smoothing) <= price(chain, smoothing):
                chain = rounded
    return chain.curve(middle, size)


def fit_chain(points: Points, smoothing: float) -> Chain:
    """Refine a chain as long as more knots pay for themselves."""
    stiffness = STIFFNESS * smoothing**2
    chain = Chain.guess(points).improved(stiffness, rounds=8, least_gain=ROUGHLY, tied=True)
    best = chain = chain.improved(stiffness, least_gain=ROUGHLY)
    waited = 0
    while waited < PATIENCE and len(chain.parameters) < MOST_PARAMETERS:
        finer = chain.refined()
        if finer is None:
            break
        chain = finer.improved(stiffness, least_gain=ROUGHLY)
        if price(chain, smoothing) < price(best, smoothing):
            best, waited = chain, 0
        else:
            waited += 1
    return best.improved(stiffness)


def price(chain: Chain, smoothing: float) -> float:
    """What a chain costs: n·ln(mean square) + ln(n)·parameters, as Bayes would have it.

    The mean square never counts as less than what is close enough, and a corner had its pick of places, which counts
    as two parameters more.
    """
    count, floor = len(chain.offs), max((CLOSE * smoothing) ** 2, 1e-12)
    return count * math.log(chain.mean_square + floor) + math.log(count) * (
        len(chain.parameters) + 2 * len(chain.turns)
    )


def _line(points: Floats) -> StrokeCurve:
    way = points[1] - points[0]
    heading, length = math.atan2(way[1], way[0]), float(arc_lengths(points)[-1])
    return StrokeCurve(points[0], heading, np.array([0.0, length]), np.zeros(2), np.zeros(0), 0.0)
