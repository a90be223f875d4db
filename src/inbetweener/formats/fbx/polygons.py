"""Polygons of a geometry: their corners with normals, coordinates and colours."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.formats.fbx.scene import Thing
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.notes import Source
from inbetweener.formats.polygons import Corners, triangulated


def read_corners(geometry: Thing, place: str, source: Source) -> Corners | None:
    """The polygons of a geometry; None, with a note, where it has none."""
    flat = geometry.record.array("Vertices", np.float64)
    ends = geometry.record.array("PolygonVertexIndex", np.int64)
    if flat is None or ends is None or not len(ends) or not len(flat):
        source.leave_out(place, "its mesh has no polygons; left out")
        return None
    if len(flat) % 3 or not (np.abs(flat) < 1e30).all():
        source.fail(place, "its vertices are not made of three finite numbers each", "export the file anew")
    points = flat.reshape(-1, 3)
    source.spend(200 * len(ends), place)
    closing = ends < 0
    point_of = np.where(closing, ~ends, ends)
    if point_of.max() >= len(points):
        source.fail(place, f"a polygon names vertex {int(point_of.max())} of {len(points)}", "export the file anew")
    closing[-1] = True
    stops = np.flatnonzero(closing) + 1
    starts = np.concatenate([[0], stops[:-1]])
    triangles, polygon = triangulated(points, point_of, starts, stops - starts)
    if not len(triangles):
        source.leave_out(place, "its mesh has no polygons; left out")
        return None
    polygon_of = np.repeat(np.arange(len(starts)), stops - starts)
    look = _Look(geometry.record, point_of, polygon_of, place, source)
    uvs = look.read("UV", "UV", 2)
    if uvs is not None:
        uvs = np.stack([uvs[:, 0], 1.0 - uvs[:, 1]], axis=1)
    materials = look.materials(len(starts))
    return Corners(
        points, point_of, look.read("Normal", "Normals", 3), uvs, look.read("Color", "Colors", 4), triangles,
        materials[polygon],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Look:
    """Layers of a geometry: one value for every corner, however they are laid."""

    record: Record
    point_of: Ints
    polygon_of: Ints
    place: str
    source: Source

    def read(self, kind: str, values: str, width: int) -> Floats | None:
        """(C, width); None where there are none that can be used, with a note where there are some."""
        layer = self.record.find(f"LayerElement{kind}")
        data = None if layer is None else layer.array(values, np.float64)
        if layer is None or data is None or not len(data):
            return None
        rows = data.reshape(-1, width) if len(data) % width == 0 else np.empty((0, width))
        index = self._index(layer, f"{values}Index" if kind != "Color" else "ColorIndex", len(self.point_of))
        if index is None or not len(rows) or index.max() >= len(rows) or index.min() < 0 or not np.isfinite(rows).all():
            self.source.leave_out(self.place, f"its {values.lower()} cannot be read; left out")
            return None
        return rows[index]

    def _index(self, layer: Record, name: str, count: int) -> Ints | None:
        mapping = layer.text("MappingInformationType")
        at = {
            "ByPolygonVertex": np.arange(count),
            "ByVertex": self.point_of,
            "ByVertice": self.point_of,
            "ByPolygon": self.polygon_of,
            "AllSame": np.zeros(count, np.int64),
        }.get(mapping)
        if at is None or layer.text("ReferenceInformationType") == "Direct":
            return at
        index = layer.array(name, np.int64)
        if index is None:
            return at
        return index[at] if at.max(initial=-1) < len(index) else None

    def materials(self, polygons: int) -> Ints:
        """The number of every polygon's material."""
        layer = self.record.find("LayerElementMaterial")
        numbers = None if layer is None else layer.array("Materials", np.int64)
        if layer is None or numbers is None or not len(numbers):
            return np.zeros(polygons, np.int64)
        if layer.text("MappingInformationType") == "ByPolygon" and len(numbers) >= polygons:
            return numbers[:polygons]
        return np.full(polygons, numbers[0])
