"""Sketch posing ([DB] §3): choose bones by a stroke, then draw what they shall look like."""

from inbetweener.posing.sketch.guide import PlaneCurve
from inbetweener.posing.sketch.line_of_action import NoLine
from inbetweener.posing.sketch.path import NotAChain
from inbetweener.posing.sketch.select import NothingSelected, Selecting, select
from inbetweener.posing.sketch.sketch import Mode, NothingToSketch, Sketch, sketch
from inbetweener.posing.sketch.twist import twist
from inbetweener.posing.sketch.view import NamedView, OutOfView, ViewPlane

__all__ = [
    "Mode",
    "NamedView",
    "NoLine",
    "NotAChain",
    "NothingSelected",
    "NothingToSketch",
    "OutOfView",
    "PlaneCurve",
    "Selecting",
    "Sketch",
    "ViewPlane",
    "select",
    "sketch",
    "twist",
]
