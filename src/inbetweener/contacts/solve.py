"""Hold contacts: a bounded least-squares problem over all free keys together, solved by Gauss–Newton steps.

Minimise  W ‖states − wanted states‖² + ‖worth · (curves − curves before)‖²  at all looks: with W large, contacts and
pins hold as well as they can, and of all ways to hold them the one is taken that changes the motion least. Every key
reaches only its own two segments, so the normal equations are sparse and a clip of any length costs in proportion.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.contacts.free_keys import IN_SLOPE, NUMBERS, OUT_SLOPE
from inbetweener.contacts.problem import Problem, Watch
from inbetweener.contacts.value_limits import ROUNDING
from inbetweener.curves import Bundle, Curve
from inbetweener.maths import quaternions

if TYPE_CHECKING:
    from scipy import sparse

HOLD = 1e3
"""√W: how much more a state counts than a change of the motion, both in heights."""

FLOOR = 1e-3
"""What a change of a key counts by itself: decides between tangents that do the same."""

LIMIT = 1e4
"""How much an extreme counts that comes too near to a limit; more where that does not keep it inside. To begin with it
gives way a little, as steps along a hard wall would hardly get anywhere."""

ITERATIONS = 80

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
    """Everything at one z: the curves, the residuals and the cost."""

    z: Floats
    shaped: Bundle
    residuals: Floats
    states: "tuple[tuple[Floats, Floats], ...]"
    poses: Floats
    cost: float


def solve(problem: Problem) -> Solution:
    """From the keys as they are, down to where no step improves anything."""
    limit = LIMIT
    now = _evaluate(problem, np.zeros(len(problem.keys)), limit)
    steps = 0
    damping = 1e-6
    while steps < ITERATIONS and len(problem.keys):
        steps += 1
        jacobian = _jacobian(problem, now, limit)
        gradient = jacobian.T @ now.residuals
        normal = (jacobian.T @ jacobian).tocsc()
        found: _Look | None = None
        while found is None and damping < 1e6:
            z = _step(problem, now.z, normal, gradient, damping)
            tried = _evaluate(problem, z, limit)
            if tried.cost < now.cost:
                found = tried
                damping = max(0.1 * damping, 1e-9)
            else:
                damping *= 10.0
        if found is None:
            break
        gain = 1.0 - found.cost / now.cost
        now = found
        if gain < ENOUGH:
            if problem.limits.excess(now.shaped).max() <= ROUNDING or limit >= 1e8 * LIMIT:
                break
            limit *= 100.0
            now = _evaluate(problem, now.z, limit)
    z = _inside(problem, _levelled(problem, now.z))
    return Solution(problem, z, now.cost, steps)


def _evaluate(problem: Problem, z: Floats, limit: float) -> _Look:
    keys = problem.keys
    shaped = keys.shaped(z)
    values = shaped.evaluate(problem.looks)
    poses = problem.channels.copy()
    poses[:, problem.columns] = problem.offsets + values
    rig = problem.motion.rig
    states = tuple(watch.rule.seen(rig.posed(poses[watch.at])) for watch in problem.watches)
    errors = [_errors(problem, watch, *state) for watch, state in zip(problem.watches, states, strict=True)]
    beyond, _ = problem.limits.rows(shaped, keys)
    residuals = np.concatenate(
        [
            *(HOLD * error.ravel() for error in errors),
            (problem.worth * (values - problem.before)).ravel(),
            FLOOR * z,
            limit * beyond,
        ]
    )
    return _Look(z, shaped, residuals, states, poses, float(residuals @ residuals))


def _jacobian(problem: Problem, now: _Look, limit: float) -> "sparse.csr_array":
    """Derivatives of all residuals by z."""
    from scipy import sparse

    by_key = problem.keys.derivative(now.shaped, problem.looks)
    _, beyond = problem.limits.rows(now.shaped, problem.keys)
    counts = len(problem.looks)
    blocks = [HOLD * (_watch_derivative(problem, watch, now.poses[watch.at]) @ by_key) for watch in problem.watches]
    return sparse.vstack(
        [
            *blocks,
            sparse.diags_array(np.tile(problem.worth, counts)) @ by_key,
            FLOOR * sparse.eye_array(len(problem.keys)),
            limit * beyond,
        ],
        format="csr",
    )


def _errors(problem: Problem, watch: Watch, positions: Floats, turns: Floats) -> Floats:
    """(m, 3 or 6) state − wanted state: heights, then radians."""
    halves = []
    if watch.rule.wants[0]:
        halves.append((positions - watch.positions) / problem.height)
    if watch.rule.wants[1]:
        halves.append(_rotation_vectors(turns @ watch.turns.transpose(0, 2, 1)))
    return np.concatenate(halves, axis=1)


def _rotation_vectors(matrices: Floats) -> Floats:
    """(m, 3) axis times angle of rotations (m, 3, 3)."""
    q = quaternions.from_matrix(matrices)
    q = np.where(q[:, :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    return q[:, 1:] * np.where(sine > 1e-12, 2.0 * np.arctan2(sine, q[:, :1]) / np.maximum(sine, 1e-12), 2.0)


def _watch_derivative(problem: Problem, watch: Watch, poses: Floats) -> "sparse.csr_array":
    """How a watch's errors move with the values of the free curves at all looks: sparse (rows, T·F)."""
    from scipy import sparse

    rig, free = problem.motion.rig, len(problem.columns)
    moves = watch.rule.jacobian(rig.posed(poses))[..., problem.columns]  # (m, 6, F)
    halves = []
    if watch.rule.wants[0]:
        halves.append(moves[:, :3] / problem.height)
    if watch.rule.wants[1]:
        halves.append(moves[:, 3:])
    dense = np.concatenate(halves, axis=1)  # (m, rows, F)
    look, row, column = np.nonzero(dense)
    return sparse.csr_array(
        (dense[look, row, column], (look * dense.shape[1] + row, watch.at[look] * free + column)),
        shape=(dense.shape[0] * dense.shape[1], len(problem.looks) * free),
    )


