"""Targets on soft parts: hit as if fixed to their bones where they have swung to, over and over ([IKD] §4.4)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kinodynamics.corrections import without_layers
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.soft.point import SoftPoint
from inbetweener.kinodynamics.solution import Miss, Solution, TargetOutcome
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.kinodynamics.target import PointTarget, Target
from inbetweener.skinning import Skin

ROUNDS = 20
"""How often a soft place is fixed anew at most; each leaves about a tenth of what was missing."""

SLOW = 0.9
"""A round that leaves more than this of what was missing is the last."""

FINE = 1e-6
"""Metres: vertices are kept in single precision; nearer than that means nothing for them."""

Solve = Callable[[Mapping[str, Target], Solution | None], Solution]


def rigid_targets(motion: LooseMotion, bare: LooseMotion, targets: Mapping[str, Target]) -> dict[str, Target]:
    """The same targets, those on soft parts on the places of the body where these parts are in the motion as it is.

    `bare` is the motion without any correction, which "keyed" means.
    """
    return {name: _rigid(motion, bare, name, target) for name, target in targets.items()}


def has_soft(targets: Mapping[str, Target]) -> bool:
    """Whether any target is on a soft part."""
    return any(isinstance(target, PointTarget) and isinstance(target.point, SoftPoint) for target in targets.values())


def solve_soft(
    motion: LooseMotion, targets: Mapping[str, Target], solve: Solve, tolerance: float, start: Solution | None = None
) -> Solution:
    """Solve by `solve`, which knows rigid places only, until what is soft is where it is wanted."""
    tolerance = max(tolerance, FINE)
    bare = LooseMotion(motion.loosened, without_layers(motion.clip, targets), motion.solids)
    wishes = {name: _wish(bare, target) for name, target in targets.items()}
    before = {name: _miss(bare, target, wishes[name]) for name, target in targets.items()}
    # Where a run begins from corrections, what is soft is where these have it swing to.
    swung = motion if start is None else LooseMotion(motion.loosened, start.applied(motion.clip), motion.solids)
    best, worst = None, np.inf
    for _ in range(ROUNDS):
        start = solve(rigid_targets(swung, bare, targets), start)
        swung = LooseMotion(motion.loosened, start.applied(motion.clip), motion.solids)
        outcomes = [
            _measured(
                each,
                targets[each.name],
                before[each.name],
                _miss(swung, targets[each.name], wishes[each.name]),
                tolerance,
            )
            for each in start.outcomes
        ]
        missed = max(outcome.after.distance for outcome in outcomes)
        previous = worst
        if missed < worst:
            best, worst = replace(start, outcomes=tuple(outcomes)), missed
        if worst <= tolerance or missed > SLOW * previous:
            break
    assert best is not None  # the first round is better than nothing
    return best if best.reached or best.ending != "reached" else replace(best, ending="stuck")


def _measured(
    outcome: TargetOutcome, target: Target, before: float | None, after: float | None, tolerance: float
) -> TargetOutcome:
    if before is None or after is None:
        return outcome
    return replace(outcome, target=target, before=Miss(before), after=Miss(after), reached=after <= tolerance)


def _miss(motion: LooseMotion, target: Target, wish: Floats | None) -> float | None:
    """Metres by which a soft place is missed; None for what is not soft."""
    if wish is None or not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return None
    return float(np.linalg.norm(motion.soft_states([target.time], target.point)[0][0] - wish))


def _rigid(motion: LooseMotion, bare: LooseMotion, name: str, target: Target) -> Target:
    wish = _wish(bare, target)
    if wish is None or not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return target
    if target.velocity is not None or target.orientation is not None or target.position is None:
        raise InvalidLooseness(f"target {name!r} is on something soft, of which only the position can be asked for")
    x, y, z = wish.tolist()
    return replace(target, point=motion.rigid_place(target.time, target.point), position=(x, y, z))


def _wish(bare: LooseMotion, target: Target) -> Floats | None:
    """Where a soft place (3,) is wanted; None for what is not soft."""
    if not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return None
    if not isinstance(target.position, str):
        return np.array(target.position or (0.0, 0.0, 0.0), np.float64)
    point = target.point
    mesh = bare.loosened.softened.mesh(point.mesh)
    keyed = bare.tight.channels([target.time])[0]
    return Skin(mesh, bare.rig).vertices(keyed)[point.vertex].astype(np.float64)
