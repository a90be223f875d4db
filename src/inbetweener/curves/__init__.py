"""Animation curves: keys with Bezier tangents, how they are evaluated, differentiated, edited and fitted."""

from inbetweener.curves.bundle import Bundle, evaluate
from inbetweener.curves.curve import Curve
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR, Interpolation, Key, Tangent

__all__ = ["BEZIER", "CONSTANT", "LINEAR", "Bundle", "Curve", "Interpolation", "Key", "Tangent", "evaluate"]
