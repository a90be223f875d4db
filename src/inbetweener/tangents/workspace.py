"""The moving half of a drag: current tangents, states, errors and derivatives, in arrays made once."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.rig.kernels import Bending, States, Tree, Watched, Wires
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
        self.channels, self.offsets = problem.channels.copy(), problem.offsets.copy()
        moments, joints, watched = len(items.moments), len(problem.part.skeleton), len(items.times)
        self.free = np.zeros(len(problem.part.channels), np.bool_)
        self.free[problem.columns] = True
        self._room = kernels.Room(
            np.empty((moments, joints, 3, 4)),
            np.empty((moments, joints, 3, 3)),
            np.empty((2, 6, len(problem.part.channels))),
        )
        self.partials = np.empty((moments, len(problem.names), 4))
        self._moving = kernels.Moving(problem.columns, self.partials)
        self._now = States(np.empty((watched, 3)), np.empty((watched, 3, 3)))
        self.positions, self.turns = self._now
        self.matrix = np.zeros((items.row_count + below, len(variables) + beside))
        self.derivatives = self.matrix[: items.row_count, : len(variables)]
        self._rows = kernels.Rows(np.empty(items.row_count), self.matrix)
        self.errors = self._rows.errors
        # Targets are frozen here: re-read at every step, pins would drift a little with each.
        self._wish = States(np.zeros((watched, 3)), np.zeros((watched, 3, 3)))
        self.target_positions, self.target_turns = self._wish
        self._z = self.z.copy()
        self._dofs, self._weights, self._solve = problem.part.dof_map.followed(self.channels, self.free)
        self._shape = kernels.shape_curves.bound(
            variables.window.keys, self.ins, self.outs, variables.free, self._z,
            items.moments, self.offsets, problem.weights, self.channels, self._moving,
        )  # fmt: skip
        self._write = kernels.set_tangents.bound(variables.free, self._z, self.ins, self.outs)
        self._linearise = kernels.linearise.bound(*self._seen, self._moving, self._room, self._now, self._rows)
        orientation = self._room.orientation[items.times[self.dragged]]
        self._aim = kernels.aim.bound(items.view.watched, self.dragged, orientation, self._now, self._wish, self.errors)
        self._target_error = kernels.longest.bound(self.errors[: self.dragged_rows])
        self._constraint_error = kernels.longest.bound(self.errors[self.dragged_rows :])
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
        if position is not None:
            self.target_positions[self.dragged] = position
        if turn is not None:
            self.target_turns[self.dragged] = turn
        self._aim()

    def evaluate(self, z: Floats) -> None:
        """States, errors and derivatives at z."""
        self._z[:] = z
        self._shape()
        self._solve()
        self._linearise()
        self.z = z

    def write(self, z: Floats) -> None:
        """The tangents that z describes, and nothing else of it."""
        self._z[:] = z
        self._write()

    def derivatives_by(self, partials: Floats) -> Floats:
        """(R, F): how the errors' states move with something that moves each free channel by `partials` (T, F)."""
        moving = self._moving._replace(partials=np.zeros_like(self.partials))
        moving.partials[:, :, 0] = partials
        rows = kernels.Rows(self.errors, np.zeros((len(self.errors), len(self.z))))
        kernels.linearise(*self._seen, moving, self._room, self._now, rows)
        return rows.derivatives[:, ::4]

    @property
    def _seen(self) -> tuple[Tree, Bending, Floats, Wires, Floats, Watched, Ints, States]:
        """The part of the rig as it stands, and which states of it are watched when."""
        part, items = self.problem.part, self.problem.items
        wires = Wires(part.dof_map.starts, part.dof_map.channels)
        watched, bending = items.view.watched, items.view.bending
        return part.skeleton.tree, bending, self._dofs, wires, self._weights, watched, items.times, self._wish

    @property
    def target_error(self) -> float:
        """How far the dragged state is from its target: the larger of length (relative to height) and turn."""
        return self._target_error()

    @property
    def constraint_error(self) -> float:
        """How far the worst constraint is off, in the same measure."""
        return self._constraint_error()
