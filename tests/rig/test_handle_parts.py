"""A part of a rig, and its mirror image, move as the whole does, handles included."""

import numpy as np
import pytest

from inbetweener.rig import Handle, Point, Rig
from inbetweener.rig.dof_map import derivative
from inbetweener.rig.freedom import channels_moving
from inbetweener.rig.mirror import Mirror
from inbetweener.rig.part import part_of
from tests.rig.limbs import armed_person, channels_of, reaching
from tests.rig.specimens import random_poses


@pytest.mark.parametrize("joint", ["hand_l", "upper_arm_l", "chest", "hand_r"])
def test_a_part_moves_as_the_whole(joint: str) -> None:
    rig = armed_person()
    poses = reaching(rig, 5, 1)
    part = part_of(rig, [rig.joint_index(joint)])
    whole, few = rig.dof_map.dofs(poses), part.dof_map.dofs(poses[:, part.channels])
    rows = [9 * j + d for j in part.joints for d in range(9)]
    np.testing.assert_array_equal(few, whole[:, rows])
    matrix = derivative(rig.dof_map, poses[0]).toarray()[rows]
    np.testing.assert_array_equal(derivative(part.dof_map, poses[0, part.channels]).toarray(), matrix[:, part.channels])
    assert not np.delete(matrix, part.channels, axis=1).any()
    assert ("forearm_l" in {rig.joints[j].name for j in part.joints}) == joint.endswith("_l")


def test_handles_move_what_hangs_on_their_chains() -> None:
    rig = armed_person()
    handle = set(channels_of(rig))
    assert handle <= channels_moving(rig, Point("hand_l"), "position")
    assert handle <= channels_moving(rig, Point("forearm_l"), "orientation")
    assert not handle & channels_moving(rig, Point("chest"), "both")
    assert not handle & channels_moving(rig, Point("upper_arm_l"), "position")


@pytest.mark.parametrize("seed", [None, 3])
def test_mirrored_handles_mirror_the_pose(seed: int | None) -> None:
    left = armed_person(seed)
    _, orientation = left.skeleton.forward(left.rest_dofs[None])
    x, y, z = orientation[0, left.joint_index("forearm_r")].T @ np.array([0.0, 1.0, 0.0])
    hinge = (float(x), float(y), float(z))
    rig = left.with_handle(Handle("arm_r", ("upper_arm_r", "forearm_r"), Point("hand_r"), hinge))
    poses = reaching(rig, 4, 2, (0.4, 0.8))
    poses[:, channels_of(rig, 1)[6]] = 1.0
    check_mirror(rig, poses)


def test_a_handle_without_a_partner_is_switched_off() -> None:
    rig = armed_person()
    poses = reaching(rig, 4, 3, (0.4, 0.8))
    assert not Mirror.of(rig).pose(poses)[:, channels_of(rig)[6]].any()
    check_mirror(rig, poses)


def check_mirror(rig: Rig, poses: np.ndarray) -> None:
    mirror = Mirror.of(rig)
    before = mirror.rig.world_from_joint(poses)[..., 3]
    after = mirror.rig.world_from_joint(mirror.pose(poses))[..., 3]
    np.testing.assert_allclose(after, before[:, mirror.joints] * (-1.0, 1.0, 1.0), rtol=0, atol=1e-9)


def test_random_poses_stay_finite() -> None:
    rig = armed_person(5)
    poses = 10 * random_poses(rig, 200, 6)
    assert np.isfinite(rig.dof_map.dofs(poses)).all()
    assert np.isfinite(rig.dof_map.weights(poses)).all()
