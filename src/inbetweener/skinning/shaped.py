"""A mesh after its blend shapes, before joints carry it."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.rig import Rig
from inbetweener.skinning.mesh import Mesh, Singles


def shaped(mesh: Mesh, rig: Rig, channels: Floats) -> Singles:
    """Vertices (V, 3) in mesh space after the blend shapes, for channel values (C,)."""
    vertices = mesh.vertices
    for shape in mesh.shapes:
        weight = np.float32(channels[rig.channel_index(shape.channel)])
        if weight != 0:
            vertices = vertices + weight * shape.offsets
    return vertices


def shaped_normals(mesh: Mesh, rig: Rig, channels: Floats) -> Singles | None:
    """The mesh's own normals (V, 3) after the blend shapes, for channel values (C,); None when it has none."""
    if mesh.normals is None:
        return None
    normals = mesh.normals
    for shape in mesh.shapes:
        weight = np.float32(channels[rig.channel_index(shape.channel)])
        if weight != 0 and shape.normal_offsets is not None:
            normals = normals + weight * shape.normal_offsets
    return np.ascontiguousarray(normals)
