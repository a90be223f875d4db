"""What each constraint of a drag may be off, and how far each of them is: one bound for each, and nobody else's."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.tangents.problem import Problem

SLACK = 0.4
"""How much of its tolerance one linear step may use; the rest is for what it does not see."""


class Tolerances:
    """each (constraints,) how far they may be off, pairs that stay apart last; owners (rows,) whose rows those are.

    A constraint with a tolerance of its own is measured as if that were the settings': what is twice as strict counts
    twice.
    """

    def __init__(self, problem: Problem, pairs: int = 0) -> None:
        self._rules = len(problem.rules)
        self.each = np.full(self._rules + pairs, problem.settings.tolerance)
        self.owners = problem.items.row_owners()[problem.items.dragged_rows :]
        rows = problem.row_tolerances[problem.items.dragged_rows :]
        self.strictest = float(rows.min(initial=np.inf))
        self.slack = SLACK * rows
        """(rows,) what a linear step may use."""
        # Three rows each are one state: these by the constraints that own them, one after the other.
        states = self.owners[::3]
        self._order = np.argsort(states, kind="stable")
        self._strictness = (problem.settings.tolerance / rows)[::3, None]
        self._watched, self._first = np.unique(states[self._order], return_index=True)

    def offs(self, errors: Floats) -> Floats:
        """(constraints,) the longest error of each, of errors (rows,): heights or radians."""
        offs = np.zeros(self._rules)
        if len(self._order):
            states = (self._strictness * errors.reshape(-1, 3))[self._order]
            offs[self._watched] = np.sqrt(np.maximum.reduceat(np.einsum("ij,ij->i", states, states), self._first))
        return offs

    def beyond(self, offs: Floats) -> float:
        """How far the worst of them is beyond its tolerance."""
        return float((offs - self.each).max(initial=0.0))
