"""Standing, leaning and leaping: where the floor must push, and whether contacts can."""

import numpy as np
import pytest

from inbetweener.dynamics import Body, Loads, Movement, Wrench, contact_forces, generalised_forces, zero_moment_point
from inbetweener.rig import Point
from tests.rig.specimens import person

SOLES = (
    Point("foot_l", (0.0, -0.06, -0.05)),
    Point("toe_l", (0.0, -0.01, 0.05)),
    Point("foot_r", (0.0, -0.06, -0.05)),
    Point("toe_r", (0.0, -0.01, 0.05)),
)


def still(body: Body, frames: int = 1) -> np.ndarray:
    channels = np.zeros((frames, len(body.rig.channels), 3))
    channels[..., 0] = body.rig.defaults
    return channels


def residual_of(body: Body, channels: np.ndarray) -> Wrench:
    return generalised_forces(body, Movement.of(body.rig, channels)).residual


def places(body: Body, channels: np.ndarray) -> np.ndarray:
    world = body.rig.world_from_joint(channels[..., 0])
    return np.stack([world[:, body.rig.joint_index(p.joint)] @ np.array([*p.offset, 1.0]) for p in SOLES], axis=1)


def test_who_stands_still_is_held_below_the_centre_of_mass() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body)
    residual = residual_of(body, channels)
    np.testing.assert_allclose(residual.forces, [[0.0, 9.81 * 70.0, 0.0]], rtol=0, atol=1e-9)
    centre = body.centre_of_mass(channels[..., 0])
    expected = [[centre[0, 0], -0.1, centre[0, 2]]]
    np.testing.assert_allclose(zero_moment_point(residual, height=-0.1), expected, rtol=0, atol=1e-12)


def test_speeding_up_moves_it_back_by_height_times_share_of_gravity() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body)
    channels[0, body.rig.channel_index("hips.tz"), 2] = 2.0
    centre = body.centre_of_mass(channels[..., 0])[0]
    point = zero_moment_point(residual_of(body, channels))[0]
    assert point[2] == pytest.approx(centre[2] - centre[1] * 2.0 / 9.81, rel=1e-10)


def test_who_falls_is_held_nowhere() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body)
    channels[0, body.rig.channel_index("hips.ty"), 2] = -9.9
    assert np.isnan(zero_moment_point(residual_of(body, channels))).all()


def test_feet_carry_who_stands_and_nothing_is_left() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body, 3)
    channels[:, body.rig.channel_index("hips.tx"), 2] = (0.0, 0.5, -0.5)
    residual, at = residual_of(body, channels), places(body, channels)
    shared = contact_forces(residual, at)
    assert np.abs(shared.left.forces).max() < 1e-5 * np.abs(residual.forces).max()
    assert np.abs(shared.left.moments).max() < 1e-5 * np.abs(residual.forces).max()
    assert (shared.forces[..., 1] > -1e-9).all()
    sideways = np.hypot(shared.forces[..., 0], shared.forces[..., 2])
    assert (sideways <= 0.8 * shared.forces[..., 1] + 1e-9).all()
    # As loads on the body they take the residual away.
    loads = Loads.of(body.rig, SOLES, shared.forces)
    after = generalised_forces(body, Movement.of(body.rig, channels), loads=loads).residual
    np.testing.assert_allclose(after.forces, shared.left.forces, rtol=0, atol=1e-9)
    np.testing.assert_allclose(after.moments, shared.left.moments, rtol=0, atol=1e-9)


def test_feet_cannot_pull_down_nor_hold_what_leans_out() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body, 2)
    channels[0, body.rig.channel_index("hips.ty"), 2] = -20.0
    channels[1, body.rig.channel_index("hips.tz"), 2] = 6.0
    residual = residual_of(body, channels)
    shared = contact_forces(residual, places(body, channels))
    assert not shared.forces[0].any()
    np.testing.assert_allclose(shared.left.forces[0], residual.forces[0])
    before, after = (np.linalg.norm([w.forces[1], w.moments[1]]) for w in (residual, shared.left))
    assert 0.05 * before < after < 0.5 * before


def test_ice_leaves_what_friction_would_have_carried() -> None:
    body = Body.of(person(), "human", total=70.0)
    channels = still(body)
    channels[0, body.rig.channel_index("hips.tx"), 2] = 0.5
    at = places(body, channels)
    rough, ice = (contact_forces(residual_of(body, channels), at, friction=mu).left.forces[0, 0] for mu in (0.8, 0.0))
    assert abs(rough) < 1e-2
    assert ice == pytest.approx(35.0, rel=1e-6)


def test_without_contacts_everything_is_left() -> None:
    body = Body.of(person(), "human", total=70.0)
    residual = residual_of(body, still(body))
    shared = contact_forces(residual, np.empty((0, 3)))
    assert shared.forces.shape == (1, 0, 3)
    np.testing.assert_array_equal(shared.left.forces, residual.forces)
    np.testing.assert_array_equal(shared.left.moments, residual.moments)
