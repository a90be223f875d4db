"""Bars like those of [DB] Fig. 16, straightened, twisted and bent by more than a turn; and how torn they are.

`python -m benchmarks.bars [--json]`
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.harness import Figure, main
from inbetweener.arrays import Floats, Ints
from inbetweener.maths import transforms
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, Joint, Point, Rig, bend_channel, joint_channels
from inbetweener.skinning import Blending, Mesh, Skin

LENGTH, RADIUS = 2.0, 0.06
"""Of a round bar along x, in metres."""
RINGS, SIDES = 161, 24
SAMPLES = 40


@dataclass(frozen=True)
class Case:
    """A bar on its rig, and the pose to look at."""

    rig: Rig
    mesh: Mesh
    pose: Floats

    def posed(self, blending: Blending) -> Floats:
        """Vertices (V, 3)."""
        return Skin(self.mesh, self.rig, blending, poses=self.pose).vertices(self.pose).astype(np.float64)


def curved(turn: tuple[float, float, float], overlap: float = 1.8) -> Case:
    """Two bones; the second one turns by `turn` radians evenly along its length, in small steps."""
    half = LENGTH / 2
    joints = (Joint("near", -1), Joint("far", 0, Transform((half, 0.0, 0.0))))
    at = (np.arange(SAMPLES) + 0.5)[:, None] * half / SAMPLES * np.array([1.0, 0.0, 0.0])
    turns = np.tile(np.asarray(turn) / SAMPLES, (SAMPLES, 1))
    bend = Bend("sketch", "sketch", {"far": np.concatenate([turns, np.cross(at, turns)], axis=1)})
    channels = [c for joint in joints for c in joint_channels(joint)]
    rig = Rig(joints, (*channels, bend_channel("sketch")), (Point("far", (half, 0.0, 0.0), "tip"),), bends=(bend,))
    along = np.linspace(0.0, LENGTH, RINGS)
    t = np.clip((along - half) / overlap + 0.5, 0.0, 1.0)
    share = t * t * (3.0 - 2.0 * t)
    frames = np.tile(np.eye(3, 4), (RINGS, 1, 1))
    frames[:, 0, 3] = along
    return Case(rig, tube(rig, frames, np.stack([1.0 - share, share], axis=1)), np.append(np.zeros(len(channels)), 1.0))


def curled(turn: float, joints: int = 16, reach: float = 3.0) -> Case:
    """A bar bound when it is curled by `turn` in all, and straightened by keys; weights fade over `reach` bones."""
    each, radius = turn / joints, LENGTH / turn
    chord = 2.0 * radius * math.sin(each / 2)
    chain = []
    for n in range(joints):
        angle = each if n else each / 2
        about_z = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
        chain.append(Joint(f"bone_{n}", n - 1, Transform((chord if n else 0.0, 0.0, 0.0), about_z)))
    rig = Rig(tuple(chain), tuple(c for joint in chain for c in joint_channels(joint)))
    along = np.linspace(0.0, turn, RINGS)
    frames = np.tile(np.eye(3, 4), (RINGS, 1, 1))
    frames[:, :2, 0] = np.stack([np.cos(along), np.sin(along)], axis=1)
    frames[:, :2, 1] = np.stack([-np.sin(along), np.cos(along)], axis=1)
    frames[:, :2, 3] = radius * np.stack([np.sin(along), 1.0 - np.cos(along)], axis=1)
    place = along[:, None] / each - np.arange(joints) - 0.5
    weights = np.exp(-0.5 * (place / reach) ** 2)
    pose = np.tile([0.0, 0.0, -each], joints)
    pose[2] = -each / 2
    return Case(rig, tube(rig, frames, weights / weights.sum(axis=1, keepdims=True)), pose)


CASES: dict[str, Callable[[], Case]] = {
    "straighten": lambda: curled(math.radians(450.0)),
    "twist": lambda: curved((math.radians(720.0), 0.0, 0.0)),
    "bend": lambda: curved((0.0, 0.0, math.radians(450.0))),
}


METHODS: dict[str, Blending] = {"LBS": "linear", "LB": "dual-quaternion", "SB": "screw", "DB": "differential"}
"""By the letters that the paper calls them."""


def tube(rig: Rig, frames: Floats, weights: Floats) -> Mesh:
    """Rings about the x axes of frames (R, 3, 4), weights (R, J) a ring."""
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = RADIUS * np.stack([0.0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    vertices = (ring @ np.swapaxes(frames[..., :3], -1, -2) + frames[:, None, :, 3]).reshape(-1, 3)
    corner = (np.arange(len(frames) - 1)[:, None] * SIDES + np.arange(SIDES)).ravel()
    beside = corner - corner % SIDES + (corner + 1) % SIDES
    triangles = np.concatenate(
        [np.stack([corner, beside, corner + SIDES], 1), np.stack([beside, beside + SIDES, corner + SIDES], 1)]
    )
    influences = np.tile(np.arange(len(rig.joints)), (len(vertices), 1))
    names = tuple(joint.name for joint in rig.joints)
    bind = transforms.inverse(rig.rest_world())
    repeated = np.repeat(weights, SIDES, axis=0)
    return Mesh("bar", vertices, triangles, names, bind, influences, repeated)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Tear:
    """The largest factor by which an edge of the surface is stretched or squeezed, and the sharpest new crease (°)."""

    stretch: float
    crease: float

    @classmethod
    def of(cls, mesh: Mesh, posed: Floats) -> "Tear":
        rest = mesh.vertices.astype(np.float64)
        edges, faces = _edges(mesh.triangles.astype(np.int64))
        ratio = _lengths(posed, edges) / _lengths(rest, edges)
        crease = np.abs(_angles(posed, mesh, faces) - _angles(rest, mesh, faces))
        return cls(float(np.maximum(ratio, 1.0 / np.maximum(ratio, 1e-9)).max()), float(np.degrees(crease.max())))


def _edges(triangles: Ints) -> tuple[Ints, Ints]:
    """All edges (E, 2), and the two triangles (I, 2) at each inner one."""
    sides = np.sort(np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
    owners = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((sides[:, 1], sides[:, 0]))
    sides, owners = sides[order], owners[order]
    shared = np.flatnonzero((sides[1:] == sides[:-1]).all(axis=1))
    return np.unique(sides, axis=0), np.stack([owners[shared], owners[shared + 1]], axis=1)


def _lengths(points: Floats, edges: Ints) -> Floats:
    return np.asarray(np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1))


def _angles(points: Floats, mesh: Mesh, faces: Ints) -> Floats:
    a, b, c = (points[mesh.triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    cosine = np.einsum("ij,ij->i", normals[faces[:, 0]], normals[faces[:, 1]])
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def measure() -> list[Figure]:
    figures = []
    for name, make in CASES.items():
        case = make()
        for letters, blending in METHODS.items():
            torn = Tear.of(case.mesh, case.posed(blending))
            smooth = letters == "DB"
            figures += [
                Figure(f"{name}, {letters}: stretch", torn.stretch, "×", at_most=2.0 if smooth else None),
                Figure(f"{name}, {letters}: crease", torn.crease, "°", at_most=20.0 if smooth else None),
            ]
    return figures


if __name__ == "__main__":
    main("bars", measure)
