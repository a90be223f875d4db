"""The fox's tail: its tip follows its root, and a kernel makes one of its sweeps faster.

Squared torque knows no direction of time, and the scene is its own mirror in time: on the way back the tip leads.
"""

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.guidance import Kernel, Request, build, guide
from inbetweener.motion import Motion
from inbetweener.stock import example

MOTION = example("fox-tail").motion()
TAIL = frozenset(name for name in MOTION.clip.curves if name.startswith("tail"))
RIGHT = 0.75
"""Seconds: when the tail is on the right, half of the clip."""


def sideways(motion: Motion, joint: str, times: Floats) -> Floats:
    return motion.states(times, motion.rig.point(joint))[0][:, 0]


def crossing(motion: Motion, joint: str) -> float:
    """When a joint comes through the middle on its way to the right."""
    times = np.linspace(0.0, RIGHT, 2001)
    side = np.sign(sideways(motion, joint, times))
    return float(times[np.argmax(side != side[0])])


def fastest(motion: Motion, start: float, end: float) -> float:
    times = np.linspace(start, end, 1001)
    return float(np.abs(np.diff(sideways(motion, "tail_9", times))).max() / (times[1] - times[0]))


def test_the_middle_key_alone_has_27_parameters() -> None:
    assert len(build(MOTION, Request(channels=TAIL, start=0.1, end=1.4)).parameters) == 27


def test_the_tip_follows_the_root() -> None:
    guided = guide(build(MOTION, Request(channels=TAIL, regularise=0.1))).finish()
    assert guided.terms["torque"] < 0.5
    assert crossing(MOTION, "tail_9") - crossing(MOTION, "tail_2") == pytest.approx(0.0, abs=2e-3)
    assert crossing(guided.motion, "tail_9") - crossing(guided.motion, "tail_2") > 0.08


def test_a_kernel_between_right_and_left_makes_that_sweep_faster() -> None:
    problem = build(MOTION, Request(channels=TAIL, regularise=0.1))
    plain = guide(problem).finish().motion
    eased = guide(problem.reweighed(kernels=(Kernel(1.125, 0.12),))).finish().motion
    assert fastest(eased, RIGHT, 1.5) > 1.12 * fastest(plain, RIGHT, 1.5)
    assert fastest(eased, 0.0, RIGHT) == pytest.approx(fastest(plain, 0.0, RIGHT), rel=0.05)
