"""Polygons that no file means."""

import numpy as np

from inbetweener.formats.polygons import MOST, Corners, Shape, Skin, mesh_of
from inbetweener.skinning import Material


def test_offsets_of_shapes_that_single_precision_cannot_hold_are_taken_as_large_ones() -> None:
    places = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    corners = Corners(places, np.arange(3), None, None, None, np.array([[0, 1, 2]]), np.zeros(1, np.int64))
    skin = Skin(("hips",), np.eye(4)[None, :3], np.zeros((3, 1), np.int64), np.ones((3, 1)))
    offsets = np.array([[1e200, 0.0, -1e250], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    made = mesh_of(
        "face",
        corners,
        corners.of(np.ones(1, np.bool_)),
        np.eye(4)[:3],
        0.01,
        skin,
        [Shape("smile", "smile", offsets, None)],
        Material(),
    )
    (shape,) = made.shapes
    np.testing.assert_allclose(shape.offsets[0], [MOST, 0.0, -MOST])
    np.testing.assert_allclose(shape.offsets[1], [0.005, 0.0, 0.0])
