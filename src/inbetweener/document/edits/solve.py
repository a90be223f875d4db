"""Solving for a clip's targets, as an edit: corrections come as layers, one a target, and no key moves."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.targets import add_target
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import PointTarget, Solver, Target, TargetOutcome
from inbetweener.kinodynamics import solve as solved
from inbetweener.kinodynamics.problem import giving_way
from inbetweener.kinodynamics.run import TOLERANCE
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.solution import Solution
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import as_quaternion, as_vector
from inbetweener.motion import Constraint
from inbetweener.rig import Point
from inbetweener.rig.bent import channels_bending
from inbetweener.rig.freedom import channels_moving
from inbetweener.skinning import vertex_place

TOLD = 2
"""Targets of which a result tells one by one; of more only the first, missed ones before others."""

STEPS = 1000
"""Into how many parts the way to a solution is cut, for whoever watches it."""


@dataclass(frozen=True, slots=True, repr=False)
class SolveResult(Result):
    """A clip whose targets are hit or, out of reach, come near, and what became of each."""

    solution: Solution

    @property
    def missed(self) -> tuple[str, ...]:
        """The targets that could not be hit."""
        return tuple(outcome.name for outcome in self.solution.outcomes if not outcome.reached)

    @property
    def problem(self) -> str:
        """Targets that could not be hit."""
        return f"{', '.join(self.missed)} cannot be hit" if self.missed else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each of few targets, and how many more are hit or missed."""
        every = sorted(self.solution.outcomes, key=lambda outcome: outcome.reached)
        told, rest = (every, []) if len(every) <= TOLD else (every[:1], every[1:])
        said = [outcome.summary for outcome in told]
        if rest:
            off = sum(not outcome.reached for outcome in rest)
            said.append(f"{len(rest)} more: " + (f"{len(rest) - off} hit, {off} missed" if off else "all hit"))
        return tuple(said) or ("no targets",)

    @property
    def facts(self) -> dict[str, Any]:
        """Every target's outcome, and how many windows were simulated."""
        return {"targets": [_outcome(each) for each in self.solution.outcomes], "windows": self.solution.windows}


def targets_of(document: Document, clip: str) -> dict[str, Target]:
    """The targets of a clip that are on, by name: what a solver takes.

    Where a target does not say which channels may give way, what moves a point that is pinned or planted meanwhile does
    not: an arm reaches for its mark without pulling at the feet.
    """
    return {aim.name: _sparing(document, clip, aim.target) for aim in document.loosening(clip).aims if aim.on}


def solve(
    document: Document,
    *,
    clip: str | None = None,
    tolerance: float = TOLERANCE,
    progress: Callable[[int, int], None] | None = None,
    contacts: bool = True,
) -> SolveResult:
    """Find the corrections with which a clip hits all its targets that are on; each becomes a layer.

    Contacts on what is loose become targets that hold them, unless `contacts` is False.

    With looseness switched off they are solved for as well, on the motion as keyed. Where there is no target, nothing
    changes. `tolerance` is in metres; `progress` is told work done and work in all, every digit counting the same.
    """
    name = the_clip(document, clip).name
    if contacts:
        document = with_contacts_held(document, name)
    targets = targets_of(document, name)
    if not targets:
        return SolveResult(document, Solution((), (), "reached"))

    def watch(run: Solver) -> None:
        if progress is not None:
            progress(round(STEPS * _share(run.history[0].error, run.error, run.tolerance)), STEPS)

    solution = solved(document.loose_motion(name), targets, tolerance=tolerance, watch=watch)
    return SolveResult(solved_targets(document, name, solution), solution)


def solved_targets(document: Document, clip: str, solution: Solution) -> Document:
    """A clip with the corrections of a solution, on top, in full; those that the same targets had before are gone."""
    old = document.clip(clip)
    new = solution.layers
    names = {layer.name for layer in new}
    return replace_clip(
        document, clip, replace(old, layers=(*(each for each in old.layers if each.name not in names), *new))
    )


def _sparing(document: Document, clip: str, target: Target) -> Target:
    """The target with what may give way for it: all that does by itself, but for what pins and contacts hold."""
    if not isinstance(target, PointTarget) or isinstance(target.point, SoftPoint) or target.channels is not None:
        return target
    rig, looped = document.rig, document.clip(clip).loops
    usual = frozenset(giving_way(rig, target.point).tolist())
    left, since, until = usual, target.time - target.bell.before, target.end + target.bell.after
    for rule in document.rules(clip):
        meanwhile = looped or (rule.start < until and since < rule.end)
        if meanwhile and rule.point.parts != target.point.parts:
            # What hangs on a held point, as a heel does beside its toes, can be moved in no other way.
            left = left - channels_moving(rig, rule.point, rule.wanted) or left
    return target if left == usual else replace(target, channels=frozenset(rig.channels[c].name for c in left))


def giving(document: Document, clip: str, target: PointTarget) -> tuple[list[str], list[str]]:
    """The channels that may give way for a target, and all that could, for they move its place."""
    rig, place = document.rig, target.point
    if isinstance(place, SoftPoint):
        place = vertex_place(next(mesh for mesh in document.meshes if mesh.name == place.mesh), place.vertex)
        target = replace(target, point=place)
    could = channels_moving(rig, place, "both") | {rig.channel_index(each) for each in channels_bending(rig, place)}
    every = [rig.channels[c].name for c in sorted(could)]
    chosen = target.channels
    if chosen is None:
        chosen = _sparing(document, clip, target).channels  # type: ignore[union-attr]  # a point's stays one
    if chosen is None:
        chosen = frozenset(rig.channels[c].name for c in giving_way(rig, place))
    return [name for name in every if name in chosen], every


