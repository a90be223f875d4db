"""One step: the best change under bounds and, where there are any, linear rows."""

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.maths.least_distance import FAR, shortest

Bounds = tuple[Floats, Floats]

SLIGHT = 1e-9
"""How far beyond a bound a step may lead before the bound must join: it is clipped at the end."""


def box_step(matrix: Floats, gradient: Floats, bounds: Bounds) -> Floats:
    """Nearly the least of ½dᵀMd + gᵀd with lower ≤ d ≤ upper: what runs into a bound stays there, the rest goes on."""
    # Slow to import, and few runs of the program solve anything.
    from scipy.linalg import cho_factor, cho_solve

    lower, upper = bounds
    d = np.zeros_like(gradient)
    fixed: Bools = ((lower >= 0.0) & (gradient > 0.0)) | ((upper <= 0.0) & (gradient < 0.0))
    d[fixed] = np.clip(0.0, lower[fixed], upper[fixed])
    for _ in range(12):
        free = np.flatnonzero(~fixed)
        if len(free) == 0:
            break
        pull = gradient[free] + matrix[np.ix_(free, np.flatnonzero(fixed))] @ d[fixed]
        d[free] = -cho_solve(cho_factor(matrix[np.ix_(free, free)], check_finite=False), pull, check_finite=False)
        beyond = (d < lower) | (d > upper)
        if not beyond.any():
            break
        d = np.clip(d, lower, upper)
        fixed = fixed | beyond
    return np.clip(d, lower, upper)


def factorised(matrix: Floats) -> Floats | None:
    """L of M = LLᵀ, or None where a step in M need not lead downhill."""
    from scipy.linalg import LinAlgError, cholesky

    try:
        return np.asarray(cholesky(matrix, lower=True, check_finite=False))
    except LinAlgError:
        return None


def bound_step(
    factor: Floats, gradient: Floats, bounds: Bounds, rows: Floats, low: Floats, high: Floats
) -> Floats | None:
    """The least of ½dᵀLLᵀd + gᵀd under bounds and low ≤ rows · d ≤ high; None where these contradict each other.

    It is the shortest y = Lᵀd + L⁻¹g: the form in which all our quadratic programs are solved. Of many
    bounds few are met: only those join as rows that an answer without them has broken.
    """
    from scipy.linalg import solve_triangular

    def turned(right: Floats) -> Floats:
        return np.asarray(solve_triangular(factor, right, lower=True, check_finite=False))

    def back(y: Floats) -> Floats:
        return np.asarray(solve_triangular(factor, y, lower=True, trans="T", check_finite=False))

    lower, upper = bounds
    newton = back(turned(gradient))
    transformed, lows, highs = turned(rows.T).T, low + rows @ newton, high + rows @ newton
    d, met = -newton, np.zeros(len(factor), np.bool_)
    beyond = np.flatnonzero((d < lower) | (d > upper))
    for _ in range(len(factor)):
        met[beyond] = True
        picked = np.eye(len(factor))[:, beyond]
        transformed = np.concatenate([transformed, turned(picked).T])
        lows = np.concatenate([lows, (lower + newton)[beyond]])
        highs = np.concatenate([highs, (upper + newton)[beyond]])
        found = _shortest(transformed, lows, highs)
        if found is None:
            return None
        d = back(found) - newton
        beyond = np.flatnonzero(((d < lower - SLIGHT) | (d > upper + SLIGHT)) & ~met)
        if len(beyond) == 0:
            break
    return np.clip(d, lower, upper)


def _shortest(rows: Floats, low: Floats, high: Floats) -> Floats | None:
    """The shortest vector with low ≤ rows · y ≤ high, or None."""
    # Rows of equal length: the solver's tolerance then means the same for all of them.
    size = np.maximum(np.linalg.norm(rows, axis=1), 1e-12)
    far = np.full(rows.shape[1], FAR)
    lower = np.concatenate([-far, np.maximum(low / size, -FAR)])
    upper = np.concatenate([far, np.minimum(high / size, FAR)])
    return shortest(np.ascontiguousarray(rows / size[:, None]), lower, upper, np.zeros(len(lower), np.int32)).vector
