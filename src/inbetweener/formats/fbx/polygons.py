"""Polygons of a geometry: their corners with normals, coordinates and colours, and how triangles are made of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.formats.fbx.scene import Thing
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.notes import Source


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Vertices: their control points (V,), normals, coordinates, colours; and triangles (F, 3) of them."""

    points_of: Ints
    triangles: Ints
    normals: Floats | None
    uvs: npt.NDArray[np.float32] | None
    colours: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Control points (P, 3); of C corners the point (C,) and the rows (C, n) that tell one from another.

    triangles (F, 3) are corners, materials (F,) the number of each one's material.
    """

    points: Floats
    point_of: Ints
    normals: Floats | None
    uvs: Floats | None
    colours: Floats | None
    triangles: Ints
    materials: Ints

    def of(self, own: npt.NDArray[np.bool_]) -> Part:
        """Some of the triangles, with one vertex for all corners that are alike."""
        used, triangles = np.unique(self.triangles[own], return_inverse=True)
        columns = [self.point_of[used, None].astype(np.float64)]
        columns += [each[used] for each in (self.normals, self.uvs, self.colours) if each is not None]
        rows = np.ascontiguousarray(np.concatenate(columns, axis=1).astype(np.float32))
        rows[:, 0] = 0.0
        # Points are compared as whole numbers: single precision cannot tell all of them apart.
        keys = np.concatenate([self.point_of[used, None], rows[:, 1:].view(np.int32).astype(np.int64)], axis=1)
        # In the order of their points, which is that of our own vertices in files that we wrote.
        _, first, vertex = np.unique(_packed(keys), return_index=True, return_inverse=True)
        chosen = used[first]

        def picked(values: Floats | None) -> Any:
            return None if values is None else values[chosen]

        uvs, colours = picked(self.uvs), picked(self.colours)
        return Part(
            self.point_of[chosen],
            vertex.reshape(-1)[triangles.reshape(-1, 3)],
            picked(self.normals),
            None if uvs is None else uvs.astype(np.float32),
            None if colours is None else colours.astype(np.float32),
        )


def _packed(rows: Ints) -> npt.NDArray[Any]:
    """Rows as single things that can be sorted."""
    rows = np.ascontiguousarray(rows)
    return rows.view([("", rows.dtype)] * rows.shape[1]).reshape(-1)


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
    triangles, polygon = _triangles(points, point_of, starts, stops - starts)
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


def _triangles(points: Floats, point_of: Ints, starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Triangles (F, 3) of corners, and the polygon of each; in all polygons of one size at once."""
    made, owners = [np.empty((0, 3), np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes):
        if size < 3:
            continue
        which = np.flatnonzero(sizes == size)
        corners = starts[which, None] + np.arange(size)
        places = points[point_of[corners]]
        # A fan from each corner in turn, until one has no triangle that is turned over.
        normal = np.cross(places, np.roll(places, -1, axis=1)).sum(axis=1)
        best = np.zeros(len(which), np.int64)
        worst = np.full(len(which), -np.inf)
        for first in range(min(int(size), 8) if size > 3 else 1):
            rolled = np.roll(places, -first, axis=1)
            sides = np.cross(rolled[:, 1:-1] - rolled[:, :1], rolled[:, 2:] - rolled[:, :1])
            least = np.einsum("pnc,pc->pn", sides, normal).min(axis=1)
            better = (least > worst) & (worst < 0)
            best[better], worst[better] = first, least[better]
        corners = np.take_along_axis(corners, (best[:, None] + np.arange(size)) % size, axis=1)
        fan = np.stack(
            [np.broadcast_to(corners[:, :1], (len(which), size - 2)), corners[:, 1:-1], corners[:, 2:]], axis=2
        )
        made.append(fan.reshape(-1, 3))
        owners.append(np.repeat(which, size - 2))
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(made)[order], np.concatenate(owners)[order]
