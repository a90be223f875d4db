"""Clips of curves, and motions: a clip compiled with its rig."""

from inbetweener.motion.clear import GROUND, Clear, Obstacle
from inbetweener.motion.clip import Clip, Curves, Kernel, Layer
from inbetweener.motion.constraints import Attach, Constraint, Contact, Held, Lock, Pin
from inbetweener.motion.fit import fit_clip, fit_poses, is_dense
from inbetweener.motion.fit_report import FitReport
from inbetweener.motion.layers import flatten, heard, merge_into_base, merge_layers
from inbetweener.motion.motion import Motion

__all__ = [
    "GROUND",
    "Attach",
    "Clear",
    "Clip",
    "Constraint",
    "Contact",
    "Curves",
    "FitReport",
    "Held",
    "Kernel",
    "Layer",
    "Lock",
    "Motion",
    "Obstacle",
    "Pin",
    "fit_clip",
    "fit_poses",
    "flatten",
    "heard",
    "is_dense",
    "merge_into_base",
    "merge_layers",
]