def _step(problem: Problem, z: Floats, normal: "sparse.csc_array", gradient: Floats, damping: float) -> Floats:
    """Where the damped Gauss–Newton step from z leads within bounds; variables that it drives out are stopped there."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    keys = problem.keys
    low, high = np.maximum(keys.lower - z, -keys.step), np.minimum(keys.upper - z, keys.step)
    damped = (normal + damping * sparse.diags_array(normal.diagonal())).tocsc()
    step = np.zeros(len(z))
    stopped: Bools = np.zeros(len(z), np.bool_)
    for _ in range(STOPS):
        free = np.flatnonzero(~stopped)
        if not len(free):
            break
        pull = -(gradient + damped @ np.where(stopped, step, 0.0))[free]
        factors = splu(damped[free][:, free].tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0)
        step[free] = factors.solve(pull)
        out = (step < low) | (step > high)
        step = np.clip(step, low, high)
        if not (out & ~stopped).any():
            break
        stopped |= out
    return z + step


STOPS = 4
"""How often a step is solved again with further variables stopped at their bounds; after that it is only clipped."""


def _levelled(problem: Problem, z: Floats) -> Floats:
    """z, with the slope halved at the key next to each extreme that is beyond a limit, until none is.

    A key that sits on a limit must be level, which pushing back only tends to: what is beyond then is a hair, and so
    is the change.
    """
    keys, z = problem.keys, z.copy()
    for _ in range(LEVELLINGS):
        key, u = problem.limits.beyond(keys.shaped(z))
        rows = np.unique(NUMBERS * (key + (u >= 0.5)) + np.where(u < 0.5, OUT_SLOPE, IN_SLOPE))
        numbers = keys.numbers.ravel() + keys.chosen @ z
        for row in rows:
            entries = slice(keys.chosen.indptr[row], keys.chosen.indptr[row + 1])
            z[keys.chosen.indices[entries]] -= 0.5 * numbers[row] / keys.chosen.data[entries]
        if not len(rows):
            break
    return z


LEVELLINGS = 40


def _inside(problem: Problem, z: Floats) -> Floats:
    """z, with as much of the change of each curve as keeps its limits."""
    keys, share = problem.keys, np.ones(len(problem.names))
    while ((beyond := problem.limits.excess(keys.shaped(share[keys.owners] * z)) > ROUNDING) & (share > 0.0)).any():
        share[beyond] = np.maximum(share[beyond] - 0.005, 0.0)
    return share[keys.owners] * z
