"""Proof of a pose: everything measured afresh on the whole rig."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Constraint, Held
from inbetweener.posing.request import Pull
from inbetweener.posing.solution import Solution
from inbetweener.posing.state import State, state_of
from inbetweener.posing.workspace import Workspace
from inbetweener.rig import Rig


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a pose is worth.

    targets, pins  how far each is off
    limits         one line for each channel that is beyond a limit, further than before
    others_kept    no channel moved that was not free to
    imbalance      how far the pose is from the nearest one: the part of the pull that neither pins nor limits take
                   up, as a share of the pull; where all targets are reached, the part of the change that serves
                   neither them nor a pin nor a limit, as a share of the change
    """

    targets: tuple[Held, ...]
    pins: tuple[Held, ...]
    limits: tuple[str, ...]
    others_kept: bool
    imbalance: float
    reached: bool
    iterations: int
    blockers: tuple[Blocker, ...]


def certify(solution: Solution) -> Certificate:
    """Measure a solution."""
    problem = solution.problem
    rig, before, after = problem.rig, problem.channels, solution.channels
    starts = [state_of(rig, before, pull.point) for pull in problem.request.pulls]
    wishes = [
        State(s.position if t.position is None else t.position, s.turn if t.turn is None else t.turn)
        for t, s in zip(solution.targets, starts, strict=True)
    ]
    others = np.delete(np.arange(len(before)), problem.free)
    return Certificate(
        tuple(_pulled(rig, after, p, w) for p, w in zip(problem.request.pulls, wishes, strict=True)),
        tuple(_pinned(rig, before, after, pin) for pin in problem.request.pins),
        _breaches(rig, before, after),
        bool(np.array_equal(before[others], after[others])),
        _imbalance(solution),
        solution.reached,
        solution.iterations,
        solution.blockers,
    )


def _pulled(rig: Rig, channels: Floats, pull: Pull, wish: State) -> Held:
    state = state_of(rig, channels, pull.point)
    assert state.position is not None and state.turn is not None  # noqa: PT018  # state_of gives both
    assert wish.position is not None and wish.turn is not None  # noqa: PT018
    wants = pull.wanted != "orientation", pull.wanted != "position"
    return _off(str(pull.point), wants, (state.position, state.turn), (wish.position, wish.turn))


def _pinned(rig: Rig, before: Floats, after: Floats, pin: Constraint) -> Held:
    (was, were), (now, turned) = (pin.seen(rig.posed(channels[None])) for channels in (before, after))
    return _off(str(pin.point), pin.wants, (now[0], turned[0]), (was[0], were[0]))


def _off(name: str, wants: tuple[bool, bool], now: tuple[Floats, Floats], wish: tuple[Floats, Floats]) -> Held:
    # The chord ‖A − B‖ = 2√2 sin(angle / 2) keeps its digits near zero, where the trace loses half of them.
    chord = float(np.linalg.norm(now[1] - wish[1])) / (2.0 * np.sqrt(2.0))
    distance = float(np.linalg.norm(now[0] - wish[0]))
    return Held(name, distance * wants[0], float(2.0 * np.arcsin(min(1.0, chord))) * wants[1])


def _breaches(rig: Rig, before: Floats, after: Floats) -> tuple[str, ...]:
    lines = []
    for channel, old, new in zip(rig.channels, before, after, strict=True):
        if new < min(channel.lower, old):
            lines.append(f"{channel.name}: {new:g} is below its lower limit {channel.lower:g}")
        elif new > max(channel.upper, old):
            lines.append(f"{channel.name}: {new:g} is above its upper limit {channel.upper:g}")
    return tuple(lines)


def _imbalance(solution: Solution) -> float:
    """The residual of the optimality conditions, with the best multipliers that there are."""
    from scipy.optimize import lsq_linear

    problem, z = solution.problem, solution.z
    work = Workspace(problem)
    work.aim(solution.targets)
    work.evaluate(z)
    m = problem.pulled_rows
    weights = np.array([pull.weight for pull in problem.request.pulls])[problem.watched.owners[:m]]
    if solution.reached:
        force, rows = -z, work.derivatives
    else:
        force, rows = (
            problem.settings.pull * work.derivatives[:m].T @ (weights * work.errors[:m]) - z,
            work.derivatives[m:],
        )
    size = float(np.linalg.norm(force))
    if size == 0.0:
        return 0.0
    values = problem.values(z)
    reach = 1e-9 + 1e-9 * np.abs(values)
    low, high = np.flatnonzero(values <= problem.lowest + reach), np.flatnonzero(values >= problem.highest - reach)
    unit = np.eye(len(z))
    # force = rowsᵀ λ + (push of upper limits) − (push of lower limits), the pushes of one sign only.
    columns = np.concatenate([rows, unit[high], -unit[low]]).T
    if columns.shape[1] == 0:
        return 1.0
    lower = np.concatenate([np.full(len(rows), -np.inf), np.zeros(len(high) + len(low))])
    found = lsq_linear(columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-12), force / size, (lower, np.inf))
    return float(np.sqrt(2.0 * found.cost))
