"""Plain shapes as triangles: balls, boxes, capsules, bones and tubes. Each gives vertices, normals, triangles."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen, read_only
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.render.kernels import Surface
from inbetweener.skinning.mesh import Indices, Singles

PLAIN = (28.0, 0.07, 1.0, 0.0, 0.0, 0.0, 0.0)
"""How what is told nothing of looks: a faint gloss, no metal, no light of its own."""
PAINT = 5 + len(PLAIN)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Triangles with a look at each vertex.

    vertices   (V, 3) metres in the world
    normals    (V, 3) unit vectors
    paint      (V, 12) linear RGB, opacity, glow (0 is lit by the lamps, 1 shines by itself), how sharp and how bright
               the key light is mirrored, how much light comes into hollows, how much it is metal, RGB that it emits
    triangles  (F, 3) counter-clockwise from outside
    """

    vertices: Singles
    normals: Singles
    paint: Singles
    triangles: Indices

    @classmethod
    def painted(
        cls,
        vertices: npt.ArrayLike,
        normals: npt.ArrayLike,
        triangles: npt.ArrayLike,
        colour: npt.ArrayLike,
        *,
        opacity: float = 1.0,
        glow: float = 0.0,
        look: npt.ArrayLike = PLAIN,
    ) -> "Batch":
        """Triangles in one linear colour (3,) or one a vertex (V, 3); so is `look`, the last seven numbers of paint."""
        vertices = np.ascontiguousarray(vertices, np.float32)
        paint = np.empty((len(vertices), PAINT), np.float32)
        paint[:, :3] = colour
        paint[:, 3] = opacity
        paint[:, 4] = glow
        paint[:, 5:] = look
        return cls(
            vertices, np.ascontiguousarray(normals, np.float32), paint, np.ascontiguousarray(triangles, np.int32)
        )

    def __len__(self) -> int:
        return len(self.triangles)

    @property
    def record(self) -> Surface:
        """As kernels read it."""
        looks = read_only(self.vertices), read_only(self.normals), read_only(self.paint)
        return Surface(*looks, read_only(self.triangles))

    def tinted(self, colour: npt.ArrayLike, opacity: float, share: float = 1.0) -> "Batch":
        """The same triangles with their colours drawn towards one colour, and an opacity."""
        paint = self.paint.copy()
        paint[:, :3] += np.float32(share) * (np.asarray(colour, np.float32) - paint[:, :3])
        paint[:, 3] = opacity
        return Batch(self.vertices, self.normals, paint, self.triangles)


EMPTY = Batch(
    np.zeros((0, 3), np.float32),
    np.zeros((0, 3), np.float32),
    np.zeros((0, PAINT), np.float32),
    np.zeros((0, 3), np.int32),
)


def joined(batches: Iterable[Batch]) -> Batch:
    """All triangles in one batch."""
    listed = [batch for batch in batches if len(batch)]
    if not listed:
        return EMPTY
    if len(listed) == 1:
        return listed[0]
    starts = np.cumsum([0, *(len(batch.vertices) for batch in listed[:-1])])
    return Batch(
        np.concatenate([batch.vertices for batch in listed]),
        np.concatenate([batch.normals for batch in listed]),
        np.concatenate([batch.paint for batch in listed]),
        np.concatenate([batch.triangles + np.int32(start) for batch, start in zip(listed, starts, strict=True)]),
    )


Shape = tuple[Floats, Floats, Indices]


@lru_cache(maxsize=16)
def lathe(radii: tuple[float, ...], heights: tuple[float, ...], sides: int) -> Shape:
    """A profile turned about y, from bottom to top; smooth normals."""
    r, h = np.asarray(radii), np.asarray(heights)
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = np.stack([np.sin(angle), np.zeros(sides), np.cos(angle)], axis=-1)
    vertices = r[:, None, None] * ring + h[:, None, None] * np.array([0.0, 1.0, 0.0])
    # Across the profile: the normal of each ring is the mean of its two neighbours' slopes.
    dr, dh = np.gradient(r), np.gradient(h)
    normals = dh[:, None, None] * ring - dr[:, None, None] * np.array([0.0, 1.0, 0.0])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
    return (
        frozen(vertices.reshape(-1, 3)),
        frozen(normals.reshape(-1, 3)),
        frozen(_ring_triangles(len(r), sides), np.int32),
    )


