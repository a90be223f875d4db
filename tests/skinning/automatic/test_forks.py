"""Where bones fork: neighbours share nothing, nothing jumps, nothing is lost."""

from dataclasses import replace

import numpy as np

from inbetweener.builtin.characters.human import human
from inbetweener.skinning.automatic import bind
from inbetweener.skinning.automatic.forks import parted
from tests.skinning.automatic.test_hands import shares

# A palm with two parallel fingers of two bones each, and a thumb that goes off to the side.
PARENTS = np.array([-1, 0, 1, 0, 3, 0])
STARTS = np.array([[0, 0, 0], [1, 1, 0], [1, 2, 0], [2, 1, 0], [2, 2, 0], [-1, 0, 0]], np.float64)
ENDS = np.array([[1, 1, 0], [1, 2, 0], [1, 3, 0], [2, 2, 0], [2, 3, 0], [-2, 0, 0]], np.float64)


def test_what_two_fingers_share_follows_the_palm() -> None:
    weights = np.array([[0.1, 0.2, 0.4, 0.1, 0.1, 0.1], [0.0, 0.1, 0.3, 0.3, 0.1, 0.2], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])
    found = parted(weights, np.arange(6), PARENTS, STARTS, ENDS)
    expected = [
        [0.46, 0.4 / 3, 0.8 / 3, 0.0, 0.0, 0.14],
        [0.64, 0.0, 0.0, 0.0, 0.0, 0.36],
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    ]
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_without_a_bone_of_its_own_a_fork_gives_to_the_one_above() -> None:
    parents = np.array([-1, 0, 1, 1])
    starts, ends = np.zeros((4, 3)), np.tile([0.0, 1.0, 0.0], (4, 1))
    bones = np.array([0, 2, 3])
    np.testing.assert_allclose(parted(np.array([[0.0, 0.7, 0.3]]), bones, parents, starts, ends), [[0.6, 0.4, 0.0]])
    # Nobody above: then what is shared stays shared.
    np.testing.assert_allclose(parted(np.array([[0.7, 0.3]]), bones[1:], parents, starts, ends), [[0.7, 0.3]])


def test_small_changes_stay_small() -> None:
    chance = np.random.default_rng(3)
    weights = chance.dirichlet(np.full(6, 0.3), 500)
    nudged = weights + 1e-6 * chance.standard_normal(weights.shape)
    found, after = (parted(each, np.arange(6), PARENTS, STARTS, ENDS) for each in (weights, nudged))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    assert found.min() >= 0.0
    assert np.abs(after - found).max() < 2e-5


def test_hands_with_holes_are_bound_as_well() -> None:
    document = human()
    mesh = document.meshes[0]
    # Every fifth triangle is gone, and all that look down: no inside is left to be looked through.
    corners = mesh.vertices[mesh.triangles]
    down = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] < 0.0
    holed = replace(mesh, triangles=mesh.triangles[~down & (np.arange(len(corners)) % 5 > 0)])
    own, found = shares(mesh), bind(holed, document.rig)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0, atol=1e-6)
    followed = shares(found)
    for name, share in own.items():
        others = np.sum([followed[other] for other in followed if other != name], axis=0)[share > 0.5]
        assert others.mean() < 0.01, name
