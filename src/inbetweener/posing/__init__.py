"""Static posing ([TSO] §3.5): pull any points, hold pins, keep limits; no fixed IK chains."""

from inbetweener.errors import InvalidRequest
from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Held, Pin
from inbetweener.posing.certificate import Certificate, certify
from inbetweener.posing.drag import PoseDrag
from inbetweener.posing.presets import PRESETS, stiffened
from inbetweener.posing.problem import NothingToPose, Problem, build
from inbetweener.posing.request import PoseRequest, Pull
from inbetweener.posing.settings import Settings
from inbetweener.posing.snap import limb, snap
from inbetweener.posing.solution import Solution
from inbetweener.posing.solve import Solver, solve
from inbetweener.posing.state import State, state_of

__all__ = [
    "PRESETS",
    "Blocker",
    "Certificate",
    "Held",
    "InvalidRequest",
    "NothingToPose",
    "Pin",
    "PoseDrag",
    "PoseRequest",
    "Problem",
    "Pull",
    "Settings",
    "Solution",
    "Solver",
    "State",
    "build",
    "certify",
    "limb",
    "snap",
    "solve",
    "state_of",
    "stiffened",
]
