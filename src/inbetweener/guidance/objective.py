"""What a run makes small: weighted terms, and the distance from the motion as it was, as one sum of squares.

    cost = Σᵢ wᵢ · mean over time of w(t) ‖rᵢ(t)‖² / unitᵢ²  +  ρ · (D_traj + D_param)          ([OM] Eqs. 4–9)

Every part is a pure number. Torque and smoothness are measured against what the motion had at the start, lengths in
heights of the character: a slider means the same on a mouse and on a dinosaur, slow or fast, light or heavy.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.guidance import kernels
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.problem import Look, Problem, moments_at
from inbetweener.guidance.request import cost_weights
from inbetweener.guidance.terms.term import checked
from inbetweener.maths.envelope import Envelope

STRAY = 0.05
"""Joints that stray so far from their paths, as a share of the height, count as one."""

TURNED = 0.5
"""So does a change of every parameter by this: a slope by half a radian a segment, a width by half of it."""

AT_ONCE = 120
"""Moments that are looked at together."""

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
    matrix: Floats | Envelope
    gradient: Floats

    @property
    def without_slopes(self) -> "Evaluation":
        """The same without the normal equations: of a long way, nobody needs them."""
        return replace(self, matrix=np.zeros((0, 0)), gradient=np.zeros(0))


def evaluate(problem: Problem, x: Floats, at: Look | None = None, *, derive: bool = True) -> Evaluation:
    """The cost at x; `at` looks at other moments than the problem's nodes. Sooner without derivatives."""
    request, nodes = problem.request, at or problem.nodes
    even = nodes.weights / nodes.weights.sum()
    eased = even * cost_weights(request.kernels, nodes.times)
    profile, count, gradient = problem.profile, len(x), np.zeros(len(x))
    starts = np.arange(0, count**2, count) if profile is None else profile.starts
    entries = np.zeros((count**2 if profile is None else profile.size) if derive else 0)
    found: dict[int, list[Share]] = {}
    # Derivatives by all channels at all moments would not fit into memory: a stretch at a time does.
    for first in range(0, len(nodes.times), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        home = problem.home[part] if at is None else None
        for n, share in enumerate(
            _shares(problem, x, nodes[part], home, even[part], eased[part], (starts, entries, gradient))
        ):
            found.setdefault(n, []).append(share)
    shares = [
        Share(
            pieces[0].name, sum(s.cost for s in pieces), np.concatenate([s.density for s in pieces]), pieces[0].labels
        )
        for pieces in found.values()
    ]
    change = x - problem.parameters.start
    stiffness = request.regularise * _finite(problem.factors) / (len(x) * TURNED**2)
    shares.append(Share(TANGENTS, float(stiffness @ change**2), np.zeros((len(nodes.times), 0)), ()))
    gradient += stiffness * change
    matrix: Floats | Envelope = entries
    if derive:
        entries[starts + np.arange(count)] += stiffness
        matrix = _mirrored(entries.reshape(count, count)) if profile is None else Envelope(profile, entries)
    return Evaluation(x, sum(share.cost for share in shares), tuple(shares), matrix, gradient)


def _mirrored(lower: Floats) -> Floats:
    return lower + np.tril(lower, -1).T


def _shares(
    problem: Problem, x: Floats, nodes: Look, home: Floats | None, even: Floats, eased: Floats,
    normal: tuple[Ints, Floats, Floats],
) -> Iterator[Share]:  # fmt: skip
    """What each term and the path cost at some moments; adds to the normal equations: starts of rows, entries, half
    gradient. Where there is no room for entries, derivatives are left out.
    """
    request, derive = problem.request, len(normal[1]) > 0
    moments, derivatives, indices = moments_at(
        problem.wiring, problem.parameters, nodes, problem.weight, problem.height, x, derive
    )

    def share(name: str, values: Floats, by: Floats | None, weights: Floats, labels: tuple[str, ...]) -> Share:
        if by is not None:
            kernels.add_normal(by, derivatives, indices, np.ascontiguousarray(values), weights, *normal)
        density = weights[:, None] * values**2
        return Share(name, float(density.sum()), density, labels)

    for each, unit in zip(request.terms, problem.units, strict=True):
        if each.weight == 0.0:
            continue
        found = checked(each.term, moments)
        weights = (even if found.always else eased) * (each.weight / unit**2)
        labels = found.labels or (each.term.name,) * found.values.shape[1]
        yield share(
            each.term.name, found.values, found.derivatives(len(problem.names)) if derive else None, weights, labels
        )
    if request.regularise > 0.0:
        before = _home(problem, nodes) if home is None else home
        moved = np.flatnonzero(problem.wiring.below.any(axis=0))
        away = (moments.positions[:, moved] - before[:, moved]) / (STRAY * problem.height)
        by = _paths(problem, moments, moved) if derive else None
        labels = tuple(problem.motion.rig.joints[j].name for j in moved for _ in range(3))
        yield share(PATH, away.reshape(len(away), -1), by, even * (request.regularise / max(len(moved), 1)), labels)


def _paths(problem: Problem, moments: Moments, moved: Ints) -> Floats:
    """(T, C, 1, 3M) how the paths of joints change with the free channels, in units of straying."""
    places = moments.positions_by_channels[:, moved]
    # All sizes are said: where only turns are free, no joint moves and none could be told from the others.
    places = places.reshape(len(moments.times), 3 * len(moved), 1, places.shape[-1])
    return np.ascontiguousarray(np.transpose(places, (0, 3, 2, 1))) / (STRAY * problem.height)


def _home(problem: Problem, nodes: Look) -> Floats:
    """Where the joints were at other moments."""
    x = problem.parameters.start
    return moments_at(problem.wiring, problem.parameters, nodes, problem.weight, problem.height, x)[0].positions


def _finite(factors: Floats) -> Floats:
    """Infinite factors are kept by bounds; here they must not make 0 × ∞."""
    return np.where(np.isfinite(factors), factors, 0.0)
