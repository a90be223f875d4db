"""Meshes that follow joints, and how their vertices are blended."""

from inbetweener.skinning.mesh import BlendShape, Material, Mesh
from inbetweener.skinning.skin import BLENDINGS, Blending, Skin, vertex_normals
from inbetweener.skinning.vertex import grabbed_place, vertex_place
from inbetweener.skinning.weights import MendedWeights, check_weights, normalised_weights

__all__ = [
    "BLENDINGS",
    "BlendShape",
    "Blending",
    "Material",
    "MendedWeights",
    "Mesh",
    "Skin",
    "check_weights",
    "grabbed_place",
    "normalised_weights",
    "vertex_normals",
    "vertex_place",
]
