"""Movements of degrees of freedom against differences in time, and what cannot be rigid."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.dynamics import Body, InverseDynamics, Movement, generalised_forces
from inbetweener.errors import InvalidRig
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig
from tests.dynamics.specimens import random_channels, random_rig
from tests.rig.limbs import armed_person, channels_of, reaching
from tests.rig.specimens import random_rig as unevenly_scaled_rig
from tests.rig.test_bends import arc, bent_rig


def swaying(rig: Rig, seed: int) -> Motion:
    """A second of motion, one Bezier segment a channel, between two poses that a handle can reach."""
    start, end = reaching(rig, 2, seed)
    random = np.random.default_rng(seed)
    curves = {}
    for channel, a, b in zip(rig.channels, start, end, strict=True):
        y = 0.3 * (b - a) + 0.05 * random.normal(size=2) * (abs(b - a) > 0)
        curves[channel.name] = Curve.from_keys([
            Key(0.0, float(a), out_tangent=Tangent(0.3, float(y[0]))),
            Key(1.0, float(b), in_tangent=Tangent(0.35, float(y[1]))),
        ])  # fmt: skip
    return Motion(rig, Clip("sway", curves=curves, start=0.0, end=1.0))


def differences(motion: Motion, times: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and accelerations of degrees of freedom by values at three steps either side."""
    at = {n: motion.rig.dof_map.dofs(motion.channels(times + n * step)) for n in range(-3, 4)}
    first = sum(k * (at[n] - at[-n]) for n, k in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)))
    second = sum(k * (at[n] + at[-n]) for n, k in ((1, 3 / 2), (2, -3 / 20), (3, 1 / 90))) - 49 / 18 * at[0]
    return first / step, second / step**2


