"""A material wears pictures and nothing else, whatever a file says."""

import io
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image

from inbetweener.document import Document
from inbetweener.document.native import read_repaired, write_native
from inbetweener.errors import InvalidDocument
from inbetweener.formats import gltf
from inbetweener.render.surface import painted
from inbetweener.skinning import Material
from inbetweener.skinning.picture import check_picture, decode_picture, media_type
from tests.formats.gltf.made import face

POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n%%EOF\n"


def encoded(kind: str) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.full((4, 6, 3), (200, 100, 50), np.uint8)).save(file, kind, lossless=True)
    return file.getvalue()


def png_head(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + b"\0\0\1\0IDAT"


def dressed(texture: bytes) -> Document:
    document = face()
    mesh = document.meshes[0]
    worn = replace(mesh, uvs=mesh.vertices[:, :2], material=Material(colour=(0.5, 0.5, 0.5, 1.0), texture=texture))
    return replace(document, meshes=(worn, *document.meshes[1:]))


@pytest.mark.parametrize(("kind", "name"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
def test_three_kinds_are_read_shown_saved_and_exported(kind: str, name: str, tmp_path: Path) -> None:
    picture = encoded(kind)
    assert media_type(picture) == name
    assert np.abs(np.asarray(decode_picture(picture), int) - (200, 100, 50)).max() <= 3
    write_native(dressed(picture), tmp_path / "a.tween")
    document, repairs = read_repaired(tmp_path / "a.tween")
    assert repairs == ()
    assert document.meshes[0].material.texture == picture
    assert gltf.write(document, tmp_path / "a.glb") == ()
    back = gltf.read(tmp_path / "a.glb")
    assert back.repairs == ()
    assert back.document.meshes[0].material.texture == picture


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (POSTSCRIPT, "neither PNG nor JPEG nor WebP"),
        (b"", "neither PNG nor JPEG nor WebP"),
        (b"GIF89a" + bytes(40), "neither PNG nor JPEG nor WebP"),
        (b"\x89PNG\r\n\x1a\n" + POSTSCRIPT, "is damaged"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "is damaged"),
        (png_head(9000, 9000), "has 9000 × 9000 pixels"),
        (png_head(11_000, 11_000), "has more than 67108864 pixels"),
        (png_head(2**31 - 1, 2**31 - 1), "has more than 67108864 pixels"),
    ],
    ids=["postscript", "nothing", "gif", "postscript behind a signature", "cut", "large", "larger", "largest"],
)
def test_what_is_no_picture_is_left_out_and_told(
    data: bytes, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[object] = []
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *given, **more: ran.append(given))
    with pytest.raises(InvalidDocument, match=problem):
        check_picture(data)
    document = dressed(data)
    write_native(document, tmp_path / "a.tween")
    opened, repairs = read_repaired(tmp_path / "a.tween")
    assert opened.meshes[0].material.texture is None
    assert len(repairs) == 1
    assert repairs[0].startswith("$.meshes[0].material.texture: left out: ")
    assert problem in repairs[0]
    # The renderer asks again: a document need not come from a file.
    assert np.ptp(painted(document.meshes[0]).colours, axis=0).max() == 0
    assert not ran


def test_a_truncated_picture_does_not_stop_the_renderer() -> None:
    whole = io.BytesIO()
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)).save(whole, "PNG")
    data = whole.getvalue()[: len(whole.getvalue()) // 2]
    check_picture(data)
    with pytest.raises(InvalidDocument, match="cannot be decoded"):
        decode_picture(data)
    assert len(painted(dressed(data).meshes[0]).colours) == len(dressed(data).meshes[0].vertices)
