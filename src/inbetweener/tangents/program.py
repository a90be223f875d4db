"""The quadratic program of one step, in least-distance form.

[TSO] Eq. 10 minimises w_m‖J_s Δθ − Δs′‖² + w_d‖D Δθ‖² under Eq. 11 and bounds. With z = D(θ − θ₀) measured from the
start of the drag and the residual r = √w_m (J_s Δθ − Δs′) as further variables, that is: the shortest vector (z, r)
under linear equalities and inequalities. Its Hessian is the identity, nothing is factorised, and measuring from the
start makes the answer independent of the way the pointer took.

E_b of Eq. 5 wishes that the two sides of a broken tangent come together: w_d‖θ − θ₀‖² + w_b‖θ − θ⁺‖² is a distance
from a point between both, so the program works on z − e, with e that point. It grows with the way of the drag, from
nothing at its start: tangents are drawn together smoothly, and going back leads back.

Where the motion bends too much for one step, a share σ of the distance is measured from the present tangents instead:
(1 − σ)‖z − e‖² + σ‖z − z_k‖² is ‖z − (1 − σ)e − σz_k‖² and a constant, so the program works on that. Damping
μ‖z − z_k‖² is the same again: with σ' = (σ + μ) / (1 + μ), all of it divided by 1 + μ, w_m too. A step that is held
short by bounds on every variable stops at most of them, one by one; a damped one meets hardly any.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths.steps import EQUAL, FAR, shortest
from inbetweener.tangents import kernels
from inbetweener.tangents.problem import Problem

CUT_ROOM = 64
"""How many cuts for value limits there may be."""
HALFWAY = 0.05
"""A drag that goes this far, in heights or radians, draws broken tangents together with half of their weight."""


class Answer(NamedTuple):
    """A step: where it leads and what it should bring.

    z (4F,)      the new tangents
    error        how far the dragged state will be from its target if all is linear
    multipliers  of (bounds on z, bounds on r, rows), zero where inactive
    """

    z: Floats
    error: float
    multipliers: Floats


class Program:
    """Rows: the dragged state (equalities with r), constraints (within a slack), then cuts: limits, what stays apart.

    `matrix` (rows and room for cuts, 4F + dragged rows) and `errors` (rows,) are the workspace's: derivatives are
    written straight into the one, and the other is read where it stands when rows are set.
    """

    def __init__(self, problem: Problem, matrix: Floats, errors: Floats) -> None:
        self.problem = problem
        self.matrix = matrix
        self.n = len(problem.variables)
        self.residuals = problem.items.dragged_rows
        self.rows = problem.items.row_count
        size = self.n + self.residuals + len(matrix)
        self.lower, self.upper = np.full(size, -FAR), np.full(size, FAR)
        self.sense = np.zeros(size, np.int32)
        self.first = self.n + self.residuals
        self.sense[self.first : self.first + self.residuals] = EQUAL
        self.pull = float(np.sqrt(problem.settings.pull))
        self._weighed = np.einsum("ii->i", matrix[: self.residuals, self.n :])
        """A view: where the dragged rows meet their residuals."""
        self._weighed[:] = -1.0 / self.pull
        self._derivatives = matrix[: self.rows, : self.n]
        self.centre, self.left = np.zeros(self.n), np.zeros(self.residuals)
        self._z, self._moved = np.zeros(self.n), np.zeros(self.rows)
        self._slack = np.zeros(self.rows - self.residuals)
        variables, self._wish = problem.variables, np.zeros(self.n)
        within = kernels.Within(variables.lower, variables.upper, variables.step, self._wish)
        self._bound = kernels.bound_step.bound(
            self._z, self._moved, errors, self._slack, within,
            kernels.Program(self.centre, self.left, self.lower, self.upper),
        )  # fmt: skip
        self.multipliers: Floats | None = None
        self.radius = problem.settings.radius
        """How far a step may change any variable."""
        self.pivots = 0
        """How much work has been done: changes of the working set."""
        self._use(0)

    def draw_together(self, way: float) -> None:
        """Let broken tangents wish to meet, the more the farther the drag goes: `way`, in heights or radians."""
        np.multiply(self.problem.variables.together, way / (way + HALFWAY), out=self._wish)

    def linearise(self, z: Floats, share: float, damping: float, length: float, slack: Floats) -> None:
        """Set rows and bounds around z: move the dragged state by `length` at most, keep constraints within `slack`.

        Measures `share` of the distance from z, the rest from the wish, which is near the start of the drag. The step
        itself costs more with `damping`: as much as staying √damping heights behind for each radian.
        """
        self._z[:], self._slack[:] = z, slack
        np.matmul(self._derivatives, z - self._wish, out=self._moved)
        settings = self.problem.settings
        more = damping * settings.pull
        pull = math.sqrt(settings.pull / (1.0 + more))
        if pull != self.pull:
            self.pull = pull
            self._weighed[:] = -1.0 / pull
        self._bound((share + more) / (1.0 + more), self.radius, length)

    def set_cuts(self, rows: Floats, bounds: Floats) -> None:
        """Further rows (c, 4F) with upper bounds (c,) on rows · z; after `linearise`."""
        self._use(min(len(rows), len(self.matrix) - self.rows))
        first = self.first + self.rows
        self.matrix[self.rows : self.rows + self.cuts, : self.n] = rows[: self.cuts]
        self.upper[first : first + self.cuts] = bounds[: self.cuts] - rows[: self.cuts] @ self.centre

    def _use(self, cuts: int) -> None:
        rows, self.cuts = self.rows + cuts, cuts
        size = self.first + rows
        self._used = self.matrix[:rows], self.lower[:size], self.upper[:size], self.sense[:size]

    def solve(self) -> Answer | None:
        """The shortest vector, or None where the linear rows contradict each other."""
        y, self.multipliers, pivots = shortest(*self._used, self.multipliers)
        self.pivots += pivots
        if y is None or self.multipliers is None:
            return None
        # r is what the step falls short of the advance, times √w_m.
        short = math.hypot(*(self.left - y[self.n :] / self.pull))
        return Answer(self.centre + y[: self.n], short, self.multipliers)
