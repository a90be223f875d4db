"""Blend shapes with normals, against what OpenUSD itself bakes from the same file."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.rig import Joint, Rig, shape_channels
from inbetweener.skinning import BlendShape, Mesh, Skin
from tests.skinning.usda import Prim

SHAPES = ("twirl_a", "twirl_b", "twirl_c", "twirl_d")


def read_mesh(path: Path) -> tuple[Mesh, Rig]:
    """Each shape's inbetween, whose full strength is the file's weight one half, as a shape of its own."""
    source = Prim.find(path, "Mesh")
    points, normals = source.array("points", 3), source.array("normals", 3)
    shapes = []
    for name in SHAPES:
        shape = Prim.find(path, name)
        touched = numbers_of_points(shape)
        offsets, normal_offsets = np.zeros_like(points), np.zeros_like(points)
        offsets[touched] = shape.array("inbetweens:half", 3)
        normal_offsets[touched] = shape.array("inbetweens:half:normalOffsets", 3)
        shapes.append(BlendShape(name, name, offsets, normal_offsets))
    mesh = Mesh.rigid("plane", "root", points, np.zeros((0, 3)), normals=normals, shapes=tuple(shapes))
    return mesh, Rig((Joint("root"),), shape_channels(SHAPES))


def numbers_of_points(shape: Prim) -> np.ndarray:
    return shape.array("pointIndices").astype(int)


def test_vertices_and_normals_are_openusds(data: Path) -> None:
    folder = data / "usd" / "openusd"
    mesh, rig = read_mesh(folder / "blendshapesWithNormals.usda")
    baked = Prim.find(folder / "blendshapesWithNormals.baked.usda", "Mesh")
    points, normals = baked.samples("points", 3), baked.samples("normals", 3)
    world = rig.rest_world()
    turned = 0
    # On odd frames the file's weights are 0, 0.5 or 1 in one shape; the inbetween is nought, whole, and nought again.
    for frame in range(1, 18, 2):
        pose = np.zeros(4)
        if frame % 4 == 3:
            pose[frame // 4] = 1.0
        placed, found = Skin(mesh, rig).posed(pose, world)
        np.testing.assert_allclose(placed, points[frame], rtol=0, atol=1e-6)
        np.testing.assert_allclose(found, normals[frame], rtol=0, atol=1e-6)
        turned += int((np.abs(found - mesh.normals) > 0.1).any(axis=1).sum())
    assert turned == 4 * 20


def test_shapes_add_up_in_proportion() -> None:
    points = np.arange(12.0).reshape(4, 3)
    a, b = np.eye(4, 3), -2.0 * np.eye(4, 3)[::-1]
    mesh = Mesh.rigid("m", "root", points, [[0, 1, 2]], shapes=(BlendShape("a", "wa", a), BlendShape("b", "wb", b)))
    rig = Rig((Joint("root"),), shape_channels(["wa", "wb"]))
    found = Skin(mesh, rig).vertices(np.array([0.25, -0.5]), rig.rest_world())
    np.testing.assert_allclose(found, points + 0.25 * a - 0.5 * b, rtol=0, atol=1e-6)


def test_a_shape_whose_channel_is_missing_is_named() -> None:
    mesh = Mesh.rigid("m", "root", np.zeros((3, 3)), [[0, 1, 2]], shapes=(BlendShape("a", "smile", np.ones((3, 3))),))
    with pytest.raises(UnknownName, match="smile"):
        Skin(mesh, Rig((Joint("root"),))).vertices(np.zeros(0))
