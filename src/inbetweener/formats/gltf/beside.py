"""In words, what a kept glTF file has beside what we edit."""

from collections.abc import Iterable
from typing import Any

import msgspec

from inbetweener.document.kept import Kept
from inbetweener.formats.gltf.schema import EXTRAS

_MAPS = {"normalTexture": "normal maps", "occlusionTexture": "occlusion maps", "emissiveTexture": "emission maps"}
_PLAIN = {
    "metallicFactor": "metal",
    "roughnessFactor": "roughness",
    "emissiveFactor": "emission",
}
_SHAPES = frozenset({"POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0", "TANGENT"})


def words(kept: Kept) -> list[str]:
    """What a file of another format cannot get, in the order in which a person would miss it."""
    try:
        whole: dict[str, Any] = msgspec.json.decode(kept.text)
    except msgspec.DecodeError:
        return []
    found = dict.fromkeys(_words(whole))
    return [*found]


def licence(kept: Kept) -> dict[str, str] | None:
    """Title, authors and licence of a VRM file, of 0.x or 1.0, as it tells them; None of other files."""
    extensions = msgspec.json.decode(kept.text).get("extensions", {})
    for name, title, authors, terms in (
        ("VRMC_vrm", "name", "authors", "licenseUrl"),
        ("VRM", "title", "author", "licenseName"),
    ):
        extension = extensions.get(name)
        meta = extension.get("meta") if isinstance(extension, dict) else None
        if isinstance(meta, dict):
            told = {"title": meta.get(title), "authors": meta.get(authors), "licence": meta.get(terms)}
            return {
                key: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                for key, value in told.items()
                if value
            }
    return None


def words_of_mesh(mesh: dict[str, Any], materials: list[Any]) -> list[str]:
    """What a mesh of the file has that one written anew has not."""
    used = [materials[part["material"]] for part in mesh["primitives"] if "material" in part]
    extensions = sorted(name for each in used for name in each.get("extensions", {}))
    return [*dict.fromkeys([*_looks(used, [mesh]), *extensions])]


def _words(whole: dict[str, Any]) -> Iterable[str]:
    yield from _looks(whole.get("materials", []), whole.get("meshes", []))
    if whole.get("cameras"):
        yield f"{len(whole['cameras'])} cameras"
    if any(each.get("channels") for each in whole.get("animations", [])):
        yield "animation of materials, lights and the like"
    yield from sorted(name for name in whole.get("extensionsUsed", []) if isinstance(name, str))
    if any(_has_extras(each) for name in ("nodes", "materials", "scenes") for each in whole.get(name, [])):
        yield "extras"


def _looks(materials: list[Any], meshes: list[Any]) -> Iterable[str]:
    for material in materials:
        base = material.get("pbrMetallicRoughness", {})
        yield from (word for name, word in _MAPS.items() if name in material)
        if "metallicRoughnessTexture" in base:
            yield "metal and roughness maps"
        if material.get("alphaMode") == "MASK":
            yield "masks"
        yield from (word for name, word in _PLAIN.items() if name in material or name in base)
    attributes = {name for mesh in meshes for part in mesh["primitives"] for name in part["attributes"]}
    if "TANGENT" in attributes:
        yield "tangents of vertices"
    if any(name.startswith("TEXCOORD_") for name in attributes - _SHAPES):
        yield "further texture coordinates"


def _has_extras(record: Any) -> bool:
    extras = record.get("extras") if isinstance(record, dict) else None
    return isinstance(extras, dict) and bool(extras.keys() - {EXTRAS})
