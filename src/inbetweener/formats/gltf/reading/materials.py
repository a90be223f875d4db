"""Materials: base colour, its texture, and where the texture is looked up."""

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import FormatError
from inbetweener.formats.gltf.reading.source import Source, named
from inbetweener.formats.gltf.schema import PICTURES, MaterialRecord, TextureInfo
from inbetweener.skinning import Material


class _Placement(msgspec.Struct, rename="camel"):
    """KHR_texture_transform: coordinates are scaled, turned, then shifted."""

    offset: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)
    tex_coord: int | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """A material, the set of texture coordinates it uses, and how they are moved (2, 3)."""

    material: Material
    coordinates: int = 0
    placement: Floats | None = None


class Surfaces:
    """The file's materials, each read once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._surfaces: dict[int, Surface] = {}
        self._pictures: dict[int, bytes | None] = {}

    def get(self, index: int | None, place: str) -> Surface:
        """The material that `place` points at, glTF's white default where it points at none."""
        if index is None:
            return Surface(Material(colour=(1.0, 1.0, 1.0, 1.0)))
        if index not in self._surfaces:
            record = self.source.item("material", self.source.gltf.materials, index, place)
            self._surfaces[index] = self._read(record, index)
        return self._surfaces[index]

    def _read(self, record: MaterialRecord, index: int) -> Surface:
        place = f"/materials/{index}"
        base = record.pbr_metallic_roughness
        colour = base.base_color_factor if base else (1.0, 1.0, 1.0, 1.0)
        if not all(0.0 <= part <= 1.0 for part in colour):
            self.source.note(f"{place}/pbrMetallicRoughness/baseColorFactor", "lies outside 0 to 1; clipped")
            colour = tuple(min(max(part, 0.0), 1.0) for part in colour)  # type: ignore[assignment]
        if record.alpha_mode == "OPAQUE":
            colour = (*colour[:3], 1.0)
        left_out = [
            name
            for name, used in (
                ("metal and roughness map", base and base.metallic_roughness_texture),
                ("normal map", record.normal_texture),
                ("occlusion map", record.occlusion_texture),
                ("emission map", record.emissive_texture),
                *((name, True) for name in sorted(record.extensions)),
            )
            if used
        ]
        if left_out:
            self.source.note(place, f"only the base colour is kept; left out: {', '.join(left_out)}")
        info = base.base_color_texture if base else None
        here = f"{place}/pbrMetallicRoughness/baseColorTexture"
        picture = self._texture(info, here) if info else None
        material = Material(named(record, ""), colour, picture, record.double_sided)
        if info is None or picture is None:
            return Surface(material)
        placement = info.extensions.get("KHR_texture_transform")
        if placement is None:
            return Surface(material, info.tex_coord)
        return self._placed(material, info, placement, f"{here}/extensions/KHR_texture_transform")

    def _placed(self, material: Material, info: TextureInfo, placement: Any, place: str) -> Surface:
        try:
            moved = msgspec.convert(placement, _Placement)
        except msgspec.ValidationError as error:
            self.source.fail(place, str(error))
        cosine, sine = np.cos(moved.rotation), np.sin(moved.rotation)
        (sx, sy), (ox, oy) = moved.scale, moved.offset
        matrix = np.array([[cosine * sx, sine * sy, ox], [-sine * sx, cosine * sy, oy]])
        if not np.isfinite(matrix).all():
            self.source.fail(place, "is not made of finite numbers")
        return Surface(material, info.tex_coord if moved.tex_coord is None else moved.tex_coord, matrix)

    def _texture(self, info: TextureInfo, place: str) -> bytes | None:
        gltf = self.source.gltf
        texture = self.source.item("texture", gltf.textures, info.index, f"{place}/index")
        if texture.source is None:
            self.source.note(f"/textures/{info.index}", "has no image that we can read; left out")
            return None
        if texture.source not in self._pictures:
            self.source.item("image", gltf.images, texture.source, f"/textures/{info.index}/source")
            self._pictures[texture.source] = self._picture(texture.source)
        return self._pictures[texture.source]

    def _picture(self, index: int) -> bytes | None:
        image, place = self.source.gltf.images[index], f"/images/{index}"
        if image.buffer_view is not None:
            data = bytes(self.source.view(image.buffer_view, f"{place}/bufferView")[1])
        elif image.uri is not None:
            try:
                data = self.source.resource(image.uri, f"{place}/uri")
            except FormatError as error:
                # A character without its picture is still worth opening.
                self.source.note(place, f"left out: {error.problem}")
                return None
        else:
            self.source.note(place, "has neither a uri nor a bufferView; left out")
            return None
        if not data.startswith(tuple(PICTURES)):
            self.source.note(place, "is neither PNG nor JPEG; left out")
            return None
        return data
