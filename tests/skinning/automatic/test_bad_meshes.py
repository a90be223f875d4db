"""Meshes as they come: in pieces, open, folded, torn along seams, with slivers and strays. All of them get weights."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.skinning.automatic import heat_weights
from tests.skinning.automatic.tubes import tube

STARTS = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
ENDS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
UP = np.array([0.0, 1.0, 0.0])
GOOD = tube(along=40)
Made = tuple[np.ndarray, np.ndarray]


def open_end(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    return vertices, triangles[(vertices[triangles][..., 0] < 0.7).all(axis=1)]


def in_pieces(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    middle = vertices[triangles][..., 0].mean(axis=1)
    return vertices, triangles[(middle % 0.4) < 0.3]


def with_a_fin(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    """A third sheet on an edge that two triangles share already."""
    fin = np.array([[0.0, 0.3, 0.0], [0.1, 0.3, 0.0]])
    a, b = triangles[100, :2]
    return np.concatenate([vertices, fin]), np.concatenate(
        [triangles, [[a, b, len(vertices)], [b, a, len(vertices) + 1]]]
    )


def with_slivers(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    """Triangles on one line, of no area at all, of one vertex, and a needle."""
    a, b, c = triangles[50]
    extra = np.concatenate([vertices[[a, b]].mean(axis=0)[None], vertices[[a]] + [0.0, 1e-9, 0.0]])
    n = len(vertices)
    return np.concatenate([vertices, extra]), np.concatenate(
        [triangles, [[a, b, n], [a, a, b], [c, c, c], [a, n + 1, c]]]
    )


def with_strays(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    """Vertices that no triangle uses."""
    return np.concatenate([vertices, [[0.5, 0.0, 0.0], [0.5, 0.4, 0.0], [-0.5, 0.0, 0.0]]]), triangles


def twice(vertices: np.ndarray, triangles: np.ndarray) -> Made:
    """Every triangle from both sides."""
    return vertices, np.concatenate([triangles, triangles[:, ::-1]])


BAD: list[Callable[[np.ndarray, np.ndarray], Made]] = [
    open_end, in_pieces, with_a_fin, with_slivers, with_strays, twice,
]  # fmt: skip


@pytest.mark.parametrize("spoil", BAD)
def test_every_vertex_is_bound_and_where_it_was_good_it_stays_so(spoil: Callable[..., Made]) -> None:
    vertices, triangles = spoil(*GOOD)
    weights = heat_weights(vertices, triangles, STARTS, ENDS)
    assert np.isfinite(weights).all()
    assert weights.min() >= 0.0
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    off = np.abs(weights[: len(GOOD[0])] - heat_weights(*GOOD, STARTS, ENDS)).max(axis=1)
    assert np.quantile(off, 0.9) < 0.06


def test_strays_follow_the_nearest_bone() -> None:
    weights = heat_weights(*with_strays(*GOOD), STARTS, ENDS)
    np.testing.assert_allclose(weights[-3:], [[0, 1], [0, 1], [1, 0]], rtol=0, atol=1e-12)


def test_a_seam_in_the_texture_is_none_in_the_weights() -> None:
    vertices, triangles = GOOD
    torn = vertices[triangles].reshape(-1, 3)
    weights = heat_weights(torn, np.arange(len(torn)).reshape(-1, 3), STARTS, ENDS)
    np.testing.assert_allclose(
        weights, heat_weights(vertices, triangles, STARTS, ENDS)[triangles.ravel()], rtol=0, atol=1e-9
    )


def test_a_mesh_that_is_inside_out() -> None:
    vertices, triangles = GOOD
    np.testing.assert_allclose(
        heat_weights(vertices, triangles[:, ::-1], STARTS, ENDS), heat_weights(*GOOD, STARTS, ENDS), rtol=0, atol=1e-9
    )


def test_bones_outside_the_mesh() -> None:
    weights = heat_weights(*GOOD, STARTS + UP, ENDS + UP)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    x = GOOD[0][:, 0]
    assert weights[x < -0.9, 0].min() > 0.6
    assert weights[x > 0.9, 1].min() > 0.6


def test_bones_without_length_and_a_single_bone() -> None:
    points = np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]])
    weights = heat_weights(*GOOD, points, points)
    assert weights[GOOD[0][:, 0] > 0.4, 1].min() > 0.9
    np.testing.assert_array_equal(heat_weights(*GOOD, points[:1], points[:1]), 1.0)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_hardly_a_mesh(count: int) -> None:
    vertices = np.array([[-0.4, 0.1, 0.0], [0.3, 0.1, 0.0], [0.6, 0.1, 0.1]])[:count]
    triangles = np.array([[0, 1, 2]])[: count // 3].reshape(-1, 3)
    weights = heat_weights(vertices.reshape(-1, 3), triangles, STARTS, ENDS)
    assert weights.shape == (count, 2)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)
