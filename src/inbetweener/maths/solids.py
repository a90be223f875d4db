"""Spheres, boxes and capsules about their own origin: what props and obstacles are made of."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths.transforms import Vector


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball of `radius` metres."""

    radius: float

    def distance(self, points: npt.ArrayLike) -> Floats:
        """Signed distance of local points (..., 3) in metres, negative inside."""
        return np.linalg.norm(np.asarray(points, dtype=np.float64), axis=-1) - self.radius


@dataclass(frozen=True, slots=True)
class Box:
    """A box given by its half extents in metres."""

    half: Vector

    def distance(self, points: npt.ArrayLike) -> Floats:
        """Signed distance of local points (..., 3) in metres, negative inside."""
        beyond = np.abs(np.asarray(points, dtype=np.float64)) - np.asarray(self.half)
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=-1)
        return outside + np.minimum(beyond.max(axis=-1), 0.0)


@dataclass(frozen=True, slots=True)
class Capsule:
    """A segment of half length `half` along y, `radius` thick."""

    radius: float
    half: float

    def distance(self, points: npt.ArrayLike) -> Floats:
        """Signed distance of local points (..., 3) in metres, negative inside."""
        points = np.array(points, dtype=np.float64)
        points[..., 1] -= np.clip(points[..., 1], -self.half, self.half)
        return np.linalg.norm(points, axis=-1) - self.radius


Solid = Sphere | Box | Capsule


def corners(solid: Solid) -> tuple[Floats, float]:
    """Points (n, 3) and a radius: every solid is the hull of a few points, grown."""
    match solid:
        case Sphere(radius):
            return np.zeros((1, 3)), radius
        case Capsule(radius, half):
            return np.array([[0.0, -half, 0.0], [0.0, half, 0.0]]), radius
        case Box(half):
            return np.array(list(product((-1.0, 1.0), repeat=3))) * np.asarray(half), 0.0
