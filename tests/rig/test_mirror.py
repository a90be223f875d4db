import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, control, joint_channels, shape_channels
from inbetweener.rig.mirror import Mirror, mirrored_name, partners
from tests.rig.specimens import person, random_poses

PAIRS = [
    ("arm_l", "arm_r"),
    ("arm_L", "arm_R"),
    ("arm.L", "arm.R"),
    ("arm.l", "arm.r"),
    ("l_arm", "r_arm"),
    ("L_arm", "R_arm"),
    ("arm-left", "arm-right"),
    ("left arm", "right arm"),
    ("LeftArm", "RightArm"),
    ("leftArm", "rightArm"),
    ("lefthand", "righthand"),
    ("LEFT_ARM", "RIGHT_ARM"),
    ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
    ("UpperLeftLeg", "UpperRightLeg"),
    ("LHipJoint", "RHipJoint"),
    ("LThumb", "RThumb"),
    ("armL", "armR"),
    ("DEF-thigh.L.001", "DEF-thigh.R.001"),
    ("Bip01 L Thigh", "Bip01 R Thigh"),
    ("spider_leg_l_3", "spider_leg_r_3"),
    ("hand_l.rx", "hand_r.rx"),
    ("LeftArm.rz", "RightArm.rz"),
]

WITHOUT_A_SIDE = [
    "hips", "lower", "spinal_reach", "LowerBack", "Roll", "roll_1", "bright", "clavicle", "rl", "LOD0", "XRig", "Head",
    "tail", "root", "upright", "control", "Neck1", "spine.rx", "",
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_names_are_mirrored_as_they_are_written(left: str, right: str) -> None:
    assert mirrored_name(left) == right
    assert mirrored_name(right) == left


@pytest.mark.parametrize("name", WITHOUT_A_SIDE)
def test_names_without_a_side_stay(name: str) -> None:
    assert mirrored_name(name) == name


@settings(max_examples=300)
@given(st.text(st.sampled_from("lrLRaAeftFTEghiGHI_.-: 1"), max_size=14))
def test_mirroring_a_name_twice_gives_it_back(name: str) -> None:
    once = mirrored_name(name)
    assert mirrored_name(once) == name


def test_missing_partners_are_named() -> None:
    indices, missing = partners(["hips", "arm_l", "arm_r", "patch_l"])
    assert indices.tolist() == [0, 2, 1, 3]
    assert missing == ("patch_l",)


ACROSS = np.array([-1.0, 1.0, 1.0])


@pytest.mark.parametrize("axes", [None, 1, 2, 3])
def test_joints_come_to_the_mirrored_places(axes: int | None) -> None:
    rig = person(axes)
    mirror = Mirror.of(rig)
    assert mirror.unmatched == ()
    poses = random_poses(rig, 6, seed=11) * 1.5
    before = rig.world_from_joint(poses)[..., 3]
    after = rig.world_from_joint(mirror.pose(poses))[..., 3]
    np.testing.assert_allclose(after[:, mirror.joints], before * ACROSS, rtol=0, atol=1e-9)
    assert np.abs(before * ACROSS - before[:, mirror.joints]).max() > 0.1  # the poses were not symmetric


@pytest.mark.parametrize("axes", [None, 4])
def test_mirroring_twice_gives_the_pose_back(axes: int | None) -> None:
    rig = person(axes)
    mirror = Mirror.of(rig)
    poses = random_poses(rig, 4, seed=3)
    again = rig.world_from_joint(mirror.pose(mirror.pose(poses)))
    np.testing.assert_allclose(again, rig.world_from_joint(poses), rtol=0, atol=1e-9)


def test_the_rest_pose_is_its_own_image() -> None:
    rig = person(5)
    image = Mirror.of(rig).pose(rig.defaults)
    assert image.shape == rig.defaults.shape
    np.testing.assert_allclose(rig.world_from_joint(image[None])[0], rig.rest_world(), rtol=0, atol=1e-9)


def test_turns_beyond_a_full_circle_are_kept() -> None:
    rig = person()
    pose = rig.defaults.copy()
    pose[rig.channel_index("upper_arm_l.rz")] = 7.5
    pose[rig.channel_index("hips.ry")] = -9.0
    image = Mirror.of(rig).pose(pose)
    assert image[rig.channel_index("upper_arm_r.rz")] == pytest.approx(-7.5, abs=1e-12)
    assert image[rig.channel_index("hips.ry")] == pytest.approx(9.0, abs=1e-12)
    assert image[rig.channel_index("upper_arm_l.rz")] == pytest.approx(0.0, abs=1e-12)


def test_controls_and_shapes_change_sides() -> None:
    joints = (
        Joint("palm"),
        Joint("finger_l", 0, Transform((0.1, 0.0, 0.0))),
        Joint("tip_l", 1, Transform((0.1, 0.0, 0.0))),
        Joint("finger_r", 0, Transform((-0.1, 0.0, 0.0))),
        Joint("tip_r", 3, Transform((-0.1, 0.0, 0.0))),
    )
    channels = (
        control("curl_l", {"finger_l.rz": -1.0, "tip_l.rz": -0.5}),
        control("curl_r", {"finger_r.rz": 1.0, "tip_r.rz": 0.5}),
        *joint_channels(joints[0], "tx rz"),
        *shape_channels(["smile_l", "smile_r", "blink"]),
    )
    rig = Rig(joints, channels)
    pose = np.array([0.8, 0.1, 0.3, 0.2, 0.9, 0.4, 0.6])
    image = Mirror.of(rig).pose(pose)
    np.testing.assert_allclose(image, [0.1, 0.8, -0.3, -0.2, 0.4, 0.9, 0.6], rtol=0, atol=1e-12)


def test_scaled_joints_come_to_the_mirrored_places() -> None:
    rig = person(6)
    channels = (*rig.channels, *(c for j in rig.joints[5:13] for c in joint_channels(j, "sx sy sz")))
    # Equal in all directions, so that turned axes of the partner mean the same.
    rig = Rig(rig.joints, channels)
    pose = random_poses(rig, 1, seed=2)[0]
    for joint, factor in (("upper_arm_l", 1.4), ("hand_l", 0.5), ("forearm_r", 0.7)):
        for axis in "xyz":
            pose[rig.channel_index(f"{joint}.s{axis}")] = factor
    for index, channel in enumerate(rig.channels):
        if channel.kind == "scale" and pose[index] not in (1.4, 0.5, 0.7):
            pose[index] = 1.0
    mirror = Mirror.of(rig)
    before = rig.world_from_joint(pose[None])[0, :, :, 3]
    after = rig.world_from_joint(mirror.pose(pose)[None])[0, :, :, 3]
    np.testing.assert_allclose(after[mirror.joints], before * ACROSS, rtol=0, atol=1e-9)
