"""Proof of a solution: everything measured afresh on the motion that its curves make."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, Curve, breaches
from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Held, Motion
from inbetweener.tangents.agreement import angles_between
from inbetweener.tangents.layered import shares_channel, total
from inbetweener.tangents.problem import Problem, changed_motion
from inbetweener.tangents.solve import Solution


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a solution is worth.

    target_distance  metres between the wish and the state reached; target_turn radians
    constraints      the worst moment of each, looked at `looks` times a frame
    clear            the same of what the body stays out of
    limits           one line for each curve that leaves its limits further than before
    slope_error      largest difference between the slopes of a tied key
    keys_kept        no key was added, taken away or moved
    """

    target_distance: float
    target_turn: float
    constraints: tuple[Held, ...]
    limits: tuple[str, ...]
    slope_error: float
    keys_kept: bool
    reached: bool
    iterations: int
    blockers: tuple[Blocker, ...]
    clear: tuple[Held, ...] = ()


def certify(
    solution: Solution, position: Floats | None = None, turn: Floats | None = None, *, looks: int = 8
) -> Certificate:
    """Measure a solution; `position` and `turn` are the wish, where there was one."""
    problem, curves = solution.problem, solution.curves
    after = changed_motion(problem.motion, problem.request.layer, curves)
    reached, reached_turn = after.states([problem.request.time], problem.request.point)
    pairs = [(problem.curves[name], curves[name]) for name in problem.names]
    return Certificate(
        target_distance=0.0 if position is None else float(np.linalg.norm(reached[0] - position)),
        target_turn=0.0 if turn is None else float(angles_between(reached_turn, np.asarray(turn))[0]),
        constraints=_all_held(problem, after, looks),
        limits=tuple(
            line
            for name, (old, new) in zip(problem.names, pairs, strict=True)
            for line in _worse(problem, after, name, old, new)
        ),
        slope_error=max(slope_error(new) for _, new in pairs),
        keys_kept=all(np.array_equal(o.times, n.times) and np.array_equal(o.values, n.values) for o, n in pairs),
        reached=solution.reached,
        iterations=solution.iterations,
        blockers=solution.blockers,
        clear=_clear(problem, after),
    )


def leaks(solution: Solution, *, looks: int = 8) -> bool:
    """Whether a constraint that holds at all moments that the solver looks at does not hold between them."""
    problem = solution.problem
    if not solution.holds or not problem.rules:
        return False
    after = changed_motion(problem.motion, problem.request.layer, solution.curves)
    return not all(each.holds for each in _all_held(problem, after, looks))


def slope_error(curve: Curve) -> float:
    """The largest difference between the two slopes of a tied key with Bezier segments on both sides."""
    bezier = curve.interpolations == BEZIER
    inner = np.flatnonzero(curve.tied[1:-1] & bezier[1:-1] & bezier[:-2]) + 1
    ins, outs = curve.ins[inner], curve.outs[inner]
    slopes = [np.divide(t[:, 1], t[:, 0], out=np.zeros(len(t)), where=t[:, 0] > 0) for t in (ins, outs)]
    return float(np.abs(slopes[0] - slopes[1]).max(initial=0.0))


def _all_held(problem: Problem, after: Motion, looks: int) -> tuple[Held, ...]:
    return tuple(_held(problem, after, owner, looks) for owner in range(len(problem.rules)))


def _held(problem: Problem, after: Motion, owner: int, looks: int) -> Held:
    rule, (first, last) = problem.rules[owner], problem.variables.span
    start = min(max(first, rule.start), rule.end)
    end = max(start, min(last, rule.end))
    times = np.linspace(start, end, max(2, round((end - start) * problem.motion.clip.rate * looks) + 1))
    position, turn = rule.states(problem.motion, rule.reference(times))
    now, now_turn = rule.states(after, times)
    distance = np.linalg.norm(now - position, axis=1) * rule.wants[0]
    turned = angles_between(now_turn, turn) * rule.wants[1]
    worst, (far, wide) = int(np.argmax(distance + turned)), rule.allowed(problem.height, problem.settings.tolerance)
    holds = bool(distance.max() <= far * problem.height and turned.max() <= wide)
    return Held(rule.name, float(distance.max()), float(turned.max()), float(times[worst]), holds)


def _clear(problem: Problem, after: Motion) -> tuple[Held, ...]:
    """How deep anything is in what it stays out of, before and after."""
    if problem.apart is None:
        return ()
    found, times = [], problem.clear_times
    for motion in (problem.motion, after):
        posed = motion.rig.posed(motion.channels(times))
        found.append(problem.apart.inside(problem.apart.separations(problem.apart.frames(posed))))
    allowed = problem.settings.tolerance * problem.height
    return tuple(new.held(old, times, allowed) for old, new in zip(*found, strict=True))


def _worse(problem: Problem, after: Motion, name: str, old: Curve, new: Curve) -> list[str]:
    channel = problem.motion.rig.channel(name)
    if shares_channel(problem.motion, problem.request.layer, name):
        edges = np.unique(
            [
                *problem.variables.span,
                *old.times[(old.times > problem.variables.span[0]) & (old.times < problem.variables.span[1])],
            ]
        )
        was, now = (total(motion, name, edges) for motion in (problem.motion, after))
        allowed_low, allowed_high = min(channel.lower, was.min()), max(channel.upper, was.max())
        beyond = max(now.max() - allowed_high, allowed_low - now.min())
        return [f"{name}: the sum of its layers leaves its limits by {beyond:g}"] if beyond > 1e-9 else []
    known = {(b.index, b.where): abs(b.by) for b in breaches(old, channel.lower, channel.upper)}
    return [
        f"{name}: {b}"
        for b in breaches(new, channel.lower, channel.upper)
        if abs(b.by) > known.get((b.index, b.where), 0.0) + 1e-9
    ]
