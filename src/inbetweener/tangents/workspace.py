"""The moving half of a drag: current tangents, states, errors and derivatives, in arrays made once."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.rig.kernels import States, Wires
from inbetweener.tangents import kernels
from inbetweener.tangents.problem import Problem


class Workspace:
    """Evaluates a problem at a vector z of scaled variables.

    z (4F,)                            where it was evaluated last
    positions (I, 3), turns (I, 3, 3)  states of the watched items there
    errors (R,)                        target − state, lengths relative to the character's height
    derivatives (R, 4F)                of the states by z: a view of `matrix`, which has room beside and below
    """

    def __init__(self, problem: Problem, beside: int = 0, below: int = 0) -> None:
        self.problem = problem
        variables, items = problem.variables, problem.items
        self.dragged, self.dragged_rows = items.dragged, items.dragged_rows
        self.z = np.zeros(len(variables))
        self.ins, self.outs = variables.window.ins.copy(), variables.window.outs.copy()
        self.channels, self.offsets = problem.channels.copy(), problem.offsets
        moments, joints, watched = len(items.moments), len(problem.part.joints), len(items.times)
        self.free = np.zeros(len(problem.part.channels), np.bool_)
        self.free[problem.columns] = True
        self.partials = np.empty((moments, len(problem.names), 4))
        self._room = kernels.Room(
            np.empty((moments, joints, 3, 4)),
            np.empty((moments, joints, 3, 3)),
            np.empty((2, 6, len(problem.part.channels))),
        )
        self._wires = Wires(problem.part.dof_map.starts, problem.part.dof_map.channels)
        self._free, self._keys = variables.free, variables.window.keys
        self._now = States(np.empty((watched, 3)), np.empty((watched, 3, 3)))
        self.positions, self.turns = self._now
        self.errors = np.empty(items.row_count)
        self.matrix = np.zeros((items.row_count + below, len(variables) + beside))
        self.derivatives = self.matrix[: items.row_count, : len(variables)]
        # Targets are frozen here: re-read at every step, pins would drift a little with each.
        self._wish = States(np.zeros((watched, 3)), np.zeros((watched, 3, 3)))
        self.target_positions, self.target_turns = self._wish
        self.evaluate(self.z)
        self.target_positions[:], self.target_turns[:] = self.positions, self.turns
        for owner, (positions, turns) in problem.targets.items():
            mine = items.owners == owner
            if problem.rules[owner].stands:
                # Seen from a base, it should be where that has it: no way apart.
                based = problem.rules[owner].base is not None
                self.target_positions[mine], self.target_turns[mine] = 0.0 if based else positions, turns
        self.evaluate(self.z)

    def aim(self, position: Floats | None, turn: Floats | None) -> None:
        """Set the state that the dragged point should have, and its errors."""
        i = self.dragged
        if position is not None:
            self.target_positions[i] = position
        if turn is not None:
            self.target_turns[i] = turn
        items = self.problem.items
        orientation = self._room.orientation[items.times[i]]
        kernels.aim(items.view.watched, i, orientation, self._now, self._wish, self.errors)

    def evaluate(self, z: Floats) -> None:
        """States, errors and derivatives at z."""
        problem = self.problem
        kernels.shape_curves(
            self._keys, self.ins, self.outs, self._free, z,
            problem.items.moments, problem.columns, self.offsets, problem.weight, self.channels, self.partials,
        )  # fmt: skip
        self._linearise(self.partials, self.matrix)
        self.z = z

    def derivatives_by(self, partials: Floats) -> Floats:
        """(R, F): how the errors' states move with something that moves each free channel by `partials` (T, F)."""
        four = np.zeros_like(self.partials)
        four[:, :, 0] = partials
        result = np.zeros((len(self.errors), len(self.z)))
        self._linearise(four, result)
        return result[:, ::4]

    def _linearise(self, partials: Floats, derivatives: Floats) -> None:
        part, items = self.problem.part, self.problem.items
        dofs, weights = part.dof_map.solved(self.channels, self.free)
        kernels.linearise(
            part.skeleton.tree, items.view.bending, dofs, self._wires, weights, items.view.watched, items.times,
            self._wish, self.problem.columns, partials, self._room, self._now, self.errors, derivatives,
        )  # fmt: skip

    @property
    def target_error(self) -> float:
        """How far the dragged state is from its target: the larger of length (relative to height) and turn."""
        return kernels.longest(self.errors[: self.dragged_rows])

    @property
    def constraint_error(self) -> float:
        """How far the worst constraint is off, in the same measure."""
        return kernels.longest(self.errors[self.dragged_rows :])
