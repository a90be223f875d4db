"""Generalised forces against MuJoCo, and where the answer is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.builtin.characters.human import human_rig
from inbetweener.dynamics import EARTH, WEIGHTLESS, Body, InverseDynamics, Movement, generalised_forces
from inbetweener.errors import UnknownName
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.rig.masses import MassModel
from tests.dynamics.mujoco_twin import Twin
from tests.dynamics.specimens import random_body, random_channels, random_movement

SIDEWAYS = (3.0, -4.0, 7.0)


@given(
    st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 3), st.sampled_from([EARTH, WEIGHTLESS, SIDEWAYS]),
    st.booleans(),
)  # fmt: skip
def test_random_trees_agree_with_mujoco(
    seed: int, count: int, roots: int, gravity: tuple[float, float, float], scaled: bool
) -> None:
    body = random_body(seed, count, roots=min(roots, count), scaled=scaled)
    movement = random_movement(body, 3, seed)
    found = generalised_forces(body, movement, gravity=gravity).values
    expected = Twin(body, gravity).inverse(movement)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_a_person_agrees_with_mujoco() -> None:
    body = Body.of(human_rig(), "human")
    movement = random_movement(body, 20, 3)
    found = generalised_forces(body, movement).values
    expected = Twin(body).inverse(movement)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_far_from_the_origin_no_digits_are_lost() -> None:
    body = random_body(4)
    channels = random_channels(body.rig, 4, 5)
    near = generalised_forces(body, Movement.of(body.rig, channels)).values
    for axis in "xyz":
        channels[:, body.rig.channel_index(f"joint 0.t{axis}"), 0] += 1e5
    far = generalised_forces(body, Movement.of(body.rig, channels)).values
    # The place itself is only known to 1e-11 there.
    np.testing.assert_allclose(far, near, rtol=0, atol=1e-9 * np.abs(near).max())


def test_a_pendulum_takes_the_textbook_torque() -> None:
    joint = Joint("arm")
    rig = Rig((joint,), joint_channels(joint, "rz"))
    mass, length, about = 2.0, 0.7, 0.03
    body = Body.of(
        rig, MassModel(rig, np.array([mass]), np.array([[length, 0.0, 0.0]]), np.diag([0.01, about, about])[None])
    )
    angle, speed, gain = 0.4, 3.0, -5.0
    forces = generalised_forces(body, Movement.of(rig, [[[angle, speed, gain]]]))
    torque = (about + mass * length**2) * gain + mass * 9.81 * length * math.cos(angle)
    assert forces.values[0, 5] == pytest.approx(torque, rel=1e-14)
    # What holds the pivot: mass times the acceleration of its centre, less gravity.
    outward = np.array([math.cos(angle), math.sin(angle), 0.0])
    onward = np.array([-math.sin(angle), math.cos(angle), 0.0])
    held = mass * (length * (gain * onward - speed**2 * outward) + [0.0, 9.81, 0.0])
    np.testing.assert_allclose(forces.values[0, :3], held, rtol=0, atol=1e-12)
    np.testing.assert_allclose(forces.residual.forces[0], held, rtol=0, atol=1e-12)
    assert forces.residual.moments[0, 2] == pytest.approx(torque, rel=1e-14)


def test_massless_joints_pass_forces_on() -> None:
    body = random_body(6)
    channels = random_channels(body.rig, 3, 7)
    leaf = len(body.rig.joints) - 1
    masses, inertias = body.masses.masses.copy(), body.masses.inertias.copy()
    masses[leaf], inertias[leaf] = 0.0, 0.0
    light = Body.of(body.rig, MassModel(body.rig, masses, body.masses.centres, inertias))
    found = generalised_forces(light, Movement.of(body.rig, channels)).values
    assert not found[:, 9 * leaf :].any()
    assert found[:, : 9 * leaf].any()


def test_a_floating_root_has_no_forces_of_its_own() -> None:
    body = random_body(2, 5)
    movement = random_movement(body, 3, 2)
    whole = generalised_forces(body, movement).values
    held, floating = InverseDynamics.of(body, floating=False), InverseDynamics.of(body)
    assert len(held.dofs) == 30
    assert floating.dofs == held.dofs[6:]
    assert held.dofs[:4] == ("joint 0.tx", "joint 0.ty", "joint 0.tz", "joint 0.rx")
    np.testing.assert_array_equal(held.forces(movement), whole.reshape(3, 5, 9)[..., :6].reshape(3, -1))
    np.testing.assert_array_equal(floating.forces(movement), held.forces(movement)[:, 6:])


def test_unknown_freedoms_are_named() -> None:
    body = random_body(2, 3)
    with pytest.raises(UnknownName, match="sx"):
        InverseDynamics.of(body, dofs=["joint 0.sx"])
    with pytest.raises(UnknownName, match="elbow"):
        InverseDynamics.of(body, dofs=["elbow.rx"])
