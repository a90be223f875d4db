"""What a run makes small: weighted terms, and the distance from the motion as it was, as one sum of squares.

    cost = Σᵢ wᵢ · mean over time of w(t) ‖rᵢ(t)‖² / unitᵢ²  +  ρ · (D_traj + D_param)          ([OM] Eqs. 4–9)

Every part is a pure number. Torque and smoothness are measured against what the motion had at the start, lengths in
heights of the character: a slider means the same on a mouse and on a dinosaur, slow or fast, light or heavy.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.guidance import kernels
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.problem import Look, Problem, moments_at
from inbetweener.guidance.request import cost_weights
from inbetweener.guidance.terms.term import checked

STRAY = 0.05
"""Joints that stray so far from their paths, as a share of the height, count as one."""

TURNED = 0.5
"""So does a change of every parameter by this: a slope by half a radian a segment, a width by half of it."""

PATH, TANGENTS = "path", "tangents"
"""What the two regularisers are called where costs are listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """One part of the cost: its name, its amount, and its density (T, R) over time and labels (R,)."""

    name: str
    cost: float
    density: Floats
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The cost at parameters x, its shares, and the normal equations: matrix (P, P), half gradient (P,)."""

    x: Floats
    cost: float
    shares: tuple[Share, ...]
    matrix: Floats
    gradient: Floats


def evaluate(problem: Problem, x: Floats, at: Look | None = None, *, derive: bool = True) -> Evaluation:
    """The cost at x; `at` looks at other moments than the problem's nodes. Sooner without derivatives."""
    parameters, request = problem.parameters, problem.request
    nodes = at or problem.nodes
    moments, derivatives, indices = moments_at(
        problem.wiring, parameters, nodes, problem.weight, problem.height, x, derive
    )
    matrix, gradient = np.zeros((len(x), len(x))), np.zeros(len(x))
    even = nodes.weights / nodes.weights.sum()
    eased = even * cost_weights(request.kernels, nodes.times)
    shares = []

    def add(name: str, values: Floats, by: Floats | None, weights: Floats, labels: tuple[str, ...]) -> None:
        if by is not None:
            kernels.add_normal(by, derivatives, indices, np.ascontiguousarray(values), weights, matrix, gradient)
        density = weights[:, None] * values**2
        shares.append(Share(name, float(density.sum()), density, labels))

    for each, unit in zip(request.terms, problem.units, strict=True):
        if each.weight == 0.0:
            continue
        found = checked(each.term, moments)
        weights = (even if found.always else eased) * (each.weight / unit**2)
        labels = found.labels or (each.term.name,) * found.values.shape[1]
        by = found.derivatives(len(problem.names)) if derive else None
        add(each.term.name, found.values, by, weights, labels)
    if request.regularise > 0.0:
        home = problem.home if at is None else _home(problem, nodes)
        moved = np.flatnonzero(problem.wiring.below.any(axis=0))
        away = (moments.positions[:, moved] - home[:, moved]) / (STRAY * problem.height)
        by = _paths(problem, moments, moved) if derive else None
        labels = tuple(problem.motion.rig.joints[j].name for j in moved for _ in range(3))
        weights = even * (request.regularise / max(len(moved), 1))
        add(PATH, away.reshape(len(away), -1), by, weights, labels)
    change = x - parameters.start
    stiffness = request.regularise * _finite(problem.factors) / (len(x) * TURNED**2)
    shares.append(Share(TANGENTS, float(stiffness @ change**2), np.zeros((len(nodes.times), 0)), ()))
    gradient += stiffness * change
    matrix[np.diag_indices_from(matrix)] += stiffness
    matrix = np.tril(matrix) + np.tril(matrix, -1).T
    return Evaluation(x, sum(share.cost for share in shares), tuple(shares), matrix, gradient)


def _paths(problem: Problem, moments: Moments, moved: Ints) -> Floats:
    """(T, C, 1, 3M) how the paths of joints change with the free channels, in units of straying."""
    places = moments.positions_by_channels[:, moved].reshape(len(moments.times), 3 * len(moved), 1, -1)
    return np.ascontiguousarray(np.transpose(places, (0, 3, 2, 1))) / (STRAY * problem.height)


def _home(problem: Problem, nodes: Look) -> Floats:
    """Where the joints were at other moments."""
    x = problem.parameters.start
    return moments_at(problem.wiring, problem.parameters, nodes, problem.weight, problem.height, x)[0].positions


def _finite(factors: Floats) -> Floats:
    """Infinite factors are kept by bounds; here they must not make 0 × ∞."""
    return np.where(np.isfinite(factors), factors, 0.0)
