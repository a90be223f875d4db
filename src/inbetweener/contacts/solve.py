"""Hold contacts: a bounded least-squares problem over all free keys together, solved by Gauss–Newton steps.

Minimise  W ‖states − wanted states‖² + ‖worth · (curves − curves before)‖²  at all looks: with W large, contacts and
pins hold as well as they can, and of all ways to hold them the one is taken that changes the motion least. Every key
reaches only its own two segments, so the normal equations are sparse and a clip of any length costs in proportion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.contacts.problem import Problem, Watch
from inbetweener.curves import Bundle, Curve
from inbetweener.maths import quaternions
from inbetweener.maths.search import Search, Stepped
from inbetweener.maths.steps import box_step
from inbetweener.rig import Rig

if TYPE_CHECKING:
    from scipy import sparse

HOLD = 1e3
"""√W: how much more a state counts than a change of the motion, both in heights."""

SOFTLY = (10.0, 100.0, HOLD)
"""The same, led up to: where states hardly count at first, a motion finds other ways than straight into a corner."""

NARROW = 0.1
"""Relative widths to begin with where the present ones lead into a corner: slopes turn most freely near their keys."""

MISSED = 1e-4
"""Heights or radians: a state that is off by more than this is looked for from elsewhere too."""

FLOOR = 1e-3
"""What a change of a key counts by itself: decides between tangents that do the same."""

LIMIT = 1e4
"""How much an extreme counts that comes too near to a limit; more where that does not keep it inside. To begin with it
gives way a little, as steps along a hard wall would hardly get anywhere."""

ITERATIONS = 80
"""Steps at most; thirty are usual."""

FIRST = 1e-6
"""Damping to begin with: what is linear in the slopes hardly needs any."""

ENOUGH = 1e-3
"""Stop when a step improves the sum of squares by less than this share."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """z (n,), the sum of squares there, and steps taken."""

    problem: Problem
    z: Floats
    cost: float
    iterations: int

    @property
    def curves(self) -> dict[str, Curve]:
        """The curves that were free, changed."""
        problem = self.problem
        return problem.keys.changed(problem.motion.clip.curves, problem.names, self.z)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Everything at one z: the curves, poses (T, C), the residuals, the sum of their squares, and the worst state."""

    z: Floats
    shaped: Bundle
    poses: Floats
    residuals: Floats
    merit: float
    off: float


def solve(problem: Problem) -> Solution:
    """From the keys as they are, down to where no step improves anything; the best of three ways, where one misses.

    Values are linear in all but the widths, and those make corners in which a search ends.
    """
    begun = np.zeros(len(problem.keys))
    best, steps = _descended(problem, begun, (HOLD,))
    if best.off > MISSED:
        for start, holds in ((begun, SOFTLY), (problem.keys.with_widths(NARROW), (HOLD,))):
            other, more = _descended(problem, start, holds)
            best, steps = min(best, other, key=lambda each: each.merit), steps + more
    return Solution(problem, problem.limits.brought_in(best.z), best.merit, steps)


def _descended(problem: Problem, z: Floats, holds: Sequence[float]) -> tuple[_Look, int]:
    """Where steps from z lead while states count by one weight after the other, and how many steps that took."""
    steps = 0
    # Limits that give way at the end are hardened until they do not.
    hardened = [(holds[-1], LIMIT * 100.0**n) for n in range(1, 5)]
    for hold, limit in [*((hold, LIMIT) for hold in holds), *hardened]:
        descent = _Descent(problem, hold, limit)
        search = Search(descent.look(z), descent.step, FIRST)
        for _ in islice(search.settling(1, ENOUGH), ITERATIONS - steps):
            steps += 1
        z = search.now.z
        if hold == holds[-1] and problem.limits.worst(search.now.shaped) == 0.0:
            break
    return search.now, steps


