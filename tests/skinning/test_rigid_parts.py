"""Blended transforms are rigid, follow the frame they are seen from, and leave single influences alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.maths.transforms import Transform
from inbetweener.skinning import Blending, Skin
from tests.skinning.bodies import some_mesh, some_pose, some_rig, some_rotation

RIGID: tuple[Blending, ...] = ("dual-quaternion", "screw", "differential")
seeds = st.integers(0, 10_000)


@pytest.mark.parametrize("blending", RIGID)
@pytest.mark.parametrize("seed", range(4))
def test_every_blend_is_a_rigid_transform(blending: Blending, seed: int) -> None:
    rig = some_rig(seed, bends=2)
    pose = some_pose(seed, rig)
    blended = Skin(some_mesh(seed, rig), rig, blending, poses=pose).transforms(pose)
    assert np.linalg.norm(blended[:, :4], axis=1).min() > 0.3
    matrices = dual_quaternions.to_matrix(dual_quaternions.normalised(blended))[..., :3]
    assert np.abs(np.swapaxes(matrices, -1, -2) @ matrices - np.eye(3)).max() < 1e-12
    assert np.abs(np.linalg.det(matrices) - 1.0).max() < 1e-12


@given(seed=seeds)
def test_a_single_influence_is_carried_as_linear_skinning_carries_it(seed: int) -> None:
    rig = some_rig(seed)
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig, turn=9.0)
    expected = Skin(mesh, rig).vertices(pose)[-8:]
    for blending in RIGID:
        found = Skin(mesh, rig, blending, poses=pose).vertices(pose)[-8:]
        np.testing.assert_allclose(found, expected, atol=2e-6, err_msg=blending)


@given(seed=seeds)
def test_moving_body_mesh_and_pose_moves_the_skin(seed: int) -> None:
    """[DB] §5.1: coordinate invariance, from the left."""
    rig = some_rig(seed, bends=1)
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig)
    m = _some_move(seed)
    root = rig.joints[0]
    turned = quaternions.product(quaternions.from_matrix(m[:, :3]), root.rest.rotation)
    shifted = transforms.apply(m, np.array([root.rest.translation]))[0]
    moved_root = replace(root, rest=Transform(tuple(shifted.tolist()), tuple(turned.tolist())))
    starts = {f"j0.t{axis}": float(value) for axis, value in zip("xyz", shifted, strict=True)}
    channels = tuple(replace(c, default=starts.get(c.name, c.default)) for c in rig.channels)
    moved_rig = replace(rig, joints=(moved_root, *rig.joints[1:]), channels=channels)
    moved_mesh = replace(
        mesh,
        vertices=transforms.apply(m, mesh.vertices).astype(np.float32),
        joint_from_mesh=transforms.product(mesh.joint_from_mesh, transforms.inverse(m)),
    )
    moved_pose = pose.copy()
    moved_pose[:3] = transforms.apply(m, pose[None, :3])[0]
    expected = transforms.apply(m, Skin(mesh, rig, "differential", poses=pose).vertices(pose))
    found = Skin(moved_mesh, moved_rig, "differential", poses=moved_pose).vertices(moved_pose)
    np.testing.assert_allclose(found, expected, atol=5e-6)


@given(seed=seeds)
def test_the_space_that_a_mesh_is_modelled_in_does_not_matter(seed: int) -> None:
    """[DB] §5.1: coordinate invariance, from the right."""
    rig = some_rig(seed, bends=1)
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig)
    m = _some_move(seed)
    elsewhere = replace(
        mesh,
        vertices=transforms.apply(m, mesh.vertices).astype(np.float32),
        joint_from_mesh=transforms.product(mesh.joint_from_mesh, transforms.inverse(m)),
    )
    expected = Skin(mesh, rig, "differential", poses=pose).vertices(pose)
    found = Skin(elsewhere, rig, "differential", poses=pose).vertices(pose)
    np.testing.assert_allclose(found, expected, atol=5e-6)


def _some_move(seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed + 5000)
    return dual_quaternions.to_matrix(dual_quaternions.from_parts(some_rotation(chance), chance.uniform(-1, 1, 3)))
