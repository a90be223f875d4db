"""Tubes and their bones: skins whose weights can be worked out by hand."""

import numpy as np

from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.skinning import Mesh

RADIUS = 0.1


def tube(
    length: float = 2.0, *, radius: float = RADIUS, around: int = 24, along: int = 160
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (V, 3) and triangles (F, 3) of a closed tube about the x axis, from −length/2 to length/2."""
    angle = 2.0 * np.pi * np.arange(around) / around
    x = np.linspace(-0.5 * length, 0.5 * length, along + 1)
    ring = np.stack([np.zeros(around), radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    vertices = (x[:, None, None] * [1.0, 0.0, 0.0] + ring).reshape(-1, 3)
    a = (np.arange(along)[:, None] * around + np.arange(around)).ravel()
    b = (np.arange(along)[:, None] * around + (np.arange(around) + 1) % around).ravel()
    sides = np.concatenate([np.stack([a, b + around, b], 1), np.stack([a, a + around, b + around], 1)])
    ends = np.array([[x[0], 0.0, 0.0], [x[-1], 0.0, 0.0]])
    first, last = len(vertices), len(vertices) + 1
    i, j = np.arange(around), (np.arange(around) + 1) % around
    top = along * around
    caps = np.concatenate(
        [np.stack([np.full(around, first), i, j], 1), np.stack([np.full(around, last), top + j, top + i], 1)]
    )
    return np.concatenate([vertices, ends]), np.concatenate([sides, caps])


def chain(*places: tuple[float, float, float]) -> Rig:
    """Joints j0, j1, … from place to place; the last place is the tip of the last bone."""
    joints = []
    for i, place in enumerate(places[:-1]):
        offset = np.subtract(place, places[i - 1] if i else (0.0, 0.0, 0.0))
        joints.append(Joint(f"j{i}", i - 1, Transform(tuple(map(float, offset)))))
    channels = tuple(c for joint in joints for c in joint_channels(joint, "rx ry rz"))
    tip = tuple(map(float, np.subtract(places[-1], places[-2])))
    return Rig(tuple(joints), channels, (Point(joints[-1].name, tip, "tip"),))


def bare(vertices: np.ndarray, triangles: np.ndarray, rig: Rig) -> Mesh:
    """A mesh in the world's place that follows the first joint only."""
    from inbetweener.maths import transforms

    first = rig.joints[0].name
    return Mesh(
        "bare", vertices, triangles, (first,), transforms.inverse(rig.rest_world()[:1]),
        np.zeros((len(vertices), 1)), np.ones((len(vertices), 1)),
    )  # fmt: skip


def edges(triangles: np.ndarray) -> np.ndarray:
    """Pairs of vertices (E, 2) that share an edge."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def dense(mesh: Mesh, names: list[str]) -> np.ndarray:
    """Weights (V, B) of the joints called `names`."""
    result = np.zeros((len(mesh.vertices), len(names)))
    for slot, name in enumerate(mesh.joints):
        result[:, names.index(name)] += (mesh.weights * (mesh.influences == slot)).sum(axis=1)
    return result
