"""The shortest vector under linear rows: the form in which all our quadratic programs are solved.

A weighted least-squares step becomes one when its variables are scaled and its residuals join them: the Hessian is then
the identity, nothing is factorised, and an active-set solver only ever touches the rows.
"""

from typing import NamedTuple

import daqp
import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats

EQUAL = 5
"""How a row is marked whose two bounds are equal."""

FAR = 1e30
"""A bound that binds nothing."""


MOST_PIVOTS = 4000
"""A hundred are usual; where rows all but contradict each other there may be thousands, for a useless answer."""


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
