"""Strokes: noisy points become curves of clothoids with corners, whose headings and curvatures are known."""

from inbetweener.posing.strokes.clean import InvalidStroke
from inbetweener.posing.strokes.curve import StrokeCurve
from inbetweener.posing.strokes.fit import fit_stroke

__all__ = ["InvalidStroke", "StrokeCurve", "fit_stroke"]
