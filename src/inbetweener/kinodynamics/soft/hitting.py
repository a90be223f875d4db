"""Targets on soft parts: hit as if fixed to their bones where they have swung to, over and over ([IKD] §4.4).

A speed is led the same way: the place on the bone is to be as much faster than it is as the soft one is too slow.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kinodynamics.corrections import without_layers
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.residuals import REACTION, earlier, place_velocity
from inbetweener.kinodynamics.soft.point import SoftPoint
from inbetweener.kinodynamics.solution import Miss, Solution, TargetOutcome
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.kinodynamics.target import PointTarget, Target, Vector
from inbetweener.skinning import Skin

ROUNDS = 30
"""How often what is asked of rigid places is led on at most; each time leaves about a tenth of what was missing."""

SLOW, PATIENCE = 0.9, 5
"""So many rounds in a row that each leave more than this of what was missing are the last."""

FINE = 1e-6
"""Metres: vertices are kept in single precision; nearer than that means nothing for them."""

SLOWEST = 1e-3
"""Metres a second: the speed of a soft place is known from two such places, a step apart, to about this."""

FARTHEST = 10.0
"""How many times as far as what is missing a round leads on: beyond reach nothing answers, and all would be asked."""

NUDGE = 0.003
"""Metres by which what is asked is moved to see what it does."""

Wish = tuple[Floats | None, Floats | None]
"""Where a soft place (3,) is wanted, and how fast (3,); None where that is all one."""

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
    """Solve by `solve`, which knows rigid places only, until what is soft is where it is wanted.

    What is asked of these places is led by what the soft ones still miss, first as if both moved alike, then as rounds
    have shown them to (Broyden). What ends farther off than it was is left as it was.
    """
    tolerance = max(tolerance, FINE)
    bare = LooseMotion(motion.loosened, without_layers(motion.clip, targets), motion.solids)
    wishes = {name: _wish(bare, target) for name, target in targets.items()}
    before = {name: _miss(bare, target, wishes[name]) for name, target in targets.items()}
    # Where a run begins from corrections, what is soft is where these have it swing to.
    swung = motion if start is None else LooseMotion(motion.loosened, start.applied(motion.clip), motion.solids)
    rigid = rigid_targets(swung, bare, targets)
    asked, unsolved = _numbers(rigid, targets), _left(swung, targets, wishes)

    def tried(numbers: Floats, start: Solution | None) -> tuple[Solution, LooseMotion, Floats]:
        found = solve(_asking(rigid, targets, numbers), start)
        swung = LooseMotion(motion.loosened, found.applied(motion.clip), motion.solids)
        return found, swung, _left(swung, targets, wishes)

    answers, step, missing = np.eye(len(asked)), np.zeros(len(asked)), np.zeros(len(asked))
    best, lost = None, 0
    for _ in range(ROUNDS):
        found, swung, left = tried(asked + step, start if best is None else best)
        outcomes = [
            _measured(
                each,
                targets[each.name],
                before[each.name],
                _miss(swung, targets[each.name], wishes[each.name]),
                tolerance,
            )
            for each in found.outcomes
        ]
        if best is not None:
            answers += np.outer(missing - left - answers @ step, step) / max(float(step @ step), 1e-300)
        elif any(wish is not None and wish[1] is not None for wish in wishes.values()):
            # Speeds are whipped up by what is soft, and places by speeds: how much is measured.
            answers = np.stack([(left - tried(asked + nudge, found)[2]) / NUDGE for nudge in NUDGE * answers], axis=1)
        if best is None or np.linalg.norm(left) < np.linalg.norm(missing):
            lost = 0 if best is None or np.linalg.norm(left) < SLOW * np.linalg.norm(missing) else lost + 1
            best, asked, missing = replace(found, outcomes=tuple(outcomes)), asked + step, left
        else:
            lost += 1
        if all(outcome.reached for outcome in outcomes) or lost > PATIENCE:
            break
        step = np.asarray(0.5**lost * np.linalg.lstsq(answers, missing, rcond=1e-3)[0], np.float64)
        step *= min(1.0, FARTHEST * float(np.linalg.norm(missing)) / max(float(np.linalg.norm(step)), 1e-300))
    assert best is not None
    if not best.reached and np.linalg.norm(missing) > np.linalg.norm(unsolved):
        # Asked to stay as they are, rigid places take no correction, and leave what is soft as it was.
        found, swung, _ = tried(_numbers(rigid, targets) - unsolved, start)
        misses = {name: _miss(swung, target, wishes[name]) for name, target in targets.items()}
        outcomes = [_measured(o, targets[o.name], before[o.name], misses[o.name], tolerance) for o in found.outcomes]
        best = replace(found, outcomes=tuple(outcomes))
    return best if best.reached or best.ending != "reached" else replace(best, ending="stuck")


def _soft(targets: Mapping[str, Target]) -> list[tuple[str, PointTarget, SoftPoint]]:
    return [
        (name, target, target.point)
        for name, target in targets.items()
        if isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)
    ]


def _numbers(rigid: Mapping[str, Target], targets: Mapping[str, Target]) -> Floats:
    """What is asked of the places that stand for soft ones, one after the other: positions, then speeds that count."""
    found: list[float] = []
    for name, _, _ in _soft(targets):
        target = rigid[name]
        assert isinstance(target, PointTarget)
        found += target.position or ()  # type: ignore[arg-type]  # no longer "keyed"
        found += [REACTION * each for each in target.velocity or ()]  # type: ignore[operator]
    return np.array(found, np.float64)


def _asking(rigid: Mapping[str, Target], targets: Mapping[str, Target], numbers: Floats) -> dict[str, Target]:
    """The same targets, asking for these numbers instead."""
    result, at = dict(rigid), 0
    for name, _, _ in _soft(targets):
        target = rigid[name]
        assert isinstance(target, PointTarget)
        if target.position is not None:
            target, at = replace(target, position=_vector(numbers[at : at + 3])), at + 3
        if target.velocity is not None:
            target, at = replace(target, velocity=_vector(numbers[at : at + 3] / REACTION)), at + 3
        result[name] = target
    return result


def _left(motion: LooseMotion, targets: Mapping[str, Target], wishes: Mapping[str, Wish | None]) -> Floats:
    """What soft places still miss of their wishes, in the same order."""
    parts = [np.zeros(0)]
    for name, target, point in _soft(targets):
        wish = wishes[name]
        assert wish is not None
        seen = soft_motion(motion, target.time, point)
        parts += [
            by * (want - is_) for by, want, is_ in zip((1.0, REACTION), wish, seen, strict=True) if want is not None
        ]
    return np.concatenate(parts)


def _measured(
    outcome: TargetOutcome, target: Target, before: Miss | None, after: Miss | None, tolerance: float
) -> TargetOutcome:
    if before is None or after is None:
        return outcome
    reached = after.distance <= tolerance and after.speed <= SLOWEST
    return replace(outcome, target=target, before=before, after=after, reached=reached)


def _miss(motion: LooseMotion, target: Target, wish: Wish | None) -> Miss | None:
    """How far a soft place is missed, and its speed; None for what is not soft."""
    if wish is None or not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return None
    place, speed = soft_motion(motion, target.time, target.point)
    distance, slow = (
        0.0 if wanted is None else float(np.linalg.norm(seen - wanted))
        for wanted, seen in zip(wish, (place, speed), strict=True)
    )
    return Miss(distance, speed=slow)


def soft_motion(motion: LooseMotion, time: float, point: SoftPoint) -> tuple[Floats, Floats]:
    """Where a soft place (3,) is at a time, and how fast (3,), from two states a step apart ([IKD] Eq. 13)."""
    before, now = motion.soft_states([earlier(motion, time), time], point)[0]
    return now, (now - before) / motion.loosened.step


def _rigid(motion: LooseMotion, bare: LooseMotion, name: str, target: Target) -> Target:
    wish = _wish(bare, target)
    if wish is None or not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return target
    if target.orientation is not None:
        raise InvalidLooseness(f"target {name!r} is on something soft, which has no orientation to be asked for")
    place = motion.rigid_place(target.time, target.point)
    position, speed = wish
    if speed is not None:
        speed = speed + place_velocity(motion, target.time, place) - soft_motion(motion, target.time, target.point)[1]
    return replace(target, point=place, position=_vector(position), velocity=_vector(speed))


def _vector(given: Floats | None) -> Vector | None:
    return None if given is None else (float(given[0]), float(given[1]), float(given[2]))


def _wish(bare: LooseMotion, target: Target) -> Wish | None:
    """What is wanted of a soft place; None for what is not soft."""
    if not (isinstance(target, PointTarget) and isinstance(target.point, SoftPoint)):
        return None
    place = speed = None
    if "keyed" in (target.position, target.velocity):
        skin = Skin(bare.loosened.softened.mesh(target.point.mesh), bare.rig)
        poses = bare.tight.channels([earlier(bare, target.time), target.time])
        before, place = (skin.vertices(pose)[target.point.vertex].astype(np.float64) for pose in poses)
        speed = (place - before) / bare.loosened.step
    wishes = ((target.position, place), (target.velocity, speed))
    return tuple(keyed if given == "keyed" else None if given is None else np.array(given) for given, keyed in wishes)  # type: ignore[return-value]
