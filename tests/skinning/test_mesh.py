from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from inbetweener.errors import InvalidDocument
from inbetweener.skinning import BlendShape, Mesh

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)


def pyramid(**more: Any) -> Mesh:
    return Mesh.rigid("pyramid", "root", CORNERS, FACES, **more)


def test_meshes_are_equal_by_content() -> None:
    shape = BlendShape("a", "smile", np.ones((4, 3)))
    assert pyramid() == pyramid()
    assert pyramid(shapes=(shape,)) == pyramid(shapes=(BlendShape("a", "smile", np.ones((4, 3))),))
    assert pyramid() != pyramid(normals=CORNERS)
    assert pyramid() != replace(pyramid(), vertices=CORNERS + 1)
    assert pyramid() != "pyramid"


def test_arrays_are_frozen_copies() -> None:
    mine = CORNERS.copy()
    mesh = Mesh.rigid("pyramid", "root", mine, FACES)
    mine[0] = 9
    assert mesh == pyramid()
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0] = 1


def test_an_edit_shares_what_it_does_not_change() -> None:
    mesh = pyramid()
    assert replace(mesh, name="other").vertices is mesh.vertices


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "normals": ({"normals": CORNERS[:2]}, r"'pyramid': normals has shape \(2, 3\)"),
    "uvs": ({"uvs": CORNERS}, r"uvs has shape \(4, 3\), expected \(4, 2\)"),
    "weights": ({"weights": np.ones((4, 2))}, r"weights has shape \(4, 2\), expected \(4, 1\)"),
    "triangle": ({"triangles": [[0, 1, 4]]}, r"a triangle names a vertex that does not exist"),
    "influence": ({"influences": np.full((4, 1), 1)}, r"a vertex names a joint that does not exist"),
    "bind": ({"joint_from_mesh": np.eye(4)[None]}, r"joint_from_mesh has shape \(1, 4, 4\)"),
    "shape": ({"shapes": (BlendShape("a", "smile", np.ones((3, 3))),)}, r"shape 'a' has 3 offsets for 4 vertices"),
    "shape's normals": (
        {"shapes": (BlendShape("a", "smile", np.ones((4, 3)), np.ones((2, 3))),)},
        r"shape 'a' has 2 normal offsets for 4 vertices",
    ),
}


@pytest.mark.parametrize(("change", "says"), BAD.values(), ids=BAD.keys())
def test_says_what_does_not_fit(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidDocument, match=says):
        replace(pyramid(), **change)
