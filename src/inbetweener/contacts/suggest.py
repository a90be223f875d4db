"""Find contacts: ranges of time in which a point is nearly still."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.contacts.measure import planted, sliding, spread
from inbetweener.motion import Motion
from inbetweener.rig import ROOT, Place, Point, Rig, chains
from inbetweener.rig.body_parts import parts
from inbetweener.rig.freedom import Wanted
from inbetweener.tangents import Contact


@dataclass(frozen=True, slots=True)
class Stillness:
    """What counts as nearly still; lengths in heights of the character, times in seconds.

    speed     no moment of a range is faster, in heights a second,
    share     or than this share of the point's own fast moments: who runs plants the feet less softly
    slowest   at its ends a range is slower than this share of that
    ball      the point stays within a ball of this radius
    shortest  ranges that last less are left out
    """

    speed: float = 0.25
    share: float = 0.15
    slowest: float = 0.7
    ball: float = 0.03
    shortest: float = 0.1


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A range in which a point is nearly still.

    slide       metres between its farthest two places in it
    confidence  0 to 1: long and tight ranges score high, those in mid-air half
    wanted      both where the point does not turn either, as a foot that stands
    """

    point: Place
    start: float
    end: float
    slide: float
    confidence: float
    wanted: Wanted = "position"

    @property
    def contact(self) -> Contact:
        """The contact that is suggested."""
        return Contact(self.point, self.start, self.end, self.wanted)


def suggest_contacts(
    motion: Motion, points: Iterable[Place] | None = None, stillness: Stillness | None = None
) -> tuple[Suggestion, ...]:
    """Ranges in which points are nearly still, in time order; by default of hands, feet and toes.

    Where no joint is named like one of those, the ends of limbs that come near the ground are looked at. The body's
    lowest point stands on something; a still point far above it may touch a thing that the motion does not know, or
    just rest in the air, so it is trusted half as much.
    """
    still = stillness or Stillness()
    ground = lowest_heights(motion, motion.clip.frame_times)
    found = [
        suggestion
        for point in (touching_points(motion) if points is None else points)
        for suggestion in _of_point(motion, point, still, ground)
    ]
    return tuple(sorted(found, key=lambda each: (each.start, each.end, str(each.point))))


def _of_point(motion: Motion, point: Place, still: Stillness, ground: Floats) -> Iterator[Suggestion]:
    times, height = motion.clip.frame_times, max(chains.height(motion.rig), 1e-9)
    if len(times) < 3:
        return
    positions, _ = motion.states(times, point)
    speeds = _speeds(positions, motion.clip.rate) / height
    low = positions[:, 1] - ground <= NEAR_GROUND * height
    most = max(still.speed, still.share * float(np.quantile(speeds, 0.95)))
    radius, pause = still.ball * height, int(np.ceil(still.shortest * motion.clip.rate))
    ranges: list[tuple[int, int]] = []
    for first, last in _runs(speeds < most):
        slow = first + np.flatnonzero(speeds[first:last] < still.slowest * most)
        if len(slow):
            # Faster moments may be in between, not at the ends: there the point lands or leaves.
            ranges += _tight(positions, speeds, int(slow[0]), int(slow[-1]) + 1, radius)
    for a, b in _apart(positions, ranges, radius, pause):
        start, end = float(times[a]), float(times[b - 1])
        if end - start < still.shortest - 1e-9:
            continue
        away = np.linalg.norm(positions[a:b] - np.median(positions[a:b], axis=0), axis=1)
        tight = 1.0 - 0.5 * float(np.sqrt(np.mean(away**2))) / radius
        lasting = min(1.0, (end - start) / (3.0 * still.shortest))
        grounded = 0.5 + 0.5 * float(low[a:b].mean())
        slide, sure = sliding(motion, point, start, end), tight * lasting**0.5 * grounded
        yield Suggestion(point, start, end, slide, sure, planted(motion, point, start, end).wanted)


