"""Sketch posing ([DB] §3): choose bones by a stroke, then draw what they shall look like."""

from inbetweener.posing.sketch.bones import free_name
from inbetweener.posing.sketch.guide import PlaneCurve
from inbetweener.posing.sketch.line_of_action import NoLine, SupportLine
from inbetweener.posing.sketch.path import NotAChain
from inbetweener.posing.sketch.select import SELECTING, NothingSelected, Selecting, select
from inbetweener.posing.sketch.sketch import MODES, Mode, NothingToSketch, Sketch, sketch
from inbetweener.posing.sketch.twist import twist
from inbetweener.posing.sketch.view import NAMED_VIEWS, NamedView, OutOfView, ViewPlane

__all__ = [
    "MODES",
    "NAMED_VIEWS",
    "SELECTING",
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
    "SupportLine",
    "ViewPlane",
    "free_name",
    "select",
    "sketch",
    "twist",
]
