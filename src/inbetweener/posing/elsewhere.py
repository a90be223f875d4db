"""Other poses to search from, where the search from the current one ends short of the target."""

from collections.abc import Iterator

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.posing.program import Program

NUDGE = 0.4
"""Radians, or heights of a translation, over stiffness."""


def nudged(program: Program, z: Floats) -> Floats:
    """A pose beside z, within the limits: a limb that is quite straight bends neither way until it is nudged."""
    signs = np.random.default_rng(1).choice([-1.0, 1.0], len(z))
    away = np.where(z + NUDGE * signs > program.highest, -1.0, np.where(z + NUDGE * signs < program.lowest, 1.0, signs))
    return program.clipped(z + NUDGE * away)


def other_poses(program: Program, count: int) -> Iterator[Floats]:
    """Poses spread within the limits, the first ones nearer to the pose before the gesture; always the same ones."""
    random = np.random.default_rng(2)
    low = np.maximum(program.lowest, -program.step)
    high = np.minimum(program.highest, program.step)
    low = np.where(program.lowest > -RANGE * program.step, program.lowest, low)
    high = np.where(program.highest < RANGE * program.step, program.highest, high)
    for n in range(count):
        share = 0.5 + 0.5 * n / max(1, count - 1)
        yield share * random.uniform(low, high)


RANGE = 4.0
"""Limits wider than this many steps (radians) count as none; then one step to either side is looked at."""
