"""The two wrappings of glTF: a JSON text, or a binary container of a JSON chunk and a data chunk."""

import struct
from pathlib import Path
from typing import Any

import msgspec

from inbetweener.document.budget import Budget, OverBudget
from inbetweener.errors import FormatError
from inbetweener.formats.gltf.schema import Gltf

MAGIC = b"glTF"
_JSON, _BINARY = 0x4E4F534A, 0x004E4942


Parts = dict[str, msgspec.Raw]
"""The JSON by its first names, not looked into."""


def unpack(data: bytes, path: Path, budget: Budget) -> tuple[Gltf, Parts, bytes | None, list[tuple[str, str]]]:
    """The JSON, twice, the data chunk if there is one, and what had to be mended."""
    notes: list[tuple[str, str]] = []
    text, binary = (data, None)
    if data[:4] == MAGIC:
        text, binary = _chunks(data, path, notes)
    if text[:3] == b"\xef\xbb\xbf":
        notes.append(("", "the JSON text starts with a byte-order mark, which glTF forbids; skipped"))
        text = text[3:]
    try:
        budget.spend_json(text)
    except OverBudget as error:
        raise FormatError(path, "", str(error)) from None
    try:
        gltf = msgspec.json.decode(text, type=Gltf)
        parts = msgspec.json.decode(text, type=Parts)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at ")
        raise FormatError(path, pointer(place.strip("`")), problem, "the file breaks the glTF 2.0 schema") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise FormatError(
            path, "", f"not a glTF file: {(' '.join(str(error).split())[:200])}", "expected .glb or JSON text"
        ) from None
    # glTF forbids empty lists; they mean nothing, so they are only mentioned.
    for name, value in parts.items():
        if b"".join(bytes(value)[:100].split()) == b"[]":
            notes.append((f"/{name}", "is an empty list; ignored"))
    version = gltf.asset.min_version or gltf.asset.version
    if not version.startswith("2."):
        raise FormatError(
            path, "/asset/version", f"glTF {version[:20]!r} is not supported", "convert the file to glTF 2.0"
        )
    return gltf, parts, binary, notes


def _chunks(data: bytes, path: Path, notes: list[tuple[str, str]]) -> tuple[bytes, bytes | None]:
    if len(data) < 20:
        raise FormatError(path, "header", f"the file ends after {len(data)} bytes", "it was cut off; fetch it again")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise FormatError(path, "header", f"container version {version}, expected 2", "convert the file to glTF 2.0")
    if length > len(data):
        raise FormatError(
            path, "header", f"promises {length} bytes, the file has {len(data)}", "it was cut off; fetch it again"
        )
    if length < len(data):
        notes.append(("header", f"{len(data) - length} bytes after the end of the container; ignored"))
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            raise FormatError(path, f"chunk at byte {at}", f"{size} bytes run past the end of the container")
        chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if _JSON not in chunks:
        raise FormatError(path, "header", "the container has no JSON chunk")
    return chunks[_JSON], chunks.get(_BINARY)


def pack(gltf: Gltf | dict[str, Any], binary: bytes) -> bytes:
    """A binary container."""
    text = msgspec.json.encode(gltf)
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    parts = [struct.pack("<II", len(text), _JSON), text]
    if binary:
        parts += [struct.pack("<II", len(binary), _BINARY), binary]
    body = b"".join(parts)
    return MAGIC + struct.pack("<II", 2, 12 + len(body)) + body


def pointer(place: str) -> str:
    """The JSON pointer of one of msgspec's paths: `$.nodes[3].mesh` is /nodes/3/mesh."""
    steps = place.removeprefix("$").replace("[", ".").replace("]", "").split(".")
    return "/" + "/".join(step for step in steps if step)
