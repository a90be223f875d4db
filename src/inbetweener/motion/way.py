"""The way of a body over the ground: where it goes without its sway, and lines along which it may go instead.

Headings are radians from +z towards +x; places on the ground are x and z in metres.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats

Move = Callable[[Floats], tuple[Floats, Floats]]
"""By times (T,), how a body is moved over the ground: turns (T,) about the vertical, then shifts (T, 3)."""

SWAY = 0.5
"""Seconds: what goes to and fro in less is no part of the way somebody goes."""
FAR = 6.0
"""Widths of a bell beyond which it counts for nothing."""
FINE, STEPS = 40.0, 40_000
"""Into how many steps a line is parted, by the width over which it is rounded, and at most."""


def slow(at: Floats, track: Floats, width: float) -> Floats:
    """What of a track (T, c), known at rising places (T,), is slower than a bell of a width."""
    first, last = np.searchsorted(at, at - FAR * width), np.searchsorted(at, at + FAR * width)
    made = np.empty_like(track, np.float64)
    for begin in range(0, len(at), 256):
        rows = slice(begin, begin + 256)
        seen = slice(int(first[rows].min()), int(last[rows].max()))
        near = np.exp(-0.5 * ((at[rows, None] - at[None, seen]) / width) ** 2)
        made[rows] = near @ track[seen] / near.sum(axis=1)[:, None]
    return made


def trend(times: Floats, hips: Floats) -> Floats:
    """Where hips (T, 3) go on the ground, from where they begin and without their sway."""
    level = (hips - hips[0]) * [1.0, 0.0, 1.0]
    span = max(float(times[-1] - times[0]), 1e-9)
    # The straight way is known to both ends; a bell alone would lag there.
    line = level[-1] * ((times - times[0]) / span)[:, None]
    return np.asarray(line + slow(times, level - line, SWAY))


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line on the ground: places (n, 2) and headings (n,) at lengths (n,) along it; beyond its ends, straight on."""

    lengths: Floats
    places: Floats
    headings: Floats

    @classmethod
    def through(cls, points: Floats, width: float) -> "Line | None":
        """Through points (k, 2), corners rounded over a width in metres; None where they are all in one place."""
        away = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        distinct = np.concatenate([[True], np.diff(away) > 1e-9])
        points, away = points[distinct], away[distinct]
        if len(points) < 2:
            return None
        room, whole = FAR * width, float(away[-1])
        step = max(width / FINE, whole / STEPS)
        count = max(int(np.ceil(whole / step)), 2)
        more = min(int(np.ceil(room * count / whole)), int(2.0 * FAR * FINE))
        at = np.asarray(np.arange(-more, count + more + 1) * (whole / count), np.float64)
        ends = [(points[1] - points[0]) / away[1], (points[-1] - points[-2]) / (away[-1] - away[-2])]
        drawn = np.stack([np.interp(at, away, points[:, c]) for c in range(2)], axis=1)
        drawn += np.minimum(at, 0.0)[:, None] * ends[0] + np.maximum(at - whole, 0.0)[:, None] * ends[1]
        drawn = slow(at, drawn, width)
        kept = slice(more, count + more + 1)
        places, ahead = drawn[kept], np.gradient(drawn, at, axis=0)[kept]
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
        return cls(lengths, places, np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1])))

    @property
    def length(self) -> float:
        """In metres."""
        return float(self.lengths[-1])

    def at(self, lengths: Floats) -> tuple[Floats, Floats]:
        """Places (T, 2) and headings (T,) so far along it (T,)."""
        headings = np.interp(lengths, self.lengths, self.headings)
        places = np.stack([np.interp(lengths, self.lengths, self.places[:, c]) for c in range(2)], axis=1)
        beyond = np.minimum(lengths, 0.0) + np.maximum(lengths - self.length, 0.0)
        return places + beyond[:, None] * np.stack([np.sin(headings), np.cos(headings)], axis=1), headings


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How far (T,) somebody has come along a line at times (T,)."""

    times: Floats
    line: Line
    gone: Floats

    @classmethod
    def of(cls, times: Floats, hips: Floats, width: float) -> "Course | None":
        """The way of hips (T, 3); None where they go less than a width."""
        level = (hips[0] + trend(times, hips))[:, [0, 2]]
        steps = np.linalg.norm(np.diff(level, axis=0), axis=1)
        # Who stands still goes nowhere, though he sways.
        steps[steps < 0.1 * width * np.diff(times)] = 0.0
        gone = np.concatenate([[0.0], np.cumsum(steps)])
        moving = np.concatenate([[True], steps > 0.0])
        line = Line.through(level[moving], width)
        if line is None or line.length < width:
            return None
        return cls(times, line, gone * line.length / max(float(gone[-1]), 1e-12))

    def onto(self, other: Line, times: Floats) -> tuple[Floats, Floats]:
        """What moves a body that goes this way onto another line at times (T,): turns (T,) about the vertical, then
        shifts (T, 3)."""
        gone = np.interp(times, self.times, self.gone)
        (here, was), (there, now) = self.line.at(gone), other.at(gone)
        turns = now - was
        sine, cosine = np.sin(turns), np.cos(turns)
        shifts = np.zeros((len(times), 3))
        shifts[:, 0] = there[:, 0] - (cosine * here[:, 0] + sine * here[:, 1])
        shifts[:, 2] = there[:, 1] - (cosine * here[:, 1] - sine * here[:, 0])
        return turns, shifts
