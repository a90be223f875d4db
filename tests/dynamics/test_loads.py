"""Outer forces: virtual work, weights that hang, and wrenches about other places."""

import numpy as np
import pytest

from inbetweener.dynamics import Body, Loads, Movement, Wrench, generalised_forces
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.rig.masses import MassModel
from tests.dynamics.specimens import random_body, random_channels


def test_loads_do_the_work_of_the_points_they_press_on() -> None:
    body = random_body(3)
    rig = body.rig
    channels = random_channels(rig, 4, 5)
    movement = Movement.of(rig, channels)
    points = [Point("joint 7", (0.1, 0.2, -0.3)), Point("joint 2", (0.5, 0.0, 0.1)), Point("joint 0", (0.0, 0.3, 0.0))]
    pushes = np.random.default_rng(6).normal(scale=50.0, size=(4, 3, 3))
    loads = Loads.of(rig, points, pushes)
    free, pushed = (generalised_forces(body, movement, loads=each) for each in (None, loads))
    # dp/dt of the points, by the rig's own Jacobians.
    speeds = np.einsum("tpic,tc->tpi", rig.jacobians(channels[..., 0], points)[:, :, :3], channels[..., 1])
    power = np.einsum("tpi,tpi->t", pushes, speeds)
    taken = np.einsum("td,td->t", free.values - pushed.values, movement.velocities)
    np.testing.assert_allclose(taken, power, rtol=1e-12)
    np.testing.assert_allclose(free.residual.forces - pushed.residual.forces, pushes.sum(axis=1), rtol=0, atol=1e-10)
    world = rig.world_from_joint(channels[..., 0])
    places = np.stack([world[:, rig.joint_index(p.joint)] @ np.array([*p.offset, 1.0]) for p in points], axis=1)
    moments = np.cross(places, pushes).sum(axis=1)
    origin = (0.0, 0.0, 0.0)
    found = free.residual.about(origin).moments - pushed.residual.about(origin).moments
    np.testing.assert_allclose(found, moments, rtol=0, atol=1e-10)


def test_a_weight_in_the_hand_is_a_heavier_hand() -> None:
    arm, hand = Joint("arm"), Joint("hand", 0)
    rig = Rig((arm, hand), (*joint_channels(arm, "rz"), *joint_channels(hand, "tx rz")))
    model = MassModel(rig, np.array([2.0, 1.0]), np.zeros((2, 3)), np.tile(0.01 * np.eye(3), (2, 1, 1)))
    channels = np.array([[[0.3, 0.0, 0.0], [0.5, 0.0, 0.0], [0.2, 0.0, 0.0]]])
    movement = Movement.of(rig, channels)
    loads = Loads.of(rig, [Point("hand")], [[[0.0, -9.81 * 4.0, 0.0]]])
    loaded = generalised_forces(Body.of(rig, model), movement, loads=loads)
    heavy = generalised_forces(Body.of(rig, model, overrides={"hand": 5.0}), movement)
    np.testing.assert_allclose(loaded.values, heavy.values, rtol=0, atol=1e-12)


def test_wrenches_move() -> None:
    wrench = Wrench(np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]]), np.array([[7.0, 8.0, 9.0]]))
    there = wrench.about((0.0, 0.0, 0.0))
    np.testing.assert_allclose(there.moments, [[4 - 6, 5 + 12, 6 - 6]])  # (1, 2, 3) × (7, 8, 9) = (−6, 12, −6)
    np.testing.assert_allclose(there.about((1.0, 2.0, 3.0)).moments, wrench.moments)


def test_wrong_shapes_are_told() -> None:
    rig = random_body(3).rig
    with pytest.raises(ValueError, match=r"expected \(T, 1, 3\)"):
        Loads.of(rig, [Point("joint 1")], np.zeros((4, 3)))
