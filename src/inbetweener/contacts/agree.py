"""Make the key poses of contacts agree, so that tangents can hold them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts.measure import Apart, pose_times, poses_apart
from inbetweener.curves import Curve
from inbetweener.motion import Clip, Constraint, Motion
from inbetweener.posing import PoseRequest, Pull, Settings, Solution, State, build, limb, solve
from inbetweener.posing.snap import EXACT
from inbetweener.rig import Channel, Place, Rig, chains

SAME_TIME = 1e-6
"""Keys nearer than this, in seconds, belong to one pose."""
Onto = Literal["start", "end", "mean"]
"""Which place of a contact's point all its poses come to: the first, the last, or the mean of all."""

EXACT_PULL = 1e12
"""The pull has to outweigh the wish to change little by as much as the answer is to be exact."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseKeys:
    """The keys of one pose; those are left out whose value would move a pin somewhere between its own neighbours."""

    rig: Rig
    curves: Mapping[str, Curve]
    time: float
    kept: Sequence[Constraint] = ()

    def moving(self, contacts: Iterable[Constraint]) -> frozenset[str]:
        """All of them that move the point of any of the contacts; no lengths, as no pose makes a limb longer."""
        found = {c for each in contacts for c in each.channels(self.rig)}
        channels = [self.rig.channels[c] for c in found]
        return frozenset(each.name for each in channels if each.poses and self._is_free(each))

    def of_limbs(self, points: Iterable[Place]) -> frozenset[str]:
        """All of them that drive nothing but the limbs that the points belong to."""
        joints = {joint for place in points for point, _ in place.parts for joint in limb(self.rig, point.joint)}
        return frozenset(
            channel.name
            for channel in self.rig.channels
            if all(drive.joint in joints for drive in channel.drives) and self._is_free(channel)
        )

    def _is_free(self, channel: Channel) -> bool:
        curve = self.curves.get(channel.name)
        key = key_at(curve, self.time)
        if curve is None or key is None:
            return False
        reach = curve.times[max(0, key - 1)], curve.times[min(len(curve) - 1, key + 1)]
        return not any(
            not each.stands
            and each.start <= reach[1]
            and reach[0] <= each.end
            and self.rig.channel_index(channel.name) in each.channels(self.rig)
            for each in self.kept
        )


def key_at(curve: Curve | None, time: float) -> int | None:
    """Which key a curve has at a time, if it has one there."""
    # A lone key is not a pose of its own: it holds for all time.
    if curve is None or len(curve) < 2:
        return None
    nearest = int(np.abs(curve.times - time).argmin())
    return nearest if abs(curve.times[nearest] - time) < SAME_TIME else None


def raised(curve: Curve, time: float, by: float) -> Curve:
    """The curve with the key at a time raised; its tangents keep their slopes."""
    values = curve.values.copy()
    values[key_at(curve, time)] += by
    return replace(curve, values=values)


@dataclass(frozen=True, slots=True)
class Snap:
    """How far the point of a contact moved in one key pose, in metres; `missing` is what could not be reached."""

    contact: Constraint
    time: float
    moved: float
    missing: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far apart the key poses of a contact put its point, before and after."""

    contact: Constraint
    before: Apart
    after: Apart

    def __str__(self) -> str:
        span = f"{self.contact.start:.2f} to {self.contact.end:.2f} s"
        return f"{self.contact.point} {span}: key poses were {self.before} apart, now {self.after}"


@dataclass(frozen=True, slots=True, eq=False)
class Agreed:
    """A clip whose key poses agree; what each of them needed, and what came of every contact.

    snaps               none of a contact whose channels share no key times
    most_change, where  how far a joint moved at most in any of the poses, in metres, and which
    """

    clip: Clip
    snaps: tuple[Snap, ...]
    report: tuple[Agreement, ...]
    most_change: float
    where: str

    def __str__(self) -> str:
        if not self.snaps:
            return "no contact has two key poses; nothing changed"
        before, after = (Apart.worst(getattr(each, side) for each in self.report) for side in ("before", "after"))
        count = f"{len(self.report)} contact{'' if len(self.report) == 1 else 's'}"
        told = f"{count}: key poses were up to {before} apart, now {after}"
        return f"{told}; {self.where} moved most, by {Apart(self.most_change)}" if self.where else told


