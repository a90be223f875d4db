"""Where a clip is fitted, which channels share their keys, and runs of what was found there."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves.fitting import in_steps
from inbetweener.motion.clip import Clip
from inbetweener.rig import Channel

Align = Literal["channel", "joint", "body"]
"""Which channels share their key times: none, those of one joint, or all."""

QUARTERS = 4
"""Steps from one sample to the next in which points are looked at in the end."""

BENT = 0.05

DENSE = 0.5
"""Keys of a curve a frame, on average, above which motion counts as dense."""


def runs(flags: Bools) -> Ints:
    """(r, 2) begin and end of runs of flags (n,) that are set."""
    return np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8))).reshape(-1, 2)


def length(vectors: Floats, axis: int = -1) -> Floats:
    """How long vectors are."""
    return np.sqrt((vectors**2).sum(axis=axis))


def most_nearby(values: Floats, reach: int) -> Floats:
    """The largest value (…, n) within `reach` of each."""
    made = values.copy()
    for by in range(1, min(reach, values.shape[-1] - 1) + 1):
        np.maximum(made[..., by:], values[..., :-by], out=made[..., by:])
        np.maximum(made[..., :-by], values[..., by:], out=made[..., :-by])
    return made


def frames_of(clip: Clip) -> Floats:
    """All frames, and the end where it falls between frames."""
    times = clip.frame_times
    return times if clip.end - times[-1] < 1e-6 / clip.rate else np.append(times, clip.end)


def sample_times(clip: Clip, evaluate: Callable[[Floats], Floats], most: Floats) -> Floats:
    """All frames; and between two of them quarters, and the keys that dense curves have there, where a channel is
    farther from the straight way than it may be off at `most` (C,)."""
    frames = frames_of(clip)
    found = [in_steps(frames, QUARTERS)]
    for curve in clip.curves.values():
        if len(curve) > DENSE * len(frames):
            found.append(curve.times)
    keys = np.unique(np.concatenate(found))
    keys = keys[(keys > frames[0]) & (keys < frames[-1])]
    step = np.searchsorted(frames, keys, side="right") - 1
    nearest = frames[np.clip(np.searchsorted(frames, keys - 0.5 / clip.rate), 0, len(frames) - 1)]
    keys, step = (each[np.abs(keys - nearest) > 1e-6 / clip.rate] for each in (keys, step))
    on_frames = evaluate(frames)
    share = ((keys - frames[step]) / np.diff(frames)[step])[:, None]
    straight = (1.0 - share) * on_frames[step] + share * on_frames[step + 1]
    bent = np.zeros(len(frames), np.bool_)
    bent[step[(np.abs(evaluate(keys) - straight) > BENT * most).any(axis=1)]] = True
    return np.union1d(frames, keys[bent[step]])


def groups_of(channels: Sequence[Channel], align: Align) -> list[list[int]]:
    """Positions of the channels that share key times."""
    together: dict[object, list[int]] = {}
    for c, channel in enumerate(channels):
        joint = channel.drives[0].joint if channel.drives else channel.name
        together.setdefault({"channel": c, "joint": joint, "body": None}[align], []).append(c)
    return list(together.values())
