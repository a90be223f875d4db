"""The conductor: smooth by itself, sharp on the beats where kernels allow it; one arm follows an IK handle."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.guidance import Kernel, Request, build, guide
from inbetweener.motion import Motion
from inbetweener.stock import example

MOTION = example("conductor").motion()
CHANNELS = frozenset({*(f"arm_l.{a}" for a in "xyz"), *(f"upper_arm_r.r{a}" for a in "xyz")})
BEATS = np.array([12, 24, 36]) / 24


def jerks(motion: Motion) -> Floats:
    """Jerk of the right hand (n,) around the beats, in m/s³, over hundredths of a second."""
    step, hand = 0.01, motion.rig.point("hand_r")
    times = (BEATS[:, None] + np.linspace(-0.04, 0.04, 33)).ravel()
    path = [motion.states(times + offset * step, hand)[0] for offset in (-1.5, -0.5, 0.5, 1.5)]
    return np.linalg.norm(path[3] - 3 * path[2] + 3 * path[1] - path[0], axis=1) / step**3


def test_kernels_on_the_beats_make_them_sharp() -> None:
    problem = build(MOTION, Request(channels=CHANNELS, start=0.1, end=1.9, regularise=0.1))
    assert len(problem.parameters) == 54
    smooth = guide(problem).finish()
    sharp = guide(problem.reweighed(kernels=tuple(Kernel(beat, 0.06) for beat in (*BEATS, 2.0)))).finish()
    assert smooth.terms["torque"] < 0.8
    assert jerks(smooth.motion).max() < 0.8 * jerks(MOTION).max()
    assert jerks(sharp.motion).max() > 2.5 * jerks(smooth.motion).max()
