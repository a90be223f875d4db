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


class Shortest(NamedTuple):
    """The vector (n,), and the multipliers of (bounds on it, rows), zero where inactive."""

    vector: Floats
    multipliers: Floats


def shortest(
    matrix: Floats, lower: Floats, upper: Floats, sense: npt.NDArray[np.int32], warm: Floats | None = None
) -> Shortest | None:
    """The shortest x with lower ≤ (x, matrix · x) ≤ upper; None where the rows contradict each other.

    `warm` are the multipliers of a similar program: its active rows are tried first.
    """
    if warm is not None and len(warm) != len(lower):
        warm = None
    # Equalities are never eliminated beforehand: without a Hessian daqp then returns wrong multipliers.
    arguments = (None, None, matrix, upper, lower, sense)
    vector, _, flag, info = daqp.solve(*arguments, dual_start=warm, eq_reduction=daqp.EQ_REDUCTION_OFF)
    if flag < 1 and warm is not None:
        vector, _, flag, info = daqp.solve(*arguments, eq_reduction=daqp.EQ_REDUCTION_OFF)
    return Shortest(vector, info["lam"]) if flag >= 1 else None
