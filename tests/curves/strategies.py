"""Curves for property tests: any kinds of segments, widths anywhere in the admissible region."""

import numpy as np
from hypothesis import strategies as st

from inbetweener.curves import Curve, widths
from inbetweener.curves.key import BEZIER


def number(low: float, high: float) -> st.SearchStrategy[float]:
    """A number without the subnormal crumbs that no curve in metres or radians holds."""
    return st.floats(low, high, allow_nan=False).map(lambda x: round(x, 9))


@st.composite
def curves(draw: st.DrawFn, *, least: int = 1, most: int = 6, only_bezier: bool = False, reach: float = 0.95) -> Curve:
    """`reach` < 1 keeps that far from the edge of the region where time stops."""
    n = draw(st.integers(least, most))
    rows = st.lists(number(0.02, 2.0), min_size=n, max_size=n)
    heights = st.lists(number(-2.0, 2.0), min_size=2 * n, max_size=2 * n)
    times = np.cumsum(draw(rows)) + draw(number(-3.0, 3.0))
    kinds = np.full(n, BEZIER) if only_bezier else np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    relative = np.array(draw(st.lists(number(0.05, 1.3), min_size=2 * n, max_size=2 * n))).reshape(2, n)
    length = np.concatenate([np.diff(times), [1.0]])
    scale = widths.admissible_scale(relative[0], relative[1], margin=1.0 - reach)
    outs = np.stack([relative[0] * scale * length, draw(heights)[:n]], axis=-1)
    ins = np.stack([np.roll(relative[1] * scale * length, 1), draw(heights)[:n]], axis=-1)
    tied = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    return Curve(times, np.array(draw(heights)[:n]), ins, outs, kinds, tied)


@st.composite
def times_within(draw: st.DrawFn, curve: Curve, count: int = 8) -> np.ndarray:
    """Times from a little before the first key to a little after the last."""
    fractions = np.array(draw(st.lists(number(-0.1, 1.1), min_size=count, max_size=count)))
    span = max(float(np.ptp(curve.times)), 0.1)
    return curve.times[0] + fractions * span
