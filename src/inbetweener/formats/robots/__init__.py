"""Robots: MJCF (.mjcf, .xml) and URDF (.urdf), read with their joints, limits, masses and inertias; not written.

Both are metres and kilograms with z up and x ahead; here y is up and z ahead. Every hinge turns about the x axis of its
own frame and is a channel of its name, in radians, or metres where it slides.
"""

from inbetweener.formats.robots.read import read

__all__ = ["read"]
