"""How the vertices of a mesh are blended, as one block of bytes, fetched once: little-endian.

Header, u32 each: vertices V, nodes N, entries E, kind (0 attachments, 1 steps). Then i32 parents N (−1 for the first);
i32 prefixes V, −1 for none; u32 starts V + 1 of each vertex's entries; i32 nodes E; f32 weights E; for attachments f32
fractions E.

Attachments: each entry is an influence and stands for the transform at a place along a bone, q of the node's parent ·
Δ of the node to the power of the fraction. Steps: the entries follow the prefix, and a negative weight ends its step.
"""

import struct

import numpy as np

from inbetweener.skinning import Skin

ATTACHMENTS, STEPS = 0, 1
_HEADER = struct.Struct("<4I")


def blends_steps(skin: Skin) -> bool:
    """Whether a skin is blended step by step, rather than whole transform by whole transform."""
    return skin.blending == "differential"


def plan_arrays(skin: Skin) -> bytes:
    """Everything the page needs to blend a mesh from the differentials of any pose."""
    parents = skin.tree.parents.astype("<i4")
    if blends_steps(skin):
        plan = skin.plan
        head = _HEADER.pack(len(plan.prefixes), len(parents), len(plan.nodes), STEPS)
        parts = [plan.prefixes.astype("<i4"), plan.starts.astype("<u4"), plan.nodes.astype("<i4"), plan.weights]
    else:
        nodes, fractions = skin.attachments
        there = skin.mesh.weights != 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        head = _HEADER.pack(len(there), len(parents), int(starts[-1]), ATTACHMENTS)
        parts = [
            np.full(len(there), -1, "<i4"),
            starts.astype("<u4"),
            nodes[there].astype("<i4"),
            skin.mesh.weights[there],
            fractions[there].astype("<f4"),
        ]
    return head + parents.tobytes() + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
