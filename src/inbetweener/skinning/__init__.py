"""Meshes that follow joints, and how their vertices are blended."""

from inbetweener.skinning.mesh import BlendShape, Material, MendedWeights, Mesh, check_weights, normalised_weights
from inbetweener.skinning.picture import check_picture, decode_picture, media_type
from inbetweener.skinning.skin import BLENDINGS, Blending, Skin, grabbed_place, vertex_normals, vertex_place

__all__ = [
    "BLENDINGS",
    "BlendShape",
    "Blending",
    "Material",
    "MendedWeights",
    "Mesh",
    "Skin",
    "check_picture",
    "check_weights",
    "decode_picture",
    "grabbed_place",
    "media_type",
    "normalised_weights",
    "vertex_normals",
    "vertex_place",
]
