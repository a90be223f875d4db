"""Find contacts: ranges of time in which a point is nearly still, or carries the body."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np

from inbetweener.anatomy import Anatomy, recognise
from inbetweener.arrays import Bools, Floats
from inbetweener.contacts.measure import planted, sliding, spread, stature
from inbetweener.motion import Motion
from inbetweener.rig import Place, Point, Rig, chains
from inbetweener.rig.freedom import Wanted
from inbetweener.tangents import Contact


@dataclass(frozen=True, slots=True)
class Stillness:
    """What counts as nearly still; lengths in heights of the character, times in seconds.

    speed     no moment of a range is faster, in heights a second,
    share     or than this share of the point's own fast moments: who runs plants the feet less softly
    slowest   at its ends a range is slower than this share of that
    lift      and not higher above its middle: who lands or leaves slowly is on the way still
    ball      the point stays within a ball of this radius
    shortest  ranges that last less are left out
    """

    speed: float = 0.25
    share: float = 0.15
    slowest: float = 0.7
    lift: float = 0.01
    ball: float = 0.03
    shortest: float = 0.1


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A range in which a point is nearly still.

    slide       metres between its farthest two places in it
    confidence  0 to 1: long and tight ranges score high, those in mid-air half, what slips and must carry 0.6
    wanted      both where the point does not turn either, as a foot that stands
    slips       it goes farther than one that stands may: it touches the ground, but nobody would plant it
    """

    point: Place
    start: float
    end: float
    slide: float
    confidence: float
    wanted: Wanted = "position"
    slips: bool = False

    @property
    def is_trusted(self) -> bool:
        """Whether it may be planted without asking."""
        return self.confidence >= TRUSTED and not self.slips

    @property
    def contact(self) -> Contact:
        """The contact that is suggested."""
        return Contact(self.point, self.start, self.end, self.wanted)


TRUSTED = 0.55
"""Suggested contacts that are trusted less are left alone; hands that rest in the air are below."""
STANDS = 1.25
"""Times as far as across the ball in which a point is still may it go, between frames too, and be said to stand."""
NEAR_GROUND = 0.08
"""A point this near to the lowest one, in heights of the character, may stand on the same ground."""
UPRIGHT = 0.25
"""Where the root is lower above the lowest point, the trunk may sit or lie and carries itself."""
FALLING = 0.75 * 9.81 / 1.7
"""Heights a second a second: most of what gravity gives a person of 1.7 m. Who falls faster is carried by nobody."""
BRIEF = 0.6
"""Of the shortest time may a foot stand that is the only one to carry."""
SLIPPING = 3.0
"""Times as fast as what is nearly still may be what carries the body while nobody else does."""
CARRIES = 0.6
"""Confidence in what slips and must carry."""
AROUND = 0.025
"""Seconds before and after a frame in which its speed is measured: three frames at 120 a second, where noise of 3 mm
becomes 0.1 m/s; one at 30."""
JUMP, TIMES = 0.02, 5.0
"""A point that moves so many heights in one frame, and so many times as far as in the frames beside it, was cut."""


def suggest_contacts(
    motion: Motion,
    points: Iterable[Place] | None = None,
    stillness: Stillness | None = None,
    anatomy: Anatomy | None = None,
) -> tuple[Suggestion, ...]:
    """Ranges in which points are nearly still, in time order; by default of hands, feet and toes.

    Those are known by the `anatomy`, or as joints are recognised. Where no joint is one, the ends of limbs that come
    near the ground are looked at. The body's lowest point stands on something; a still point far above it may touch a
    thing that the motion does not know, or just rest in the air, so it is trusted half as much.
    Unless points are named, a body that does not fall is carried: where nobody is still, hands that have come down to
    the ground are found though they slip.
    """
    still, times = stillness or Stillness(), motion.clip.frame_times
    if len(times) < 3:
        return ()
    body = _Body.of(motion)
    tracks = [
        _Track.of(body, motion, place, still)
        for place in (touching_points(motion, anatomy) if points is None else points)
    ]
    found = [
        _suggestion(motion, track, each, still)
        for track in tracks
        for each in _still_ranges(track, still, motion.clip.rate)
    ]
    brief = [each for each in found if each.end - each.start < still.shortest - 1e-9]
    found = [each for each in found if each not in brief]
    if points is None:
        found = _stepping(body, {track.point: track for track in tracks}, [*found, *brief], found, times)
        standing = [each for each in found if each.confidence > 0.5]
        carrying = [
            _suggestion(motion, track, each, still, CARRIES)
            for track in tracks
            if not track.usually_low
            for each in _carrying(body, track, still, times, standing)
        ]
        found = [each for each in found if each in standing or not any(_overlap(each, other) for other in carrying)]
        found += carrying
    return tuple(sorted(found, key=lambda each: (each.start, each.end, str(each.point))))


