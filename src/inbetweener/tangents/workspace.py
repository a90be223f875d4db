"""The moving half of a drag: current tangents, states, errors and derivatives, in arrays made once."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.tangents import kernels
from inbetweener.tangents.constraints import Contact
from inbetweener.tangents.problem import Problem


class Workspace:
    """Evaluates a problem at a vector z of scaled variables.

    positions (I, 3), turns (I, 3, 3)  states of the watched items at the last z
    errors (R,)                        target − state, lengths relative to the character's height
    derivatives (R, 4F)                of the states by z
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        variables, items = problem.variables, problem.items
        self.ins, self.outs = variables.window.ins.copy(), variables.window.outs.copy()
        self.channels = problem.channels.copy()
        moments, free, watched = len(items.moments), len(problem.names), len(items.times)
        self.values = np.empty((moments, free))
        self.partials = np.empty((moments, free, 4))
        self.positions, self.turns = np.empty((watched, 3)), np.empty((watched, 3, 3))
        self.errors = np.empty(items.row_count)
        self.derivatives = np.zeros((items.row_count, len(variables)))
        self.weights = problem.part.dof_map.weights(self.channels)
        # Targets are frozen here: re-read at every step, pins would drift a little with each.
        self.target_positions, self.target_turns = np.zeros((watched, 3)), np.zeros((watched, 3, 3))
        self.evaluate(np.zeros(len(variables)), derivatives=False)
        self.target_positions[:], self.target_turns[:] = self.positions, self.turns
        self._hold_contacts()

    def _hold_contacts(self) -> None:
        """A contact stays where it is at its start."""
        items, motion = self.problem.items, self.problem.motion
        for i, constraint in enumerate(self.problem.request.constraints):
            if isinstance(constraint, Contact) and (items.owners == i).any():
                position, turn = motion.states(np.array([constraint.start]), constraint.point)
                self.target_positions[items.owners == i] = position[0]
                self.target_turns[items.owners == i] = turn[0]

    def aim(self, position: Floats | None, turn: Floats | None) -> None:
        """Set the state that the dragged point should have."""
        if position is not None:
            self.target_positions[self.problem.items.dragged] = position
        if turn is not None:
            self.target_turns[self.problem.items.dragged] = turn

    def evaluate(self, z: Floats, *, derivatives: bool = True) -> None:
        """States and errors at z and, on demand, their derivatives."""
        problem, part, items = self.problem, self.problem.part, self.problem.items
        variables, window, skeleton = problem.variables, problem.variables.window, problem.part.skeleton
        variables.write(z, self.ins, self.outs)
        kernels.evaluate_free(
            window.starts, window.times, window.values, self.ins, self.outs, window.kinds,
            variables.segments, variables.ties, items.moments, self.values, self.partials,
        )  # fmt: skip
        self.channels[:, problem.columns] = problem.offsets + problem.weight * self.values
        dofs = part.dof_map.dofs(self.channels)
        world, orientation = skeleton.forward(dofs)
        kernels.linearise(
            skeleton.parents, skeleton.rest, skeleton.orders, dofs, world, orientation,
            part.dof_map.starts, part.dof_map.channels, self.weights,
            items.times, items.rows, items.wants, items.starts, items.joints, items.offsets, items.weights,
            self.target_positions, self.target_turns, problem.columns, self.partials,
            variables.scale * problem.weight, problem.row_scale,
            derivatives, self.positions, self.turns, self.errors, self.derivatives,
        )  # fmt: skip

    @property
    def target_error(self) -> float:
        """How far the dragged state is from its target: the larger of length (relative to height) and turn."""
        return _largest(self.errors[: self.problem.items.dragged_rows])

    @property
    def constraint_error(self) -> float:
        """How far the worst constraint is off, in the same measure."""
        return _largest(self.errors[self.problem.items.dragged_rows :])


def _largest(errors: Floats) -> float:
    """The longest of the 3-vectors that a row of errors is made of."""
    if len(errors) == 0:
        return 0.0
    triples = errors.reshape(-1, 3)
    return float(np.sqrt(np.einsum("ij,ij->i", triples, triples).max()))
