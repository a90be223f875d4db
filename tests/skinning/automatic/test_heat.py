"""Weights of a tube on its bones, against the heat that a rod would have."""

import numpy as np
import pytest
from scipy.linalg import solve_banded

from inbetweener.skinning.automatic import heat_weights
from inbetweener.skinning.automatic.bind import CONDUCTION, TIE
from tests.skinning.automatic.tubes import RADIUS, edges, tube

STARTS = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
ENDS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])


def rod(x: np.ndarray) -> np.ndarray:
    """The second bone's heat (n,) along a rod: −c·w″ + w/r² = p/r², by finite differences on very many places."""
    at = np.linspace(-1.0, 1.0, 20_001)
    ratio = np.sqrt(RADIUS**2 + at**2) / RADIUS
    shy = np.maximum(0.0, 1.0 - (ratio - 1.0) / TIE)
    share = np.where(at < 0.0, shy / (1.0 + shy), 1.0 / (1.0 + shy))
    step = CONDUCTION * RADIUS**2 / (at[1] - at[0]) ** 2
    bands = np.stack([np.full(len(at), -step), np.full(len(at), 1.0 + 2.0 * step), np.full(len(at), -step)])
    bands[1, [0, -1]] = 1.0 + step
    return np.interp(x, at, solve_banded((1, 1), bands, share))


def test_a_tube_has_the_heat_of_a_rod() -> None:
    vertices, triangles = tube()
    weights = heat_weights(vertices, triangles, STARTS, ENDS)
    side = np.abs(vertices[:, 0]) < 0.9
    np.testing.assert_allclose(weights[side, 1], rod(vertices[side, 0]), rtol=0, atol=0.01)


def test_far_from_the_joint_heat_falls_off_exponentially() -> None:
    vertices, triangles = tube()
    weights = heat_weights(vertices, triangles, STARTS, ENDS)[:, 1]
    near, far = (weights[np.argmin(np.abs(vertices[:, 0] + x * RADIUS))] for x in (1.0, 2.0))
    # w = ½·exp(−x / (r·√c)) for a sharp border; here borders are a little soft, but the fall is the same.
    assert near / far == pytest.approx(np.exp(1.0 / np.sqrt(CONDUCTION)), rel=0.05)


def test_rows_sum_to_one_and_nothing_is_negative() -> None:
    vertices, triangles = tube(along=40)
    random = np.random.default_rng(5)
    starts, ends = random.normal(0.0, 0.5, (9, 3)), random.normal(0.0, 0.5, (9, 3))
    weights = heat_weights(vertices, triangles, starts, ends)
    assert weights.min() >= 0.0
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_a_mirrored_skin_has_mirrored_weights() -> None:
    vertices, triangles = tube()
    weights = heat_weights(vertices, triangles, STARTS, ENDS)
    order = np.lexsort(np.round(vertices, 9).T)
    mirrored = np.lexsort(np.round(vertices * [-1.0, 1.0, 1.0], 9).T)
    np.testing.assert_allclose(vertices[order], vertices[mirrored] * [-1.0, 1.0, 1.0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights[order], weights[mirrored][:, ::-1], rtol=0, atol=1e-9)


def test_neighbours_have_like_weights() -> None:
    vertices, triangles = tube()
    weights = heat_weights(vertices, triangles, STARTS, ENDS)
    jumps = np.abs(weights[edges(triangles)[:, 0]] - weights[edges(triangles)[:, 1]]).max()
    # Steps along the tube are an eighth of its radius; the steepest slope of the rod is 1 / (2·r·√c).
    assert 0.05 < jumps < 0.125 / (2.0 * np.sqrt(CONDUCTION)) * 1.05


@pytest.mark.parametrize("scale", [1e-3, 100.0])
def test_size_does_not_matter(scale: float) -> None:
    vertices, triangles = tube(along=60)
    one = heat_weights(vertices, triangles, STARTS, ENDS)
    np.testing.assert_allclose(
        heat_weights(scale * vertices, triangles, scale * STARTS, scale * ENDS), one, rtol=0, atol=1e-9
    )


def test_finer_meshes_agree() -> None:
    coarse, fine = tube(along=80), tube(along=320)
    at = np.flatnonzero(np.abs(coarse[0][:, 0]) < 0.8)
    place = np.array([np.argmin(np.linalg.norm(fine[0] - coarse[0][i], axis=1)) for i in at[::7]])
    one, two = heat_weights(*coarse, STARTS, ENDS), heat_weights(*fine, STARTS, ENDS)
    np.testing.assert_allclose(one[at[::7]], two[place], rtol=0, atol=0.02)


def test_the_same_mesh_gives_the_same_bits() -> None:
    vertices, triangles = tube(along=40)
    np.testing.assert_array_equal(
        heat_weights(vertices, triangles, STARTS, ENDS), heat_weights(vertices, triangles, STARTS, ENDS)
    )


def test_a_skin_is_warmed_from_within() -> None:
    # Two tubes side by side, closer to each other than to their own bones.
    vertices, triangles = tube(1.0, along=40)
    aside, way = np.array([0.0, 2.2 * RADIUS, 0.0]), np.array([1.0, 0.0, 0.0])
    both = np.concatenate([vertices, vertices + aside])
    pair = np.concatenate([triangles, triangles + len(vertices)])
    starts = np.array([[-0.5, -0.06, 0.0], [-0.5, 2.2 * RADIUS + 0.06, 0.0]])
    weights = heat_weights(both, pair, starts, starts + way)
    assert weights[: len(vertices), 0].min() > 0.9
    assert weights[len(vertices) :, 1].min() > 0.9
