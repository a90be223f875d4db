"""Where a curve of a loop begins again: its last key goes on as its first."""

import numpy as np

from inbetweener.curves.curve import Curve
from inbetweener.curves.key import BEZIER


def seam_slopes(curve: Curve, start: float, end: float) -> tuple[float, float] | None:
    """The slopes with which a curve comes to the end of a loop and leaves its start.

    None where it has no seam: no keys on both ends, no tangents there, or one of the keys is broken on purpose.
    """
    if len(curve) < 2 or not (curve.tied[0] and curve.tied[-1]):
        return None
    if not np.allclose([curve.times[0], curve.times[-1]], [start, end], rtol=0.0, atol=1e-6):
        return None
    (width, climb), (before, rise) = curve.ins[-1], curve.outs[0]
    bezier = curve.interpolations[0] == BEZIER and curve.interpolations[-2] == BEZIER
    least = 1e-9 * (curve.times[-1] - curve.times[0])
    return (float(climb / width), float(rise / before)) if bezier and min(width, before) > least else None


def passes(slopes: tuple[float, float]) -> bool:
    """Whether the end flows into the start without a kink."""
    return bool(np.isclose(*slopes, rtol=1e-5, atol=1e-8))


def with_seam_slope(curve: Curve, slope: float) -> Curve:
    """The curve with one slope at both ends; widths stay."""
    ins, outs = curve.ins.copy(), curve.outs.copy()
    ins[-1, 1], outs[0, 1] = slope * ins[-1, 0], slope * outs[0, 0]
    return curve.with_tangents(ins, outs)
