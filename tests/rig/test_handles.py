"""Two bones on a handle: the tip reaches its target, the elbow points to the pole, nothing ever snaps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.rig import Point, Rig
from inbetweener.rig.handles.handle import SOFT
from tests.rig.limbs import ARM_LENGTH, LOWER, UPPER, armed_person, channels_of, limb, reaching, tips
from tests.rig.specimens import random_poses

SEEDS = [None, 3, 8]


def clean(rig: Rig, frames: int, seed: int, share: tuple[float, float] = (0.15, 0.95)) -> np.ndarray:
    """Poses whose forearm only bends, as elbows do."""
    poses = reaching(rig, frames, seed, share)
    for axis in "xyz":
        poses[:, rig.channel_index(f"forearm_l.r{axis}")] = 0.0
    return poses


def sides(rig: Rig, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions (T, 3) of elbow and pole, seen along the line from shoulder to target."""
    at = channels_of(rig)
    world = rig.world_from_joint(poses)[..., 3]
    shoulder, elbow = world[:, rig.joint_index("upper_arm_l")], world[:, rig.joint_index("forearm_l")]
    line = poses[:, at[:3]] - shoulder
    line /= np.linalg.norm(line, axis=1, keepdims=True)
    found = []
    for place in (elbow, poses[:, at[3:6]]):
        side = place - shoulder - np.einsum("ti,ti->t", place - shoulder, line)[:, None] * line
        found.append(side / np.linalg.norm(side, axis=1, keepdims=True))
    return found[0], found[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tip_is_at_its_target(seed: int | None) -> None:
    rig = armed_person(seed)
    poses = clean(rig, 200, 1)
    np.testing.assert_allclose(tips(rig, poses), poses[:, channels_of(rig)[:3]], rtol=0, atol=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_elbow_points_to_the_pole(seed: int | None) -> None:
    rig = armed_person(seed)
    elbow, pole = sides(rig, clean(rig, 200, 2))
    np.testing.assert_allclose(elbow, pole, rtol=0, atol=1e-10)


def test_scaled_joints_above_change_nothing() -> None:
    rig = limb(2, 4, wild=0.0)
    poses = reaching(rig, 50, 4, (0.4, 0.8))
    poses[:, [rig.channel_index(f"c1.r{axis}") for axis in "xyz"]] = 0.0
    np.testing.assert_allclose(tips(rig, poses), poses[:, channels_of(rig)[:3]], rtol=0, atol=1e-13)


def test_what_carries_the_arm_leaves_the_hand_where_it_is() -> None:
    rig = armed_person()
    pose = clean(rig, 1, 5, (0.5, 0.6))[0]
    moved = pose.copy()
    moved[rig.channel_index("spine.rx")] += 0.1
    moved[rig.channel_index("hips.tx")] += 0.02
    before, after = rig.world_from_joint(np.stack([pose, moved]))[..., 3]
    hand, elbow = rig.joint_index("hand_l"), rig.joint_index("forearm_l")
    np.testing.assert_allclose(after[hand], before[hand], rtol=0, atol=1e-14)
    assert np.linalg.norm(after[elbow] - before[elbow]) > 0.01


def test_a_forearm_still_twists() -> None:
    rig = armed_person()
    pose = clean(rig, 1, 6)[0]
    twisted = pose.copy()
    twisted[rig.channel_index("forearm_l.rx")] = 0.7
    dofs = rig.dof_map.dofs(np.stack([pose, twisted]))
    forearm = 9 * rig.joint_index("forearm_l") + 3
    np.testing.assert_allclose(dofs[1, forearm : forearm + 3] - dofs[0, forearm : forearm + 3], [0.7, 0, 0], atol=1e-12)


def test_its_own_bend_and_the_shoulders_angles_do_not_count() -> None:
    rig = armed_person()
    pose = clean(rig, 1, 7)[0]
    other = pose.copy()
    for name in ("forearm_l.ry", "upper_arm_l.rx", "upper_arm_l.ry"):
        other[rig.channel_index(name)] += 0.3
    np.testing.assert_allclose(*rig.world_from_joint(np.stack([pose, other])), rtol=0, atol=1e-13)


def test_blending_goes_from_the_joints_own_angles_to_the_handles() -> None:
    rig = armed_person()
    poses = np.repeat(clean(rig, 1, 8), 3, axis=0)
    poses[:, channels_of(rig)[6]] = [0.0, 0.5, 1.0]
    own, half, full = rig.dof_map.dofs(poses)
    np.testing.assert_array_equal(own, rig.linear_map.dofs(poses)[0])
    np.testing.assert_allclose(half, 0.5 * (own + full), rtol=0, atol=1e-14)
    assert np.abs(full - own).max() > 0.3


def test_angles_are_those_nearest_to_the_joints_own() -> None:
    rig = armed_person()
    poses = np.repeat(clean(rig, 1, 9), 2, axis=0)
    column = rig.channel_index("upper_arm_l.rz")
    poses[1, column] += 2 * np.pi
    first, second = rig.dof_map.dofs(poses)
    np.testing.assert_allclose(second - first, 2 * np.pi * (np.arange(len(first)) == column_dof(rig)), atol=1e-12)


def column_dof(rig: Rig) -> int:
    return 9 * rig.joint_index("upper_arm_l") + 5


def test_the_rest_pose_is_that_of_the_joints() -> None:
    rig = armed_person()
    np.testing.assert_array_equal(rig.rest_world(), replace(rig, handles=()).rest_world())


@given(st.floats(0.0, 3.0), st.integers(0, 50))
def test_never_farther_than_it_reaches_and_never_off_the_line(distance: float, seed: int) -> None:
    rig = armed_person()
    pose = clean(rig, 1, seed)[0]
    at = channels_of(rig)
    shoulder = rig.world_from_joint(pose[None])[0, rig.joint_index("upper_arm_l"), :, 3]
    direction = pose[at[:3]] - shoulder
    direction /= np.linalg.norm(direction)
    pose[at[:3]] = shoulder + distance * direction
    tip = tips(rig, pose[None])[0] - shoulder
    assert np.isfinite(rig.dof_map.weights(pose[None])).all()
    if distance > 1e-3:  # nearer, rounding has no direction
        np.testing.assert_allclose(np.cross(tip, direction), 0, rtol=0, atol=1e-12)
    assert UPPER - LOWER - 1e-12 <= np.linalg.norm(tip) <= ARM_LENGTH + 1e-12
    # Where it is neither nearly straight nor nearly folded, it is exact.
    if UPPER - LOWER + SOFT * ARM_LENGTH <= distance <= (1 - SOFT) * ARM_LENGTH:
        assert abs(np.linalg.norm(tip) - distance) < 1e-14
    else:
        assert abs(np.linalg.norm(tip) - np.clip(distance, UPPER - LOWER, ARM_LENGTH)) <= SOFT * ARM_LENGTH


def test_stretching_and_folding_have_no_snap() -> None:
    rig = armed_person()
    pose = clean(rig, 1, 11)[0]
    at = channels_of(rig)
    shoulder = rig.world_from_joint(pose[None])[0, rig.joint_index("upper_arm_l"), :, 3]
    direction = pose[at[:3]] - shoulder
    direction /= np.linalg.norm(direction)
    poses = np.repeat(pose[None], 4001, axis=0)
    distances = np.linspace(0.001, 1.0, 4001)
    poses[:, at[:3]] = shoulder + distances[:, None] * direction
    bend = rig.dof_map.dofs(poses)[:, 9 * rig.joint_index("forearm_l") + 4]
    # Without softening, the elbow's speed would grow without bound: 1 / √(reach − distance).
    speed = np.diff(bend) / np.diff(distances)
    assert np.abs(speed).max() < 45.0
    assert np.abs(np.diff(speed)).max() < 1.5


def test_a_target_on_the_shoulder_and_a_pole_on_the_line_are_finite() -> None:
    rig = armed_person()
    poses = np.repeat(clean(rig, 1, 12), 3, axis=0)
    at = channels_of(rig)
    shoulder = rig.world_from_joint(poses[:1])[0, rig.joint_index("upper_arm_l"), :, 3]
    poses[0, at[:3]] = shoulder
    poses[1, at[3:6]] = shoulder + 2.0 * (poses[1, at[:3]] - shoulder)
    poses[2, at[3:6]] = shoulder
    assert np.isfinite(rig.dof_map.dofs(poses)).all()
    assert np.isfinite(rig.dof_map.weights(poses)).all()
    np.testing.assert_allclose(tips(rig, poses)[1:], poses[1:, at[:3]], rtol=0, atol=1e-12)


def test_a_joint_above_without_size_leaves_the_chain_alone() -> None:
    rig = limb(2)
    pose = rig.defaults.copy()
    pose[rig.channel_index("base1.sx")] = 0.0
    np.testing.assert_array_equal(rig.dof_map.dofs(pose[None]), rig.linear_map.dofs(pose[None]))


def test_rigs_without_handles_have_the_same_weights_at_all_poses() -> None:
    rig = replace(armed_person(), handles=())
    assert rig.dof_map.weights(random_poses(rig, 5, 0)).shape[0] == 1
    assert rig.jacobians(random_poses(rig, 5, 0), [Point("hand_l")]).shape == (5, 1, 6, len(rig.channels))
