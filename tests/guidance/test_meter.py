"""What a motion costs over time, in units: against MuJoCo, and quick enough to be told under a moving hand."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.curves.curve import with_tangents
from inbetweener.dynamics import EARTH, Body, Movement
from inbetweener.guidance import Kernel, Limits, Meter, Smoothness, Torque
from inbetweener.motion import Layer, Motion
from tests.dynamics.mujoco_twin import Twin
from tests.guidance.arm import arm, swing

RIG = arm()
MOTION = swing(RIG)
TIMES = (np.arange(60) + 0.5) / 60


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), EARTH])
def test_torque_is_in_newton_metres_by_joint(gravity: tuple[float, float, float]) -> None:
    body = Body.of(RIG)
    costs = Meter(RIG, Torque(body, gravity)).measure(MOTION, TIMES)
    assert costs.unit == "N·m"
    forces = Twin(body, gravity).inverse(Movement.at(MOTION, TIMES)).reshape(len(TIMES), -1, 9)
    turned = {"upper": [3, 4, 5], "lower": [4, 5]}
    assert set(costs.labels) == set(turned)
    for label, values in zip(costs.labels, costs.values, strict=True):
        expected = np.linalg.norm(forces[:, RIG.joint_index(label), turned[label]], axis=1)
        assert expected.max() > 0.1
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


def test_a_kernel_takes_away_what_guidance_does_not_look_at() -> None:
    bell = Kernel(0.5, 0.1)
    plain, quiet = (Meter(RIG, Torque.of(RIG), kernels).measure(MOTION, TIMES) for kernels in ((), (bell,)))
    # Costs are squares: half of them is what is left of a torque times the root of a half.
    left = np.sqrt(1.0 - np.exp(-0.5 * ((TIMES - 0.5) / 0.1) ** 2))
    np.testing.assert_allclose(quiet.values, plain.values * left, rtol=1e-12)
    near = [Meter(RIG, Limits(), kernels).measure(MOTION, TIMES).values for kernels in ((), (bell,))]
    np.testing.assert_array_equal(*near)


def test_jerk_is_that_of_all_layers() -> None:
    layer = Layer("sway", MOTION.clip.curves, weight=0.5)
    layered = Motion(RIG, replace(MOTION.clip, layers=(layer,)))
    costs = Meter(RIG, Smoothness()).measure(layered, TIMES)
    step = 1e-5
    accelerations = [layered.channel_motion(TIMES + at)[..., 2] for at in (step, -step)]
    expected = np.abs(accelerations[0] - accelerations[1]) / (2 * step)
    rows = [RIG.channel_index(label) for label in costs.labels]
    turning = [n for n, row in enumerate(rows) if RIG.channels[row].kind == "rotation"]
    assert costs.values[turning].max() > 10.0
    np.testing.assert_allclose(costs.values[turning], expected[:, rows].T[turning], rtol=1e-4, atol=1e-3)


def test_only_what_changed_is_measured_again() -> None:
    meter = Meter(RIG, Torque.of(RIG))
    before = meter.measure(MOTION, TIMES)
    name = "lower.rz"
    curve: Curve = MOTION.clip.curves[name]
    outs = curve.outs.copy()
    outs[1, 1] += 0.2
    (bent,) = with_tangents([curve], [curve.ins.copy()], [outs])
    motion = Motion(RIG, replace(MOTION.clip, curves=MOTION.clip.curves.replaced({name: bent})))
    again = meter.measured_again(before, motion, (curve.times[1], curve.times[2]))
    np.testing.assert_array_equal(again.values, meter.measure(motion, TIMES).values)
    assert (again.values != before.values).any()
    assert meter.measured_again(before, motion, (2.0, 3.0)) is before
