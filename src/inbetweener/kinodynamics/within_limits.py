"""Corrections that keep to the limits of channels, where they can: what would leave them gives way no more."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from inbetweener.arrays import frozen
from inbetweener.kinodynamics.corrections import without_layers
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import giving_way
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.target import PointTarget, Target
from inbetweener.motion import Motion

Run = Callable[[Mapping[str, Target], Solution | None], Solution]

ROUNDS = 5
"""How often channels that would leave their limits are taken out, and targets are solved for without them."""

LOOKS = 257
"""Times at which a correction is looked at: so many that what swings out between two of them is less than `BEYOND`."""

BEYOND = 1e-6
"""Radians or metres by which a channel may leave its limits, for rounding."""


def solve_within_limits(
    motion: LooseMotion, targets: Mapping[str, Target], run: Run, start: Solution | None = None
) -> Solution:
    """What a run comes to when its corrections lead no keyed channel out of its limits, further than it was.

    Limits stop what swings, but what is keyed is let be: a correction counts as keyed, so it has to keep to them by
    itself. Where targets could not be hit any more, they come as near as they can all the same: being there is what
    they were made for. Poses that are asked for channel by channel are taken as meant.
    """
    solution = run(targets, start)
    for _ in range(ROUNDS):
        leaving = _leaving(motion, solution)
        left = {name: _without(motion, target, leaving.get(name, set())) for name, target in targets.items()}
        if all(left[name] is target for name, target in targets.items()):
            break
        tried = run(left, _begun(motion, solution, leaving))
        if not tried.reached:
            break
        targets, solution = left, tried
    return solution


def _leaving(motion: LooseMotion, solution: Solution) -> dict[str, set[str]]:
    """By target, the channels that its correction takes beyond their limits."""
    rig, bare = motion.rig, without_layers(motion.clip, [outcome.name for outcome in solution.outcomes])
    before, after = Motion(rig, bare), Motion(rig, solution.applied(bare))
    found: dict[str, set[str]] = {}
    for outcome in solution.outcomes:
        columns = [
            c
            for c in (rig.channel_index(name) for name in outcome.correction)
            if np.isfinite([rig.channels[c].lower, rig.channels[c].upper]).any()
        ]
        if columns:
            bell, time = outcome.target.bell, outcome.target.time
            times = np.unique(np.clip(np.linspace(time - bell.before, time + bell.after, LOOKS), bare.start, bare.end))
            was, now = (each.channels(times)[:, columns] for each in (before, after))
            lower, upper = (np.array([getattr(rig.channels[c], side) for c in columns]) for side in ("lower", "upper"))
            beyond = (now < np.minimum(lower, was) - BEYOND) | (now > np.maximum(upper, was) + BEYOND)
            found[outcome.name] = {rig.channels[columns[i]].name for i in np.flatnonzero(beyond.any(axis=0))}
    return found


def _begun(motion: LooseMotion, solution: Solution, leaving: Mapping[str, set[str]]) -> Solution:
    """What a run without some channels may begin with: the corrections that there were of all others."""
    outcomes = []
    for outcome in solution.outcomes:
        coefficients = outcome.coefficients.copy()
        coefficients[:, [motion.rig.channel_index(name) for name in leaving.get(outcome.name, ())]] = 0.0
        outcomes.append(replace(outcome, coefficients=frozen(coefficients)))
    return replace(solution, outcomes=tuple(outcomes))


def _without(motion: LooseMotion, target: Target, gone: set[str]) -> Target:
    """The target without channels that may give way for it; itself where that would leave none."""
    if not gone or not isinstance(target, PointTarget) or isinstance(target.point, SoftPoint):
        return target
    rig = motion.rig
    usual = frozenset(rig.channels[c].name for c in giving_way(rig, target.point))
    left = (usual if target.channels is None else target.channels) - gone
    return replace(target, channels=left) if left else target
