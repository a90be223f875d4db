"""Curves for what IK handles set, and what follows: files know joints only."""

import numpy as np

from inbetweener.curves import CONSTANT, Curve
from inbetweener.curves.fitting import fit_curve
from inbetweener.maths import euler
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig

SAMPLES_A_FRAME = 8
HANDLED_ANGLE = 5e-6
"""Radians by which the curves of joints that are turned so may miss their samples."""


def handled_curves(rig: Rig, clip: Clip, curves: list[Curve]) -> dict[int, Curve]:
    """Curves, by degree of freedom, for angles of joints that are `turned`: no sum of others, so sampled and fitted."""
    keys = np.concatenate([curve.times for curve in curves])
    held = [curve.times[1:][curve.interpolations[:-1] == CONSTANT] for curve in curves]
    first, last = min(clip.start, float(keys.min())), max(clip.end, float(keys.max()))
    even = np.linspace(first, last, max(2, round((last - first) * clip.rate * SAMPLES_A_FRAME) + 1))
    # A value that is held leaps at the next key: look just before it, too.
    times = np.unique(np.concatenate([even, keys, *(at - 1e-5 for at in held)]))
    times = times[np.append(True, np.diff(times) > 1e-6)]
    dofs = rig.dof_map.dofs(Motion(rig, clip).channels(times))
    made = {}
    for name in rig.turned:
        j = rig.joint_index(name)
        angles = euler.continuous(dofs[:, 9 * j + 3 : 9 * j + 6], rig.joints[j].order)
        for d in range(3):
            made[9 * j + 3 + d] = fit_curve(times, angles[:, d], HANDLED_ANGLE)
    return made
