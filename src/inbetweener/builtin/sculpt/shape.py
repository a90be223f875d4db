"""What a sculpted body consists of: parts, grouped into limbs."""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import Quaternion, Vector
from inbetweener.skinning import Mesh

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0 to 1."""


def paint_for(code: str) -> Colour:
    """The linear colour of a screen colour written "#rrggbb"."""
    r, g, b = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return linear[0], linear[1], linear[2]


@dataclass(frozen=True, slots=True)
class Part:
    """A rounded cone (two spheres and their common hull) in the frame of a joint at rest.

    From a ball of `radius` at `a` to one of `end_radius` at `b`; both default to the first, so that a part with `a`
    and `radius` alone is a ball. `scale` then stretches everything about the joint's own axes: a ball of radius 1
    with scale (x, y, z) at the joint's origin is an ellipsoid. `a` and `b` are meant after the stretch. `blend` is
    how far, in metres, the part melts into others of its limb.
    """

    joint: str
    a: Vector
    radius: float
    b: Vector | None = None
    end_radius: float | None = None
    scale: Vector = (1.0, 1.0, 1.0)
    blend: float = 0.03
    colour: Colour = (0.6, 0.6, 0.6)


@dataclass(frozen=True, slots=True)
class Paint:
    """Everything inside `region` takes its colour, whatever part it belongs to; later paint covers earlier."""

    region: Part


@dataclass(frozen=True, slots=True)
class Limb:
    """Parts that melt into each other, and into the limb called `onto` over `blend` metres.

    Limbs on the same parent never melt into each other: so fingers stay apart. `detail` 1, 2 or 4 divides the cells
    of the sculpt's grid near this limb.
    """

    name: str
    parts: tuple[Part, ...]
    onto: str | None = None
    blend: float = 0.03
    detail: int = 1

    @classmethod
    def of(cls, name: str, onto: str | None, blend: float, detail: int, *parts: Part) -> "Limb":
        """A limb as characters list them: what it melts into first, then its parts."""
        return cls(name, parts, onto, blend, detail)


@dataclass(frozen=True, slots=True)
class Sculpt:
    """A body: limbs with parents before children, the grid's cell in metres, and how softly joints share the skin.

    `softness` counts the steps by which influence spreads along the surface, each about one edge long.
    """

    limbs: tuple[Limb, ...]
    paint: tuple[Paint, ...] = ()
    cell: float = 0.018
    softness: int = 12


Sided = TypeVar("Sided", Part, Limb, Paint)


def mirrored(item: Sided) -> Sided:
    """The same on the other side: names ending in _l become _r, x changes sign."""
    if isinstance(item, Part):
        flip = (-item.a[0], item.a[1], item.a[2])
        end = None if item.b is None else (-item.b[0], item.b[1], item.b[2])
        return replace(item, joint=_other(item.joint), a=flip, b=end)
    if isinstance(item, Paint):
        return replace(item, region=mirrored(item.region))
    onto = None if item.onto is None else _other(item.onto)
    return replace(item, name=_other(item.name), onto=onto, parts=tuple(mirrored(part) for part in item.parts))


def _other(name: str) -> str:
    return name[:-2] + "_r" if name.endswith("_l") else name


WHITE: Colour = (0.9, 0.9, 0.88)
BLACK: Colour = (0.006, 0.006, 0.008)


def ball(
    name: str,
    joint: str,
    centre: Vector,
    radii: Vector,
    bands: tuple[tuple[float, Colour], ...],
    *,
    turn: Quaternion = quaternions.IDENTITY,
) -> Mesh:
    """An ellipsoid in the joint's frame, painted in rings about its own z axis.

    `bands` are (angle from +z in degrees where the ring ends, colour), the last one ending at 180; borders are crisp.
    `turn` rotates the whole ball about its centre.
    """
    angles, colours = _rings(bands)
    around = 24
    phi = np.arange(around) * 2 * np.pi / around
    ring = np.stack([np.cos(phi), np.sin(phi), np.zeros(around)], axis=-1)
    unit = np.concatenate(
        [
            [[0.0, 0.0, 1.0]],
            *([0.0, 0.0, np.cos(a)] + np.sin(a) * ring for a in angles),
            [[0.0, 0.0, -1.0]],
        ]
    )
    rgb = np.concatenate([colours[:1], np.repeat(colours[1:-1], around, axis=0), colours[-1:]])
    rotation = quaternions.to_matrix(np.array(turn)).T
    vertices = (unit * np.array(radii)) @ rotation + np.array(centre)
    normals = (unit / np.array(radii)) @ rotation
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh.rigid(
        name,
        joint,
        vertices,
        _globe(len(angles), around),
        normals=normals.astype(np.float32),
        colours=np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1).astype(np.float32),
    )


def eye(name: str, joint: str, centre: Vector, radius: float, iris: Colour, *, iris_size: float = 34.0) -> Mesh:
    """A round eye that looks along the joint's +z, with a dark pupil; `iris_size` is its half angle in degrees."""
    return ball(
        name, joint, centre, (radius, radius, radius), ((iris_size * 0.5, BLACK), (iris_size, iris), (180.0, WHITE))
    )


def bead(name: str, joint: str, centre: Vector, radii: Vector, colour: Colour, *, roll: float = 0.0) -> Mesh:
    """A one-coloured ellipsoid such as a brow, a mouth or a button; `roll` turns it about z, in degrees."""
    w, x, y, z = (float(v) for v in quaternions.from_axis_angle((0.0, 0.0, 1.0), np.deg2rad(roll)))
    return ball(name, joint, centre, radii, ((180.0, colour),), turn=(w, x, y, z))


def _rings(bands: tuple[tuple[float, Colour], ...]) -> tuple[Floats, Floats]:
    """Ring angles and the colours of pole, rings, pole; two rings a hair apart on every border."""
    angles: list[float] = []
    colours: list[Colour] = [bands[0][1]]
    start = 0.0
    for end, colour in bands:
        steps = max(2, round((end - start) / 12.0))
        inner = np.linspace(start, end, steps + 1)
        if start > 0:
            angles.append(start + 0.4)
            colours.append(colour)
        last = steps if end < 180.0 else steps - 1
        angles.extend(float(a) for a in inner[1 : last + 1])
        colours.extend([colour] * last)
        start = end
    colours.append(bands[-1][1])
    return np.deg2rad(angles), np.array(colours)


def _globe(rings: int, around: int) -> Ints:
    """Triangles of a pole, rings of vertices, and a pole; counter-clockwise from outside."""
    n = np.arange(around)
    after = (n + 1) % around
    faces = [np.stack([np.zeros(around, np.int64), 1 + n, 1 + after], axis=-1)]
    for r in range(rings - 1):
        upper, lower = 1 + r * around, 1 + (r + 1) * around
        faces.append(np.stack([upper + n, lower + n, lower + after], axis=-1))
        faces.append(np.stack([upper + n, lower + after, upper + after], axis=-1))
    last = 1 + (rings - 1) * around
    faces.append(np.stack([last + n, np.full(around, last + around), last + after], axis=-1))
    return np.concatenate(faces)
