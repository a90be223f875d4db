"""Mesh primitives as arrays: attributes, triangles, morph targets."""

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import FormatError, InvalidDocument
from inbetweener.formats.gltf import schema
from inbetweener.formats.gltf.reading.source import Accessors, Source, named
from inbetweener.formats.gltf.schema import WEBP, MaterialRecord, Primitive, TextureInfo
from inbetweener.skinning import Material, normalised_weights
from inbetweener.skinning.mesh import Indices, Singles
from inbetweener.skinning.picture import check_picture


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
        info = base.base_color_texture if base else None
        here = f"{place}/pbrMetallicRoughness/baseColorTexture"
        picture = self._texture(info, here) if info else None
        material = Material(named(record, ""), colour, picture, record.double_sided, index)
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
        source, where = texture.source, f"/textures/{info.index}/source"
        if source is None and isinstance(webp := texture.extensions.get(WEBP), dict):
            source, where = webp.get("source"), f"/textures/{info.index}/extensions/{WEBP}/source"
        if source is None:
            self.source.leave_out(f"/textures/{info.index}", "has no image that we can read; left out")
            return None
        if type(source) is not int:
            self.source.fail(where, "is not the number of an image")
        if source not in self._pictures:
            self.source.item("image", gltf.images, source, where)
            self._pictures[source] = self._picture(source)
        return self._pictures[source]

    def _picture(self, index: int) -> bytes | None:
        image, place = self.source.gltf.images[index], f"/images/{index}"
        if image.buffer_view is not None:
            found = self.source.view(image.buffer_view, f"{place}/bufferView")[1]
            self.source.spend(len(found), place)
            data = bytes(found)
        elif image.uri is not None:
            try:
                data = self.source.resource(image.uri, f"{place}/uri")
            except FormatError as error:
                # A character without its picture is still worth opening.
                self.source.leave_out(place, f"left out: {error.problem}")
                return None
        else:
            self.source.leave_out(place, "has neither a uri nor a bufferView; left out")
            return None
        try:
            check_picture(data)
        except InvalidDocument as error:
            self.source.leave_out(place, f"left out: {error}")
            return None
        return data


@dataclass(frozen=True, slots=True)
class Part:
    """A primitive without its binding: shared by all nodes that show it."""

    vertices: Singles
    triangles: Indices
    normals: Singles | None
    uvs: Singles | None
    colours: Singles | None
    offsets: tuple[tuple[Singles, Singles | None], ...]
    material: Material
    rigid: tuple[Indices, Singles]
    """Influences and weights for when it follows one joint."""


