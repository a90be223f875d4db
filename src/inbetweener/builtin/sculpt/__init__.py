"""Sculpting by code: limbs of rounded cones, blended along the skeleton, made into one skinned mesh."""

from inbetweener.builtin.sculpt.cache import sculpted
from inbetweener.builtin.sculpt.shape import Colour, Limb, Paint, Part, Sculpt, ball, bead, eye, mirrored, paint_for

__all__ = ["Colour", "Limb", "Paint", "Part", "Sculpt", "ball", "bead", "eye", "mirrored", "paint_for", "sculpted"]
