"""The tree of differentials: products over its paths are where joints really are, in any rig; no node without need."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inbetweener as ib
from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh, Skin
from inbetweener.skinning.differential.tree import LARGEST_TURN
from tests.skinning.bodies import some_mesh, some_pose, some_rig

seeds = st.integers(0, 10_000)


def path_products(skin: Skin, pose: Floats) -> Floats:
    """Where every joint takes the mesh (J, 3, 4), by the nodes before its bends."""
    composed = skin.tree.composed(skin.tree.differentials(skin.rig, pose))
    return dual_quaternions.to_matrix(dual_quaternions.normalised(composed[skin.tree.bends - 1]))


def deformations(mesh: Mesh, rig: Rig, pose: Floats) -> Floats:
    """world_from_mesh (K, 3, 4) of the mesh's own joints."""
    world = rig.world_from_joint(pose[None])[0]
    return transforms.product(world[[rig.joint_index(name) for name in mesh.joints]], mesh.joint_from_mesh)


@given(seed=seeds)
def test_paths_multiply_to_where_the_joints_are(seed: int) -> None:
    rig = some_rig(seed, dofs="tx ty tz rx ry rz", bends=2)
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig, turn=7.0)
    found = path_products(Skin(mesh, rig, "differential", poses=pose), pose)
    np.testing.assert_allclose(found, deformations(mesh, rig, pose), atol=1e-11)


@given(seed=seeds)
def test_scaled_joints_turn_and_stand_where_they_do(seed: int) -> None:
    rig = some_rig(seed, dofs="rx ry rz sx sy sz")
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig)
    found = path_products(Skin(mesh, rig, "differential", poses=pose), pose)
    expected = deformations(mesh, rig, pose)
    rotation = quaternions.to_matrix(transforms.decompose(expected)[1])
    np.testing.assert_allclose(found[..., :3], rotation, atol=1e-9)
    origins = transforms.inverse(mesh.joint_from_mesh)[..., 3]
    world = rig.world_from_joint(pose[None])[0, :, :, 3]
    np.testing.assert_allclose(transforms.apply(found, origins[:, None])[:, 0], world, atol=1e-9)


def test_a_joint_scaled_to_nothing_spoils_no_other() -> None:
    rig = some_rig(3, dofs="rx ry rz sx sy sz")
    mesh, pose = some_mesh(3, rig), some_pose(3, rig)
    last = [rig.channel_index(f"j5.s{axis}") for axis in "xyz"]
    pose[last] = 0.0
    posed = Skin(mesh, rig, "differential", poses=pose).vertices(pose)
    assert np.isfinite(posed).all()
    untouched = ~((mesh.influences == 5) & (mesh.weights > 0)).any(axis=1)
    pose[last] = 1.0
    other = Skin(mesh, rig, "differential", poses=pose).vertices(pose)
    assert untouched.sum() > 5
    np.testing.assert_allclose(posed[untouched], other[untouched], atol=1e-5)


def test_handles_turn_their_chains_in_the_tree_too() -> None:
    document = ib.example("conductor")
    assert document.rig.handles
    mesh = max(document.meshes, key=lambda mesh: len(mesh.vertices))
    poses = document.motion().channels(document.clip().frame_times[::24])
    skin = Skin(mesh, document.rig, "differential", poses=poses)
    bound = [document.rig.joint_index(name) for name in mesh.joints]
    for pose in poses:
        expected = deformations(mesh, document.rig, pose)
        np.testing.assert_allclose(path_products(skin, pose)[bound], expected, atol=1e-6)


@pytest.mark.parametrize("name", ["CesiumMan", "Fox", "RiggedFigure"])
def test_meshes_of_files_are_followed_from_the_pose_they_were_bound_in(data: Path, name: str) -> None:
    path = next(path for path in sorted((data / "gltf").rglob(f"{name}*")) if path.suffix in (".glb", ".gltf"))
    document = ib.load(path)
    mesh = max(document.meshes, key=lambda mesh: len(mesh.vertices))
    poses = document.motion().channels(document.clip().frame_times[::8])
    skin = Skin(mesh, document.rig, "differential", poses=poses)
    size = np.ptp(mesh.vertices, axis=0).max()
    bound = [document.rig.joint_index(each) for each in mesh.joints]
    for pose in poses:
        expected = deformations(mesh, document.rig, pose)
        # A file may hold a scale of its own, which is no part of the turns.
        _, rotation, _, _ = transforms.decompose(expected)
        found = path_products(skin, pose)[bound]
        np.testing.assert_allclose(found[..., :3], quaternions.to_matrix(rotation), atol=1e-5)
        heavy = mesh.weights.max(axis=1) > 0.999
        linear = Skin(mesh, document.rig).vertices(pose)
        np.testing.assert_allclose(skin.vertices(pose)[heavy], linear[heavy], atol=2e-3 * size)


def test_no_turn_is_larger_than_can_be_blended() -> None:
    rig = some_rig(7)
    pose = some_pose(7, rig, turn=15.0)
    tree = Skin(some_mesh(7, rig), rig, "differential", poses=pose).tree
    # The real parts' sizes, whatever their signs; beyond the root's offset, which all vertices share, only turns.
    turn = 2.0 * np.arccos(np.clip(np.abs(tree.differentials(rig, pose)[:, 0]), 0.0, 1.0))
    assert len(tree) > 100
    assert turn[1:].max() <= LARGEST_TURN + 1e-9


def test_joints_that_only_turn_have_no_offset() -> None:
    rig = some_rig(5, dofs="tx ty tz rx ry rz")
    mesh, pose = some_mesh(5, rig), some_pose(5, rig, turn=0.3)
    moving = Skin(mesh, rig, "differential", poses=pose).tree.steps
    assert moving.offsets.tolist() == [1] * 6
    for n, channel in enumerate(rig.channels):
        if channel.kind == "translation" and not channel.name.startswith("j0"):
            pose[n] = channel.default
    turning = Skin(mesh, rig, "differential", poses=pose).tree.steps
    assert turning.offsets.tolist() == [1, 0, 0, 0, 0, 0]
    assert (turning.counts >= 1).all()


@given(seed=seeds)
def test_a_pose_that_nobody_foresaw_is_still_exact_at_the_joints(seed: int) -> None:
    rig = some_rig(seed, dofs="tx ty tz rx ry rz", bends=1)
    mesh, pose = some_mesh(seed, rig), some_pose(seed, rig)
    found = path_products(Skin(mesh, rig, "differential", poses=rig.defaults), pose)
    np.testing.assert_allclose(found, deformations(mesh, rig, pose), atol=1e-11)


def test_more_steps_than_sketched_leave_children_where_they_hang() -> None:
    """A bend dialled in threefold is cut finer; joints along the bone must not slip to another place of it."""
    rig = some_rig(11, bends=2)
    mesh, pose = some_mesh(11, rig), some_pose(11, rig)
    pose[-2:] = 9.0
    skin = Skin(mesh, rig, "differential", poses=pose)
    sketched = {name: len(screws) for bend in rig.bends for name, screws in bend.screws.items()}
    assert any(skin.tree.steps.samples[rig.joint_index(name)] > count for name, count in sketched.items())
    np.testing.assert_allclose(path_products(skin, pose), deformations(mesh, rig, pose), atol=1e-10)


def test_steps_are_equal_by_value() -> None:
    rig = some_rig(2)
    mesh, pose = some_mesh(2, rig), some_pose(2, rig)
    first, second = (Skin(mesh, rig, "differential", poses=pose).tree.steps for _ in range(2))
    assert first == second
    assert first != replace(second, samples=second.samples + 1)
