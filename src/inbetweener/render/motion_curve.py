"""The path of a point: a purple arc, orange dots on its keys, and a tick on every frame, coloured by speed."""

from collections.abc import Iterable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Motion
from inbetweener.render import colour, shapes
from inbetweener.render.batch import Batch, joined
from inbetweener.rig import Point

SAMPLES_A_FRAME = 6
MOST_SAMPLES = 4000
WIRE, TICK, DOT = 1.7, 2.9, 6.0
"""Radii in units of 1/540 of the picture's height."""


def motion_curve(motion: Motion, points: Iterable[Point], unit: float) -> Batch:
    """The motion curves of points over the whole clip; `unit` metres are 1/540 of the picture's height."""
    return joined(batch for point in points for batch in _parts(motion, point, unit))


def _parts(motion: Motion, point: Point, unit: float) -> list[Batch]:
    clip = motion.clip
    frames = clip.frame_times
    wire = shapes.tube(motion.point_positions(path_times(motion, point), [point])[:, 0], WIRE * unit)
    parts = [Batch.painted(*wire, colour.linear(colour.ARC), glow=0.8)]
    if len(frames) > 1:
        at = motion.point_positions(frames, [point])[:, 0]
        # Where a point hardly moves its ticks would run into one another.
        radius = TICK * unit * float(np.clip(_length(at) / (len(at) - 1) / (3 * TICK * unit), 0.6, 1.0))
        ticks = shapes.copies(shapes.ball(6, 8), np.tile(radius * np.eye(3), (len(at), 1, 1)), at)
        tints = np.repeat(colour.linear(colour.speed_colours(_speed_share(at))), len(shapes.ball(6, 8)[0]), axis=0)
        parts.append(Batch.painted(*ticks, tints, glow=0.9))
    times = key_times(motion, point)
    if len(times):
        at = motion.point_positions(times, [point])[:, 0]
        dots = shapes.copies(shapes.ball(), np.tile(DOT * unit * np.eye(3), (len(at), 1, 1)), at)
        parts.append(Batch.painted(*dots, colour.linear(colour.KEY), glow=0.7))
    return parts


def path_times(motion: Motion, point: Point) -> Floats:
    """Times at which to draw the path so that it looks smooth: a few a frame, and more where the point leaps."""
    clip = motion.clip
    count = int(np.clip(SAMPLES_A_FRAME * (len(clip.frame_times) - 1) + 1, 2, MOST_SAMPLES))
    times = np.linspace(clip.start, clip.end, count)
    at = motion.point_positions(times, [point])[:, 0]
    steps = np.linalg.norm(np.diff(at, axis=0), axis=-1)
    longest = 0.01 * max(float(np.ptp(at, axis=0).max()), 1e-12)
    pieces = np.clip(np.ceil(steps / longest), 1, 32).astype(int)
    starts = np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = (np.arange(len(starts)) - starts) / np.repeat(pieces, pieces)
    spread = np.repeat(times[:-1], pieces) + share * np.repeat(np.diff(times), pieces)
    return np.concatenate([spread, times[-1:]])


def key_times(motion: Motion, point: Point) -> Floats:
    """When any channel that moves the point has a key; none for a clip sampled so densely that keys mean nothing."""
    clip, times = motion.clip, motion.key_times(point)
    times = times[(times >= clip.start - 1e-9) & (times <= clip.end + 1e-9)]
    # Captured motion has a key on every frame: dots on all of them would only hide the ticks.
    return times if len(times) <= max(2, len(clip.frame_times) // 2) else np.empty(0)


def _length(at: Floats) -> float:
    return float(np.linalg.norm(np.diff(at, axis=0), axis=-1).sum())


def _speed_share(at: Floats) -> Floats:
    """0 for the slowest step along frames (F, 3), 1 for the fastest."""
    speed = np.linalg.norm(np.gradient(at, axis=0), axis=-1)
    return speed / max(float(speed.max()), 1e-12)
