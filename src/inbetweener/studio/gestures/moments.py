"""Times as a hand means them: near a key is on it, and people count frames from the clip's start."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Clip

NEAR = 0.1
"""Frames. A time this near to a key is the key's, and keys are not brought nearer to each other than this."""


def near(clip: Clip) -> float:
    """The same in seconds."""
    return NEAR / clip.rate


def key_near(times: Floats, time: float, clip: Clip) -> int | None:
    """Which of the times (n,), in order, a moment means; None where none is near."""
    if len(times) == 0:
        return None
    at = int(np.argmin(np.abs(times - time)))
    return at if abs(float(times[at]) - time) <= near(clip) else None


def frame(clip: Clip, time: float) -> str:
    """A time as people say it: "17", or "17.5" between frames."""
    return f"{round((time - clip.start) * clip.rate, 2):.10g}"
