"""Small hard things on a body: eyes that show where it looks, buttons, brows. Closed balls that follow one joint."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.builtin.sculpt.shape import Colour
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import Quaternion, Vector
from inbetweener.skinning import Mesh

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