class _Descent:
    """Gauss–Newton steps, while states count by `hold`, and extremes that come too near to a limit by `limit`."""

    def __init__(self, problem: Problem, hold: float, limit: float) -> None:
        self.problem, self.hold, self.limit = problem, hold, limit
        self._linear: tuple[_Look, sparse.csc_array, Floats] | None = None

    def look(self, z: Floats) -> _Look:
        """What is there at z."""
        problem = self.problem
        shaped = problem.keys.shaped(z)
        values = shaped.evaluate(problem.looks)
        poses = problem.channels.copy()
        poses[:, problem.columns] = problem.offsets + values
        rig, height = problem.motion.rig, problem.height
        off = [errors(rig, height, poses[watch.at], watch) for watch in problem.watches]
        residuals = np.concatenate(
            [
                *(self.hold * w.weight * error.ravel() for w, error in zip(problem.watches, off, strict=True)),
                (problem.worth * (values - problem.before)).ravel(),
                FLOOR * z,
                self.limit * problem.limits.rows(shaped)[0],
            ]
        )
        worst = max(float(np.abs(error).max(initial=0.0)) for error in off)
        return _Look(z, shaped, poses, residuals, float(residuals @ residuals), worst)

    def step(self, now: _Look, damping: float) -> Stepped[_Look] | None:
        """Where the damped step leads within bounds."""
        from scipy import sparse

        if not len(now.z):
            return None
        if self._linear is None or self._linear[0] is not now:
            jacobian = self._jacobian(now)
            self._linear = now, (jacobian.T @ jacobian).tocsc(), jacobian.T @ now.residuals
        _, normal, gradient = self._linear
        keys = self.problem.keys
        bounds = np.maximum(keys.lower - now.z, -keys.step), np.minimum(keys.upper - now.z, keys.step)
        damped = (normal + damping * sparse.diags_array(normal.diagonal())).tocsc()
        change = box_step(damped, gradient, bounds)
        return Stepped(self.look(now.z + change), -float(change @ (2.0 * gradient + normal @ change)))

    def _jacobian(self, now: _Look) -> "sparse.csr_array":
        """Derivatives of all residuals by z."""
        from scipy import sparse

        problem = self.problem
        by_key = problem.keys.derivative(now.shaped, problem.looks)
        blocks = [
            self.hold * (_watch_derivative(problem, watch, now.poses[watch.at]) @ by_key) for watch in problem.watches
        ]
        return sparse.vstack(
            [
                *blocks,
                sparse.diags_array(np.tile(problem.worth, len(problem.looks))) @ by_key,
                FLOOR * sparse.eye_array(len(problem.keys)),
                self.limit * problem.limits.rows(now.shaped)[1],
            ],
            format="csr",
        )


def errors(rig: Rig, height: float, poses: Floats, watch: Watch) -> Floats:
    """(m, 3 or 6) state − wanted state: heights, then radians."""
    positions, turns = watch.rule.seen(rig.posed(poses))
    halves = []
    if watch.rule.wants[0]:
        halves.append((positions - watch.positions) / height)
    if watch.rule.wants[1]:
        halves.append(quaternions.rotation_vectors(turns @ watch.turns.transpose(0, 2, 1)))
    return np.concatenate(halves, axis=1)


def error_rows(rig: Rig, height: float, poses: Floats, watch: Watch, columns: Ints) -> Floats:
    """(m, 3 or 6, F) how a watch's errors move with some channels."""
    moves = watch.rule.jacobian(rig.posed(poses))[..., columns]
    halves = []
    if watch.rule.wants[0]:
        halves.append(moves[:, :3] / height)
    if watch.rule.wants[1]:
        halves.append(moves[:, 3:])
    return np.concatenate(halves, axis=1)


def _watch_derivative(problem: Problem, watch: Watch, poses: Floats) -> "sparse.csr_array":
    """How a watch's errors, weighed, move with the values of the free curves at all looks: sparse (rows, T·F)."""
    from scipy import sparse

    free = len(problem.columns)
    dense = watch.weight * error_rows(problem.motion.rig, problem.height, poses, watch, problem.columns)
    look, row, column = np.nonzero(dense)
    return sparse.csr_array(
        (dense[look, row, column], (look * dense.shape[1] + row, watch.at[look] * free + column)),
        shape=(dense.shape[0] * dense.shape[1], len(problem.looks) * free),
    )
