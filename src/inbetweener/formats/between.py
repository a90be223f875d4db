"""Blend shapes in between: one channel leads through several shapes, and each has a weight of its own here."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.formats.degrees import scaled

Full = tuple[tuple[float, ...], int]
"""The values of a channel at which one of its shapes, or at nought none, is whole; and which of them is this one's."""


def share(values: Floats, full: Full) -> Floats:
    """The weights of a shape at values of its channel: straight from knot to knot, and on beyond the last ones."""
    knots = np.array(full[0])
    one = np.zeros(len(knots))
    one[full[1]] = 1.0
    n = np.clip(np.searchsorted(knots, values, side="right") - 1, 0, len(knots) - 2)
    return np.asarray(one[n] + (values - knots[n]) * (one[n + 1] - one[n]) / (knots[n + 1] - knots[n]))


def share_curve(curve: Curve, full: Full, frames: Floats) -> Curve:
    """The weight of one shape of a channel that moves as `curve`."""
    knots = full[0]
    if len(knots) == 2:
        return scaled(curve, 1.0 / (knots[0] + knots[1]))
    bundle = Bundle.of([curve])
    times = np.unique(np.concatenate([frames, curve.times]))
    values = bundle.evaluate(times)[:, 0]
    # Keys where a shape begins, peaks and ends, so that a straight way there stays straight.
    cuts = []
    for level in knots:
        a, b = values[:-1] - level, values[1:] - level
        crossed = a * b < 0
        cuts.append(times[:-1][crossed] + np.diff(times)[crossed] * a[crossed] / (a - b)[crossed])
    times = np.unique(np.concatenate([times, *cuts]))
    return Curve.sampled(times, share(bundle.evaluate(times)[:, 0], full))
