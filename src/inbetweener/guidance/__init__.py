"""Guidance [OM]: optimisation that an animator can steer. Tangents change, keys stay, every iterate is a motion."""

from inbetweener.errors import InvalidRequest
from inbetweener.guidance.meter import Costs, Meter
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.optimise import Guide, Iterate, guide
from inbetweener.guidance.problem import NothingToGuide, Problem, build
from inbetweener.guidance.report import Heat, Report, heat, report
from inbetweener.guidance.request import GuideRequest, Weighted
from inbetweener.guidance.terms import (
    Balance,
    FollowThrough,
    Limits,
    Obstacles,
    Residuals,
    Slide,
    Smoothness,
    Style,
    Term,
    TermFailed,
    Torque,
)
from inbetweener.motion import Kernel

__all__ = [
    "Balance",
    "Costs",
    "FollowThrough",
    "Guide",
    "GuideRequest",
    "Heat",
    "InvalidRequest",
    "Iterate",
    "Kernel",
    "Limits",
    "Meter",
    "Moments",
    "NothingToGuide",
    "Obstacles",
    "Problem",
    "Report",
    "Residuals",
    "Slide",
    "Smoothness",
    "Style",
    "Term",
    "TermFailed",
    "Torque",
    "Weighted",
    "build",
    "guide",
    "heat",
    "report",
]
