"""The keyed motion as windows read it: moment by moment, with accelerations that lead from one to the next.

A curve's acceleration jumps at every key. Read at an instant, it would count for a whole step or not at all, depending
on which side of the key the moments of a window fall, and states would jump as they pass. The mean over a step, which
is what its speeds differ by, counts for as long as it lasts.

Where a window ends, what comes after has not happened yet: there it is the mean over the half of a step before. A
correction that stops something turns sharply right then, and would be felt before its time.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.motion import Clip

DIGITS = 8
"""Moments closer than ten nanoseconds are one: what lies between two of them is read once."""


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """The moments (N,) that windows pass, and which of them (T, n + 1) each does.

    The last `ended` of them are there a second time, as they are where a window ends with them: `ends` (T, S) are
    those of the last S moments of each window.
    """

    moments: Floats
    rows: Ints
    ends: Ints
    ended: int

    @classmethod
    def of(cls, moments: Floats, rows: Ints, shown: int) -> "Passed":
        """Windows of which the last so many moments are shown."""
        again, ends = np.unique(rows[:, rows.shape[1] - shown :], return_inverse=True)
        ends = len(moments) + ends.reshape(len(rows), shown)
        return cls(np.concatenate([moments, moments[again]]), rows, ends, len(again))


def stepped(read: Callable[[Floats], Floats], passed: Passed, clip: Clip, step: float) -> Floats:
    """What `read` gives at moments passed, values, velocities and accelerations (N, …, 3), the latter as means over a
    `step` about each; beyond the end of a loop comes its start.
    """
    whole, moments, last = clip.end - clip.start, passed.moments, len(passed.moments) - passed.ended
    ends, rows = np.unique((moments + step * np.array([[-0.5], [0.5]])).round(DIGITS), return_inverse=True)
    if clip.loops and whole > 0:
        ends = np.where((ends < clip.start) | (ends > clip.end), clip.start + (ends - clip.start) % whole, ends)
    result, speeds = read(moments), read(ends)[..., 1]
    before, after = rows.reshape(2, -1)
    result[..., 2] = (speeds[after] - speeds[before]) / step
    result[last:, ..., 2] = (result[last:, ..., 1] - speeds[before[last:]]) / (step / 2)
    return result
