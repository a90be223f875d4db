"""Differential blending [DB]: big transforms as products of small ones, blended step by step along the skeleton."""

from inbetweener.skinning.differential.bind import Bind, Steps
from inbetweener.skinning.differential.kernels import Plan
from inbetweener.skinning.differential.plan import planned
from inbetweener.skinning.differential.tree import Tree

__all__ = ["Bind", "Plan", "Steps", "Tree", "planned"]