def _stepping(
    body: "_Body", tracks: dict[Place, "_Track"], every: list[Suggestion], sure: list[Suggestion], times: Floats
) -> list[Suggestion]:
    """What is surely there, and short steps: a foot that is down while no other is, and the body does not fall.

    Feet take turns. Who runs has each on the ground for a tenth of a second, where the body alone does not tell a step
    from a pause.
    """
    feet = [each for each in sure if each.confidence >= TRUSTED and tracks[each.point].usually_low]
    made = []
    for each in every:
        during = (times >= each.start - 1e-9) & (times <= each.end + 1e-9)
        track = tracks[each.point]
        others = np.zeros(len(times), np.bool_)
        for other in feet:
            others |= (times >= other.start) & (times <= other.end) & (other.point != each.point)
        steps = track.usually_low and track.low[during].all() and 2 * (others | body.falls)[during].sum() < during.sum()
        # Who walks in place swings the foot to and fro below a body that stays: where it turns back is no step.
        steps = steps and float(np.median(body.speeds[during])) > track.most
        if steps and each.confidence < TRUSTED:
            made.append(replace(each, confidence=CARRIES))
        elif each in sure:
            made.append(each)
    return made


def _overlap(one: Suggestion, other: Suggestion) -> bool:
    """Whether both are of one point at one time."""
    return one.point == other.point and one.start <= other.end and other.start <= one.end


@dataclass(frozen=True, slots=True)
class _Body:
    """What the whole body does on each frame (F,): its lowest height in metres, is it upright, and does it fall.

    speeds  of its root over the ground, in heights a second
    """

    height: float
    ground: Floats
    upright: Bools
    falls: Bools
    speeds: Floats

    @classmethod
    def of(cls, motion: Motion) -> Self:
        times, rate, height = motion.clip.frame_times, motion.clip.rate, stature(motion)
        ground, places = lowest_heights(motion, times), motion.joint_positions(times)[:, 0]
        root = places[:, 1]
        half = _frames_around(3.0 * AROUND, rate, len(times))
        bend = np.linalg.pinv(np.vander(np.arange(-half, half + 1.0), 3))[0]  # of the parabola through frames around
        falls = 2.0 * rate**2 * (_windows(root[:, None], half)[:, 0] @ bend) < -FALLING * height
        speeds = np.linalg.norm(np.gradient(places[:, [0, 2]], axis=0), axis=1) * rate / height
        return cls(height, ground, root - ground > UPRIGHT * height, falls, speeds)


@dataclass(frozen=True, slots=True)
class _Track:
    """Where a point is on each frame (F, 3) in metres, its speed (F,) in heights a second, is it near the ground.

    `most` is the fastest that it is when nearly still.
    """

    point: Place
    positions: Floats
    speeds: Floats
    low: Bools
    height: float
    most: float

    @classmethod
    def of(cls, body: _Body, motion: Motion, point: Place, still: Stillness) -> Self:
        positions, _ = motion.states(motion.clip.frame_times, point)
        speeds = _speeds(positions / body.height, motion.clip.rate)
        low = positions[:, 1] - body.ground <= NEAR_GROUND * body.height
        known = speeds[np.isfinite(speeds)]
        most = max(still.speed, still.share * float(np.quantile(known, 0.95)) if len(known) else 0.0)
        return cls(point, positions, speeds, low, body.height, most)

    @property
    def usually_low(self) -> bool:
        """Whether it walks on the ground. Who slips then walks in place, as on a treadmill, and is to go on so."""
        return 2 * int(self.low.sum()) > len(self.low)


