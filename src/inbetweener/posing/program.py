"""The quadratic program of one step, in least-distance form.

[TSO] Eq. 13 minimises w_m‖J_s Δc − Δs′‖² + w_d‖D Δc‖² with pins and limits. With z = D(c − c₀) measured from the
start of the gesture and the residual r = √w_m (J_s Δz − Δs′) as further variables, that is the shortest vector (z, r)
under linear rows: the Hessian is the identity and nothing is factorised.

A damped step adds λ‖z − z_k‖². Completing the square gives the same program again: the origin moves to
λ/(1+λ) z_k and the pull weakens to w_m/(1+λ). So damping costs nothing.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths.steps import EQUAL, FAR, shortest
from inbetweener.posing import kernels
from inbetweener.posing.problem import Problem

SLACK = 0.4
"""How much of the pins' tolerance one linear step may use; the rest is for what it does not see."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """z (n,) and the multipliers of (bounds on z, bounds on r, rows), zero where inactive."""

    z: Floats
    multipliers: Floats


class Program:
    """Rows: the pulled states (equalities with r), then the pins (within a slack).

    `errors` (R,) and `derivatives` (R, n) are the workspace's, where it stands when rows are set.
    """

    def __init__(self, problem: Problem, errors: Floats, derivatives: Floats) -> None:
        settings, weights = problem.settings, [pull.weight for pull in problem.request.pulls]
        self.n, self.residuals, rows = len(problem.scale), problem.pulled_rows, len(problem.row_scale)
        start = problem.channels[problem.free]
        self.lowest = np.maximum((problem.lowest - start) / problem.scale, -FAR)
        self.highest = np.minimum((problem.highest - start) / problem.scale, FAR)
        stiffness = np.array([problem.rig.channels[c].stiffness for c in problem.free])
        self.step = settings.step * stiffness
        self.pull = settings.pull
        slack = SLACK * problem.row_tolerances[self.residuals :]
        self.row_weights = np.sqrt(np.array(weights)[problem.watched.owners[: self.residuals]])
        size = self.n + self.residuals + rows
        self.matrix = np.zeros((rows, self.n + self.residuals))
        self.matrix[: self.residuals, self.n :] = -np.eye(self.residuals)
        self.lower, self.upper = np.full(size, -FAR), np.full(size, FAR)
        self.sense = np.zeros(size, np.int32)
        self.sense[self.n + self.residuals : self.n + 2 * self.residuals] = EQUAL
        self.origin, self._z = np.zeros(self.n), np.zeros(self.n)
        self.multipliers: Floats | None = None
        self._compose = kernels.compose.bound(
            self._z, errors, derivatives, self.row_weights, slack,
            kernels.Within(self.lowest, self.highest, self.step),
            kernels.Rows(self.origin, self.matrix, self.lower, self.upper), self.pull,
        )  # fmt: skip

    def linearise(self, z: Floats, advance: float, leniency: float, damping: float = 0.0) -> None:
        """Set rows and bounds around z: move the pulled states by a share `advance` of their errors, hold the pins.

        Pins come back to within a slack, or to a share `leniency` of where they are; `damping` is λ relative to the
        pull.
        """
        self._z[:] = z
        self._compose(damping * self.pull, advance, leniency)

    def clipped(self, z: Floats) -> Floats:
        """z within the limits."""
        return np.minimum(np.maximum(z, self.lowest), self.highest)

    def solve(self) -> Answer | None:
        """The shortest vector, or None where the linear rows contradict each other."""
        vector, self.multipliers, _ = shortest(self.matrix, self.lower, self.upper, self.sense, self.multipliers)
        if vector is None or self.multipliers is None:
            return None
        return Answer(vector[: self.n] + self.origin, self.multipliers)

    def resistance(self, answer: Answer) -> float:
        """How much change, in ½‖z‖², one unit less of keeping to the rows would save: the size of the multipliers."""
        rows = answer.multipliers[self.n + self.residuals :].copy()
        rows[: self.residuals] *= self.row_weights * np.sqrt(self.pull)
        return float(np.abs(rows).sum())
