"""Laws that every movement keeps, whatever the body: energy, momentum, other points of view, free fall, linearity."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.dynamics import (
    EARTH,
    WEIGHTLESS,
    Body,
    InverseDynamics,
    Momentum,
    Movement,
    generalised_forces,
    momentum,
)
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.rig.masses import MassModel
from tests.dynamics.specimens import random_body, random_channels, random_movement

SEEDS = st.integers(0, 10**6)


def around(body: Body, channels: np.ndarray, gravity: tuple[float, float, float], step: float) -> list[Momentum]:
    """Momenta two and one steps before and after each moment, along the parabola that channels follow there."""
    found = []
    for s in (-2 * step, -step, step, 2 * step):
        moved = channels.copy()
        moved[..., 0] += s * (channels[..., 1] + 0.5 * s * channels[..., 2])
        moved[..., 1] += s * channels[..., 2]
        found.append(momentum(body, Movement.of(body.rig, moved), gravity=gravity))
    return found


def rate(of: list[np.ndarray], step: float) -> np.ndarray:
    """The derivative in between, by four values."""
    return (of[0] - 8 * of[1] + 8 * of[2] - of[3]) / (12 * step)


@given(SEEDS, st.sampled_from([EARTH, WEIGHTLESS]))
@settings(max_examples=25)
def test_power_becomes_energy(seed: int, gravity: tuple[float, float, float]) -> None:
    body = random_body(seed, 6)
    channels = random_channels(body.rig, 3, seed)
    movement = Movement.of(body.rig, channels)
    power = np.einsum("td,td->t", generalised_forces(body, movement, gravity=gravity).values, movement.velocities)
    step = 1e-4
    gained = rate([each.energy for each in around(body, channels, gravity, step)], step)
    np.testing.assert_allclose(gained, power, rtol=0, atol=1e-7 * np.abs(power).max() + 1e-5)


@given(SEEDS, st.integers(1, 3))
@settings(max_examples=25)
def test_the_residual_is_the_change_of_momentum(seed: int, roots: int) -> None:
    body = random_body(seed, 6, roots=roots)
    channels = random_channels(body.rig, 3, seed)
    movement = Movement.of(body.rig, channels)
    now = momentum(body, movement)
    residual = generalised_forces(body, movement).residual.about(now.centre)
    step = 1e-4
    near = around(body, channels, EARTH, step)
    weight = body.total * np.array(EARTH)
    pushed, turned = residual.forces + weight, residual.moments
    np.testing.assert_allclose(
        rate([each.linear for each in near], step), pushed, rtol=0, atol=1e-6 * np.abs(pushed).max()
    )
    np.testing.assert_allclose(
        rate([each.angular for each in near], step), turned, rtol=0, atol=1e-6 * np.abs(turned).max()
    )
    np.testing.assert_allclose(rate([each.centre for each in near], step), now.velocity, rtol=0, atol=1e-7)
    np.testing.assert_allclose(body.total * now.acceleration, pushed, rtol=0, atol=1e-12 * np.abs(pushed).max())


@given(SEEDS)
@settings(max_examples=25)
def test_another_point_of_view_changes_nothing(seed: int) -> None:
    """The same rig hung on a joint that is somewhere else and turned, in a world whose gravity is turned too."""
    body = random_body(seed, 6)
    random = np.random.default_rng(seed + 1)
    rotation = quaternions.normalised(random.normal(size=4))
    place = Transform(tuple(random.normal(size=3)), tuple(rotation))  # type: ignore[arg-type]
    joints = [Joint(j.name, j.parent + 1, j.rest, j.order) for j in body.rig.joints]
    rig = Rig((Joint("stage", -1, place), *joints), body.rig.channels)
    model = body.masses
    hung = Body.of(
        rig,
        MassModel(
            rig,
            np.concatenate([[0.0], model.masses]),
            np.concatenate([np.zeros((1, 3)), model.centres]),
            np.concatenate([np.zeros((1, 3, 3)), model.inertias]),
        ),
    )
    channels = random_channels(body.rig, 3, seed)
    here = generalised_forces(body, Movement.of(body.rig, channels)).values
    turn = quaternions.to_matrix(rotation)
    there = generalised_forces(hung, Movement.of(rig, channels), gravity=turn @ np.array(EARTH))
    np.testing.assert_allclose(there.values[:, 9:], here, rtol=0, atol=1e-12 * np.abs(here).max())
    held = generalised_forces(body, Movement.of(body.rig, channels)).residual.forces
    np.testing.assert_allclose(there.residual.forces, held @ turn.T, rtol=0, atol=1e-12 * np.abs(here).max())


@given(SEEDS)
@settings(max_examples=25)
def test_forces_are_linear_in_accelerations(seed: int) -> None:
    body = random_body(seed, 6)
    channels = random_channels(body.rig, 2, seed)
    blocks = InverseDynamics.of(body, floating=False)
    still = channels.copy()
    still[..., 2] = 0.0
    extra = np.einsum("tc,tcr->tr", channels[..., 2], blocks.differentiate(Movement.of(body.rig, still))[1][:, :, 2])
    with_it, without = (blocks.forces(Movement.of(body.rig, each)) for each in (channels, still))
    np.testing.assert_allclose(with_it - without, extra, rtol=0, atol=1e-11 * np.abs(with_it).max())


@given(SEEDS)
@settings(max_examples=25)
def test_without_forces_a_body_falls_and_keeps_its_spin(seed: int) -> None:
    """Accelerations that take no force at all, found by the mass matrix: the centre falls, nothing starts to spin."""
    whole = random_body(seed, 5)
    rig = Rig(whole.rig.joints, whole.rig.channels[:-1])
    body = Body.of(rig, whole.masses)
    channels = random_channels(rig, 2, seed)
    channels[:, 4::6, 0] *= 0.3  # away from where Euler angles lock
    channels[..., 2] = 0.0
    dynamics = InverseDynamics.of(body, floating=False)
    forces, blocks = dynamics.differentiate(Movement.of(rig, channels))
    channels[..., 2] = -np.linalg.solve(np.swapaxes(blocks[:, :, 2], 1, 2), forces[..., None])[..., 0]
    movement = Movement.of(rig, channels)
    size = np.abs(channels[..., 2]).max()
    assert np.abs(dynamics.forces(movement)).max() < 1e-10 * size
    fallen = momentum(body, movement)
    np.testing.assert_allclose(fallen.acceleration, np.tile(EARTH, (2, 1)), rtol=0, atol=1e-10 * size)
    step = 1e-3 / np.sqrt(size)
    near = around(body, channels, EARTH, step)
    spin = rate([each.angular for each in near], step)
    np.testing.assert_allclose(spin, 0.0, atol=1e-5 * size)
    np.testing.assert_allclose(rate([each.energy for each in near], step), 0.0, atol=1e-5 * size * np.sqrt(size))


def test_one_thing_thrown_takes_no_force() -> None:
    joint = Joint("ball")
    rig = Rig((joint,), joint_channels(joint, "tx ty tz rx ry rz"))
    model = MassModel(rig, np.array([3.0]), np.zeros((1, 3)), np.diag([0.2, 0.3, 0.4])[None])
    body = Body.of(rig, model)
    channels = np.zeros((1, 6, 3))
    channels[0, :3] = [[1.0, 4.0, 0.0], [2.0, 5.0, -9.81], [3.0, -1.0, 0.0]]
    channels[0, 5] = [0.7, 11.0, 0.0]  # spinning evenly about an axis of its own
    assert np.abs(generalised_forces(body, Movement.of(rig, channels)).values).max() < 1e-14


def test_results_repeat_to_the_bit() -> None:
    body = random_body(1)
    movement = random_movement(body, 4, 1)
    first, second = (generalised_forces(body, movement).values for _ in range(2))
    np.testing.assert_array_equal(first, second)
    alone = Movement.of(body.rig, random_channels(body.rig, 4, 1)[2:3])
    np.testing.assert_array_equal(generalised_forces(body, alone).values[0], first[2])
