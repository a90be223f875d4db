"""Places over frames: how fast they change, and the stretches in which they hardly do."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.contacts.measure import spread

AROUND = 0.025
"""Seconds before and after a frame in which its speed is measured: three frames at 120 a second, where noise of 3 mm
becomes 0.1 m/s; one at 30."""
JUMP, TIMES = 0.02, 5.0
"""A point that moves so many heights in one frame, and so many times as far as in the frames beside it, was cut."""


def apart(positions: Floats, ranges: list[tuple[int, int]], radius: float, pause: int) -> list[tuple[int, int]]:
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


def speeds_of(positions: Floats, rate: float) -> Floats:
    """Lengths a second (F,): the slope of the line through the frames around, between cuts; unknown in short pieces.

    A single frame that is off is no motion: the median of three comes first.
    """
    speeds = np.full(len(positions), np.inf)
    for first, last in pairwise([0, *_cuts(positions), len(positions)]):
        if last - first > 2:
            half = frames_around(AROUND, rate, last - first)
            frames = np.arange(-half, half + 1.0)
            steady = np.median(windows(positions[first:last], 1), axis=-1)
            speeds[first:last] = np.linalg.norm(windows(steady, half) @ frames, axis=1) * rate / (frames @ frames)
            if half == 1:  # a step has three frames then, of which one alone has both neighbours on the ground
                steps = rate * np.linalg.norm(np.diff(positions[first:last], axis=0), axis=1)
                sides = np.minimum(np.append(steps, np.inf), np.append(np.inf, steps))
                speeds[first:last] = np.minimum(speeds[first:last], sides)
    return speeds


def frames_around(seconds: float, rate: float, frames: int) -> int:
    """How many frames to either side are within some seconds: one at least, and no more than there are."""
    return min(max(1, int(np.ceil(seconds * rate))), frames - 1)


def windows(positions: Floats, half: int) -> Floats:
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


def runs(yes: Bools) -> Iterator[tuple[int, int]]:
    """First and one past the last of every run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], yes, [False]]).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def closed(yes: Bools, longest: float) -> Bools:
    """With gaps between runs of true filled where they are shorter than so many frames."""
    closed = yes.copy()
    for (_, a), (b, _) in pairwise(runs(yes)):
        closed[a:b] |= b - a < longest
    return closed


def lasting(yes: Bools, shortest: float) -> Bools:
    """Without the runs of true that are shorter than so many frames."""
    return ~closed(np.pad(~yes, 1, constant_values=True), shortest)[1:-1]


def tight(positions: Floats, speeds: Floats, first: int, last: int, radius: float) -> Iterator[tuple[int, int]]:
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
    yield from tight(positions, speeds, first, a, radius)
    yield a, b
    yield from tight(positions, speeds, b, last, radius)
