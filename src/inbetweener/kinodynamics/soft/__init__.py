"""Soft parts: elastic solids on bones and meshes on springs, simulated over windows like all that is loose."""

from inbetweener.kinodynamics.soft.part import FELT, FLESH, ElasticPart, SoftPart, SpringyPart
from inbetweener.kinodynamics.soft.point import SoftPoint

__all__ = ["FELT", "FLESH", "ElasticPart", "SoftPart", "SoftPoint", "SpringyPart"]
