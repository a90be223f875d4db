"""Sculpting by code: limbs of rounded cones, blended along the skeleton, made into one skinned mesh."""

from inbetweener.stock.sculpt.cache import sculpted
from inbetweener.stock.sculpt.details import ball, bead, eye
from inbetweener.stock.sculpt.shape import Colour, Limb, Paint, Part, Sculpt, mirrored, paint_for

__all__ = ["Colour", "Limb", "Paint", "Part", "Sculpt", "ball", "bead", "eye", "mirrored", "paint_for", "sculpted"]