def snap_poses(
    rig: Rig,
    clip: Clip,
    contacts: Sequence[Constraint],
    kept: Sequence[Constraint] = (),
    onto: Onto = "start",
    progress: Callable[[int, int], None] | None = None,
) -> Agreed:
    """Bring the point of every contact to one place in all key poses within it, all contacts together.

    Each pose takes the smallest change of the limbs that its points belong to; where these are too short, the body
    comes along. Only values of keys that are there change, within limits; what is `kept` stays, and a pin between the
    keys too. Poses are the times at which every channel that moves the point is keyed or does not change; where keys
    are staggered there are none, and `remove_slide` is what helps.
    """
    before = Motion(rig, clip)
    goals = [goal for contact in contacts if (goal := _Goal.of(before, contact, onto)) is not None]
    times = sorted({time for goal in goals for time in goal.wished})
    poses, curves, snaps = before.channels(times), dict(clip.curves), []
    for number, (time, pose) in enumerate(zip(times, poses, strict=True)):
        if progress is not None:
            progress(number, len(times))
        here = [goal for goal in goals if time in goal.wished]
        posed, solved = _posed(
            PoseKeys(rig, clip.curves, time, kept),
            pose,
            here,
            ([each for each in kept if each.stands and each.start <= time <= each.end]),
        )
        for c in np.flatnonzero(posed != pose):
            name = rig.channels[c].name
            curves[name] = raised(curves[name], time, float(posed[c] - pose[c]))
        snaps += [Snap(goal.contact, time, *each) for goal, each in zip(here, solved, strict=True)]
    changed = replace(clip, curves=clip.curves.replaced(curves)) if snaps else clip
    after = Motion(rig, changed)
    report = tuple(Agreement(each, poses_apart(before, each), poses_apart(after, each)) for each in contacts)
    return Agreed(changed, tuple(snaps), report, *_most_moved(before, after, times))


@dataclass(frozen=True, slots=True, eq=False)
class _Goal:
    """A contact, by time of a pose where its point is, and what all of them should be."""

    contact: Constraint
    place: Floats
    turn: Floats
    wished: dict[float, Floats]

    @classmethod
    def of(cls, motion: Motion, contact: Constraint, onto: Onto) -> "_Goal | None":
        """None where there is no pose."""
        if not (times := pose_times(motion, contact)):
            return None
        positions, turns = motion.states(times, contact.point)
        # Orientations are not averaged: that of the pose is taken which is nearest to the mean.
        nearest = int(np.argmin(np.linalg.norm(positions - positions.mean(axis=0), axis=1)))
        chosen = {"start": 0, "end": len(times) - 1, "mean": nearest}[onto]
        place = positions.mean(axis=0) if onto == "mean" else positions[chosen]
        return cls(contact, place, turns[chosen], dict(zip(times, positions, strict=True)))

    @property
    def state(self) -> State:
        """What the point should have."""
        wanted = self.contact.wanted
        return State(None if wanted == "orientation" else self.place, None if wanted == "position" else self.turn)


def _posed(
    keys: PoseKeys, pose: Floats, goals: Sequence[_Goal], kept: Sequence[Constraint]
) -> tuple[Floats, list[tuple[float, float]]]:
    """A pose (C,) with all goals reached, or as near as they can be; and for each how far it moved and is missing."""
    rig = keys.rig
    exact = EXACT / max(1.0, chains.size(rig))
    settings = Settings(tolerance=exact, reached=exact, pull=EXACT_PULL, iterations=100)
    pulls = tuple(Pull(goal.contact.point, goal.contact.wanted) for goal in goals)
    wished = [goal.state for goal in goals]
    best: Solution | None = None
    for channels in _freedoms(keys, goals):
        solution = solve(build(rig, pose, PoseRequest(pulls, tuple(kept), channels), settings), *wished)
        if best is None or _missing(solution) < _missing(best):
            best = solution
        if best.reached:
            break
    now = [goal.wished[keys.time] for goal in goals]
    if best is None:
        return pose, [(0.0, float(np.linalg.norm(goal.place - at))) for goal, at in zip(goals, now, strict=True)]
    moved = np.linalg.norm(best.positions - np.array(now), axis=1)
    return best.channels, list(zip(moved.tolist(), np.maximum(best.distances, best.turns).tolist(), strict=True))


def _freedoms(keys: PoseKeys, goals: Sequence[_Goal]) -> list[frozenset[str]]:
    """First the limbs alone; then all that moves the points, unless that is no more."""
    moving = keys.moving([goal.contact for goal in goals])
    return [each for each in dict.fromkeys((moving & keys.of_limbs([g.contact.point for g in goals]), moving)) if each]


def _missing(solution: Solution) -> float:
    return float(np.maximum(solution.distances, solution.turns).max())


def _most_moved(before: Motion, after: Motion, times: Sequence[float]) -> tuple[float, str]:
    if not times:
        return 0.0, ""
    moved = np.linalg.norm(after.joint_positions(times) - before.joint_positions(times), axis=-1).max(axis=0)
    return float(moved.max()), before.rig.joints[int(moved.argmax())].name if moved.any() else ""