def _still_ranges(track: _Track, still: Stillness, rate: float) -> Iterator[tuple[int, int]]:
    """First and one past the last frame of every range in which a point is nearly still."""
    positions, radius = track.positions, still.ball * track.height
    ranges: list[tuple[int, int]] = []
    for first, last in _runs(track.speeds < track.most):
        slow = first + np.flatnonzero(track.speeds[first:last] < still.slowest * track.most)
        if len(slow):
            # Faster moments may be in between, not at the ends: there the point lands or leaves.
            ranges += _tight(positions, track.speeds, int(slow[0]), int(slow[-1]) + 1, radius)
    for a, b in _apart(positions, ranges, radius, int(np.ceil(still.shortest * rate))):
        high = positions[a:b, 1] - np.median(positions[a:b, 1]) > still.lift * track.height
        down = a + np.flatnonzero(~high | (track.speeds[a:b] < 0.5 * still.slowest * still.speed))
        # It stands from somewhere before its first frame to somewhere after its last.
        if (down[-1] - down[0] + 1) / rate >= BRIEF * still.shortest - 1e-9:
            yield int(down[0]), int(down[-1]) + 1


def _carrying(
    body: _Body, track: _Track, still: Stillness, times: Floats, standing: Iterable[Suggestion]
) -> Iterator[tuple[int, int]]:
    """Where a point that slips carries the body: mostly while nobody stands and the body does not fall."""
    short = still.shortest / (times[1] - times[0])
    alone = body.upright & ~_lasting(body.falls, short)
    near = track.positions[:, 1] - body.ground <= 2.0 * NEAR_GROUND * body.height
    slips = near & (track.speeds < max(SLIPPING * still.speed, track.most))
    for each in standing:
        alone &= (times < each.start - 1e-9) | (times > each.end + 1e-9)
        if each.point == track.point:  # it takes time to move from there
            slips &= (times < each.start - still.shortest) | (times > each.end + still.shortest)
    alone = _lasting(alone, 2.0 * short)  # for a moment nobody stands where one foot lands as the other leaves
    for a, b in _runs(_closed(slips, 0.5 * short)):
        if 2 * (alone & track.low)[a:b].sum() > b - a > short:
            yield a, b


def _suggestion(
    motion: Motion, track: _Track, frames: tuple[int, int], still: Stillness, sure: float | None = None
) -> Suggestion:
    (a, b), times = frames, motion.clip.frame_times
    start, end = float(times[a]), float(times[b - 1])
    if sure is None:
        away = np.linalg.norm(track.positions[a:b] - np.median(track.positions[a:b], axis=0), axis=1)
        tight = 1.0 - 0.5 * float(np.sqrt(np.mean(away**2))) / (still.ball * track.height)
        lasting = min(1.0, (end - start) / (3.0 * still.shortest))
        sure = tight * lasting**0.5 * (0.5 + 0.5 * float(track.low[a:b].mean()))
    slide, wanted = sliding(motion, track.point, start, end), planted(motion, track.point, start, end).wanted
    slips = slide > STANDS * 2.0 * still.ball * track.height
    return Suggestion(track.point, start, end, slide, sure, wanted, slips)


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
    """Lengths a second (F,): the slope of the line through the frames around, between cuts; unknown in short pieces.

    A single frame that is off is no motion: the median of three comes first.
    """
    speeds = np.full(len(positions), np.inf)
    for first, last in pairwise([0, *_cuts(positions), len(positions)]):
        if last - first > 2:
            half = _frames_around(AROUND, rate, last - first)
            frames = np.arange(-half, half + 1.0)
            steady = np.median(_windows(positions[first:last], 1), axis=-1)
            speeds[first:last] = np.linalg.norm(_windows(steady, half) @ frames, axis=1) * rate / (frames @ frames)
            if half == 1:  # a step has three frames then, of which one alone has both neighbours on the ground
                steps = rate * np.linalg.norm(np.diff(positions[first:last], axis=0), axis=1)
                sides = np.minimum(np.append(steps, np.inf), np.append(np.inf, steps))
                speeds[first:last] = np.minimum(speeds[first:last], sides)
    return speeds


def _frames_around(seconds: float, rate: float, frames: int) -> int:
    return min(max(1, int(np.ceil(seconds * rate))), frames - 1)


