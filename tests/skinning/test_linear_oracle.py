"""Linear blend skinning against what OpenUSD itself bakes from the same file."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.maths import euler, quaternions
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.skinning import Mesh, Skin
from tests.skinning.usda import Prim

JOINTS = ("joint1", "joint2", "joint3")


@pytest.fixture(scope="module")
def rig() -> Rig:
    joints = tuple(Joint(name, index - 1) for index, name in enumerate(JOINTS))
    return Rig(joints, tuple(c for joint in joints for c in joint_channels(joint, "tx ty tz rx ry rz")))


def columns(matrices: np.ndarray) -> np.ndarray:
    """USD multiplies rows by matrices; we multiply matrices by columns."""
    return np.swapaxes(matrices, -1, -2)


def read_poses(data: Path) -> np.ndarray:
    """Channel values (30, 18) of the file's animation."""
    animation = Prim.find(data / "usd" / "openusd" / "lbs.usda", "Animation")
    rotations, translations = animation.samples("rotations", 4), animation.samples("translations", 3)
    poses = []
    for frame in sorted(rotations):
        angles = euler.from_matrix(quaternions.to_matrix(quaternions.normalised(rotations[frame])), "ZYX")
        poses.append(np.concatenate([translations[frame], angles], axis=1).ravel())
    return np.array(poses)


def read_mesh(data: Path, name: str) -> Mesh:
    source = Prim.find(data / "usd" / "openusd" / "lbs.usda", name)
    skeleton = Prim.find(data / "usd" / "openusd" / "lbs.usda", "Skeleton")
    bind = columns(skeleton.array("bindTransforms", 4, 4))
    geometry = columns(source.array("primvars:skel:geomBindTransform", 4, 4)[0])
    points = source.array("points", 3)
    count = len(points)
    return Mesh(
        name, points.astype(np.float32), np.zeros((0, 3), np.int32), JOINTS, (np.linalg.inv(bind) @ geometry)[:, :3],
        source.array("primvars:skel:jointIndices").reshape(count, -1).astype(np.int32),
        source.array("primvars:skel:jointWeights").reshape(count, -1).astype(np.float32),
        normals=source.array("normals", 3) if name == "MeshWithNormals" else None,
    )  # fmt: skip


def baked(data: Path, mesh: str, attribute: str) -> np.ndarray:
    samples = Prim.find(data / "usd" / "openusd" / "lbs.baked.usda", mesh).samples(attribute, 3)
    return np.array([samples[frame] for frame in sorted(samples)])


@pytest.mark.parametrize("name", ["Mesh", "MeshWithFaceVaryingNormals", "MeshWithNormals"])
def test_vertices_are_where_openusd_puts_them(data: Path, rig: Rig, name: str) -> None:
    mesh, poses = read_mesh(data, name), read_poses(data)
    expected = baked(data, name, "points")
    found = np.array([Skin(mesh, rig).vertices(pose) for pose in poses])
    assert found.shape == expected.shape == (30, len(mesh.vertices), 3)
    assert np.ptp(expected, axis=0).max() > 0.3  # it does move
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6)


def test_normals_point_where_openusd_points_them(data: Path, rig: Rig) -> None:
    mesh, poses = read_mesh(data, "MeshWithNormals"), read_poses(data)
    expected = baked(data, "MeshWithNormals", "normals")
    expected /= np.linalg.norm(expected, axis=-1, keepdims=True)
    found = [Skin(mesh, rig).posed(pose)[1] for pose in poses]
    assert np.ptp(expected, axis=0).max() > 0.3
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6)
