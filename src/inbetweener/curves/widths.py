"""Which handle widths keep time running forward.

With a = out width / segment length and b = in width / segment length, time along the segment is the cubic
T(u) = 3a·u(1−u)² + 3(1−b)·u²(1−u) + u³, and T′(u)/3 = a(1−u)² + 2(1−a−b)·u(1−u) + b·u². It never runs backwards
exactly when a, b ≥ 0 and a + b − 1 ≤ √(ab): the corner a + b ≤ 1 of the square plus a piece of an ellipse that
reaches out to width 4/3. ([TSO] Eq. 7 keeps the square a, b ≤ 1, which touches that region at (1, 1) only with T′(½)
= 0: infinite speed.)
"""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats

MARGIN = 1e-3
"""Slowest that time may run along a Bezier segment, relative to its mean, after a repair."""


def slack(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """How far inside the admissible region the widths are: √(ab) + 1 − a − b, negative outside."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return np.sqrt(np.maximum(a * b, 0.0)) + 1.0 - a - b


def are_monotone(a: npt.ArrayLike, b: npt.ArrayLike, tolerance: float = 1e-12) -> Bools:
    """True where time never runs backwards for relative widths `a`, `b`."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return (a >= 0) & (b >= 0) & (slack(a, b) >= -tolerance)


def admissible_scale(a: npt.ArrayLike, b: npt.ArrayLike, margin: float = MARGIN) -> Floats:
    """The largest factor ≤ 1 for both widths that keeps time running forward with a margin.

    Along a ray the condition is linear in the factor: s·(a + b − √(ab)) ≤ 1, so no search is needed.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    reach = a + b - np.sqrt(np.maximum(a * b, 0.0))
    return np.minimum(1.0, (1.0 - margin) / np.maximum(reach, 1e-300))
