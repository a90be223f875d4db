"""What a file may not do: leave its folder, promise more than it has, hang or blow up."""

import json
import os
import struct
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inbetweener.errors import FormatError, InvalidDocument
from inbetweener.formats.gltf import read, write
from tests.formats.gltf.build import Build
from tests.formats.gltf.made import face


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin", "a/../../secret.bin", "/etc/hostname", "%2e%2e/secret.bin", "file:///etc/hostname",
        "http://localhost/x.bin", "https://localhost/x.bin", "//localhost/x.bin", "missing.bin", "", "a\0b", ".",
        "data:application/octet-stream;base64,%%%", "data:;base64,AAA", "C:\\secret.bin", "x" * 5000, "http://[bad",
    ],
)  # fmt: skip
def test_buffers_stay_in_the_folder(uri: str, tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(400))
    folder = tmp_path / "inside"
    folder.mkdir()
    build = Build()
    build.triangle()
    build.json["buffers"] = [{"byteLength": len(build.data), "uri": uri}]
    assert "/buffers/0" in refusal(build.save(folder))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(400))
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    build = Build()
    build.triangle()
    build.json["buffers"] = [{"byteLength": len(build.data), "uri": "link.bin"}]
    assert "leads out of" in refusal(build.save(folder))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among files there")
def test_a_pipe_is_no_buffer_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.bin")
    build = Build()
    build.triangle()
    build.json["buffers"] = [{"byteLength": len(build.data), "uri": "a.bin"}]
    assert "/buffers/0/uri: 'a.bin' is not a file" in refusal(build.save(tmp_path))


def test_short_buffers_are_refused_and_long_ones_noted(tmp_path: Path) -> None:
    build = Build()
    build.triangle()
    build.json["buffers"] = [{"byteLength": len(build.data), "uri": "a.bin"}]
    path = build.save(tmp_path)
    (tmp_path / "a.bin").write_bytes(build.data[:-1])
    assert "promises 36 bytes but has 35" in refusal(path)
    (tmp_path / "a.bin").write_bytes(build.data + b"more")
    assert any("4 bytes more" in line for line in read(path).repairs)


@pytest.mark.parametrize(
    ("nodes", "line"),
    [
        ([{"children": [1]}, {"children": [0]}], "/nodes/0: is its own ancestor"),
        ([{"children": [0]}], "already a child of itself"),
        ([{"children": [2]}, {"children": [2]}, {}], "already a child of node 0"),
        ([{"children": [7]}], "there is no node 7"),
    ],
)
def test_nodes_must_form_a_tree(nodes: list[dict[str, Any]], line: str, tmp_path: Path) -> None:
    build = Build()
    build.json["nodes"] = nodes
    assert line in refusal(build.save(tmp_path))


def test_a_very_deep_chain_opens(tmp_path: Path) -> None:
    build = Build()
    count = 2 * sys.getrecursionlimit()
    build.json["nodes"] = [{"children": [n + 1], "translation": [0, 1, 0]} for n in range(count - 1)] + [{}]
    rig = read(build.save(tmp_path)).document.rig
    assert rig.rest_world()[-1, 1, 3] == count - 1


def test_an_interpolation_of_zero_is_linear_and_told(tmp_path: Path) -> None:
    """As a real exporter writes it; other numbers mean nothing."""
    build = Build()
    build.triangle()
    build.animation("translation", [0.0, 1.0], [[0, 0, 0], [1, 2, 3]])
    plain = read(build.save(tmp_path))
    sampler = build.json["animations"][0]["samplers"][0]
    sampler["interpolation"] = 0
    reading = read(build.save(tmp_path))
    assert reading.document.clips == plain.document.clips
    (line,) = set(reading.repairs) - set(plain.repairs)
    assert "/animations/0/samplers/0/interpolation" in line
    assert "LINEAR" in line
    sampler["interpolation"] = 1
    assert "/animations/0/samplers/0/interpolation" in refusal(build.save(tmp_path))


def test_required_extensions_are_named_with_a_remedy(tmp_path: Path) -> None:
    build = Build()
    build.json["extensionsRequired"] = build.json["extensionsUsed"] = ["KHR_made_up"]
    line = refusal(build.save(tmp_path))
    assert "KHR_made_up" in line
    assert "without this extension" in line
    del build.json["extensionsRequired"]
    assert any("KHR_made_up" in line for line in read(build.save(tmp_path)).repairs)


@pytest.mark.parametrize(
    "change",
    [
        {"count": 2**40}, {"count": 13}, {"byteOffset": 30}, {"byteOffset": 2**50}, {"bufferView": 9},
        {"bufferView": None, "count": 2**40}, {"componentType": 5124}, {"type": "VEC5"}, {"count": 0}, {"count": -3},
        {"count": 1.5}, {"type": "MAT3"},
        {"sparse": {"count": 9, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}},
        {"sparse": {"count": 2, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}},
    ],
)  # fmt: skip
def test_impossible_accessors_are_refused_without_memory(change: dict[str, Any], tmp_path: Path) -> None:
    build = Build()
    build.triangle()
    accessor = build.json["accessors"][0]
    accessor.update(change)
    if accessor.get("bufferView", 0) is None:
        del accessor["bufferView"]
    path = build.save(tmp_path)
    tracemalloc.start()
    try:
        assert "/accessors/0" in refusal(path) or "/attributes/POSITION" in refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 4e6
    finally:
        tracemalloc.stop()


def test_many_accessors_of_the_same_bytes_are_bounded(tmp_path: Path) -> None:
    build = Build()
    zeros = build.view(bytes(1 << 20))
    build.json["accessors"] = [
        {"bufferView": zeros, "componentType": 5121, "type": "VEC4", "count": 1 << 18, "normalized": True}
        for _ in range(400)
    ] + [{"componentType": 5126, "type": "SCALAR", "count": 1 << 18} for _ in range(400)]
    build.json["nodes"] = [{}]
    build.json["animations"] = [
        {
            "samplers": [{"input": 400 + n, "output": n}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        }
        for n in range(400)
    ]
    assert "would unfold to" in refusal(build.save(tmp_path))


def test_old_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    for text in (b"", b"hello", b"[]", b"{}", b'{"asset": {"version": "1.0"}}', b"[" * 100000, b'{"asset": 3}'):
        path.write_bytes(text)
        assert str(path) in refusal(path)
    path.write_bytes(b"glTF" + struct.pack("<II", 1, 20) + bytes(8))
    assert "container version 1" in refusal(path)
    assert "no such file" in refusal(tmp_path / "absent.glb")


def test_cut_off_containers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write(face(), path)
    whole = path.read_bytes()
    for size in (3, 11, 19, 40, len(whole) - 1):
        path.write_bytes(whole[:size])
        refusal(path)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    path.write_bytes(b"old")
    document = face()
    broken = document.meshes[0].vertices.copy()
    broken[0, 0] = float("nan")
    with pytest.raises(InvalidDocument, match="not all finite"):
        write(replace(document, meshes=(replace(document.meshes[0], vertices=broken),)), path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.glb"]
    with pytest.raises(FormatError, match="no folder"):
        write(document, tmp_path / "absent" / "a.glb")
    with pytest.raises(FormatError, match=r"\.glb, \.gltf or \.vrm"):
        write(document, tmp_path / "a.obj")


def test_gltf_carries_its_data_inside(tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    write(face(), path)
    (buffer,) = json.loads(path.read_text())["buffers"]
    assert buffer["uri"].startswith("data:application/octet-stream;base64,")
    assert [p.name for p in tmp_path.iterdir()] == ["a.gltf"]
