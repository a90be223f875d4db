"""No penetration during a drag: rows on the tangents where parts come near each other, or solids."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.motion.clear import AIM, Apart
from inbetweener.rig.posed import Posed
from inbetweener.tangents import kernels
from inbetweener.tangents.layered import weights_of
from inbetweener.tangents.problem import Problem

CLEAR_ROOM = 240
"""How many such rows a program may have: the nearest speak for the rest."""


class ClearCuts:
    """The pairs of a drag that stay apart, looked at as tangents z (4F,) have them.

    What is inside when the drag begins goes no deeper: it counts as touching where it is so deep.
    """

    def __init__(self, problem: Problem, apart: Apart) -> None:
        motion, variables, times = problem.motion, problem.variables, problem.clear_times
        self._height, self._wanted = problem.height, np.zeros(len(motion.rig.channels), np.bool_)
        self._columns = np.array([motion.rig.channel_index(name) for name in problem.names], np.int64)
        self._wanted[self._columns] = True
        self._channels = motion.channels(times)
        weights = weights_of(motion, problem.request.layer, problem.names, times)
        offsets = self._channels[:, self._columns] - weights * variables.window.evaluate(times)
        self._partials = np.empty((len(times), len(problem.names), 4))
        self._z, self._seen = np.zeros(len(variables)), np.full(len(variables), np.nan)
        self._shape = kernels.shape_curves.bound(
            variables.window.keys, variables.window.ins.copy(), variables.window.outs.copy(), variables.free, self._z,
            times, offsets, weights, self._channels, kernels.Moving(self._columns, self._partials),
        )  # fmt: skip
        self.apart, self._before = apart, np.zeros(len(apart.pairs))
        self._before = np.maximum(-self._look(np.zeros(len(variables))).min(axis=1), 0.0)
        self._seen[:] = np.nan
        self.pairs: Ints = np.zeros(0, np.int64)
        """(K,) whose rows the last ones are."""

    def offs(self, z: Floats) -> Floats:
        """(P,) how deep each pair is inside, beyond what it was, in heights."""
        return np.asarray(np.maximum(-self._look(z).min(axis=1), 0.0) / self._height)

    def rows(self, z: Floats, *, strict: bool) -> tuple[Floats, Floats]:
        """Rows (K, 4F) and upper bounds (K,) on rows · z: apart with room to spare or, where not strict, no worse."""
        apart = self._look(z)
        near = self.apart.near(self._posed, self._frames, apart)
        gaps = near.gaps + self._before[near.pairs]
        few = np.sort(np.argsort(gaps, kind="stable")[:CLEAR_ROOM])
        gaps, t, self.pairs = gaps[few] / self._height, near.times[few], near.pairs[few]
        rows = (near.rows[few][:, self._columns, None] * self._partials[t] / self._height).reshape(len(few), len(z))
        wished = np.where(self._before[self.pairs] > 0.0, 0.0, AIM) if strict else np.minimum(gaps, 0.0)
        return -rows, gaps - wished - rows @ z

    def _look(self, z: Floats) -> Floats:
        """(P, T) how far pairs are apart, in metres."""
        if not np.array_equal(z, self._seen):
            self._z[:] = self._seen[:] = z
            self._shape()
            self._posed = Posed(self.apart.rig, self._channels, wanted=self._wanted)
            self._frames = self.apart.frames(self._posed)
            self._separations = self.apart.separations(self._frames) + self._before[:, None]
        return self._separations
