"""The moving half of posing: current channels, states, errors and derivatives, in arrays made once."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRequest
from inbetweener.posing import kernels
from inbetweener.posing.problem import Problem
from inbetweener.posing.state import State
from inbetweener.rig.kernels import States, Wires


class Workspace:
    """Evaluates a problem at a vector z of scaled variables.

    positions (I, 3), turns (I, 3, 3)  states of pulls and pins at the last z
    errors (R,)                        target − state, lengths relative to the character's height
    derivatives (R, n)                 of the states by z
    lengths (I, 2)                     of the errors, position and orientation
    pulled_error, pinned_error         how far the worst pull and the worst pin are off: heights or radians
    beyond                             how far the worst pin is beyond its tolerance
    cost                               how far all pulls are off together, weighted
    farthest                           the worst pull where a radian is as far as a quarter of the height
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        part, watched = problem.part, problem.watched
        joints, items, rows = len(part.skeleton), len(watched.watched.rows), len(problem.row_scale)
        self.channels = problem.channels[None, part.channels].copy()
        dofs, weights, self._solve = part.dof_map.followed(self.channels)
        now = States(np.empty((items, 3)), np.empty((items, 3, 3)))
        self.positions, self.turns = now
        self.errors, self.lengths = np.empty(rows), np.zeros((items, 2))
        self.derivatives = np.zeros((rows, len(problem.scale)))
        # Targets of pins are frozen here: re-read at every step, they would drift a little with each.
        wished = States(np.zeros((items, 3)), np.zeros((items, 3, 3)))
        self.target_positions, self.target_turns = wished
        pull_weights = np.array([pull.weight for pull in problem.request.pulls])
        self._linearise = kernels.linearise.bound(
            part.skeleton.tree, watched.bending, dofs[0], Wires(part.dof_map.starts, part.dof_map.channels), weights[0],
            watched.watched, kernels.Wish(wished, pull_weights, problem.pin_tolerances),
            kernels.Free(problem.columns, problem.scale, part.dof_map.channel_count), now,
            kernels.Found(
                np.empty((joints, 3, 4)), np.empty((joints, 3, 3)), self.errors, self.derivatives, self.lengths
            ),
        )  # fmt: skip
        self._at: Floats | None = None
        self.evaluate(np.zeros(len(problem.scale)))
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

    def evaluate(self, z: Floats) -> None:
        """States, errors and derivatives at z, which must not be written to later."""
        if z is self._at:
            return
        self._at = z
        self.channels[0, self.problem.columns] = self.problem.values(z)
        self._solve()
        self.pulled_error, self.pinned_error, self.cost, self.farthest, self.beyond = self._linearise()