@lru_cache(maxsize=8)
def ball(rings: int = 12, sides: int = 18) -> Shape:
    """The unit sphere."""
    angle = np.linspace(0, np.pi, rings + 1)
    vertices, _, triangles = lathe(tuple(np.sin(angle)), tuple(-np.cos(angle)), sides)
    return vertices, vertices, triangles


@lru_cache(maxsize=1)
def bone() -> Shape:
    """A tapered bone from the origin to (0, 1, 0), one unit thick at its widest."""
    profile = np.array(
        [
            (0.0, 0.0),
            (0.45, 0.012),
            (0.78, 0.05),
            (1.0, 0.13),
            (0.93, 0.24),
            (0.62, 0.6),
            (0.4, 0.93),
            (0.25, 0.985),
            (0, 1),
        ]
    )
    return lathe(tuple(profile[:, 0]), tuple(profile[:, 1]), 12)


def solid(shape: Solid) -> Shape:
    """The surface of a prop in its own frame."""
    match shape:
        case Sphere(radius):
            vertices, normals, triangles = ball(24, 36)
            return vertices * radius, normals, triangles
        case Capsule(radius, half):
            angle = np.concatenate([np.linspace(0, np.pi / 2, 13), np.linspace(np.pi / 2, np.pi, 13)])
            ends = np.repeat([-half, half], 13)
            normals, _, triangles = lathe(tuple(np.sin(angle)), tuple(-np.cos(angle)), 36)
            return normals * radius + np.repeat(ends, 36)[:, None] * [0.0, 1.0, 0.0], normals, triangles
        case Box(half_extents):
            return _box(half_extents)


def _box(half: tuple[float, float, float]) -> Shape:
    vertices: list[Floats] = []
    normals: list[Floats] = []
    triangles: list[Indices] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            b, c = (axis + 1) % 3, (axis + 2) % 3
            corners = np.zeros((4, 3))
            corners[:, axis] = sign
            corners[:, b] = np.array([-1.0, 1.0, 1.0, -1.0]) * sign
            corners[:, c] = [-1.0, -1.0, 1.0, 1.0]
            start = 4 * len(vertices)
            vertices.append(corners * np.asarray(half))
            normals.append(np.broadcast_to(sign * np.eye(3)[axis], (4, 3)))
            triangles.append(np.array([[0, 1, 2], [0, 2, 3]], np.int32) + np.int32(start))
    return np.concatenate(vertices), np.concatenate(normals), np.concatenate(triangles)


def copies(shape: Shape, linear: Floats, origins: Floats) -> Shape:
    """One copy of a shape for each matrix (n, 3, 3) and origin (n, 3)."""
    vertices, normals, triangles = shape
    n = len(linear)
    placed = np.einsum("nij,vj->nvi", linear, vertices) + origins[:, None]
    # Normals take the inverse transpose; stretched bones would look bent otherwise.
    turned = np.einsum("nji,vj->nvi", np.linalg.inv(linear), normals)
    turned /= np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-12)
    starts = (np.arange(n) * len(vertices))[:, None, None]
    return placed.reshape(-1, 3), turned.reshape(-1, 3), (triangles + starts).reshape(-1, 3).astype(np.int32)


def tube(path: Floats, radius: float, sides: int = 8) -> Shape:
    """A round wire along points (n, 3), without twist: each ring is the last one turned as little as can be."""
    moves = np.linalg.norm(np.diff(path, axis=0), axis=-1)
    # Points that rest on each other have no direction.
    path = path[np.concatenate([[True], moves > 1e-3 * radius])]
    if len(path) < 2:
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), np.int32)
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    side = np.empty_like(along)
    start = np.eye(3)[np.argmin(np.abs(along[0]))]
    for i, direction in enumerate(along):
        start = start - direction * (start @ direction)
        start /= max(float(np.linalg.norm(start)), 1e-12)
        side[i] = start
    other = np.cross(along, side)
    angle = np.arange(sides) * 2 * np.pi / sides
    normals = np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * other[:, None]
    vertices = path[:, None] + radius * normals
    return vertices.reshape(-1, 3), normals.reshape(-1, 3), _ring_triangles(len(path), sides)


def _ring_triangles(rings: int, sides: int) -> Indices:
    low = np.arange(rings - 1)[:, None] * sides + np.arange(sides)
    right = np.arange(rings - 1)[:, None] * sides + (np.arange(sides) + 1) % sides
    quads = np.stack([low, right, right + sides, low, right + sides, low + sides], axis=-1)
    return quads.reshape(-1, 3).astype(np.int32)
