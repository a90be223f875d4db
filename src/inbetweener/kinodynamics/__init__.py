"""Kinodynamics ([IKD]): parts that swing about their keyed motion, history-free, and hit their marks exactly."""

from inbetweener.kinodynamics.bake import Bake, bake
from inbetweener.kinodynamics.bell import Bell
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.loosened import Loosened
from inbetweener.kinodynamics.looseness import Looseness, Window, as_a_whole, chain, everywhere
from inbetweener.kinodynamics.soft import ElasticPart, SoftPart, SoftPoint, SpringyPart
from inbetweener.kinodynamics.solution import Miss, Progress, Solution, TargetOutcome
from inbetweener.kinodynamics.solve import Solver, solve
from inbetweener.kinodynamics.spring import PRESETS, InvalidLooseness, Spring, preset
from inbetweener.kinodynamics.target import PointTarget, PoseTarget, Target
from inbetweener.kinodynamics.tension import tension
from inbetweener.kinodynamics.windows import error_map, window_error

__all__ = [
    "PRESETS",
    "Bake",
    "Bell",
    "ElasticPart",
    "InvalidLooseness",
    "LooseMotion",
    "Loosened",
    "Looseness",
    "Miss",
    "PointTarget",
    "PoseTarget",
    "Progress",
    "SoftPart",
    "SoftPoint",
    "Solution",
    "Solver",
    "Spring",
    "SpringyPart",
    "Target",
    "TargetOutcome",
    "Window",
    "as_a_whole",
    "bake",
    "chain",
    "error_map",
    "everywhere",
    "preset",
    "solve",
    "tension",
    "window_error",
]
