"""The motion curve of a point: its path, orientations, speed, frame ticks and key marks."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats
from inbetweener.motion import Motion
from inbetweener.rig import Place


@dataclass(frozen=True, slots=True, eq=False)
class MotionCurve:
    """A point over time.

    times (T,) seconds; positions (T, 3) metres; turns (T, 3, 3) orientations; speeds (T,) metres a second
    ticks (T,) true on whole frames: close ticks mean slow
    keys (K,) times at which any channel that moves the point has a key; key_positions (K, 3)
    """

    times: Floats
    positions: Floats
    turns: Floats
    speeds: Floats
    ticks: Bools
    keys: Floats
    key_positions: Floats


def motion_curve(
    motion: Motion, place: Place, *, start: float | None = None, end: float | None = None, per_frame: int = 4
) -> MotionCurve:
    """The path of a place between two times, the whole clip by default, sampled `per_frame` times a frame."""
    clip = motion.clip
    frames = clip.frame_times
    frames = frames[
        (frames >= (clip.start if start is None else start)) & (frames <= (clip.end if end is None else end))
    ]
    if len(frames) == 0:
        frames = np.array([clip.start if start is None else start])
    steps = np.arange(per_frame) / (per_frame * clip.rate)
    times = np.concatenate([(frames[:-1, None] + steps).ravel(), frames[-1:]])
    positions, turns = motion.states(times, place)
    keys = motion.key_times(place)
    keys = keys[(keys >= frames[0] - 1e-9) & (keys <= frames[-1] + 1e-9)]
    return MotionCurve(
        times,
        positions,
        turns,
        speeds(motion, place, times),
        np.arange(len(times)) % per_frame == 0,
        keys,
        motion.states(keys, place)[0] if len(keys) else np.zeros((0, 3)),
    )


def speeds(motion: Motion, place: Place, times: npt.ArrayLike) -> Floats:
    """Speed (T,) of a place in metres a second: its Jacobian times the channels' velocities."""
    values = motion.channel_motion(times)
    by_channel = motion.rig.state_jacobian(np.ascontiguousarray(values[..., 0]), place)[:, :3]
    return np.linalg.norm(np.einsum("trc,tc->tr", by_channel, values[..., 1]), axis=1)
