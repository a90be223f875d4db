"""Meshes that follow joints, and how their vertices are blended."""

from inbetweener.skinning.linear import skinned
from inbetweener.skinning.mesh import BlendShape, Material, Mesh

__all__ = ["BlendShape", "Material", "Mesh", "skinned"]
