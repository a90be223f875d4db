"""Energies against MuJoCo, and a wheel's momentum in closed form."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.dynamics import EARTH, Body, Movement, momentum
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.rig.masses import MassModel
from tests.dynamics.mujoco_twin import Twin
from tests.dynamics.specimens import random_body, random_channels


@given(st.integers(0, 10**6), st.integers(1, 8))
@settings(max_examples=25)
def test_energies_agree_with_mujoco(seed: int, count: int) -> None:
    body = random_body(seed, count)
    channels = random_channels(body.rig, 3, seed)
    movement = Movement.of(body.rig, channels)
    found = momentum(body, movement)
    potential, kinetic = Twin(body).energies(movement).T
    np.testing.assert_allclose(found.kinetic, kinetic, rtol=1e-12)
    np.testing.assert_allclose(found.potential, potential, rtol=0, atol=1e-12 * body.total * 9.81 * 10)
    np.testing.assert_allclose(found.centre, body.centre_of_mass(channels[..., 0]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.linear, body.total * found.velocity, rtol=1e-15)


def test_a_rolling_wheel() -> None:
    joint = Joint("wheel")
    rig = Rig((joint,), joint_channels(joint, "tx ty rz"))
    body = Body.of(rig, MassModel(rig, np.array([2.0]), np.zeros((1, 3)), np.diag([0.1, 0.1, 0.15])[None]))
    found = momentum(body, Movement.of(rig, [[[1.0, 3.0, 0.5], [0.4, 0.0, 0.0], [0.2, -7.0, 0.0]]]))
    np.testing.assert_allclose(found.centre, [[1.0, 0.4, 0.0]])
    np.testing.assert_allclose(found.linear, [[6.0, 0.0, 0.0]], atol=1e-15)
    np.testing.assert_allclose(found.acceleration, [[0.5, 0.0, 0.0]], atol=1e-14)
    np.testing.assert_allclose(found.angular, [[0.0, 0.0, -7.0 * 0.15]], atol=1e-15)
    assert found.kinetic[0] == pytest.approx(0.5 * 2.0 * 9.0 + 0.5 * 0.15 * 49.0)
    assert found.potential[0] == pytest.approx(-2.0 * EARTH[1] * 0.4)
    assert found.energy[0] == found.kinetic[0] + found.potential[0]
