"""The plain bar: an exact box, exact weights."""

import numpy as np
import pytest

from inbetweener.builtin.characters.bar import ACROSS, LENGTH, STEP, bar
from inbetweener.document.validation import problems
from inbetweener.errors import InvalidRig
from inbetweener.skinning import Skin


@pytest.mark.parametrize("joints", [2, 3, 4])
def test_weights_pass_from_joint_to_joint_by_a_cubic_step(joints: int) -> None:
    overlap = 0.2
    document = bar(joints, overlap)
    assert problems(document) == []
    mesh = document.meshes[0]
    full = np.zeros((len(mesh.vertices), joints))
    np.put_along_axis(full, mesh.influences.astype(np.int64), mesh.weights, axis=1)
    along = mesh.vertices[:, 0].astype(np.float64) + LENGTH / 2
    share = LENGTH / joints
    for joint in range(joints):
        rise = np.ones(len(along)) if joint == 0 else _smooth(along, joint * share, overlap)
        fall = np.ones(len(along)) if joint == joints - 1 else 1 - _smooth(along, (joint + 1) * share, overlap)
        assert np.abs(full[:, joint] - np.minimum(rise, fall)).max() < 1e-6


def _smooth(along: np.ndarray, border: float, overlap: float) -> np.ndarray:
    return np.interp(along, border + overlap * (_T - 0.5), 3 * _T**2 - 2 * _T**3)


_T = np.linspace(0, 1, 4001)


def test_half_of_a_hard_bar_belongs_to_each_joint() -> None:
    mesh = bar(2, 0.0).meshes[0]
    assert set(np.unique(mesh.weights)) == {0.0, 1.0}
    left = mesh.vertices[:, 0] < -1e-6
    assert (mesh.weights[left, 0] == 1).all()
    assert (mesh.weights[mesh.vertices[:, 0] > 1e-6, 1] == 1).all()


def test_surface_is_a_closed_box_of_even_tiles() -> None:
    mesh = bar().meshes[0]
    a, b, c = (mesh.vertices[mesh.triangles[:, n]].astype(np.float64) for n in range(3))
    faces = np.cross(b - a, c - a)
    assert np.linalg.norm(faces, axis=1) == pytest.approx(STEP**2, rel=1e-4)
    middle = mesh.vertices.astype(np.float64).mean(axis=0)
    assert np.einsum("ij,ij->", a - middle, faces) / 6 == pytest.approx(LENGTH * ACROSS**2, rel=1e-5)
    edges = np.sort(np.concatenate([mesh.triangles[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
    unique, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(mesh.vertices) - len(unique) + len(mesh.triangles) == 2


def test_bending_moves_only_the_far_half() -> None:
    document = bar(2, 0.2)
    rig, mesh = document.rig, document.meshes[0]
    channels = rig.defaults.copy()
    channels[rig.channel_index("bar_2.rz")] = np.pi / 2
    moved = Skin(mesh, rig).vertices(channels, rig.world_from_joint(channels[None])[0])
    near = mesh.vertices[:, 0] < -0.1 - 1e-6
    assert np.abs(moved[near] - mesh.vertices[near]).max() < 1e-6
    # A quarter turn about the middle of the bar: x becomes height, height becomes −x.
    far = mesh.vertices[:, 0] > 0.1 + 1e-6
    height = rig.rest_world()[0, 1, 3]
    expected = np.stack([height - mesh.vertices[far, 1], height + mesh.vertices[far, 0], mesh.vertices[far, 2]], axis=1)
    assert np.abs(moved[far] - expected).max() < 1e-6


@pytest.mark.parametrize(("joints", "overlap"), [(1, 0.1), (5, 0.1), (2, 0.6), (2, -0.1)])
def test_impossible_bars_are_refused(joints: int, overlap: float) -> None:
    with pytest.raises(InvalidRig):
        bar(joints, overlap)
