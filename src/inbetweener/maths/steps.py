"""The best step of a linearised problem, in the five forms that our solvers need.

`shortest` is the shortest vector under linear rows. A weighted least-squares step becomes one when its variables are
scaled and its residuals join them: the Hessian is then the identity, nothing is factorised, and an active-set solver
only ever touches the rows. `bound_step` brings a quadratic with a Hessian of its own into that form. `box_step` knows
bounds alone, of problems that may be large and sparse, or dense in the envelope of time, and `damped_step` not even
these, but all digits; `bound_damped_step` is that one under rows.
"""

from typing import TYPE_CHECKING, NamedTuple

import daqp
import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.maths.envelope import Envelope, Factor

if TYPE_CHECKING:
    from scipy import sparse

EQUAL = 5
"""How a row is marked whose two bounds are equal."""

FAR = 1e30
"""A bound that binds nothing."""

MOST_PIVOTS = 4000
"""A hundred are usual; where rows all but contradict each other there may be thousands, for a useless answer."""

SLIGHT = 1e-9
"""How far beyond a bound a step may lead before the bound must join as a row: it is clipped at the end."""

STOPS = 12
"""How often a step is solved again with further variables stopped at their bounds; after that it is only clipped."""

ROUND, BOUND = 1e-7, 1e-4
"""The least damping, relative to the strongest direction: weaker ones are rounding, or would be under rows."""

Bounds = tuple[Floats, Floats]
"""Lowest and highest values of a step."""


class Shortest(NamedTuple):
    """The vector (n,), the multipliers of (bounds on it, rows), zero where inactive, and the work it took.

    Both arrays are None where the rows contradict each other.
    """

    vector: Floats | None
    multipliers: Floats | None
    pivots: int


def shortest(
    matrix: Floats, lower: Floats, upper: Floats, sense: npt.NDArray[np.int32], warm: Floats | None = None
) -> Shortest:
    """The shortest x with lower ≤ (x, matrix · x) ≤ upper, to 1e-9.

    `warm` are the multipliers of a similar program: its active rows are tried first.
    """
    if warm is not None and len(warm) != len(lower):
        warm = None
    pivots = 0
    for start in (warm, None) if warm is not None else (None,):
        # Equalities are never eliminated beforehand: without a Hessian daqp then returns wrong multipliers.
        vector, _, flag, info = daqp.solve(
            None, None, matrix, upper, lower, sense,
            dual_start=start, eq_reduction=daqp.EQ_REDUCTION_OFF, primal_tol=1e-9, iter_limit=MOST_PIVOTS,
        )  # fmt: skip
        pivots += info["iterations"]
        if flag >= 1:
            return Shortest(vector, info["lam"], pivots)
    return Shortest(None, None, pivots)


def box_step(matrix: "Floats | Envelope | sparse.csc_array", gradient: Floats, bounds: Bounds) -> Floats:
    """Nearly the least of ½dᵀMd + gᵀd with lower ≤ d ≤ upper: what runs into a bound stays there, the rest goes on."""
    lower, upper = bounds
    d = np.zeros_like(gradient)
    fixed: Bools = ((lower >= 0.0) & (gradient > 0.0)) | ((upper <= 0.0) & (gradient < 0.0))
    d[fixed] = np.clip(0.0, lower[fixed], upper[fixed])
    for _ in range(STOPS):
        free = np.flatnonzero(~fixed)
        if len(free) == 0:
            break
        d[free] = -_solved(matrix, free, (gradient + matrix @ np.where(fixed, d, 0.0))[free])
        beyond = (d < lower) | (d > upper)
        if not beyond.any():
            break
        d = np.clip(d, lower, upper)
        fixed = fixed | beyond
    return np.clip(d, lower, upper)


def _solved(matrix: "Floats | Envelope | sparse.csc_array", free: Ints, right: Floats) -> Floats:
    """M⁻¹ · right among the free variables."""
    if isinstance(matrix, Envelope):
        chosen = np.zeros(len(matrix), np.bool_)
        chosen[free] = True
        factor, every = matrix.among(chosen).factorised(), np.zeros(len(matrix))
        if factor is None:
            raise np.linalg.LinAlgError("the matrix of a step is not positive definite")
        every[free] = right
        return factor.back(factor.turned(every))[free]
    # Slow to import, and few runs of the program solve anything.
    from scipy.linalg import cho_factor, cho_solve
    from scipy.sparse.linalg import splu

    if isinstance(matrix, np.ndarray):
        return np.asarray(cho_solve(cho_factor(matrix[np.ix_(free, free)], check_finite=False), right))
    # Positive definite: pivots may stay on the diagonal, and an order that suits MᵀM's pattern fills least.
    part = matrix[free][:, free].tocsc()
    return np.asarray(splu(part, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0).solve(right))


def factorised(matrix: Floats | Envelope) -> Floats | Factor | None:
    """L of M = LLᵀ, or None where a step in M need not lead downhill."""
    from scipy.linalg import LinAlgError, cholesky

    if isinstance(matrix, Envelope):
        return matrix.factorised()
    try:
        return np.asarray(cholesky(matrix, lower=True, check_finite=False))
    except LinAlgError:
        return None


def bound_step(
    factor: Floats | Factor, gradient: Floats, bounds: Bounds, rows: Floats, low: Floats, high: Floats
) -> Floats | None:
    """The least of ½dᵀLLᵀd + gᵀd under bounds and low ≤ rows · d ≤ high; None where these contradict each other.

    It is the shortest y = Lᵀd + L⁻¹g: the form in which all our quadratic programs are solved. Of many
    bounds few are met: only those join as rows that an answer without them has broken.
    """
    from scipy.linalg import solve_triangular

    def turned(right: Floats) -> Floats:
        if isinstance(factor, Factor):
            return factor.turned(right)
        return np.asarray(solve_triangular(factor, right, lower=True, check_finite=False))

    def back(y: Floats) -> Floats:
        if isinstance(factor, Factor):
            return factor.back(y)
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


def damped_step(jacobian: Floats, residual: Floats, damping: float) -> Floats:
    """The step (n,) that makes residual + J · step small without being long itself.

    `damping` is relative to the strongest direction of J. By singular values: squaring J would lose half the digits.
    """
    left, sizes, right = np.linalg.svd(jacobian, full_matrices=False)
    floor = max(damping, ROUND) * max(float(sizes.max(initial=0.0)), 1e-140)
    return np.asarray(-right.T @ (sizes / (sizes**2 + floor**2) * (left.T @ residual)), np.float64)


def bound_damped_step(
    jacobian: Floats, residual: Floats, damping: float, rows: Floats, low: Floats, high: Floats
) -> Floats | None:
    """The same with low ≤ rows · step ≤ high; None where these contradict each other.

    It also goes where J says nothing, to come around the rows.
    """
    left, sizes, right = np.linalg.svd(jacobian)
    floor = max(damping, BOUND) * max(float(sizes.max(initial=0.0)), 1e-140)
    sizes = np.pad(sizes, (0, len(right) - len(sizes)))
    scales = np.sqrt(sizes**2 + floor**2)
    along = np.zeros(len(right))
    count = min(len(right), len(residual))
    along[:count] = (sizes / scales)[:count] * (left.T @ residual)[:count]
    back = right.T / scales
    turned, shift = rows @ back, rows @ (back @ along)
    found = _shortest(turned, low + shift, high + shift)
    return None if found is None else np.asarray(back @ (found - along), np.float64)
