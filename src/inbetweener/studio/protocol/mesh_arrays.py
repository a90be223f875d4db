"""The arrays of a mesh as one block of bytes, fetched once: little-endian, every array on a multiple of four.

Header, u32 each: vertices V, triangles F, influences a vertex N, joints K, shapes S, flags (1 normals, 2 uvs,
4 colours). Then f32 vertices V·3; u32 triangles F·3; u32 influences V·N (indices into the mesh's joints); f32 weights
V·N; f32 joint_from_mesh K·12; f32 normals V·3; f32 uvs V·2; f32 colours V·4; f32 shape offsets S·V·3. What a mesh does
not have is left out.
"""

import struct

import numpy as np
import numpy.typing as npt

from inbetweener.skinning import Mesh

_HEADER = struct.Struct("<6I")


def mesh_arrays(mesh: Mesh) -> bytes:
    """Everything the page needs to draw a mesh in any pose."""
    flags = sum(bit for bit, part in ((1, mesh.normals), (2, mesh.uvs), (4, mesh.colours)) if part is not None)
    vertices, influences = mesh.influences.shape
    head = _HEADER.pack(vertices, len(mesh.triangles), influences, len(mesh.joints), len(mesh.shapes), flags)
    parts: list[npt.NDArray[np.generic] | None] = [
        mesh.vertices,
        mesh.triangles.astype("<u4"),
        mesh.influences.astype("<u4"),
        mesh.weights,
        mesh.joint_from_mesh.astype("<f4"),
        mesh.normals,
        mesh.uvs,
        mesh.colours,
        *(shape.offsets for shape in mesh.shapes),
    ]
    return head + b"".join(part.tobytes() for part in parts if part is not None)
