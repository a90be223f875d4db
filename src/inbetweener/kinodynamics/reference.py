"""The keyed motion as windows read it: moment by moment, with accelerations that lead from one to the next.

A curve's acceleration jumps at every key. Read at an instant, it would count for a whole step or not at all, depending
on which side of the key the moments of a window fall, and states would jump as they pass. The mean over a step, which
is what its speeds differ by, counts for as long as it lasts.
"""

from collections.abc import Callable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Clip


def stepped(read: Callable[[Floats], Floats], moments: Floats, clip: Clip, step: float) -> Floats:
    """What `read` gives at moments, values, velocities and accelerations (…, N, …, 3), the latter as means over the
    `step` that follows; beyond the end of a loop comes its start.
    """
    ahead, whole = moments + step, clip.end - clip.start
    if clip.loops and whole > 0:
        ahead = np.where(ahead > clip.end + 1e-9, clip.start + (ahead - clip.start) % whole, ahead)
    result, then = read(moments), read(ahead)
    result[..., 2] = (then[..., 1] - result[..., 1]) / step
    return result
