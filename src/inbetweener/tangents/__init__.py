"""Tangent-space optimization [TSO]: drag an arc, keep the pins, add no keys."""

from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Constraint, Contact, Held, Lock, Pin
from inbetweener.tangents.agreement import Disagreement, disagreement
from inbetweener.tangents.certificate import Certificate, certify
from inbetweener.tangents.drag import Drag, InvalidTarget
from inbetweener.tangents.motion_curve import MotionCurve, motion_curve
from inbetweener.tangents.problem import DragRequest, NothingToDrag, Problem, build
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.solve import Solution, solve
from inbetweener.tangents.suggest import Release, Suggestion, suggest_key, suggest_release
from inbetweener.tangents.timing import Retimed, move_tick, scale_timing, shift_timing
from inbetweener.tangents.value_drag import DraggedValue, drag_value

__all__ = [
    "Blocker",
    "Certificate",
    "Constraint",
    "Contact",
    "Disagreement",
    "Drag",
    "DragRequest",
    "DraggedValue",
    "Held",
    "InvalidTarget",
    "Lock",
    "MotionCurve",
    "NothingToDrag",
    "Pin",
    "Problem",
    "Release",
    "Retimed",
    "Settings",
    "Solution",
    "Suggestion",
    "build",
    "certify",
    "disagreement",
    "drag_value",
    "motion_curve",
    "move_tick",
    "scale_timing",
    "shift_timing",
    "solve",
    "suggest_key",
    "suggest_release",
]
