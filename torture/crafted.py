"""Files crafted to unfold to far more than they hold, or to keep readers busy for longer than their size explains."""

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from inbetweener.document.native.read import native_text
from inbetweener.formats.fbx import container
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.writing import VERSION, node
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


def crafted_gltf(random: Random) -> Crafted:
    """Sharing, zeros, numbers and names, each multiplied as far as the format lets it be."""
    n = random.choice([10, 200, 1000])
    many = random.choice([5, 20, 150])
    triangle = {"attributes": {"POSITION": 0}}
    yield (
        "zeros.gltf",
        gltf(
            accessors=[accessor(random.choice([10**5, 10**7, 3 * 10**8]))],
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
            nodes=[{"mesh": 0, "name": "x" * random.choice([1, 100_000])}] * random.choice([1, 50]),
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
    late = struct.pack("<2f", 0.0, random.choice([1e3, 1e6, 1e9])) + struct.pack("<8f", 0, 0, 0, 1, 0, 0, 0, 1)
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
                    "extras": {"inbetweener": {"rate": random.choice([24, 1e6, 9e8])}},
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


def crafted_tween(random: Random, plain: dict[str, Any]) -> Crafted:
    """Arrays that are next to nothing when packed, many keys, absurd lengths."""
    made = json.loads(json.dumps(plain))
    size = random.choice([10**5, 10**7, 2 * 10**8])
    content = packed_zeros(size)
    rows = size // 12
    for copy in range(random.choice([1, 4])):
        made["arrays"][f"bomb{copy}"] = {"type": "f4", "shape": [rows, 3], "zlib": content}
        made["meshes"][0] |= {"vertices": f"bomb{copy}", "normals": f"bomb{copy}"}
    yield "bomb.tween", json.dumps(made).encode()
    long = json.loads(json.dumps(plain))
    long["clips"][0] |= {"end": random.choice([10.0, 1e6, 1e12]), "rate": random.choice([24.0, 1e9])}
    yield "long.tween", json.dumps(long).encode()
    keys = json.loads(json.dumps(plain))
    name = next(iter(keys["clips"][0]["curves"]))
    keys["clips"][0]["curves"][name] = [[i, 0] for i in range(random.choice([10, 20_000]))]
    yield "keys.tween", json.dumps(keys, separators=(",", ":")).encode()
    joints = json.loads(json.dumps(plain))
    joints["joints"] = [joints["joints"][0]] * random.choice([2, 2000])
    yield "joints.tween", json.dumps(joints).encode()


def crafted_bvh(random: Random) -> Crafted:
    joints, frames = random.choice([1, 20, 200]), random.choice([2, 100])
    name = "x" * random.choice([1, 2000])
    opened = "".join(
        f"JOINT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" for _ in range(joints)
    )
    body = opened + "End Site\n{\nOFFSET 0 0 0\n}\n" + "}\n" * joints
    row = " ".join(["0"] * (3 + 3 * joints)) + "\n"
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
    declared = random.choice([frames, 10**9])
    yield "some.bvh", f"{head}{body}}}\nMOTION\nFrames: {declared}\nFrame Time: 0.01\n{row * frames}".encode()


def _fbx(*records: Record) -> bytes:
    return container.pack(node("", inside=list(records)), VERSION)


def crafted_fbx(random: Random) -> Crafted:
    """Arrays that are next to nothing when packed, and records that hold nothing but records."""
    many = random.choice([10, 400])
    zeros = np.zeros(random.choice([10**4, 10**7]), "<f8")
    arrays = [node("Vertices", zeros) for _ in range(random.choice([1, 3]))]
    yield "bomb.fbx", _fbx(node("Objects", inside=arrays))
    yield "records.fbx", _fbx(*(node("a") for _ in range(100 * many)))
    deep = node("a")
    for _ in range(many):
        deep = node("a", inside=[deep])
    yield "deep.fbx", _fbx(deep)
    yield "text.fbx", b"; FBX 7.4.0 project file\n" + b"a: { " * (50 * many)
    yield (
        "list.fbx",
        b"; FBX 7.4.0 project file\nObjects: {\nVertices: *999999999 {\na: " + b"0," * 50 * many + b"0\n}\n}",
    )


def _zipped(member: str, content: bytes, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr(member, content)
    return file.getvalue()


@cache
def _zipped_zeros(member: str, size: int) -> bytes:
    return _zipped(member, bytes(size))


def crafted_zips(random: Random) -> Crafted:
    """Archives with members of zeros, which may say that they are small."""
    size = random.choice([10**5, 3 * 10**8])
    for name, member in (("bomb.npz", "names.npy"), ("bomb.usdz", "a.usdc")):
        content = _zipped_zeros(member, size)
        yield name, content
        # What it says of its length stands in its own head and in the list at the end.
        yield f"lying {name}", content.replace(struct.pack("<I", size), struct.pack("<I", 200))
    array = io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**9)})
    yield "shape.npz", _zipped("names.npy", array.getvalue())


def crafted_text(random: Random) -> Crafted:
    """Trees and tables as deep, as wide and as much the same as their formats let them be."""
    many = random.choice([20, 3000])
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    yield "laughs.xml", f'<!DOCTYPE a [<!ENTITY a0 "ha">{laughs}]><mujoco><a b="&a11;"/></mujoco>'.encode()
    given = f'<!DOCTYPE mujoco [<!ATTLIST body pos CDATA "{"0" * 100 * many}">]>'
    yield "given.xml", f"{given}<mujoco><worldbody>{'<body/>' * many}</worldbody></mujoco>".encode()
    wide = "".join(f' a{n}="0"' for n in range(many))
    classes = "".join(f'<default class="c{n}"/>' for n in range(many))
    inside = f"<default><geom{wide}/>{classes}</default><worldbody><body/></worldbody>"
    yield "classes.mjcf", f"<mujoco>{inside}</mujoco>".encode()
    yield "deep.urdf", f"<robot>{'<a>' * many}".encode()
    links = "".join(f'<link name="l{n}"/>' for n in range(many // 2))
    joints = "".join(
        f'<joint name="j{n}" type="fixed"><parent link="l{n}"/><child link="l{n + 1}"/></joint>'
        for n in range(many // 2 - 1)
    )
    yield "chain.urdf", f'<robot name="r">{links}{joints}</robot>'.encode()
    columns = ",".join(f"c{n}" for n in range(20 * many))
    yield "wide.csv", f"time,{columns}\n".encode()
    yield "rows.csv", f"time,{columns}\n".encode() + b"\n" * many * 10
    yield "deep.toml", b"a = " + b"[" * many
    yield "tables.toml", f"[{'.'.join(['a'] * many)}]\n".encode() * 2
    yield "steps.toml", b'[[steps]]\nverb = "fit"\n' * many
    yield "digits.toml", f"a = {'9' * 10 * many}\n".encode()
    yield "deep.usda", b"#usda 1.0\n" + b'def "a" { ' * many
    yield "long.usda", f"#usda 1.0\n( startTimeCode = 0 endTimeCode = {random.choice([10, 10**12])} )\n".encode()


def crafted(random: Random) -> tuple[str, bytes]:
    """A file by its name."""
    plain = json.loads(native_text(puppet()))
    kind = random.choice(
        [crafted_gltf, lambda r: crafted_tween(r, plain), crafted_bvh, crafted_fbx, crafted_zips, crafted_text]
    )
    return random.choice(list(kind(random)))
