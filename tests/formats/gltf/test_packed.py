"""Compressed files: every code of meshopt as its own library wrote and read it (meshopt.json, made with meshoptimizer
1.2), Draco as DracoPy writes it, and what ends in one line."""

import base64
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from inbetweener.formats.gltf.packed import meshopt
from tests.formats.gltf.build import Build
from tests.formats.gltf.oracle import Oracle

CODES = json.loads((Path(__file__).parent / "meshopt.json").read_text())


@pytest.mark.parametrize("code", CODES, ids=lambda code: code["name"].replace(" ", "-"))
def test_every_code_is_read_as_its_own_library_does(code: dict[str, Any]) -> None:
    packed = meshopt.Packed(0, 1, code["stride"], code["count"], code["mode"], 0, code["filter"])
    got = meshopt.unpacked(packed, memoryview(base64.b64decode(code["packed"])))
    wanted = base64.b64decode(code["plain"])
    if code["filter"] in ("OCTAHEDRAL", "QUATERNION", "COLOR"):
        # Rounded from single precision there.
        kind = "i1" if code["stride"] == 4 else "<i2"
        off = np.frombuffer(got, kind).astype(int) - np.frombuffer(wanted, kind)
        assert np.abs(off).max() <= 1
    else:
        assert got == wanted


@pytest.mark.parametrize("name", ["rows v0 90x12 step 4", "rows v1 20x64 step 2", "triangles 2", "indices"])
def test_cut_and_changed_codes_end_in_one_line(name: str) -> None:
    code = next(each for each in CODES if each["name"] == name)
    packed = meshopt.Packed(0, 1, code["stride"], code["count"], code["mode"], 0, code["filter"])
    data = base64.b64decode(code["packed"])
    for end in range(0, len(data) - 1, 7):
        with pytest.raises(meshopt.Unreadable):
            meshopt.unpacked(packed, memoryview(data[: min(end, len(data) // 2)]))
    rng = np.random.default_rng(22)
    for _ in range(300):
        changed = bytearray(data)
        for at in rng.integers(0, len(data), 4):
            changed[at] = rng.integers(256)
        try:
            made = meshopt.unpacked(packed, memoryview(bytes(changed)))
        except meshopt.Unreadable:
            continue
        assert len(made) == code["count"] * code["stride"]


def packed_triangle(extension: str = "EXT_meshopt_compression") -> Build:
    """A mesh of 60 vertices, its positions packed, in a buffer that only stands for them."""
    code = next(each for each in CODES if each["name"] == "floats v0")
    made = Build()
    made.triangle()
    data = base64.b64decode(code["packed"])
    at = len(made.data)
    made.data += data + b"\0" * (-len(data) % 4)
    record = {"buffer": 0, "byteOffset": at, "byteLength": len(data), "byteStride": 12, "count": 60}
    view = {"buffer": 1, "byteOffset": 0, "byteLength": 720, "byteStride": 12}
    made.json["bufferViews"][0] = {**view, "extensions": {extension: {**record, "mode": "ATTRIBUTES"}}}
    made.json["accessors"][0]["count"] = 60
    uri = "data:application/octet-stream;base64," + base64.b64encode(made.data).decode()
    made.json["buffers"] = [
        {"byteLength": len(made.data), "uri": uri},
        {"byteLength": 720, "extensions": {extension: {"fallback": True}}},
    ]
    made.json["extensionsUsed"] = made.json["extensionsRequired"] = [extension]
    return made


@pytest.mark.parametrize("extension", meshopt.NAMES)
def test_a_packed_file_is_saved_plain(tmp_path: Path, extension: str) -> None:
    document = read(packed_triangle(extension).save(tmp_path)).document
    code = next(each for each in CODES if each["name"] == "floats v0")
    wanted = np.frombuffer(base64.b64decode(code["plain"]), "<f4").reshape(-1, 3)
    np.testing.assert_array_equal(document.meshes[0].vertices, wanted)
    write(document, tmp_path / "saved.glb")
    saved = Oracle(tmp_path / "saved.glb")
    assert "extensionsUsed" not in saved.json
    np.testing.assert_array_equal(saved.accessor(0), wanted)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"count": 10**9}, "far more|budget|bytes"),
        ({"byteLength": 10**6}, "lie outside buffer"),
        ({"mode": "WAVES"}, "WAVES"),
        ({"byteStride": 7}, "no table of numbers"),
        ({"filter": "QUATERNION"}, "which QUATERNION cannot be"),
        ({"count": 4000}, "ends before|promises"),
        ({"count": 1}, "promises 720 bytes"),
        ({"buffer": 5}, "no buffer 5"),
    ],
)
def test_what_a_packed_view_cannot_be(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    made = packed_triangle()
    made.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"].update(change)
    with pytest.raises(FormatError, match=words):
        read(made.save(tmp_path))


# Draco.


def drawn() -> tuple[Build, np.ndarray, np.ndarray]:
    """A dome whose only copy is Draco's."""
    draco = pytest.importorskip("DracoPy")
    angles = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
    points = np.array([[0, 1, 0], *np.stack([np.cos(angles), 0 * angles, np.sin(angles)], axis=1)], np.float32)
    faces = np.array([[0, 1 + n, 1 + (n + 1) % 20] for n in range(20)], np.uint32)
    data = draco.encode(points, faces, preserve_order=True, quantization_bits=16)
    made = Build()
    view = made.view(data)
    made.json |= {
        "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": 21, "min": [-1, 0, -1], "max": [1, 1, 1]},
            {"componentType": 5123, "type": "SCALAR", "count": 60},
        ],
        "nodes": [{"mesh": 0}],
        "meshes": [
            {
                "primitives": [
                    {
                        "attributes": {"POSITION": 0},
                        "indices": 1,
                        "extensions": {
                            "KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}
                        },
                    }
                ]
            }
        ],
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "extensionsRequired": ["KHR_draco_mesh_compression"],
    }
    return made, points, faces


def test_a_mesh_of_draco_is_read_and_saved_plain(tmp_path: Path) -> None:
    made, points, faces = drawn()
    document = read(made.save(tmp_path)).document
    np.testing.assert_allclose(document.meshes[0].vertices, points, atol=1e-4)
    np.testing.assert_array_equal(document.meshes[0].triangles, faces)
    write(document, tmp_path / "saved.glb")
    assert "extensionsUsed" not in Oracle(tmp_path / "saved.glb").json


def test_changed_bytes_of_draco_end_in_one_line(tmp_path: Path) -> None:
    made, _, _ = drawn()
    whole, rng = bytes(made.data), np.random.default_rng(5)
    for n in range(120):
        changed = bytearray(whole)
        if n % 3 == 0:
            changed = changed[: int(rng.integers(8, len(whole)))].ljust(len(whole), b"\0")
        else:
            for at in rng.integers(0, len(whole), 3):
                changed[at] = rng.integers(256)
        made.data = bytes(changed)
        made.json.pop("buffers", None)
        with contextlib.suppress(FormatError):
            read(made.save(tmp_path))


def test_without_its_library_draco_is_named_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = drawn()
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(FormatError, match=r"pip install 'inbetweener\[draco\]'.*gltf-transform"):
        read(made.save(tmp_path))