def _apart(positions: Floats, ranges: list[tuple[int, int]], radius: float, pause: int) -> list[tuple[int, int]]:
    """Ranges in order, with time to move from one place to the next.

    Those less than a pause apart become one where the ball holds both, twitch and all; else both end earlier.
    """
    found: list[tuple[int, int]] = []
    for a, b in ranges:
        if found and a - found[-1][1] < pause:
            before = found.pop()
            if spread(positions[before[0] : b]) <= 2.0 * radius:
                a = before[0]
            else:
                less = -(-(pause - (a - before[1])) // 2)
                if before[1] - less > before[0]:
                    found.append((before[0], before[1] - less))
                a = min(a + less, b)
        if b > a:
            found.append((a, b))
    return found


def _speeds(positions: Floats, rate: float) -> Floats:
    """Metres a second (F,), the median over three frames: a single jump between frames is no motion."""
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1) * rate
    steps = np.concatenate([steps[:1], steps, steps[-1:]])
    both = np.maximum(steps[:-1], steps[1:])
    padded = np.concatenate([both[:1], both, both[-1:]])
    return np.median(np.stack([padded[:-2], padded[1:-1], padded[2:]]), axis=0)


def _runs(yes: Bools) -> Iterator[tuple[int, int]]:
    """First and one past the last of every run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], yes, [False]]).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _tight(positions: Floats, speeds: Floats, first: int, last: int, radius: float) -> Iterator[tuple[int, int]]:
    """The stretches of a slow run in which the point stays in a ball; a run that creeps away is cut into several.

    Each of these grows from its slowest moment, on the side where the next place is nearer to the middle so far.
    """
    if last <= first:
        return
    if spread(positions[first:last]) <= 2.0 * radius:
        yield first, last
        return
    a = first + int(np.argmin(speeds[first:last]))
    b = a + 1
    total = low = high = positions[a]
    while a > first or b < last:
        sides = [side for side, room in ((a - 1, a > first), (b, b < last)) if room]
        side = min(sides, key=lambda i: float(np.linalg.norm(positions[i] - total / (b - a))))
        low, high = np.minimum(low, positions[side]), np.maximum(high, positions[side])
        if np.linalg.norm(high - low) > 2.0 * radius:
            break
        total = total + positions[side]
        a, b = min(a, side), max(b, side + 1)
    yield from _tight(positions, speeds, first, a, radius)
    yield a, b
    yield from _tight(positions, speeds, b, last, radius)


NEAR_GROUND = 0.08
"""A point this near to the lowest one, in heights of the character, may stand on the same ground."""


def touching_points(motion: Motion) -> tuple[Point, ...]:
    """Feet, toes and hands by their names; where no joint has such a name, the ends that come near the ground."""
    named = _named(motion.rig)
    return named or _low_ends(motion)


def lowest_heights(motion: Motion, times: Floats) -> Floats:
    """How high the lowest joint or named point of the body is (T,) at each time."""
    return motion.point_positions(times, motion.rig.places)[..., 1].min(axis=1)


def _named(rig: Rig) -> tuple[Point, ...]:
    """Of a hand the wrist; of a foot its toes, or the points that are named on it, or the ankle where that is all."""
    part = parts(rig)
    found: list[Point] = []
    for joint in rig.joints:
        above = None if joint.parent == ROOT else part[rig.joints[joint.parent].name]
        if part[joint.name] == "hand" and above != "hand":
            found.append(Point(joint.name))
        if part[joint.name] == "foot" and above != "foot":
            whole = {joint.name, *(below for below in chains.descendants(rig, joint.name) if part[below] == "foot")}
            toes = [Point(each.name) for each in rig.joints if each.name in whole - {joint.name}]
            marks = [point for point in rig.points if point.joint in whole]
            found += toes or marks or [Point(joint.name)]
    return tuple(found)


def _low_ends(motion: Motion) -> tuple[Point, ...]:
    """Named points on joints without children, or those joints, if they come down to where the body is lowest."""
    rig = motion.rig
    leaves = chains.leaves(rig)
    marks = [point for point in rig.points if point.joint in leaves]
    bare = [Point(name) for name in leaves if name not in {point.joint for point in marks}]
    ends = [*marks, *bare]
    if not ends:
        return ()
    times = motion.clip.frame_times
    heights = motion.point_positions(times, ends)[..., 1]
    near = (heights - lowest_heights(motion, times)[:, None]).min(axis=0) <= NEAR_GROUND * chains.height(rig)
    return tuple(end for end, low in zip(ends, near, strict=True) if low)
