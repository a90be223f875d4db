"""Joints that follow the twist of another: by how much, how that moves with each channel, and in parts of a rig."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.document import edits
from inbetweener.errors import InvalidRig
from inbetweener.rig import Follows, Joint, Rig, joint_channels
from inbetweener.rig.dof_map import derivative
from inbetweener.rig.mirror import Mirror
from inbetweener.rig.part import part_of
from tests.retarget.people import person, twisted
from tests.rig.limbs import armed_person, reaching
from tests.rig.test_handle_derivatives import check


def follower(order: str = "ZYX", axis: tuple[float, float, float] = (0.6, 0.0, 0.8)) -> Rig:
    joints = (Joint("arm"), Joint("hand", 0, order=order), Joint("twist", 0, follows=Follows("hand", 0.4, axis, "y")))
    return Rig(joints, tuple(channel for joint in joints for channel in joint_channels(joint)))


@pytest.mark.parametrize("order", ["ZYX", "XZY", "YXZ"])
def test_the_share_is_of_the_twist_alone(order: str) -> None:
    rig = follower(order)
    rng = np.random.default_rng(2)
    poses = rng.uniform(-1.2, 1.2, (50, 9))
    turned = rig.dof_map.dofs(poses)[:, 9 * 2 + 4] - poses[:, 7]
    # What scipy has of a turn about an axis, once the smallest swing to that axis is taken off.
    axis = np.array([0.6, 0.0, 0.8])
    hands = Rotation.from_euler(order, poses[:, [3 + "XYZ".index(letter) for letter in order]])
    quaternion = hands.as_quat()
    swing = np.array([Rotation.align_vectors([hand.apply(axis)], [axis])[0].as_quat() for hand in hands])
    rest = Rotation.from_quat(swing).inv() * Rotation.from_quat(quaternion)
    np.testing.assert_allclose(np.cross(rest.as_rotvec(), axis), 0.0, atol=1e-7)
    np.testing.assert_allclose(turned, 0.4 * (rest.as_rotvec() @ axis), atol=1e-9)
    # The same turn by other angles is the same twist.
    around = poses.copy()
    first, middle, last = (3 + "XYZ".index(letter) for letter in order)
    around[:, [first, last]] += np.pi
    around[:, middle] = np.pi - around[:, middle]
    np.testing.assert_allclose(rig.dof_map.dofs(around)[:, 22], rig.dof_map.dofs(poses)[:, 22], atol=1e-9)


@pytest.mark.parametrize("order", ["ZYX", "YXZ"])
def test_derivatives(order: str) -> None:
    rig = follower(order)
    for pose in np.random.default_rng(3).uniform(-1.0, 1.0, (4, 9)):
        exact = check(rig, pose)
        assert np.abs(exact[22, 3:6]).max() > 0.1


def test_below_a_handle() -> None:
    rig = armed_person()
    upper = Follows("upper_arm_l", -0.5, (1.0, 0.0, 0.0), "x")
    twist = Joint("twist_l", rig.joint_index("upper_arm_l"), follows=upper)
    rig = replace(rig, joints=(*rig.joints, twist))
    for pose in reaching(rig, 3, 1):
        exact = check(rig, pose)
        assert np.abs(exact[9 * rig.joint_index("twist_l") + 3]).max() > 0.01


def test_a_part_moves_as_the_whole() -> None:
    rig = edits.follow_twists(twisted(person())).document.rig
    poses = np.random.default_rng(1).uniform(-1.0, 1.0, (3, len(rig.channels)))
    part = part_of(rig, [rig.joint_index("forearm_twist_2_l")])
    assert {rig.joints[j].name for j in part.joints} > {"hand_l"}
    rows = [9 * j + d for j in part.joints for d in range(9)]
    few = poses[:, part.channels]
    np.testing.assert_array_equal(part.dof_map.dofs(few), rig.dof_map.dofs(poses)[:, rows])
    matrix = derivative(rig.dof_map, poses[0]).toarray()[rows]
    np.testing.assert_array_equal(derivative(part.dof_map, few[0]).toarray(), matrix[:, part.channels])
    followed = part.dof_map.followed(few)
    few[:] = 0.5 * few
    followed.renew()
    np.testing.assert_array_equal(followed.dofs, part.dof_map.dofs(few))
    np.testing.assert_array_equal(followed.weights, part.dof_map.weights(few))


def test_the_mirror_follows_on_the_other_side() -> None:
    rig = edits.follow_twists(twisted(person())).document.rig
    pose = rig.defaults.copy()
    for name, value in (("hand_l.rx", 0.9), ("hand_l.ry", 0.4), ("upper_arm_l.rx", -0.6), ("thigh_r.ry", 0.3)):
        pose[rig.channel_index(name)] = value
    mirrored = Mirror.of(rig).pose(pose)
    own = [c for c, channel in enumerate(rig.channels) if "twist" in channel.name]
    np.testing.assert_allclose(mirrored[own], pose[own], atol=1e-9)
    turned = rig.dof_map.dofs(np.stack([pose, mirrored]))
    one, other = (9 * rig.joint_index(f"forearm_twist_2_{side}") + 4 for side in "lr")
    assert abs(turned[0, one]) > 0.5
    assert abs(turned[1, other]) == pytest.approx(abs(turned[0, one]), abs=1e-9)


@pytest.mark.parametrize(
    ("follows", "said"),
    [
        (Follows("nobody", 0.5, (1.0, 0.0, 0.0), "x"), "follows 'nobody', which is no joint"),
        (Follows("twist", 0.5, (1.0, 0.0, 0.0), "x"), "which follows another itself"),
    ],
)
def test_what_cannot_be_followed_is_refused(follows: Follows, said: str) -> None:
    with pytest.raises(InvalidRig, match=said):
        Rig((Joint("hand"), Joint("twist", 0, follows=follows)))


def test_numbers_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InvalidRig, match="finite"):
        Follows("hand", float("nan"), (1.0, 0.0, 0.0), "x")
    with pytest.raises(InvalidRig, match="length 2"):
        Follows("hand", 1.0, (0.0, 2.0, 0.0), "x")
    with pytest.raises(InvalidRig, match="known: x, y, z"):
        Follows("hand", 1.0, (0.0, 1.0, 0.0), "w")  # type: ignore[arg-type]
