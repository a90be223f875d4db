"""Find contacts: ranges of time in which a point is nearly still, or carries the body."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from inbetweener.anatomy import Anatomy
from inbetweener.arrays import Bools, Floats
from inbetweener.contacts.measure import planted, sliding, stature
from inbetweener.contacts.stillness import (
    AROUND,
    apart,
    closed,
    frames_around,
    lasting,
    runs,
    speeds_of,
    tight,
    windows,
)
from inbetweener.contacts.touching import NEAR_GROUND, lowest_heights, touching_points
from inbetweener.motion import Motion
from inbetweener.rig import Place
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
        half = frames_around(3.0 * AROUND, rate, len(times))
        bend = np.linalg.pinv(np.vander(np.arange(-half, half + 1.0), 3))[0]  # of the parabola through frames around
        falls = 2.0 * rate**2 * (windows(root[:, None], half)[:, 0] @ bend) < -FALLING * height
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
        speeds = speeds_of(positions / body.height, motion.clip.rate)
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
    for first, last in runs(track.speeds < track.most):
        slow = first + np.flatnonzero(track.speeds[first:last] < still.slowest * track.most)
        if len(slow):
            # Faster moments may be in between, not at the ends: there the point lands or leaves.
            ranges += tight(positions, track.speeds, int(slow[0]), int(slow[-1]) + 1, radius)
    for a, b in apart(positions, ranges, radius, int(np.ceil(still.shortest * rate))):
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
    alone = body.upright & ~lasting(body.falls, short)
    near = track.positions[:, 1] - body.ground <= 2.0 * NEAR_GROUND * body.height
    slips = near & (track.speeds < max(SLIPPING * still.speed, track.most))
    for each in standing:
        alone &= (times < each.start - 1e-9) | (times > each.end + 1e-9)
        if each.point == track.point:  # it takes time to move from there
            slips &= (times < each.start - still.shortest) | (times > each.end + still.shortest)
    alone = lasting(alone, 2.0 * short)  # for a moment nobody stands where one foot lands as the other leaves
    for a, b in runs(closed(slips, 0.5 * short)):
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
