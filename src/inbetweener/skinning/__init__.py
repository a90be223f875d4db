"""Meshes that follow joints, and how their vertices are blended."""

from inbetweener.skinning.mesh import (
    BlendShape,
    Material,
    MendedWeights,
    Mesh,
    bound_joints,
    check_weights,
    normalised_weights,
)
from inbetweener.skinning.skin import BLENDINGS, Blending, Skin, grabbed_place, vertex_normals, vertex_place

__all__ = [
    "BLENDINGS",
    "BlendShape",
    "Blending",
    "Material",
    "MendedWeights",
    "Mesh",
    "Skin",
    "bound_joints",
    "check_weights",
    "grabbed_place",
    "normalised_weights",
    "vertex_normals",
    "vertex_place",
]
