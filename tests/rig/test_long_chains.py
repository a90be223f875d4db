"""Chains of three bones and more: they reach, change no more than they must, and remember nothing."""

import numpy as np
import pytest
from scipy.optimize import minimize

from inbetweener.maths.transforms import Transform
from inbetweener.rig import Handle, Joint, Point, Rig, joint_channels
from inbetweener.rig.handles.many_bones_kernels import LATERAL
from tests.rig.limbs import channels_of, limb, reaching, tips


def tail(bones: int) -> Rig:
    """A straight chain along x, bones of 0.2 m, that bends about z."""
    joints = tuple(Joint(f"tail{i}", i - 1, Transform((0.2 if i else 0.0, 0.0, 0.0))) for i in range(bones))
    rig = Rig(joints, tuple(channel for joint in joints for channel in joint_channels(joint)))
    names = tuple(joint.name for joint in joints)
    return rig.with_handle(Handle("tip", names, Point(names[-1], (0.2, 0.0, 0.0)), (0.0, 0.0, 1.0)))


@pytest.mark.parametrize("bones", [3, 5, 12])
@pytest.mark.parametrize("tip_below", [False, True])
def test_the_tip_is_at_its_target(bones: int, tip_below: bool) -> None:
    for seed in range(3):
        rig = limb(bones, seed, tip_below=tip_below)
        poses = reaching(rig, 30, seed, (0.1, 0.9))
        np.testing.assert_allclose(tips(rig, poses), poses[:, channels_of(rig)[:3]], rtol=0, atol=1e-11)


def test_a_straight_chain_bends_in_the_plane_of_the_pole() -> None:
    rig = tail(5)
    pose = rig.defaults.copy()
    at = channels_of(rig)
    pose[at[:6]] = [0.5, 0.2, 0.3, 0.0, 2.0, 0.0]
    places = rig.world_from_joint(pose[None])[0, :, :, 3]
    normal = np.cross(pose[at[:3]], pose[at[3:6]])
    np.testing.assert_allclose(places @ normal, 0, rtol=0, atol=1e-12)
    # All joints between start and tip lie on the pole's side of the line.
    line = pose[at[:3]] / np.linalg.norm(pose[at[:3]])
    side = places[1:] - np.outer(places[1:] @ line, line)
    assert (side @ pose[at[3:6]] > 0.01).all()
    # And the bends are symmetric, being those of a chain of equal bones.
    bends = rig.dof_map.dofs(pose[None])[0].reshape(-1, 9)[1:, 5]
    np.testing.assert_allclose(bends, bends[::-1], rtol=0, atol=1e-9)


def test_no_other_angles_reach_with_less_change() -> None:
    """The same least-change problem by a solver of another kind."""
    rig = tail(4)
    random = np.random.default_rng(5)
    pose = rig.defaults.copy()
    at = channels_of(rig)
    own = random.normal(scale=0.2, size=(4, 3))
    pose[: own.size] = own.ravel()
    pose[at[:6]] = [0.3, 0.25, 0.2, 0.0, 2.0, 0.0]
    wanted = np.linalg.norm(pose[at[:3]])
    found = rig.dof_map.dofs(pose[None])[0].reshape(-1, 9)[:, 3:6]
    stiff = np.array([LATERAL, LATERAL, 1.0])

    def length(angles: np.ndarray) -> float:
        dofs = rig.linear_map.dofs(rig.defaults[None]).reshape(-1, 9)
        dofs[1:, 3:6] = angles.reshape(-1, 3)
        last = rig.skeleton.world(dofs.reshape(1, -1))[0, -1]
        return float(np.linalg.norm(last[:, :3] @ (0.2, 0.0, 0.0) + last[:, 3]))

    def cost(angles: np.ndarray) -> float:
        return float(0.5 * (stiff * (angles.reshape(-1, 3) - own[1:]) ** 2).sum())

    assert abs(length(found[1:].ravel()) - wanted) < 1e-12
    bent = own[1:] + np.array([0.0, 0.0, 0.5])
    held = {"type": "eq", "fun": lambda angles: length(angles) - wanted}
    best = minimize(cost, bent.ravel(), method="SLSQP", constraints=[held], options={"ftol": 1e-14, "maxiter": 500})
    assert best.success
    np.testing.assert_allclose(cost(found[1:].ravel()), best.fun, rtol=1e-8)
    np.testing.assert_allclose(found[1:].ravel(), best.x, rtol=0, atol=1e-4)


def test_a_pose_does_not_depend_on_its_neighbours() -> None:
    rig = limb(5, 3)
    poses = reaching(rig, 20, 3)
    together = rig.dof_map.dofs(poses)
    for i in (0, 7, 19):
        np.testing.assert_array_equal(rig.dof_map.dofs(poses[i : i + 1])[0], together[i])
    np.testing.assert_array_equal(rig.dof_map.dofs(poses[::-1])[::-1], together)


def test_stretching_out_is_smooth() -> None:
    rig = tail(6)
    poses = np.repeat(rig.defaults[None], 2001, axis=0)
    at = channels_of(rig)
    distances = np.linspace(0.05, 1.6, 2001)
    poses[:, at[:3]] = distances[:, None] * np.array([0.6, 0.0, 0.8])
    poses[:, at[3:6]] = (0.0, 3.0, 0.0)
    places = rig.world_from_joint(poses)[..., 3]
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 5 * np.diff(distances)[0]
    reached = np.linalg.norm(tips(rig, poses), axis=1)
    assert (np.diff(reached) >= -1e-12).all()
    assert reached[-1] == pytest.approx(1.2, abs=1e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
@pytest.mark.parametrize("bones", [2, 4])
def test_numbers_that_are_none_do_not_hang_and_do_not_spread(bones: int, value: float) -> None:
    rig = limb(bones, 1)
    for name in ("c1.rx", "ik.x", "ik.pole.y", "c1.ty", "base1.sx", "ik.blend"):
        poses = reaching(rig, 3, 1)
        expected = rig.dof_map.dofs(poses)
        poses[1, rig.channel_index(name)] = value
        with np.errstate(all="ignore"):
            dofs, weights = rig.dof_map.dofs(poses), rig.dof_map.weights(poses)
        np.testing.assert_array_equal(dofs[[0, 2]], expected[[0, 2]])
        assert np.isfinite(weights[[0, 2]]).all()
