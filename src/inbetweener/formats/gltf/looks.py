"""What a kept glTF file says of its materials beyond colour and picture: maps of bumps, metal, shade and glow."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from inbetweener.document import Document
from inbetweener.document.kept import Kept
from inbetweener.errors import InvalidDocument
from inbetweener.skinning import Mesh
from inbetweener.skinning.picture import check_picture

MAPS = {"normal": "normalTexture", "occlusion": "occlusionTexture", "emission": "emissiveTexture"}
METAL = "metal-rough"
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Look:
    """A material's further numbers and maps; metal and roughness are None where the file says nothing of them.

    maps  encoded pictures by name: normal, occlusion, emission, metal-rough; only those that lie as the base's does
    """

    metal: float | None = None
    rough: float | None = None
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bumps: float = 1.0
    shade: float = 1.0
    maps: dict[str, bytes] = field(default_factory=dict, repr=False)


def look_of(document: Document, mesh: Mesh) -> Look | None:
    """What the file that a document came from says of a mesh's material, if it says more than we keep in it."""
    kept = None if document.source is None else document.source.kept
    number = mesh.material.look
    if kept is None or number is None or mesh.uvs is None:
        return None
    looks = _looks(kept)
    return looks[number] if number < len(looks) else None


@lru_cache(maxsize=4)
def _looks(kept: Kept) -> list[Look | None]:
    whole: _Json = msgspec.json.decode(kept.text)
    data = b"".join(block.tobytes() for block in kept.blocks)
    return [_look(each, whole, data) for each in whole.get("materials", []) or []]


def _look(record: Any, whole: _Json, data: bytes) -> Look | None:
    if not isinstance(record, dict):
        return None
    base = record.get("pbrMetallicRoughness")
    base = base if isinstance(base, dict) else {}
    lies = _lies(base.get("baseColorTexture"))
    maps = {}
    named = {**{name: record.get(key) for name, key in MAPS.items()}, METAL: base.get("metallicRoughnessTexture")}
    for name, info in named.items():
        # Coordinates are those of the base's picture.
        if isinstance(info, dict) and _lies(info) == lies and (picture := _picture(info, whole, data)) is not None:
            maps[name] = picture
    told = METAL in maps
    glow = record.get("emissiveFactor", (0.0, 0.0, 0.0))
    strength = _number((record.get("extensions") or {}).get("KHR_materials_emissive_strength"), "emissiveStrength", 1.0)
    try:
        emission = tuple(min(max(float(part) * strength, 0.0), 20.0) for part in glow)
    except (TypeError, ValueError):
        emission = ()
    look = Look(
        metal=_number(base, "metallicFactor", 1.0) if told or "metallicFactor" in base else None,
        rough=_number(base, "roughnessFactor", 1.0) if told or "roughnessFactor" in base else None,
        emission=(emission[0], emission[1], emission[2]) if len(emission) == 3 else (0.0, 0.0, 0.0),
        bumps=_number(record.get("normalTexture"), "scale", 1.0),
        shade=_number(record.get("occlusionTexture"), "strength", 1.0),
        maps=maps,
    )
    return None if look == Look() else look


def _number(record: Any, name: str, otherwise: float) -> float:
    value = record.get(name, otherwise) if isinstance(record, dict) else otherwise
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e6 else otherwise


def _lies(info: Any) -> tuple[Any, str]:
    """Which coordinates a map is looked up with, and how they are moved."""
    if not isinstance(info, dict):
        return 0, "null"
    moved = (info.get("extensions") or {}).get("KHR_texture_transform")
    return info.get("texCoord", 0), msgspec.json.encode(moved).decode()


def _picture(info: _Json, whole: _Json, data: bytes) -> bytes | None:
    """A map's bytes; None where there is no picture that we show."""
    try:
        texture = whole["textures"][info["index"]]
        webp = texture.get("extensions", {}).get("EXT_texture_webp", {})
        image = whole["images"][texture.get("source", webp.get("source"))]
        view = whole["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        found = data[start : start + view["byteLength"]]
        check_picture(found)
    except (KeyError, IndexError, TypeError, AttributeError, InvalidDocument):
        return None  # decoration: reading has told of what is missing
    return found
