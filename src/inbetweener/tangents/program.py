"""The quadratic program of one step, in least-distance form.

[TSO] Eq. 10 minimises w_m‖J_s Δθ − Δs′‖² + w_d‖D Δθ‖² under Eq. 11 and bounds. With z = D(θ − θ₀) measured from the
start of the drag and the residual r = √w_m (J_s Δθ − Δs′) as further variables, that is: the shortest vector (z, r)
under linear equalities and inequalities. Its Hessian is the identity, nothing is factorised, and measuring from the
start makes the answer independent of the way the pointer took.
"""

from dataclasses import dataclass

import daqp
import numpy as np

from inbetweener.arrays import Floats
from inbetweener.tangents.problem import Problem

EQUAL = 5  # how daqp marks an equality row


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """z (4F,) and the multipliers of (bounds on z, bounds on r, rows), zero where inactive."""

    z: Floats
    multipliers: Floats


class Program:
    """Rows: the dragged state (equalities with r), constraints (within a slack), then cuts for value limits."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.n = len(problem.variables)
        self.residuals = problem.items.dragged_rows
        self.rows = problem.items.row_count
        self.pull = float(np.sqrt(problem.settings.pull))
        room = self.rows + CUT_ROOM
        self.matrix = np.zeros((room, self.n + self.residuals))
        self.matrix[: self.residuals, self.n :] = -np.eye(self.residuals)
        self.lower = np.full(self.n + self.residuals + room, -1e30)
        self.upper = np.full(self.n + self.residuals + room, 1e30)
        self.sense = np.zeros(self.n + self.residuals + room, np.int32)
        first = self.n + self.residuals
        self.sense[first : first + self.residuals] = EQUAL
        self.cuts = 0
        self.multipliers: Floats | None = None

    def linearise(self, z: Floats, errors: Floats, derivatives: Floats, advance: Floats, slack: Floats) -> None:
        """Set rows and bounds around z: move the dragged state by `advance`, keep constraints within `slack`."""
        variables, n, residuals, first = self.problem.variables, self.n, self.residuals, self.n + self.residuals
        moved = derivatives @ z
        np.multiply(derivatives[:residuals], self.pull, out=self.matrix[:residuals, :n])
        self.matrix[residuals : self.rows, :n] = derivatives[residuals:]
        np.maximum(variables.lower, z - variables.step, out=self.lower[:n])
        np.minimum(variables.upper, z + variables.step, out=self.upper[:n])
        self.lower[first : first + residuals] = self.pull * (advance + moved[:residuals])
        self.upper[first : first + residuals] = self.lower[first : first + residuals]
        kept = errors[residuals:] + moved[residuals:]
        self.lower[first + residuals : first + self.rows] = kept - slack
        self.upper[first + residuals : first + self.rows] = kept + slack

    def set_cuts(self, rows: Floats, bounds: Floats) -> None:
        """Further rows (c, 4F) with upper bounds (c,), from value limits."""
        self.cuts = min(len(rows), CUT_ROOM)
        first = self.n + self.residuals + self.rows
        self.matrix[self.rows : self.rows + self.cuts, : self.n] = rows[: self.cuts]
        self.upper[first : first + self.cuts] = bounds[: self.cuts]

    def solve(self) -> Answer | None:
        """The shortest vector, or None where the linear rows contradict each other."""
        rows = self.rows + self.cuts
        size = self.n + self.residuals + rows
        arguments = (None, None, self.matrix[:rows], self.upper[:size], self.lower[:size], self.sense[:size])
        warm = self.multipliers if self.multipliers is not None and len(self.multipliers) == size else None
        z, _, flag, info = daqp.solve(*arguments, dual_start=warm)
        if flag < 1 and warm is not None:
            z, _, flag, info = daqp.solve(*arguments)
        if flag < 1:
            self.multipliers = None
            return None
        self.multipliers = info["lam"]
        return Answer(z[: self.n], info["lam"])


CUT_ROOM = 64
