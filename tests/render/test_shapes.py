import numpy as np
import pytest

from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.render import shapes


def volume(shape):
    vertices, _, triangles = shape
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


@pytest.mark.parametrize(
    ("solid", "exact"),
    [
        (Sphere(0.7), 4 / 3 * np.pi * 0.7**3),
        (Box((0.5, 1.0, 1.5)), 8 * 0.5 * 1.0 * 1.5),
        (Capsule(0.4, 1.1), 4 / 3 * np.pi * 0.4**3 + np.pi * 0.4**2 * 2.2),
    ],
)
def test_solids_enclose_their_volume_and_lie_on_their_distance(solid, exact):
    shape = shapes.solid(solid)
    assert volume(shape) == pytest.approx(exact, rel=0.02)
    assert solid.distance(shape[0]) == pytest.approx(0.0, abs=1e-9)
    # A step along the normal leaves the solid.
    assert (solid.distance(shape[0] + 0.01 * shape[1]) > 0.005).all()


def test_bone_reaches_from_origin_to_tip_and_faces_outwards():
    vertices, _, _ = shapes.bone()
    assert (vertices[:, 1].min(), vertices[:, 1].max()) == (0.0, 1.0)
    assert np.hypot(vertices[:, 0], vertices[:, 2]).max() == pytest.approx(1.0)
    assert volume(shapes.bone()) > 0


def test_tube_keeps_its_radius_along_a_bend():
    angle = np.linspace(0, np.pi, 60)
    path = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    vertices, normals, _ = shapes.tube(path, 0.1, 8)
    ring = np.linalg.norm(vertices.reshape(60, 8, 3) - path[:, None], axis=-1)
    assert ring == pytest.approx(0.1)
    assert np.linalg.norm(normals, axis=-1) == pytest.approx(1.0)
    # Without twist: each ring's first vertex stays near its neighbour's.
    assert np.linalg.norm(np.diff(vertices.reshape(60, 8, 3)[:, 0], axis=0), axis=-1).max() < 0.08


def test_tube_of_a_point_that_rests_is_empty():
    assert len(shapes.tube(np.zeros((5, 3)), 0.1)[0]) == 0


def test_copies_turn_normals_with_stretched_shapes():
    stretch = np.diag([1.0, 5.0, 1.0])[None]
    vertices, normals, _ = shapes.copies(shapes.ball(), stretch, np.zeros((1, 3)))
    # The gradient of the ellipsoid x² + y²/25 + z² is the true normal.
    true = vertices * [1.0, 1 / 25, 1.0]
    true /= np.linalg.norm(true, axis=-1, keepdims=True)
    assert normals == pytest.approx(true, abs=1e-9)
