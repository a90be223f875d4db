"""The moving half of posing: current channels, states, errors and derivatives, in arrays made once."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.posing import kernels
from inbetweener.posing.problem import Problem
from inbetweener.posing.request import InvalidRequest
from inbetweener.posing.state import State
from inbetweener.rig.kernels import States, Wires


class Workspace:
    """Evaluates a problem at a vector z of scaled variables.

    positions (I, 3), turns (I, 3, 3)  states of pulls and pins at the last z
    errors (R,)                        target − state, lengths relative to the character's height
    derivatives (R, n)                 of the states by z
    lengths (I, 2)                     of the errors, position and orientation
    pulled_error, pinned_error         how far the worst pull and the worst pin are off: heights or radians
    cost                               how far all pulls are off together, weighted
    farthest                           the worst pull where a radian is as far as a quarter of the height
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        part, watched = problem.part, problem.watched
        joints, items, rows = len(part.skeleton), len(watched.watched.rows), len(problem.row_scale)
        self.channels = problem.channels[None, part.channels].copy()
        self.weights = part.dof_map.weights(self.channels)[0]
        self._wires = Wires(part.dof_map.starts, part.dof_map.channels)
        self._free = kernels.Free(problem.columns, problem.scale, part.dof_map.channel_count)
        self._now = States(np.empty((items, 3)), np.empty((items, 3, 3)))
        self.positions, self.turns = self._now
        self.errors, self.lengths = np.empty(rows), np.zeros((items, 2))
        self.derivatives = np.zeros((rows, len(problem.scale)))
        self._found = kernels.Found(
            np.empty((joints, 3, 4)), np.empty((joints, 3, 3)), self.errors, self.derivatives, self.lengths
        )
        self.pull_weights = np.array([pull.weight for pull in problem.request.pulls])
        # Targets of pins are frozen here: re-read at every step, they would drift a little with each.
        self._wish = States(np.zeros((items, 3)), np.zeros((items, 3, 3)))
        self.target_positions, self.target_turns = self._wish
        self._at: Floats | None = None
        self._with_derivatives = False
        self.evaluate(np.zeros(len(problem.scale)), derivatives=False)
        self.target_positions[:], self.target_turns[:] = self.positions, self.turns
        self.start_positions, self.start_turns = self.positions.copy(), self.turns.copy()

    def aim(self, states: Sequence[State]) -> None:
        """Set the states that the pulled points should have; what is not given stays as it was at the start."""
        pulls = self.problem.request.pulls
        if len(states) != len(pulls):
            raise InvalidRequest(f"{len(states)} states given for {len(pulls)} pulls; give one each, in their order")
        self._at = None
        for i, state in enumerate(states):
            self.target_positions[i] = self.start_positions[i] if state.position is None else state.position
            self.target_turns[i] = self.start_turns[i] if state.turn is None else state.turn

    def evaluate(self, z: Floats, *, derivatives: bool = True) -> None:
        """States and errors at z and, on demand, their derivatives; z must not be written to later."""
        if z is self._at and self._with_derivatives >= derivatives:
            return
        self._at, self._with_derivatives = z, derivatives
        problem, mapping = self.problem, self.problem.part.dof_map
        self.channels[0, problem.columns] = problem.values(z)
        if derivatives:
            dofs, weights = mapping.solved(self.channels)
            self.weights = weights[0]
        else:
            dofs = mapping.dofs(self.channels)
        self.pulled_error, self.pinned_error, self.cost, self.farthest = kernels.linearise(
            problem.part.skeleton.tree, problem.watched.bending, dofs[0], self._wires, self.weights,
            problem.watched.watched, self._wish, self.pull_weights, self._free, derivatives, self._now, self._found,
        )  # fmt: skip
