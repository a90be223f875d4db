"""Differential blending [DB]: big transforms as products of small ones, blended step by step along the skeleton."""

from inbetweener.skinning.differential.kernels import Plan
from inbetweener.skinning.differential.tree import Bind, Steps, Tree, planned

__all__ = ["Bind", "Plan", "Steps", "Tree", "planned"]
