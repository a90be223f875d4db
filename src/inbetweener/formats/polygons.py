"""Polygons as triangles: corners that are alike in every way become one vertex of a mesh that follows its skin."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.skinning import BlendShape, Material, Mesh
from inbetweener.skinning.mesh import normalised_weights


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Vertices: their control points (V,), normals, coordinates, colours; and triangles (F, 3) of them."""

    points_of: Ints
    triangles: Ints
    normals: Floats | None
    uvs: npt.NDArray[np.float32] | None
    colours: npt.NDArray[np.float32] | None


MOST = 1e30
"""Normals, texture coordinates, colours and offsets of shapes beyond are taken as this."""


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

    def __post_init__(self) -> None:
        # What no file means, and single precision could not hold; its square must not be too large either.
        for name in ("normals", "uvs", "colours"):
            if (values := getattr(self, name)) is not None:
                object.__setattr__(self, name, np.clip(values, -MOST, MOST))

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


def triangulated(points: Floats, point_of: Ints, starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
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


@dataclass(frozen=True, slots=True)
class Shape:
    """A target: its name and channel, offsets and normal offsets of all control points (P, 3)."""

    name: str
    channel: str
    offsets: Floats
    normals: Floats | None


@dataclass(frozen=True, slots=True)
class Skin:
    """Joints, how each finds the mesh when it is bound, and a row of influences for every control point."""

    joints: tuple[str, ...]
    binds: Floats
    influences: Ints
    weights: Floats


def mesh_of(
    name: str,
    corners: Corners,
    part: Part,
    placed: Floats,
    unit: float,
    skin: Skin,
    shapes: list[Shape],
    material: Material,
) -> Mesh:
    """A part as a mesh, moved by `placed` (3, 4) from where the file has it; a unit of the file is `unit` metres.

    Its vertices may be no finite numbers.
    """
    linear, shift = placed[:, :3], placed[:, 3]
    upright = np.linalg.inv(linear).T if abs(np.linalg.det(linear)) > 1e-12 else np.eye(3)
    with np.errstate(over="ignore", invalid="ignore"):
        vertices = (unit * (corners.points[part.points_of] @ linear.T + shift)).astype(np.float32)
    triangles = (part.triangles[:, ::-1] if np.linalg.det(linear) < 0 else part.triangles).astype(np.int32)
    made = []
    for shape in shapes:
        with np.errstate(over="ignore", invalid="ignore"):
            moved = np.clip(np.nan_to_num(unit * (shape.offsets[part.points_of] @ linear.T)), -MOST, MOST)
        turned = None if shape.normals is None else (shape.normals[part.points_of] @ upright.T).astype(np.float32)
        made.append(BlendShape(shape.name, shape.channel, moved.astype(np.float32), turned))
    normals = None if part.normals is None else unit_rows(part.normals @ upright.T)
    bound = normalised_weights(
        skin.influences[part.points_of], skin.weights[part.points_of], len(skin.joints), tolerance=1e-3
    )
    return Mesh(
        name, vertices, triangles, skin.joints, skin.binds, bound.influences, bound.weights, normals, part.uvs,
        part.colours, tuple(made), material,
    )  # fmt: skip


def unit_rows(normals: Floats) -> npt.NDArray[np.float32]:
    """Vectors (n, 3) of length one; up where one has no length."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-12, normals / np.maximum(length, 1e-12), (0.0, 1.0, 0.0)).astype(np.float32)


def is_rigid(mesh: Mesh) -> bool:
    """Whether it simply follows one joint."""
    return len(mesh.joints) == 1 and bool(np.array_equal(mesh.joint_from_mesh[0], np.eye(3, 4)))
