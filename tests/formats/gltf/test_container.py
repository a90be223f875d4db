"""The two wrappings: text and binary container."""

import json
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats.gltf import read
from inbetweener.formats.gltf.container import pack, pointer, unpack
from inbetweener.formats.gltf.schema import Asset, Buffer, Gltf, Node


@given(st.text(max_size=20), st.binary(max_size=50))
def test_packing_and_unpacking_are_inverse(name: str, data: bytes) -> None:
    gltf = Gltf(asset=Asset(version="2.0"), nodes=[Node(name=name, translation=(1.0, 2.5, -3.0))])
    if data:
        gltf.buffers = [Buffer(byte_length=len(data))]
    whole = pack(gltf, data)
    assert len(whole) % 4 == 0
    back, _, binary, notes = unpack(whole, Path("a.glb"), Budget(len(whole)))
    assert back == gltf
    assert (binary or b"")[: len(data)] == data
    assert notes == []


def test_odd_but_readable_texts_open_with_a_note(tmp_path: Path) -> None:
    text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{}], "scenes": []}).encode()
    path = tmp_path / "a.gltf"
    path.write_bytes(b"\xef\xbb\xbf" + text)
    assert read(path).repairs == (
        "the JSON text starts with a byte-order mark, which glTF forbids; skipped",
        "/scenes: is an empty list; ignored",
    )
    body = struct.pack("<II", len(text) + -len(text) % 4, 0x4E4F534A) + text + b" " * (-len(text) % 4)
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body + b"tail")
    assert read(path).repairs == (
        "header: 4 bytes after the end of the container; ignored",
        "/scenes: is an empty list; ignored",
    )


def test_pointers_are_those_of_json() -> None:
    assert pointer("$.animations[2].channels[0]") == "/animations/2/channels/0"
    assert pointer("$") == "/"


def test_a_name_that_is_no_text_is_an_error_of_the_file(tmp_path: Path) -> None:
    # A key that the schema does not know is skipped unread at first.
    path = tmp_path / "a.gltf"
    path.write_bytes(b'{"asset": {"version": "2.0"}, "\xff\xfe": []}')
    with pytest.raises(FormatError, match=r"a\.gltf.*not a glTF file"):
        read(path)