@pytest.mark.parametrize("axes", [None, 4])
def test_degrees_of_freedom_move_as_curves_and_handles_say(axes: int | None) -> None:
    motion = swaying(armed_person(axes), 5)
    times = np.linspace(0.1, 0.9, 9)
    movement = Movement.at(motion, times)
    velocity, acceleration = differences(motion, times, 2e-4)
    set_by_handle = motion.rig.dof_map.limbs[0].rows  # type: ignore[attr-defined]
    assert np.abs(movement.accelerations[:, set_by_handle]).max() > 0.5
    np.testing.assert_allclose(movement.velocities, velocity, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(movement.accelerations, acceleration, rtol=1e-6, atol=2e-6)


def test_without_derivatives_it_is_the_same_movement() -> None:
    motion = swaying(armed_person(4), 6)
    times = np.linspace(0.1, 0.9, 9)
    full, quick = Movement.at(motion, times), Movement.at(motion, times, differentiable=False)
    np.testing.assert_array_equal(quick.dofs, full.dofs)
    np.testing.assert_allclose(quick.velocities, full.velocities, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(quick.accelerations, full.accelerations, rtol=1e-6, atol=1e-6)
    body = Body.of(motion.rig)
    assert generalised_forces(body, quick).values.shape == quick.dofs.shape
    with pytest.raises(ValueError, match="made without derivatives"):
        InverseDynamics.of(body).differentiate(quick)


@pytest.mark.parametrize("axes", [None, 4])
def test_with_some_derivatives_it_is_the_same_movement(axes: int | None) -> None:
    motion = swaying(armed_person(axes), 5)
    rig, mapping = motion.rig, motion.rig.dof_map
    channels = motion.channel_motion(np.linspace(0.1, 0.9, 9))
    wanted = np.isin(np.arange(len(rig.channels)), channels_of(rig)[:2])
    full, some = Movement.of(rig, channels), Movement.of(rig, channels, wanted=wanted)
    np.testing.assert_array_equal(some.dofs, full.dofs)
    np.testing.assert_allclose(some.velocities, full.velocities, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(some.accelerations, full.accelerations, rtol=1e-6, atol=1e-6)
    theirs = wanted[mapping.channels]
    assert full.weights is not None
    assert np.abs(full.weights[2][:, theirs]).max() > 1e-3
    np.testing.assert_allclose(
        some.weights_by(np.flatnonzero(wanted))[:, :, theirs], full.weights[:, :, theirs], rtol=1e-9, atol=1e-9
    )
    with pytest.raises(ValueError, match="derivatives by other channels"):
        InverseDynamics.of(Body.of(rig)).differentiate(some)


def test_going_over_to_other_equal_angles_is_no_movement() -> None:
    """At some moment a chain's angles jump while its joints move on: rates just there are still those near by."""
    motion = swaying(armed_person(), 5)
    mapping = motion.rig.dof_map
    fine = np.linspace(0.8, 1.0, 2001)
    leap = int(np.argmax(np.abs(np.diff(mapping.dofs(motion.channels(fine)), axis=0)).max(axis=1)))
    before, after = fine[leap], fine[leap + 1]
    for _ in range(40):
        middle = (before + after) / 2
        dofs = mapping.dofs(motion.channels(np.array([before, middle])))
        before, after = (before, middle) if np.abs(dofs[1] - dofs[0]).max() > 1.0 else (middle, after)
    times = np.array([before - 0.01, before, after, after + 0.01])
    assert np.abs(np.diff(mapping.dofs(motion.channels(times[1:3])), axis=0)).max() > 1.0
    rig, wanted = motion.rig, np.isin(np.arange(len(motion.rig.channels)), channels_of(motion.rig))
    for movement in (
        Movement.at(motion, times),
        Movement.at(motion, times, differentiable=False),
        Movement.of(rig, motion.channel_motion(times), wanted=wanted),
    ):
        assert np.abs(movement.velocities).max() < 10.0
        assert np.abs(movement.accelerations).max() < 100.0
        # The middle angle runs the other way afterwards, so sizes are compared.
        rates = np.abs(movement.velocities)
        np.testing.assert_allclose(rates[1], rates[2], rtol=0, atol=1e-6)
        np.testing.assert_allclose(rates[1], rates[0], rtol=0, atol=0.3)
        body = Body.of(motion.rig)
        forces = np.linalg.norm(generalised_forces(body, movement).residual.moments, axis=1)
        np.testing.assert_allclose(forces[1], forces[2], rtol=1e-6)


def test_a_still_pose_is_still() -> None:
    rig = armed_person()
    channels = np.zeros((2, len(rig.channels), 3))
    channels[..., 0] = reaching(rig, 2, 3)
    for differentiable in (True, False):
        movement = Movement.of(rig, channels, differentiable=differentiable)
        assert not movement.velocities.any()
        assert not movement.accelerations.any()


def test_uneven_scales_above_other_joints_are_refused_by_name() -> None:
    rig = unevenly_scaled_rig(1)
    channels = np.zeros((1, len(rig.channels), 3))
    channels[..., 0] = rig.defaults
    with pytest.raises(InvalidRig, match=r"joint 'joint 0' is scaled by .* scale it evenly"):
        Movement.of(rig, channels)


def test_the_noise_of_single_precision_is_even() -> None:
    """Scales as real files have them, and half a percent off: forces are those of the mean, nearly."""
    rig = random_rig(4, 5)
    channels = random_channels(rig, 2, 5)
    even = generalised_forces(Body.of(rig), Movement.of(rig, channels)).values
    for off, tolerance in ((2e-5, 1e-4), (5e-3, 3e-2)):
        joints = tuple(
            replace(j, rest=replace(j.rest, scale=tuple(np.array(j.rest.scale) * (1.0, 1.0 + off, 1.0 - off))))  # type: ignore[arg-type]
            for j in rig.joints
        )
        uneven = replace(rig, joints=joints)
        found = generalised_forces(Body.of(uneven, Body.of(rig).masses), Movement.of(uneven, channels)).values
        assert 0.0 < np.abs(found - even).max() < tolerance * np.abs(even).max()


def test_wrong_shapes_are_told() -> None:
    rig = random_rig(1, 3)
    with pytest.raises(ValueError, match=r"expected \(T, 19, 3\)"):
        Movement.of(rig, np.zeros((4, 19)))


def test_bends_are_left_out() -> None:
    rig = bent_rig({"a": arc(1.0)})
    motion = Motion(rig, Clip("still", end=1.0))
    movement = Movement.at(motion, [0.5])
    np.testing.assert_array_equal(movement.dofs, Movement.at(Motion(replace(rig, bends=()), motion.clip), [0.5]).dofs)
    assert Body.of(rig).rig.bends == ()


def test_arrays_cannot_be_written() -> None:
    rig = random_rig(1, 3)
    movement = Movement.of(rig, random_channels(rig, 2, 1))
    for array in (movement.dofs, movement.velocities, movement.accelerations, movement.weights):
        assert array is not None
        assert not array.flags.writeable
