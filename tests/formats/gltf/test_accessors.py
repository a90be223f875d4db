"""Numbers in every dress that glTF allows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.errors import FormatError
from inbetweener.formats.gltf import read
from inbetweener.rig import Point
from inbetweener.skinning import Mesh
from tests.document.puppet import PAPER
from tests.formats.gltf.build import Build


def opened(build: Build, folder: Path) -> Mesh:
    return read(build.save(folder)).document.meshes[0]


@pytest.mark.parametrize(("dtype", "most"), [("u1", 255), ("u2", 65535)])
def test_normalised_integers(dtype: str, most: int, tmp_path: Path) -> None:
    build = Build()
    colours = build.accessor([[0, most, most // 2, most]] * 3, dtype, normalized=True)
    build.triangle(attributes={"COLOR_0": colours})
    found = opened(build, tmp_path).colours
    assert found is not None
    assert found[0] == pytest.approx([0, 1, (most // 2) / most, 1], abs=1e-7)


@pytest.mark.parametrize(("dtype", "most"), [("i1", 127), ("i2", 32767)])
def test_signed_normalised_rotations(dtype: str, most: int, tmp_path: Path) -> None:
    build = Build()
    build.triangle()
    build.animation("rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]])
    build.json["animations"][0]["samplers"][0]["output"] = build.accessor(
        [[0, 0, 0, most], [0, 0, most, 0]], dtype, normalized=True
    )
    motion = read(build.save(tmp_path)).document.motion()
    tip = motion.point_positions([0, 0.5, 1], [Point("node_0", (1.0, 0.0, 0.0))])[:, 0]
    assert tip == pytest.approx(np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0]]), abs=1e-9)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4"])
def test_indices_of_every_size(dtype: str, tmp_path: Path) -> None:
    build = Build()
    build.triangle(indices=build.accessor([2, 1, 0], dtype))
    assert opened(build, tmp_path).triangles.tolist() == [[2, 1, 0]]


def test_interleaved_attributes(tmp_path: Path) -> None:
    build = Build()
    rows = np.arange(24, dtype="<f4").reshape(3, 8)
    view = build.view(rows.tobytes(), byteStride=32)
    for offset, kind in ((0, "VEC3"), (12, "VEC3"), (24, "VEC2")):
        build.json["accessors"].append(
            {"bufferView": view, "byteOffset": offset, "componentType": 5126, "type": kind, "count": 3}
        )
    build.json["nodes"] = [{"mesh": 0}]
    build.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}}]}]
    mesh = opened(build, tmp_path)
    assert np.array_equal(mesh.vertices, rows[:, :3])
    assert np.array_equal(mesh.normals, rows[:, 3:6])
    assert np.array_equal(mesh.uvs, rows[:, 6:])


@pytest.mark.parametrize("with_base", [True, False])
def test_sparse_replacements(with_base: bool, tmp_path: Path) -> None:
    build = Build()
    build.triangle()
    accessor = build.json["accessors"][0]
    if not with_base:
        del accessor["bufferView"]
    accessor["sparse"] = {
        "count": 2,
        "indices": {"bufferView": build.view(np.array([0, 2], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": build.view(np.array([[5, 6, 7], [8, 9, 10]], "<f4").tobytes())},
    }
    middle = [1, 0, 0] if with_base else [0, 0, 0]
    assert opened(build, tmp_path).vertices.tolist() == [[5, 6, 7], middle, [8, 9, 10]]


@pytest.mark.parametrize(
    ("mode", "corners", "triangles"),
    [
        (4, None, [[0, 1, 2]]),
        (5, [0, 1, 2, 3, 4], [[0, 1, 2], [2, 1, 3], [2, 3, 4]]),
        (5, [0, 1, 2, 2, 3], [[0, 1, 2]]),
        (6, [0, 1, 2, 3], [[0, 1, 2], [0, 2, 3]]),
        (4, [0, 1, 2, 3], [[0, 1, 2]]),
    ],
)
def test_strips_and_fans_become_triangles(
    mode: int, corners: list[int] | None, triangles: list[list[int]], tmp_path: Path
) -> None:
    build = Build()
    points = build.accessor(np.random.default_rng(1).normal(size=(5, 3)) if corners else np.eye(3))
    primitive: dict[str, Any] = {"attributes": {"POSITION": points}, "mode": mode}
    if corners:
        primitive["indices"] = build.accessor(corners, "u1")
    build.json |= {"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]}
    assert opened(build, tmp_path).triangles.tolist() == triangles


def test_points_and_lines_are_left_out_with_a_note(tmp_path: Path) -> None:
    build = Build()
    build.triangle(mode=1)
    reading = read(build.save(tmp_path))
    assert reading.document.meshes == ()
    assert any("/meshes/0/primitives/0/mode" in line for line in reading.losses)


@pytest.mark.parametrize(
    ("attributes", "line"),
    [({"NORMAL": np.eye(2, 3)}, "2 elements for 3 vertices"), ({"TEXCOORD_0": np.eye(3)}, "expected VEC2")],
)
def test_attributes_must_fit(attributes: dict[str, Any], line: str, tmp_path: Path) -> None:
    build = Build()
    build.triangle(attributes={name: build.accessor(values) for name, values in attributes.items()})
    with pytest.raises(FormatError, match=line):
        opened(build, tmp_path)


def test_texture_transform_moves_the_coordinates(tmp_path: Path) -> None:
    build = Build()
    picture = build.view(PAPER)
    build.triangle(attributes={"TEXCOORD_1": build.accessor([[0, 0], [1, 0], [0, 1]])}, material=0)
    placed = {"offset": [0.5, 0.25], "rotation": np.pi / 2, "scale": [2, 3], "texCoord": 1}
    texture = {"index": 0, "extensions": {"KHR_texture_transform": placed}}
    build.json |= {
        "images": [{"bufferView": picture, "mimeType": "image/png"}],
        "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": texture}}],
    }
    mesh = opened(build, tmp_path)
    # The extension's own matrix: translation · rotation · scale, with rows (cos, sin) and (−sin, cos).
    assert mesh.uvs == pytest.approx(np.array([[0.5, 0.25], [0.5, -1.75], [3.5, 0.25]]), abs=1e-6)
    assert mesh.material.texture is not None