def _share(first: float, now: float, tolerance: float) -> float:
    """How far a run has come, 0 to 1."""
    if first <= tolerance:
        return 1.0
    return math.log(first / max(now, tolerance)) / math.log(first / tolerance)


def _outcome(outcome: TargetOutcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "time": outcome.target.time,
        "reached": outcome.reached,
        "summary": outcome.summary,
        "missed_by_m": outcome.after.distance,
        "missed_by_degrees": math.degrees(outcome.after.turn),
        "missed_by_m_per_s": outcome.after.speed,
        "missed_before_m": outcome.before.distance,
        "blocked": list(outcome.blocked),
    }


@dataclass(frozen=True, slots=True, repr=False)
class ContactTargetsResult(Result):
    """How many targets hold a contact, and how far its point strays, at most and in metres, from where it starts:
    as keyed, loose without them, and now; between frames too.
    """

    targets: int
    keyed: float
    loose: float
    held: float

    @property
    def lines(self) -> tuple[str, ...]:
        """Before and after."""
        count = f"{self.targets} target{'' if self.targets == 1 else 's'}"
        return (f"{count}: it strayed {100 * self.loose:.2g} cm and strays {100 * self.held:.2g} cm",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"targets": self.targets, "keyed_m": self.keyed, "loose_m": self.loose, "held_m": self.held}


def contact_to_targets(document: Document, constraint: str) -> ContactTargetsResult:
    """A contact's clip with one more target, which holds its point all the while, solved for with all others.

    The contact itself stays as it is.
    """
    contact, clip = document.constraint(constraint).rule, document.constraint(constraint).clip
    if not contact.is_planted:
        raise InvalidDocument(f"constraint {constraint!r} is no contact: only what stands still becomes targets")
    keyed = document.motion(clip)
    target = _holding(document, clip, contact)
    # As long as the target holds it, which is within the clip; a contact may be for ever.
    times = np.linspace(target.time, target.end, max(2, 1 + round((target.end - target.time) * 4 * keyed.clip.rate)))
    where = keyed.states([target.time], contact.point)[0][0]
    tried = add_target(document, clip, target)
    solution = solved(tried.loose_motion(clip), targets_of(tried, clip))
    tried = solved_targets(tried, clip, solution)
    as_keyed, loose, held = (
        float(np.linalg.norm(motion.states(times, contact.point)[0] - where, axis=1).max())
        for motion in (keyed, document.shown_motion(clip), tried.shown_motion(clip))
    )
    return ContactTargetsResult(tried, 1, as_keyed, loose, held)


def with_contacts_held(document: Document, clip: str) -> Document:
    """A clip with targets for each of its contacts and attachments on something loose; those that have one keep it."""
    loosening = document.loosening(clip)
    if not (loosening.on and loosening.looseness.springs):
        return document
    loosened = document.loose_motion(clip).loosened
    loose = {*loosened.swinging.channels.tolist(), *loosened.following.channels.tolist()}
    aims = [aim.target for aim in loosening.aims if isinstance(aim.target, PointTarget)]
    taken = {(aim.point.parts, aim.time, aim.end) for aim in aims if not isinstance(aim.point, SoftPoint)}
    for rule in document.rules(clip):
        for target in (_holding(document, clip, rule),) if rule.is_planted else _holding_on(document, clip, rule):
            place = target.point
            if isinstance(place, SoftPoint) or not loose & channels_moving(document.rig, place, rule.wanted):
                continue
            if (place.parts, target.time, target.end) not in taken:
                document = add_target(document, clip, target)
    return document


def _holding_on(document: Document, clip: str, rule: Constraint) -> tuple[PointTarget, ...]:
    """Targets that keep both ends of what is attached, as of a handshake, on the way that they have as keyed."""
    keyed, played = document.motion(clip), document.clip(clip)
    start, end = max(rule.start, played.start), min(rule.end, played.end)
    if not rule.stands or rule.base is None or not start < end:
        return ()
    where = rule.states(keyed, [start])[0][0]
    stretched = keyed.world_from_joint([start])[0, document.rig.joint_index(rule.base), :, :3]
    turn = keyed.states([start], Point(rule.base))[1][0]
    # The same place as a point of the base: offsets are before scales, states after them.
    there = Point(rule.base, as_vector(np.linalg.solve(stretched, turn @ where)), f"{rule.base} at {rule.point}")
    position, turned = (None if each in rule.wanted else "keyed" for each in ("orientation", "position"))
    return tuple(
        PointTarget(start, place, position, turned, until=end)  # type: ignore[arg-type]
        for place in (rule.point, there)
    )


def _holding(document: Document, clip: str, contact: Constraint) -> PointTarget:
    """The target that holds what a contact plants, where it is keyed at first."""
    keyed, played = document.motion(clip), document.clip(clip)
    start, end = max(contact.start, played.start), min(contact.end, played.end)
    where, turned = keyed.states([start], contact.point)
    return PointTarget(
        start,
        contact.point,
        None if contact.wanted == "orientation" else as_vector(where[0]),
        None if contact.wanted == "position" else as_quaternion(quaternions.from_matrix(turned[0])),
        until=end if end > start else None,
    )
