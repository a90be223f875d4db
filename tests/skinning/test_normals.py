import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig
from inbetweener.skinning import Mesh, Skin, vertex_normals


def ball(rows: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """A sphere of radius 1 without its poles, and its triangles counter-clockwise from outside."""
    u, v = np.meshgrid(np.linspace(0.3, np.pi - 0.3, rows), np.linspace(0, 2 * np.pi, 2 * rows, endpoint=False))
    points = np.stack([np.sin(u) * np.cos(v), np.cos(u), -np.sin(u) * np.sin(v)], axis=-1)
    grid = np.arange(2 * rows * rows).reshape(2 * rows, rows)
    a, b = grid[:, :-1].ravel(), grid[:, 1:].ravel()
    c, d = np.roll(grid, -1, axis=0)[:, 1:].ravel(), np.roll(grid, -1, axis=0)[:, :-1].ravel()
    return points.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def normals_at_rest(mesh: Mesh, rig: Rig) -> np.ndarray:
    _, normals = Skin(mesh, rig).posed(rig.defaults)
    assert normals is not None
    return normals


def test_normals_of_a_ball_point_away_from_its_middle() -> None:
    points, triangles = ball(60)
    normals = vertex_normals(points, triangles.astype(np.int32))
    inner = np.abs(points[:, 1]) < 0.9  # the rims have faces on one side only
    assert np.abs(normals - points)[inner].max() < 0.01
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, rtol=0, atol=1e-6)


def test_faces_weigh_by_their_area() -> None:
    # One vertex between a face up with area 2 and a face along x with area ½.
    vertices = [[0, 0, 0], [0, 0, 2], [2, 0, 0], [0, 1, 0], [0, 0, 1]]
    normals = vertex_normals(vertices, np.array([[0, 1, 2], [0, 3, 4]], np.int32))
    expected = np.array([0.5, 2.0, 0.0])
    np.testing.assert_allclose(normals[0], expected / np.linalg.norm(expected), rtol=0, atol=1e-7)


def test_vertices_without_area_get_a_normal_all_the_same() -> None:
    normals = vertex_normals([[0, 0, 0], [1, 0, 0], [2, 0, 0], [5, 5, 5]], np.array([[0, 1, 2]], np.int32))
    assert normals.tolist() == [[0, 1, 0]] * 4
    assert vertex_normals(np.zeros((0, 3)), np.zeros((0, 3), np.int32)).shape == (0, 3)


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (3.0, 0.4, 1.0), (-1.0, 2.0, 0.7)])
def test_normals_stay_square_to_a_stretched_surface(scale: tuple[float, float, float]) -> None:
    points, triangles = ball()
    rotation = Rotation.from_rotvec([0.4, -1.2, 0.3])
    x, y, z, w = rotation.as_quat()
    joint = Joint("root", rest=Transform((1.0, 2.0, 3.0), (w, x, y, z), scale))
    mesh = Mesh.rigid("ball", "root", points, triangles, normals=points)
    rig = Rig((joint,))
    found = normals_at_rest(mesh, rig)
    # The outward normal of an ellipsoid x = R S u is R S⁻¹ u.
    expected = rotation.apply(points / scale)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_a_flattened_joint_gives_finite_unit_normals() -> None:
    points, triangles = ball(6)
    mesh = Mesh.rigid("ball", "root", points, triangles, normals=points)
    rig = Rig((Joint("root", rest=Transform(scale=(1.0, 0.0, 1.0))),))
    found = normals_at_rest(mesh, rig)
    np.testing.assert_allclose(np.abs(found[np.abs(points[:, 1]) > 0.01]), [[0, 1, 0]] * len(points), rtol=0, atol=1e-6)
