"""No file takes more memory than its size explains, whatever it says: 64 MB and 20 bytes for each of its own."""

import base64
import json
import random
import struct
import tracemalloc
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener import formats
from inbetweener.document import Document, read_native, write_native
from inbetweener.document.budget import ROOM, TIMES
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.rig import Joint, Rig, shape_channels
from inbetweener.skinning import BlendShape, Mesh
from tests.cli.command import run_here
from tests.document.puppet import puppet

Crafted = Iterator[tuple[str, bytes]]


def gltf(data: bytes = b"", **parts: Any) -> bytes:
    whole: dict[str, Any] = {"asset": {"version": "2.0"}, **parts}
    if data:
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        whole["buffers"] = [{"byteLength": len(data), "uri": uri}]
        whole["bufferViews"] = [{"buffer": 0, "byteLength": len(data)}]
    return json.dumps(whole, separators=(",", ":")).encode()


def accessor(count: int, kind: str = "VEC3", component: int = 5126, **more: Any) -> dict[str, Any]:
    return {"componentType": component, "count": count, "type": kind, **more}


def crafted_gltf(rng: random.Random) -> Crafted:
    """Sharing, zeros, numbers and names, each multiplied as far as the format lets it be."""
    n = rng.choice([10, 200, 1000])
    many = rng.choice([5, 20, 150])
    triangle = {"attributes": {"POSITION": 0}}
    yield (
        "zeros.gltf",
        gltf(
            accessors=[accessor(rng.choice([10**5, 10**7, 3 * 10**8]))],
            meshes=[{"primitives": [triangle]}],
            nodes=[{"mesh": 0}],
        ),
    )
    yield (
        "shared.gltf",
        gltf(
            bytes(12 * n),
            accessors=[accessor(n, bufferView=0)] * many,
            meshes=[{"primitives": [{"attributes": {"POSITION": i}} for i in range(many)]}],
            nodes=[{"mesh": 0}],
        ),
    )
    yield (
        "targets.gltf",
        gltf(
            bytes(12 * n),
            accessors=[accessor(n, bufferView=0)],
            meshes=[{"primitives": [{**triangle, "targets": [{}] * many}]}],
            nodes=[{"mesh": 0, "name": "x" * rng.choice([1, 100_000])}] * rng.choice([1, 50]),
        ),
    )
    yield "nodes.gltf", gltf(nodes=[{}] * (2 * n))
    yield "skins.gltf", gltf(nodes=[{}], skins=[{"joints": [0] * n}] * many)
    times = np.arange(n, dtype="<f4").tobytes()
    turns = np.tile(np.array([0, 0, 0, 1], "<f4"), n).tobytes()
    animated = {
        "accessors": [accessor(n, "SCALAR", bufferView=0), accessor(n, "VEC4", bufferView=0, byteOffset=4 * n)],
        "nodes": [{}] * many,
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in range(many)],
            }
        ],
    }
    yield "tracks.gltf", gltf(times + turns, **animated)
    late = struct.pack("<2f", 0.0, rng.choice([1e3, 1e6, 1e9])) + struct.pack("<8f", 0, 0, 0, 1, 0, 0, 0, 1)
    yield (
        "late.gltf",
        gltf(
            late,
            accessors=[accessor(2, "SCALAR", bufferView=0), accessor(2, "VEC4", bufferView=0, byteOffset=8)],
            nodes=[{}],
            animations=[
                {
                    "samplers": [{"input": 0, "output": 1}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                    "extras": {"inbetweener": {"rate": rng.choice([24, 1e6, 9e8])}},
                }
            ],
        ),
    )
    yield "extras.gltf", gltf(nodes=[{}])[:-1] + b',"extras":' + b"[" * 400 + b"]" * 400 + b"}"
    yield "lists.gltf", gltf(nodes=[{}])[:-1] + b',"x":[' + b",".join([b"[]"] * n) + b"]}"


@cache
def packed_zeros(size: int) -> str:
    packing = zlib.compressobj(9)
    parts = [packing.compress(bytes(10**5)) for _ in range(size // 10**5)]
    return base64.b64encode(b"".join([*parts, packing.flush()])).decode()


def crafted_tween(rng: random.Random, plain: dict[str, Any]) -> Crafted:
    """Arrays that are next to nothing when packed, many keys, absurd lengths."""
    made = json.loads(json.dumps(plain))
    size = rng.choice([10**5, 10**7, 2 * 10**8])
    content = packed_zeros(size)
    rows = size // 12
    for copy in range(rng.choice([1, 4])):
        made["arrays"][f"bomb{copy}"] = {"type": "f4", "shape": [rows, 3], "zlib": content}
        made["meshes"][0] |= {"vertices": f"bomb{copy}", "normals": f"bomb{copy}"}
    yield "bomb.tween", json.dumps(made).encode()
    long = json.loads(json.dumps(plain))
    long["clips"][0] |= {"end": rng.choice([10.0, 1e6, 1e12]), "rate": rng.choice([24.0, 1e9])}
    yield "long.tween", json.dumps(long).encode()
    keys = json.loads(json.dumps(plain))
    name = next(iter(keys["clips"][0]["curves"]))
    keys["clips"][0]["curves"][name] = [[i, 0] for i in range(rng.choice([10, 20_000]))]
    yield "keys.tween", json.dumps(keys, separators=(",", ":")).encode()
    joints = json.loads(json.dumps(plain))
    joints["joints"] = [joints["joints"][0]] * rng.choice([2, 2000])
    yield "joints.tween", json.dumps(joints).encode()


def crafted_bvh(rng: random.Random) -> Crafted:
    joints, frames = rng.choice([1, 20, 200]), rng.choice([2, 100])
    name = "x" * rng.choice([1, 2000])
    opened = "".join(
        f"JOINT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" for _ in range(joints)
    )
    body = opened + "End Site\n{\nOFFSET 0 0 0\n}\n" + "}\n" * joints
    row = " ".join(["0"] * (3 + 3 * joints)) + "\n"
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
    declared = rng.choice([frames, 10**9])
    yield "some.bvh", f"{head}{body}}}\nMOTION\nFrames: {declared}\nFrame Time: 0.01\n{row * frames}".encode()


def peak(path: Path) -> int:
    """Bytes that reading takes at most; what the reader says of it does not matter."""
    tracemalloc.start()
    try:
        document = formats.read(path).document
        for clip in document.clips:
            assert len(clip.frame_times) <= 10**6 + 1
    except InbetweenerError as error:
        assert path.name in str(error)  # noqa: PT017
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


def test_memory_is_bounded_by_the_size_of_the_file(tmp_path: Path) -> None:
    write_native(ib.example("waving"), tmp_path / "plain.tween")
    plain = json.loads((tmp_path / "plain.tween").read_bytes())
    formats.read(tmp_path / "plain.tween")  # whatever is made once is made now
    count = 0
    for seed in range(15):
        rng = random.Random(seed)
        for name, content in (*crafted_gltf(rng), *crafted_tween(rng, plain), *crafted_bvh(rng)):
            path = tmp_path / name
            path.write_bytes(content)
            count += 1
            assert peak(path) <= (64 << 20) + 20 * len(content), (seed, name, len(content))
    assert count >= 200


@pytest.fixture
def bomb(tmp_path: Path) -> Path:
    path = tmp_path / "a.gltf"
    path.write_bytes(
        gltf(
            accessors=[accessor(6_000_000)],
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}],
            nodes=[{"mesh": 0}],
        )
    )
    return path


def test_who_knows_a_file_may_open_it(bomb: Path) -> None:
    with pytest.raises(FormatError, match=r"would unfold to \d+ MiB, too much for a file of \d+ bytes; .*--trust"):
        ib.load(bomb)
    assert len(ib.load(bomb, trust=True).meshes[0].vertices) == 6_000_000
    assert run_here(["info", bomb.name], bomb.parent).returncode == 1
    assert run_here(["--trust", "info", bomb.name], bomb.parent).returncode == 0


def test_what_is_saved_can_be_opened_however_well_it_packs(tmp_path: Path) -> None:
    rig = Rig((Joint("root"),), shape_channels([f"s{n}" for n in range(80)]))
    vertices = np.random.default_rng(0).normal(size=(1000, 3))
    still = tuple(BlendShape(f"s{n}", f"s{n}", np.full((60_000, 3), n, np.float32)) for n in range(80))
    mesh = Mesh.rigid("face", "root", np.resize(vertices, (60_000, 3)), [[0, 1, 2]], shapes=still)
    document = Document("face", rig, (mesh,))
    path = tmp_path / "face.tween"
    write_native(document, path)
    assert sum(shape.offsets.nbytes for shape in still) > ROOM
    assert read_native(path) == document
    assert TIMES * path.stat().st_size > sum(shape.offsets.nbytes for shape in still)
    assert read_native(path, trust=True) == document


def test_an_ordinary_document_is_packed(tmp_path: Path) -> None:
    write_native(puppet(), tmp_path / "a.tween")
    assert read_native(tmp_path / "a.tween") == puppet()
