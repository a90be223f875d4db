"""A vertex of a skin as a place on the body: it can be shown, dragged and pinned like any other."""

import numpy as np

from inbetweener.errors import UnknownName
from inbetweener.rig import BlendedPoint, Point
from inbetweener.skinning.mesh import Mesh


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
