"""The keyed motion as windows read it: moment by moment, with accelerations that lead from one to the next.

A curve's acceleration jumps at every key. Read at an instant, it would count for a whole step or not at all, depending
on which side of the key the moments of a window fall, and states would jump as they pass. The mean over a step, which
is what its speeds differ by, counts for as long as it lasts.
"""

from collections.abc import Callable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Clip

DIGITS = 8
"""Moments closer than ten nanoseconds are one: what lies between two of them is read once."""


def stepped(read: Callable[[Floats], Floats], moments: Floats, clip: Clip, step: float) -> Floats:
    """What `read` gives at moments, values, velocities and accelerations (N, …, 3), the latter as means over a `step`
    about each; beyond the end of a loop comes its start.
    """
    whole = clip.end - clip.start
    ends, rows = np.unique((moments + step * np.array([[-0.5], [0.5]])).round(DIGITS), return_inverse=True)
    if clip.loops and whole > 0:
        ends = np.where((ends < clip.start) | (ends > clip.end), clip.start + (ends - clip.start) % whole, ends)
    result, speeds = read(moments), read(ends)[..., 1]
    before, after = rows.reshape(2, -1)
    result[..., 2] = (speeds[after] - speeds[before]) / step
    return result
