"""A vertex of a skin as a place on the body: it can be shown, dragged and pinned like any other."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.errors import UnknownName
from inbetweener.rig import BlendedPoint, Point
from inbetweener.skinning.mesh import Mesh
from inbetweener.skinning.skin import Skin

_CLOSE = 1e-7
"""Metres: as near as vertices in single precision can be told apart."""


def vertex_place(mesh: Mesh, vertex: int) -> BlendedPoint:
    """Where linear skinning carries a vertex: the weighted mean of points on its joints, the heaviest first.

    Blend shapes are left out: the place is that of the vertex with all shapes at zero.
    """
    if not 0 <= vertex < len(mesh.vertices):
        raise UnknownName(f"vertex of mesh {mesh.name!r}", str(vertex), [f"0 … {len(mesh.vertices) - 1}"])
    weights = mesh.weights[vertex].astype(np.float64)
    used = np.flatnonzero(weights > 0)
    used = used[np.argsort(-weights[used], kind="stable")]
    parts = []
    for n in used:
        joint = int(mesh.influences[vertex, n])
        x, y, z = mesh.joint_from_mesh[joint] @ np.append(mesh.vertices[vertex].astype(np.float64), 1.0)
        parts.append((Point(mesh.joints[joint], (float(x), float(y), float(z))), float(weights[n] / weights.sum())))
    return BlendedPoint(tuple(parts), name=f"{mesh.name} vertex {vertex}")


def grabbed_place(skin: Skin, vertex: int, pose: npt.ArrayLike) -> BlendedPoint:
    """A vertex as it is seen in one pose (C,), whatever the way of blending; nearly so in poses like it.

    Solvers know weighted means only. So the points on the joints are moved until their mean is where the skin is: by
    what the linear blend misses there, and by blend shapes.
    """
    channels = np.asarray(pose, np.float64)
    place = vertex_place(skin.mesh, vertex)
    wish = skin.vertices(channels)[vertex].astype(np.float64)
    world = skin.rig.world_from_joint(channels[None])[0]
    # Once, where bones are straight; a point that moves along a bent bone turns with it, and needs a few rounds.
    for _ in range(20):
        missed = wish - skin.rig.states(channels[None], place)[0][0]
        if np.linalg.norm(missed) < _CLOSE:
            break
        place = replace(place, parts=tuple((_moved(skin, point, world, missed), w) for point, w in place.parts))
    return place


def _moved(skin: Skin, point: Point, world: Floats, by: Floats) -> Point:
    frame = world[skin.rig.joint_index(point.joint), :, :3]
    x, y, z = (np.asarray(point.offset) + np.linalg.lstsq(frame, by, rcond=None)[0]).tolist()
    return replace(point, offset=(x, y, z))
