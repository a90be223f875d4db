"""Bones as plain data become a rig that moves as Blender says they do: checked by plain matrices."""

import numpy as np
from scipy.spatial.transform import Rotation

from extension.blender.bones import Bone, rig_of
from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Point


def matrix(turn: Rotation, place: list[float]) -> Floats:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = turn.as_matrix(), place
    return made


RESTS = [np.eye(4), *(matrix(Rotation.from_euler("xyz", [0.3 * n, 0.2, -0.4]), [0.1, 0.5, 0.2 * n]) for n in (1, 2, 3))]
BONES = [
    Bone("rig (object)", None, RESTS[0], "", "XYZ", {"scale": (1.2, 1.2, 1.2), "location": (1.0, 2.0, 0.5)}),
    Bone(
        "a", "rig (object)", RESTS[1], 'pose.bones["a"].', "QUATERNION", {"rotation_quaternion": (2.0, 0.2, 0.4, 0.6)}
    ),
    Bone("b", "a", RESTS[2], 'pose.bones["b"].', "YZX", {"scale": (1.0, 0.8, 1.1)}, frozenset({"rotation_euler[1]"})),
    Bone("c", "b", RESTS[3], 'pose.bones["c"].', "XYZ", {}, moves=False),
]


def expected() -> Floats:
    """Blender's product, with its own order of angles: XYZ turns about x first."""
    pose = matrix(Rotation.identity(), [1.0, 2.0, 0.5]) @ np.diag([1.2, 1.2, 1.2, 1.0])
    pose = pose @ RESTS[1] @ matrix(Rotation.from_quat([0.2, 0.4, 0.6, 2.0]), [0.0, 0.3, 0.0])
    turn = Rotation.from_euler("yzx", [0.5, -0.2, 0.7])
    pose = pose @ RESTS[2] @ matrix(turn, [0.0, 0.0, 0.0]) @ np.diag([1.0, 0.8, 1.1, 1.0])
    return pose @ RESTS[3]


def test_the_rig_moves_as_the_bones_do() -> None:
    keyed = {
        'pose.bones["a"].location[1]': 0.3,
        'pose.bones["b"].rotation_euler[0]': 0.7,
        'pose.bones["b"].rotation_euler[1]': 0.5,
        'pose.bones["b"].rotation_euler[2]': -0.2,
    }
    rig, curves = rig_of(BONES, {name: Curve.constant(value) for name, value in keyed.items()}, 1.7)
    world = Motion(rig, Clip("clip", end=1.0, curves=Curves(curves))).world_from_joint([0.5])[0]
    np.testing.assert_allclose(world[rig.joint_index("c")], expected()[:3], atol=1e-12)
    assert rig.told_size == 1.7


def test_what_is_locked_scaled_or_keyed_without_moving_is_not_free() -> None:
    still, moving = Curve.sampled([0.0, 1.0], [0.2, 0.2]), Curve.sampled([0.0, 1.0], [0.2, 0.3])
    curves = {'pose.bones["b"].location[0]': still, 'pose.bones["b"].location[1]': moving}
    rig, _ = rig_of(BONES, curves, 1.0)
    free = {channel.name for channel in rig.channels if channel.free}
    assert 'pose.bones["b"].location[1]' in free
    assert 'pose.bones["b"].location[0]' not in free
    assert 'pose.bones["b"].rotation_euler[1]' not in free
    assert 'pose.bones["b"].rotation_euler[2]' in free
    assert not any("scale" in name for name in free)
    assert not any('["c"].location' in channel.name for channel in rig.channels)
    assert Point("c").joint in {joint.name for joint in rig.joints}