class Parts:
    """Primitives, each read once however many nodes show it."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self.surfaces = Surfaces(source)
        self._parts: dict[tuple[int, int], Part | None] = {}
        self._influences: dict[tuple[int, int, int], tuple[Indices, Singles] | None] = {}
        self._rigid: dict[int, tuple[Indices, Singles]] = {}
        self._zeros: dict[int, Singles] = {}

    def get(self, mesh: int, index: int, primitive: Primitive) -> Part | None:
        """A primitive of a mesh; None, with a note, where it is not made of triangles."""
        if (mesh, index) not in self._parts:
            self._parts[mesh, index] = self._read(primitive, f"/meshes/{mesh}/primitives/{index}")
        return self._parts[mesh, index]

    def influences(
        self, mesh: int, index: int, primitive: Primitive, joint_count: int
    ) -> tuple[Indices, Singles] | None:
        """Its influences and weights under a skin of so many joints; None where it has none."""
        key = (mesh, index, joint_count)
        if key not in self._influences:
            part = self.get(mesh, index, primitive)
            self._influences[key] = read_influences(
                self.source, self.accessors, primitive, len(part.vertices) if part else 0, joint_count,
                f"/meshes/{mesh}/primitives/{index}/attributes",
            )  # fmt: skip
        return self._influences[key]

    def _read(self, primitive: Primitive, place: str) -> Part | None:
        source, accessors = self.source, self.accessors
        attributes = primitive.attributes
        if primitive.mode < schema.TRIANGLES:
            source.leave_out(f"{place}/mode", "points and lines are left out; only triangles are read")
            return None
        if "POSITION" not in attributes:
            source.leave_out(f"{place}/attributes", "has no positions; left out")
            return None
        vertices = accessors.floats(attributes["POSITION"], f"{place}/attributes/POSITION", "VEC3")
        count = len(vertices)
        # Bindings, coordinates and colours are made anew for every primitive.
        source.spend(64 * count + 300 * len(primitive.targets), place)
        surface = self.surfaces.get(primitive.material, f"{place}/material")
        uvs = self._attribute(primitive, f"TEXCOORD_{surface.coordinates}", count, place, "VEC2")
        if uvs is not None and surface.placement is not None:
            with np.errstate(over="ignore"):
                uvs = (uvs @ surface.placement[:, :2].T + surface.placement[:, 2]).astype(np.float32)
            if not np.isfinite(uvs).all():
                source.fail(f"{place}/material", "moves texture coordinates out of all bounds")
        colours = self._attribute(primitive, "COLOR_0", count, place, "VEC3", "VEC4")
        if colours is not None and colours.shape[1] == 3:
            colours = np.concatenate([colours, np.ones((count, 1), np.float32)], axis=1)
        return Part(
            vertices,
            self._triangles(primitive, count, place),
            self._attribute(primitive, "NORMAL", count, place, "VEC3"),
            None if uvs is None else np.asarray(frozen(uvs, np.float32)),
            None if colours is None else np.asarray(frozen(colours, np.float32)),
            tuple(self._target(target, count, f"{place}/targets/{n}") for n, target in enumerate(primitive.targets)),
            surface.material,
            self._rigid_binding(count),
        )

    def _attribute(self, primitive: Primitive, name: str, count: int, place: str, *types: str) -> Singles | None:
        if name not in primitive.attributes:
            return None
        here = f"{place}/attributes/{name}"
        values = self.accessors.floats(primitive.attributes[name], here, *types)
        if len(values) != count:
            self.source.fail(here, f"{len(values)} elements for {count} vertices")
        return values

    def _target(self, target: dict[str, int], count: int, place: str) -> tuple[Singles, Singles | None]:
        moved: dict[str, Any] = {}
        for name in ("POSITION", "NORMAL"):
            if name in target:
                moved[name] = self.accessors.floats(target[name], f"{place}/{name}", "VEC3")
                if len(moved[name]) != count:
                    self.source.fail(f"{place}/{name}", f"{len(moved[name])} elements for {count} vertices")
        if "POSITION" not in moved:
            moved["POSITION"] = self._still(count)
        return moved["POSITION"], moved.get("NORMAL")

    def _still(self, count: int) -> Singles:
        if count not in self._zeros:
            self._zeros[count] = np.asarray(frozen(np.zeros((count, 3)), np.float32))
        return self._zeros[count]

    def _rigid_binding(self, count: int) -> tuple[Indices, Singles]:
        if count not in self._rigid:
            zeros, ones = np.zeros((count, 1), np.int32), np.ones((count, 1), np.float32)
            self._rigid[count] = np.asarray(frozen(zeros, np.int32)), np.asarray(frozen(ones, np.float32))
        return self._rigid[count]

    def _triangles(self, primitive: Primitive, count: int, place: str) -> Indices:
        if primitive.indices is None:
            corners = np.arange(count, dtype=np.int64)
        else:
            here = f"{place}/indices"
            raw = self.accessors.raw(primitive.indices, here, "SCALAR")[:, 0]
            if raw.dtype.kind != "u":
                self.source.fail(here, "indices must be unsigned whole numbers")
            self.source.spend(36 * len(raw), here)
            corners = raw.astype(np.int64)
            if corners.max() >= count:
                self.source.fail(here, f"vertex {int(corners.max())} is used, but there are {count}")
        if primitive.mode == schema.TRIANGLES:
            if len(corners) % 3:
                self.source.note(place, f"{len(corners)} corners do not make whole triangles; the rest is dropped")
            triangles = corners[: len(corners) // 3 * 3].reshape(-1, 3)
        else:
            triangles = _unrolled(corners, fan=primitive.mode == schema.TRIANGLE_FAN)
        return np.asarray(frozen(triangles, np.int32))


def _unrolled(corners: npt.NDArray[np.int64], fan: bool) -> npt.NDArray[np.int64]:
    """Separate triangles of a strip or a fan, all turned the same way; those without area are dropped."""
    if len(corners) < 3:
        return np.zeros((0, 3), np.int64)
    if fan:
        triangles = np.stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]], axis=1)
    else:
        triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        triangles[1::2] = triangles[1::2, [1, 0, 2]]
    a, b, c = triangles.T
    return np.asarray(triangles[(a != b) & (b != c) & (a != c)])


ROUNDING = 2e-7
"""How far a sum may be off for each weight in it: rounding, as the Khronos validator forgives it."""


def read_influences(
    source: Source, accessors: Accessors, primitive: Primitive, vertex_count: int, joint_count: int, place: str
) -> tuple[Indices, Singles] | None:
    """Influences and weights (V, N), N as many as the busiest vertex needs; None where there are none at all."""
    sets: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]] = []
    while f"JOINTS_{len(sets)}" in primitive.attributes:
        n = len(sets)
        here = f"{place}/JOINTS_{n}"
        joints = accessors.raw(primitive.attributes[f"JOINTS_{n}"], here, "VEC4")
        if joints.dtype.kind != "u" or joints.dtype.itemsize > 2:
            source.fail(here, "joints must be bytes or shorts without sign")
        if f"WEIGHTS_{n}" not in primitive.attributes:
            source.fail(place, f"JOINTS_{n} comes without WEIGHTS_{n}")
        weights = accessors.numbers(primitive.attributes[f"WEIGHTS_{n}"], f"{place}/WEIGHTS_{n}", "VEC4")
        if not len(joints) == len(weights) == vertex_count:
            source.fail(here, f"{len(joints)} joints and {len(weights)} weights for {vertex_count} vertices")
        source.spend(120 * vertex_count, here)
        sets.append((joints.astype(np.int32), weights.astype(np.float64)))
    if not sets:
        return None
    influences = np.concatenate([joints for joints, _ in sets], axis=1)
    shares = np.concatenate([weights for _, weights in sets], axis=1)
    mended = normalised_weights(influences, shares, joint_count, tolerance=ROUNDING * influences.shape[1])
    lost = int((~np.isfinite(shares)).any(axis=1).sum())
    if lost:
        source.note(place, f"{lost} vertices have weights that are not numbers; dropped")
    if mended.impossible > lost:
        others = mended.impossible - lost
        source.note(place, f"{others} vertices have negative weights or joints the skin does not have; dropped")
    if mended.unbound:
        source.note(place, f"{mended.unbound} vertices follow no joint; bound to the skin's first")
    if mended.rescaled:
        sums = shares[np.isfinite(shares).all(axis=1)].sum(axis=1)
        worst = sums[np.argmax(np.abs(sums - 1))]
        source.note(place, f"weights of {mended.rescaled} vertices do not sum to 1 (one sums to {worst:.4g}); scaled")
    return mended.influences, mended.weights
