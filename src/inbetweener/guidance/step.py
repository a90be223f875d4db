"""One step: the best change under bounds and, where there are any, linear rows."""

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.maths.least_distance import FAR, shortest

Bounds = tuple[Floats, Floats]


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


def bound_step(
    matrix: Floats, gradient: Floats, bounds: Bounds, rows: Floats, low: Floats, high: Floats
) -> Floats | None:
    """The least of ½dᵀMd + gᵀd under bounds and low ≤ rows · d ≤ high; None where these contradict each other.

    With M = LLᵀ it is the shortest y = Lᵀd + L⁻¹g: the form in which all our quadratic programs are solved.
    """
    from scipy.linalg import LinAlgError, cholesky, solve_triangular

    try:
        factor = cholesky(matrix, lower=True, check_finite=False)
    except LinAlgError:
        return None
    inverse = solve_triangular(factor, np.eye(len(factor)), lower=True, check_finite=False)
    back = inverse.T
    newton = back @ (inverse @ gradient)
    bound = np.flatnonzero(np.isfinite(bounds[0]) | np.isfinite(bounds[1]))
    together = np.concatenate([np.eye(len(matrix))[bound], rows])
    lows = np.concatenate([bounds[0][bound], low]) + together @ newton
    highs = np.concatenate([bounds[1][bound], high]) + together @ newton
    transformed = together @ back
    # Rows of equal length: the solver's tolerance then means the same for all of them.
    size = np.maximum(np.linalg.norm(transformed, axis=1), 1e-12)
    count = len(matrix)
    lower = np.concatenate([np.full(count, -FAR), np.maximum(lows / size, -FAR)])
    upper = np.concatenate([np.full(count, FAR), np.minimum(highs / size, FAR)])
    found = shortest(np.ascontiguousarray(transformed / size[:, None]), lower, upper, np.zeros(len(lower), np.int32))
    if found.vector is None:
        return None
    return np.clip(back @ found.vector - newton, *bounds)
