"""The keyed motion as windows read it: moment by moment, with accelerations that lead from one to the next.

A curve's acceleration jumps at every key. Read at an instant, it would count for a whole step or not at all, depending
on which side of the key the moments of a window fall, and states would jump as they pass. The mean over a step, which
is what its speeds differ by, counts for as long as it lasts.
"""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.movement import Movement
from inbetweener.rig import Rig


def keyed_movement(rig: Rig, reference: Floats, rows: Ints, step: float) -> Movement:
    """The movement of a reference (N, C, 3) that windows pass along rows (W, n + 1), `step` seconds from one to the
    next."""
    movement = Movement.of(rig.keyed, reference, differentiable=False)
    after = np.arange(len(reference))
    # Windows that are shorter than the longest wait at their first moment; what comes after it is put in last.
    after[rows[:, :-1]] = rows[:, 1:]
    means = (movement.velocities[after] - movement.velocities) / step
    means.flags.writeable = False
    return replace(movement, accelerations=means)
