"""Broken files: one clear line each, within the budget, never a traceback."""

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inbetweener.document.budget import ROOM
from inbetweener.errors import FormatError
from inbetweener.formats.fbx import container, read, write
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.writing import VERSION, Objects, node
from inbetweener.skinning import Mesh

SAID = {
    "synthetic_node_cycle_fail_7700_ascii": "Model 'A': is its own ancestor",
    "synthetic_truncated_quot_fail_7500_ascii": "line 358: a text in quotes has no end",
    "synthetic_unsupported_cube_fail_2000_binary": "FBX version 2000 is not supported; export it as FBX 2011 or later",
    "ufbx_fuzz_0028": "does not fit where it lies",
    "ufbx_fuzz_0116": "does not fit where it lies",
    "ufbx_fuzz_0304": "an array promises 192 bytes and unpacks to others",
    "ufbx_fuzz_0516": "does not fit where it lies",
    "ufbx_fuzz_0741": "not an FBX file",
}


@pytest.mark.parametrize("name", SAID)
def test_broken_files_of_others(name: str, data: Path) -> None:
    path = data / "fbx" / "malformed" / f"{name}.fbx"
    with pytest.raises(FormatError) as caught:
        read(path)
    assert SAID[name] in str(caught.value)
    assert "\n" not in str(caught.value)


def outcome(path: Path, content: bytes) -> str | None:
    """What is said of a file; None where it opens."""
    path.write_bytes(content)
    said = None
    try:
        read(path)
    except FormatError as error:
        said = str(error)
    assert said is None or ("\n" not in said and said.startswith(str(path)))
    return said


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small file: joints, a mesh, curves."""
    from tests.formats.fbx.test_keys import document

    path = tmp_path_factory.mktemp("sound") / "a.fbx"
    plain = document(np.random.default_rng(1))
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    mesh = Mesh.rigid("skin", "arm", corners, [[0, 1, 2]])
    write(replace(plain, meshes=(mesh,)), path)
    return path.read_bytes()


def test_files_cut_anywhere_are_refused(tmp_path: Path, sound: bytes) -> None:
    # What follows the records is a foot that nobody needs.
    last = sound.rindex(b"Takes") + 20
    for end in np.linspace(0, last, 150).astype(int):
        assert outcome(tmp_path / "a.fbx", sound[:end]) is not None, end


def test_files_with_changed_bytes_open_or_are_refused(tmp_path: Path, sound: bytes) -> None:
    chance = np.random.default_rng(3)
    refused = 0
    for _ in range(300):
        content = bytearray(sound)
        for at in chance.integers(len(container.MAGIC), len(content), int(chance.integers(1, 6))):
            content[at] = chance.integers(256)
        refused += outcome(tmp_path / "a.fbx", bytes(content)) is not None
    assert 30 < refused < 300


def test_text_with_changed_letters_opens_or_is_refused(tmp_path: Path, data: Path) -> None:
    text = (data / "fbx" / "ufbx" / "maya_scale_no_inherit_7700_ascii.fbx").read_bytes()
    chance = np.random.default_rng(4)
    for _ in range(60):
        content = bytearray(text)
        for at in chance.integers(300, len(content), int(chance.integers(1, 8))):
            content[at] = chance.choice(list(b'{}":,*;0-9aE\n'))
        outcome(tmp_path / "a.fbx", bytes(content))
    for end in np.linspace(200, len(text) - 400, 25).astype(int):
        outcome(tmp_path / "a.fbx", text[:end])


def test_an_array_that_unfolds_without_end_is_refused(tmp_path: Path) -> None:
    huge = 4 * ROOM // 8
    packed = zlib.compress(bytes(8 * huge), 9)
    value = b"d" + struct.pack("<III", huge, 1, len(packed)) + packed
    start = len(container.MAGIC) + 4
    head = struct.pack("<IIIB", start + 13 + 1 + len(value), 1, len(value), 1) + b"A"
    said = outcome(tmp_path / "a.fbx", container.MAGIC + struct.pack("<I", VERSION) + head + value + bytes(13))
    assert said is not None
    assert "too much for a file of" in said


def test_records_too_deep_are_refused(tmp_path: Path) -> None:
    record = node("A", 1)
    for _ in range(200):
        record = node("A", 1, inside=[record])
    said = outcome(tmp_path / "a.fbx", container.pack(node("", inside=[record]), VERSION))
    assert "more than 32 deep" in str(said)
    deep = b"; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n" + b"A: {\n" * 5000
    assert "more than 32 deep" in str(outcome(tmp_path / "a.fbx", deep))


def test_numbers_that_cannot_be_are_refused(tmp_path: Path) -> None:
    objects = Objects()
    geometry = [node("Vertices", np.zeros(9)), node("PolygonVertexIndex", np.array([0, 1, -90], "<i4"))]
    model = objects.add("Model", "a", "Mesh", [])
    objects.connect(model, 0)
    objects.connect(objects.add("Geometry", "a", "Mesh", geometry), model)
    said = outcome(tmp_path / "a.fbx", container.pack(objects.file(24.0, 1.0, (0.0, 1.0)), VERSION))
    assert "a polygon names vertex 89 of 3" in str(said)


def test_an_empty_scene_opens(tmp_path: Path) -> None:
    assert outcome(tmp_path / "a.fbx", container.pack(Objects().file(24.0, 1.0, (0.0, 0.0)), VERSION)) is None


def test_numbers_too_large_for_their_type_are_cast_without_a_warning() -> None:
    record = Record("", inside=[Record("New", [np.array([1.0, np.nan])]), Record("Old", [0.5, 1e300])])
    for name, first in (("New", 1), ("Old", 0)):
        found = record.array(name, np.int64)
        assert found is not None
        assert (found.dtype, found[0]) == (np.int64, first)
    wide = Record("", inside=[Record("Wide", [np.array([1e300])])]).array("Wide", np.float32)
    assert wide is not None
    assert np.isinf(wide).all()
