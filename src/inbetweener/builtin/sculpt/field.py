"""A sculpt laid out for the kernels: every part in the world of the rig at rest."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.builtin.sculpt import kernels
from inbetweener.builtin.sculpt.shape import Part, Sculpt
from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.maths import transforms
from inbetweener.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The smooth union of a sculpt's limbs as a function of place: negative inside, about the distance in metres."""

    body: kernels.Body

    @classmethod
    def of(cls, sculpt: Sculpt, rig: Rig) -> Self:
        """The field of a sculpt around the rig's rest pose."""
        world = rig.rest_world()
        rows: list[Floats] = []
        spans: list[tuple[int, int, int, int]] = []
        limbs: list[Floats] = []
        names = [limb.name for limb in sculpt.limbs]
        for n, limb in enumerate(sculpt.limbs):
            if limb.onto is not None and limb.onto not in names[:n]:
                raise UnknownName("limb", limb.onto, names[:n])
            if limb.detail not in (1, 2, 4):
                raise InvalidRig(f"limb {limb.name!r}: detail {limb.detail} must be 1, 2 or 4")
            rows.extend(_row(part, world[rig.joint_index(part.joint)]) for part in limb.parts)
            parent = -1 if limb.onto is None else names.index(limb.onto)
            spans.append((len(rows) - len(limb.parts), len(rows), parent, limb.detail))
            low, high = _extent([rig.joint_index(part.joint) for part in limb.parts], limb.parts, world)
            limbs.append(np.array([limb.blend, *(low + high) / 2, np.linalg.norm(high - low) / 2]))
        return cls(kernels.Body(frozen(rows), frozen(spans, np.int64), frozen(limbs)))

    def distances(self, points: Floats) -> Floats:
        """The field (n,) at points (n, 3)."""
        result = np.empty(len(points))
        kernels.distances(self.body, np.ascontiguousarray(points), result)
        return result

    def part_distances(self, points: Floats) -> Floats:
        """Distances (n, P) of points to every part, counted over all limbs."""
        result = np.empty((len(points), len(self.body.parts)))
        kernels.part_distances(self.body.parts, np.ascontiguousarray(points), result)
        return result

    def pulled(self, points: Floats, reach: Floats, steps: int) -> tuple[Floats, Floats]:
        """Points (n, 3) moved onto the surface by steps no longer than reach (n, 1); outward normals (n, 3) there."""
        moved, normals = np.empty(points.shape), np.empty(points.shape)
        kernels.pull(self.body, np.ascontiguousarray(points), reach, steps, moved, normals)
        return moved, normals

    def bounds(self) -> tuple[Floats, Floats]:
        """Two corners (3,) of a box around everything."""
        centres, radii = self.body.limbs[:, 1:4], self.body.limbs[:, 4:]
        return (centres - radii).min(axis=0), (centres + radii).max(axis=0)


def region_distances(part: Part, rig: Rig, points: Floats) -> Floats:
    """Distances (n,) of points (n, 3) to one part, negative inside."""
    row = _row(part, rig.rest_world()[rig.joint_index(part.joint)])[None]
    result = np.empty((len(points), 1))
    kernels.part_distances(row, np.ascontiguousarray(points), result)
    return result[:, 0]


def _row(part: Part, world_from_joint: Floats) -> Floats:
    scale = np.array(part.scale)
    a = np.array(part.a) / scale
    axis = np.zeros(3) if part.b is None else np.array(part.b) / scale - a
    length = float(np.linalg.norm(axis))
    radius, end = part.radius, part.radius if part.end_radius is None else part.end_radius
    sine = (radius - end) / length if length > 0 else 0.0
    if abs(sine) >= 0.999:
        raise InvalidRig(f"a part of joint {part.joint!r}: one of its two balls swallows the other; use a single ball")
    inverse = transforms.inverse(world_from_joint) / scale[:, None]
    unit = axis / length if length > 0 else np.array([0.0, 1.0, 0.0])
    return np.array(
        [*inverse.ravel(), *a, *unit, length, radius, sine, math.sqrt(1 - sine**2), part.blend, *scale], np.float64
    )


def _extent(joints: list[int], parts: tuple[Part, ...], world: Floats) -> tuple[Floats, Floats]:
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for joint, part in zip(joints, parts, strict=True):
        for end, radius in ((part.a, part.radius), (part.b or part.a, part.end_radius or part.radius)):
            at = transforms.apply(world[joint], np.array([end]))[0]
            reach = radius * max(part.scale)
            low, high = np.minimum(low, at - reach), np.maximum(high, at + reach)
    return low, high
