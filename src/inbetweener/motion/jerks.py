"""Jerks: places that a changed motion accelerates much harder than the one it came from. An eye sees them as pops."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.motion.motion import Motion
from inbetweener.rig import Place

HARDER, JERK = 1.5, 0.005
"""What acceleration may grow by and nobody sees it: a share, and metres a frame a frame on top."""


@dataclass(frozen=True, slots=True)
class Jerk:
    """A joint or point on that of its frames on which it is jerked most; accelerations in metres a frame a frame."""

    point: str
    frame: int
    before: float
    after: float
    frames: int
    """On how many frames it is jerked."""

    def __str__(self) -> str:
        return f"{self.point} on frame {self.frame} ({1000 * self.before:.0f} → {1000 * self.after:.0f} mm a frame²)"


def jerked(before: Floats, after: Floats) -> Bools:
    """Which places (F, P, 3) are jerked on which frames (F − 2, P), but for the first and the last."""
    was, is_now = _accelerated(before), _accelerated(after)
    return np.asarray(is_now > HARDER * was + JERK)


def jerks(places: Sequence[Place], before: Floats, after: Floats) -> tuple[Jerk, ...]:
    """Every place (P,) that is jerked, the worst first; where they are before and after: (F, P, 3), on frames."""
    was, is_now = _accelerated(before), _accelerated(after)
    beyond = is_now - (HARDER * was + JERK)
    worst = beyond.argmax(axis=0) if len(beyond) else np.zeros(len(places), np.int64)
    most = beyond[worst, np.arange(len(places))] if len(beyond) else np.zeros(len(places))
    return tuple(
        Jerk(str(places[p]), int(n) + 1, float(was[n, p]), float(is_now[n, p]), int((beyond[:, p] > 0).sum()))
        for p in np.argsort(-most, kind="stable")
        if most[p] > 0
        for n in worst[p : p + 1]
    )


def jerks_of(before: Motion, after: Motion) -> tuple[Jerk, ...]:
    """Every joint and point of a motion that is jerked on its frames, the worst first."""
    return jerks(before.rig.places, *on_frames(before, after))


def on_frames(before: Motion, after: Motion) -> tuple[Floats, Floats]:
    """Where all joints and points (F, P, 3) of two motions are on the frames of the first."""
    times, places = before.clip.frame_times, before.rig.places
    return before.point_positions(times, places), after.point_positions(times, places)


def named(found: Sequence[Jerk], most: int = 3) -> str:
    """The worst of them, in words; empty where nothing is jerked."""
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(map(str, found[:most])) + more


def _accelerated(places: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.diff(places, 2, axis=0), axis=-1))
