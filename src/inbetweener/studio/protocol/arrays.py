"""Meshes, and how their vertices are blended, as blocks of bytes that are fetched once: little-endian.

A mesh, every array on a multiple of four. Header, u32 each: vertices V, triangles F, influences a vertex N, joints K,
shapes S, flags (1 normals, 2 uvs, 4 colours). Then f32 vertices V·3; u32 triangles F·3; u32 influences V·N (indices
into the mesh's joints); f32 weights V·N; f32 joint_from_mesh K·12; f32 normals V·3; f32 uvs V·2; f32 colours V·4; f32
shape offsets S·V·3. What a mesh does not have is left out.

A plan. Header, u32 each: vertices V, nodes N, entries E, kind (0 attachments, 1 steps). Then i32 parents N (−1 for the
first); i32 prefixes V, −1 for none; u32 starts V + 1 of each vertex's entries; i32 nodes E; f32 weights E; for
attachments f32 fractions E.

Attachments: each entry is an influence and stands for the transform at a place along a bone, q of the node's parent ·
Δ of the node to the power of the fraction. Steps: the entries follow the prefix, and a negative weight ends its step.
"""

import struct

import numpy as np
import numpy.typing as npt

from inbetweener.skinning import Mesh, Skin

ATTACHMENTS, STEPS = 0, 1
_MESH_HEADER = struct.Struct("<6I")
_PLAN_HEADER = struct.Struct("<4I")


def mesh_arrays(mesh: Mesh) -> bytes:
    """Everything the page needs to draw a mesh in any pose."""
    flags = sum(bit for bit, part in ((1, mesh.normals), (2, mesh.uvs), (4, mesh.colours)) if part is not None)
    vertices, influences = mesh.influences.shape
    head = _MESH_HEADER.pack(vertices, len(mesh.triangles), influences, len(mesh.joints), len(mesh.shapes), flags)
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


def blends_steps(skin: Skin) -> bool:
    """Whether a skin is blended step by step, rather than whole transform by whole transform."""
    return skin.blending == "differential"


def plan_arrays(skin: Skin) -> bytes:
    """Everything the page needs to blend a mesh from the differentials of any pose."""
    parents = skin.tree.parents.astype("<i4")
    if blends_steps(skin):
        plan = skin.plan
        head = _PLAN_HEADER.pack(len(plan.prefixes), len(parents), len(plan.nodes), STEPS)
        parts = [plan.prefixes.astype("<i4"), plan.starts.astype("<u4"), plan.nodes.astype("<i4"), plan.weights]
    else:
        nodes, fractions = skin.attachments
        there = skin.mesh.weights != 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        head = _PLAN_HEADER.pack(len(there), len(parents), int(starts[-1]), ATTACHMENTS)
        parts = [
            np.full(len(there), -1, "<i4"),
            starts.astype("<u4"),
            nodes[there].astype("<i4"),
            skin.mesh.weights[there],
            fractions[there].astype("<f4"),
        ]
    return head + parents.tobytes() + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
