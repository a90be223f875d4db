"""Forward kinematics against scipy's rotations and plain matrix products."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.maths.euler import ORDERS
from inbetweener.maths.transforms import Transform
from inbetweener.rig import DOFS, Joint, Rig, joint_channels
from tests.rig.specimens import random_poses, random_rig


def independent_world(rig: Rig, values: np.ndarray) -> np.ndarray:
    """(J, 4, 4) for one pose, written from the definition with 4×4 matrices and scipy's intrinsic sequences."""
    dofs = {f"{joint.name}.{dof}": joint.rest_dof(dof) for joint in rig.joints for dof in DOFS}
    for channel, value in zip(rig.channels, values, strict=True):
        for drive in channel.drives:
            dofs[drive.dof] += drive.weight * (value - channel.default)
    world = []
    for joint in rig.joints:
        t, r, s = ([dofs[f"{joint.name}.{kind}{axis}"] for axis in "xyz"] for kind in "trs")
        local = np.eye(4)
        angles = ["XYZ".index(letter) for letter in joint.order]
        euler = Rotation.from_euler(joint.order, [r[axis] for axis in angles]).as_matrix()
        w, x, y, z = joint.rest.rotation
        local[:3, :3] = Rotation.from_quat([x, y, z, w]).as_matrix() @ euler @ np.diag(s)
        local[:3, 3] = t
        world.append(world[joint.parent] @ local if joint.parent >= 0 else local)
    return np.array(world)


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_an_independent_implementation(seed: int) -> None:
    rig = random_rig(seed, count=12)
    poses = random_poses(rig, 5, seed)
    expected = np.array([independent_world(rig, pose) for pose in poses])
    np.testing.assert_allclose(rig.world_from_joint(poses), expected[:, :, :3], rtol=0, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pole", [np.pi / 2, -np.pi / 2])
def test_a_gimbal_pose_is_an_ordinary_pose(order: str, pole: float) -> None:
    joint = Joint("only", order=order)  # type: ignore[arg-type]
    rig = Rig((joint,), joint_channels(joint))
    pose = np.array([0.7, 0.7, 0.7])
    pose["XYZ".index(order[1])] = pole
    expected = independent_world(rig, pose)[:, :3]
    np.testing.assert_allclose(rig.world_from_joint(pose[None])[0], expected, rtol=0, atol=1e-14)


def test_full_turns_come_back_to_the_same_place() -> None:
    rig = random_rig(3)
    turned = rig.defaults.copy()
    for index, channel in enumerate(rig.channels):
        if channel.kind == "rotation":
            turned[index] += 2 * np.pi * (1 + index % 3)
    np.testing.assert_allclose(rig.world_from_joint(turned[None])[0], rig.rest_world(), rtol=0, atol=1e-12)


def test_a_chain_of_1500_joints_coils_into_a_circle() -> None:
    count = 1500
    step = Transform((0.01, 0.0, 0.0))
    joints = tuple(Joint(f"link {i}", i - 1, step if i else Transform()) for i in range(count))
    channels = tuple(c for joint in joints for c in joint_channels(joint, "rz"))
    rig = Rig(joints, channels)
    # Equal turns put all joints on a circle of radius step / (2 sin(turn / 2)).
    turn = 2 * np.pi / count
    places = rig.world_from_joint(np.full((1, count), turn))[0, :, :, 3]
    k = np.arange(count)
    radius = 0.01 / (2 * np.sin(turn / 2))
    angle = turn * k + turn / 2
    expected = radius * np.stack([np.sin(angle) - np.sin(turn / 2), np.cos(turn / 2) - np.cos(angle)], axis=1)
    np.testing.assert_allclose(places[:, :2], expected, rtol=0, atol=1e-10)
    assert np.ptp(places[:, 2]) == 0


def test_frames_do_not_depend_on_their_neighbours() -> None:
    rig = random_rig(1)
    poses = random_poses(rig, 7, 1)
    together = rig.world_from_joint(poses)
    alone = np.concatenate([rig.world_from_joint(pose[None]) for pose in poses])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("scaled", [True, False])
def test_transforms_alone_are_those_that_come_with_orientations(scaled: bool) -> None:
    rig = random_rig(2, 12)
    dofs = rig.dof_map.dofs(random_poses(rig, 4, 2)).reshape(4, 12, 9)
    if not scaled:
        dofs[..., 6:] = 1.0
        dofs[:, 7, 6] = 2.0  # one scale halfway down: those above and beside it stay plain
    dofs = dofs.reshape(4, -1)
    world, orientation = rig.skeleton.forward(dofs)
    assert np.array_equal(rig.skeleton.world(dofs), world)
    unit = orientation @ np.swapaxes(orientation, -1, -2)
    np.testing.assert_allclose(unit, np.broadcast_to(np.eye(3), unit.shape), rtol=0, atol=1e-13)
    if not scaled:
        assert np.array_equal(world[:, 0, :, :3], orientation[:, 0])
        assert not np.allclose(world[:, 7, :, :3], orientation[:, 7])


def test_a_rig_without_joints_has_no_transforms() -> None:
    assert Rig().world_from_joint(np.zeros((3, 0))).shape == (3, 0, 3, 4)