def _windows(positions: Floats, half: int) -> Floats:
    """The frames around each (F, n, 2 half + 1); beyond both ends the motion goes on as it does there."""
    before = 2.0 * positions[0] - positions[half:0:-1]
    after = 2.0 * positions[-1] - positions[-2 : -half - 2 : -1]
    return np.lib.stride_tricks.sliding_window_view(np.concatenate([before, positions, after]), 2 * half + 1, axis=0)


def _cuts(positions: Floats) -> list[int]:
    """Frames before which a point jumps, as after a T-pose that was put in front."""
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    beside = np.concatenate([[0.0], steps, [0.0]])
    jumps = (steps > JUMP) & (steps > TIMES * np.maximum(beside[:-2], beside[2:]))
    return (1 + np.flatnonzero(jumps)).tolist()


def _runs(yes: Bools) -> Iterator[tuple[int, int]]:
    """First and one past the last of every run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], yes, [False]]).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _closed(yes: Bools, longest: float) -> Bools:
    """With gaps between runs of true filled where they are shorter than so many frames."""
    closed = yes.copy()
    for (_, a), (b, _) in pairwise(_runs(yes)):
        closed[a:b] |= b - a < longest
    return closed


def _lasting(yes: Bools, shortest: float) -> Bools:
    """Without the runs of true that are shorter than so many frames."""
    return ~_closed(np.pad(~yes, 1, constant_values=True), shortest)[1:-1]


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


def touching_points(motion: Motion, anatomy: Anatomy | None = None) -> tuple[Point, ...]:
    """Feet, toes and hands; where no joint is one, the ends that come near the ground."""
    known = _hands_and_feet(motion.rig, recognise(motion.rig) if anatomy is None else anatomy)
    return known or _low_ends(motion)


def lowest_heights(motion: Motion, times: Floats) -> Floats:
    """How high the lowest joint or named point of the body is (T,) at each time."""
    return motion.point_positions(times, motion.rig.places)[..., 1].min(axis=1)


def _hands_and_feet(rig: Rig, anatomy: Anatomy) -> tuple[Point, ...]:
    """Of a hand the wrist; of a foot its toes, or the points that are named on it, or the ankle where that is all.

    What a beast walks on in front are feet too.
    """
    found: list[Point] = []
    for part in anatomy.body:
        above = chains.path_from_root(rig, part.joint)[:-1]
        if part.role not in ("hand", "foot") or any(anatomy[name].role == part.role for name in above):
            continue
        if part.role == "hand" and anatomy.kind != "quadruped":
            found.append(Point(part.joint))
            continue
        below = [anatomy[name] for name in chains.descendants(rig, part.joint)]
        toes = [each.joint for each in below if each.role in ("toe", "finger", part.role)]
        marks = [point for point in rig.points if point.joint in (part.joint, *toes)]
        found += [Point(name) for name in toes] or marks or [Point(part.joint)]
    return tuple(found)


HAND = 0.15
"""Heights of the character that a hand or foot reaches from wrist or ankle at most."""


def _low_ends(motion: Motion) -> tuple[Point, ...]:
    """Ends of limbs, as long as a hand or foot, that come down to where the body is lowest.

    One that branches has fingers: its wrist is taken; of others the last joint, or a point on that if it is the only.
    """
    rig, times = motion.rig, motion.clip.frame_times
    size, ground, reaches = stature(motion), lowest_heights(motion, times), chains.reaches(rig)
    tops: dict[str, None] = {}
    for leaf in chains.leaves(rig):
        short = [name for name in chains.path_from_root(rig, leaf) if reaches[rig.joint_index(name)] <= HAND * size]
        tops[short[0] if short else leaf] = None
    found: list[Point] = []
    for top in tops:
        within = [top, *chains.descendants(rig, top)]
        marks = [point for point in rig.points if point.joint in within]
        heights = motion.point_positions(times, [*(Point(name) for name in within), *marks])[..., 1]
        if (heights.min(axis=1) - ground).min() <= NEAR_GROUND * size:
            last = next((name for name in within if len(chains.children(rig, name)) != 1), top)
            found.append(marks[0] if last == top and marks and len(within) == 1 else Point(last))
    return tuple(found)
