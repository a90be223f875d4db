"""Scaled joints: rigid ways of blending stretch the rest shape first, and agree with linear skinning in the end."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.maths import transforms
from inbetweener.rig import Rig
from inbetweener.skinning import Blending, Mesh, Skin
from tests.skinning.bodies import some_mesh, some_pose, some_rig

RIGID: tuple[Blending, ...] = ("dual-quaternion", "screw", "differential")


def with_normals(mesh: Mesh) -> Mesh:
    return replace(mesh, normals=mesh.vertices / np.linalg.norm(mesh.vertices, axis=1, keepdims=True))


def leaf_scaled(seed: int) -> tuple[Rig, Mesh, np.ndarray]:
    """A body in which only the last joint, which carries no other, is scaled: no shear anywhere."""
    rig = some_rig(seed, dofs="rx ry rz sx sy sz")
    pose = some_pose(seed, rig)
    for number, channel in enumerate(rig.channels):
        if channel.kind == "scale" and not channel.name.startswith("j5"):
            pose[number] = 1.0
    return rig, with_normals(some_mesh(seed, rig)), pose


@given(seed=st.integers(0, 10_000))
def test_linear_skins_are_weighted_means_of_matrices(seed: int) -> None:
    rig, mesh, pose = leaf_scaled(seed)
    world = rig.world_from_joint(pose[None])[0]
    matrices = transforms.product(world[[rig.joint_index(name) for name in mesh.joints]], mesh.joint_from_mesh)
    means = np.einsum("vn,vnrc->vrc", mesh.weights, matrices[mesh.influences])
    placed = np.einsum("vrc,vc->vr", means, np.c_[mesh.vertices, np.ones(len(mesh.vertices))])
    upright = np.einsum("vn,vncr,vc->vr", mesh.weights, np.linalg.inv(matrices[..., :3])[mesh.influences], mesh.normals)
    for given_world in (None, world):
        vertices, normals = Skin(mesh, rig).posed(pose, given_world)
        np.testing.assert_allclose(vertices, placed, atol=1e-5)
        np.testing.assert_allclose(normals, upright / np.linalg.norm(upright, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("blending", RIGID)
@given(seed=st.integers(0, 10_000))
def test_single_influences_are_scaled_with_their_joint(blending: Blending, seed: int) -> None:
    rig, mesh, pose = leaf_scaled(seed)
    expected, expected_normals = Skin(mesh, rig).posed(pose)
    found, normals = Skin(mesh, rig, blending, poses=pose).posed(pose)
    assert normals is not None
    assert expected_normals is not None
    np.testing.assert_allclose(found[-8:], expected[-8:], atol=5e-6)
    np.testing.assert_allclose(normals[-8:], expected_normals[-8:], atol=2e-5)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
