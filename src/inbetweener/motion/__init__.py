"""Clips of curves, and motions: a clip compiled with its rig."""

from inbetweener.motion.clip import Clip, Curves, Layer
from inbetweener.motion.fit import FitReport, fit_clip, is_dense
from inbetweener.motion.layers import flatten, merge_into_base, merge_layers
from inbetweener.motion.motion import Motion

__all__ = [
    "Clip",
    "Curves",
    "FitReport",
    "Layer",
    "Motion",
    "fit_clip",
    "flatten",
    "is_dense",
    "merge_into_base",
    "merge_layers",
]
