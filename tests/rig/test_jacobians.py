"""[TSO] §3.2: geometric Jacobians against central differences at two step sizes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.rig import Point, Rig
from tests.rig.specimens import person, random_poses, random_rig


def places(rig: Rig, pose: np.ndarray, points: list[Point]) -> np.ndarray:
    joints, offsets = rig.point_arrays(points)
    world = rig.world_from_joint(pose[None])[0, joints]
    return np.einsum("prc,pc->pr", world[..., :3], offsets) + world[..., 3]


def orientations(rig: Rig, pose: np.ndarray, points: list[Point]) -> np.ndarray:
    joints, _ = rig.point_arrays(points)
    return rig.skeleton.forward(rig.dof_map.dofs(pose[None]))[1][0, joints]


def differences(rig: Rig, pose: np.ndarray, points: list[Point], step: float) -> np.ndarray:
    """(P, 6, C) by central differences; the rotation between the two sides as a vector."""
    columns = []
    for channel in range(len(pose)):
        plus, minus = pose.copy(), pose.copy()
        plus[channel] += step
        minus[channel] -= step
        moved = places(rig, plus, points) - places(rig, minus, points)
        between = orientations(rig, plus, points) @ np.swapaxes(orientations(rig, minus, points), -1, -2)
        turned = Rotation.from_matrix(between).as_rotvec()
        columns.append(np.concatenate([moved, turned], axis=1) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("seed", range(4))
def test_agree_with_central_differences(seed: int) -> None:
    rig = random_rig(seed)
    points = [*rig.points, Point("joint 3", (0.3, 0.1, 0.0)), Point("joint 0")]
    pose = random_poses(rig, 1, seed)[0]
    exact = rig.jacobians(pose[None], points)[0]
    errors = []
    for step in (1e-3, 1e-4):
        coarse = differences(rig, pose, points, step)
        assert not np.array_equal(coarse, exact)
        errors.append(np.abs(coarse - exact).max())
    assert np.abs(exact[:, :3]).max() > 0.1
    assert np.abs(exact[:, 3:]).max() > 0.1
    # The error is the differences' own: it falls with the square of the step.
    assert errors[0] < 1e-4
    assert errors[1] < 2e-2 * errors[0]


def test_controls_add_up_the_columns_that_they_drive() -> None:
    rig = random_rig(5)
    jacobian = rig.jacobians(random_poses(rig, 2, 5), rig.points)
    for name in ("curl", "stretch"):
        control = rig.channel(name)
        parts = sum(drive.weight * jacobian[..., rig.channel_index(drive.dof)] for drive in control.drives)
        column = jacobian[..., rig.channel_index(name)]
        assert np.abs(column).max() > 0.01
        np.testing.assert_allclose(column, parts, rtol=0, atol=1e-12)


def test_scales_turn_nothing() -> None:
    rig = random_rig(2)
    jacobian = rig.jacobians(random_poses(rig, 1, 2), rig.points)[0, 0]
    for index, channel in enumerate(rig.channels):
        if channel.kind in ("scale", "translation"):
            assert not jacobian[3:, index].any()


def test_a_joint_is_not_moved_from_beside_or_below() -> None:
    rig = person()
    jacobian = rig.jacobians(random_poses(rig, 1, 0), [Point("forearm_l")])[0, 0]
    movers = {rig.channels[i].drives[0].joint for i in np.flatnonzero(np.abs(jacobian[:3]).max(axis=0) > 1e-12)}
    # The forearm's own turns move nothing at its origin.
    assert movers == {"hips", "spine", "chest", "clavicle_l", "upper_arm_l"}


def test_a_hinge_moves_its_tip_as_the_closed_form_says() -> None:
    rig = person()
    index = rig.channel_index("upper_arm_l.rz")
    jacobian = rig.jacobians(rig.defaults[None], [Point("hand_l")])[0, 0]
    # Turning about z at the shoulder lifts a hand 0.54 m to its side.
    np.testing.assert_allclose(jacobian[:, index], [0, 0.54, 0, 0, 0, 1], rtol=0, atol=1e-14)
