"""People loose from the hips up: feet stay where they are planted, and fingers hold what they hold."""

import numpy as np

from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.edits import set_looseness
from inbetweener.kinodynamics import Looseness, as_a_whole, preset
from inbetweener.kinodynamics.solution import Solution
from inbetweener.rig import Place

TIGHT = ("hips", "thigh", "shank", "foot", "toe", "eye", "thumb", "index", "middle", "ring", "pinky")
"""What names of joints that stay tight begin with."""

HIT = 1e-4
"""Centimetres within which everything is hit."""


def upper_body(document: Document, name: str) -> Document:
    """A person whose spine, head and arms are as loose as a preset says."""
    tight = [joint.name for joint in document.rig.joints if joint.name.startswith(TIGHT)]
    springs = as_a_whole(document.rig, preset(name), without=tight)
    return set_looseness(document, document.clip().name, Looseness(springs))


def seen(document: Document, times: Floats | list[float], place: Place) -> Floats:
    """Where a place (T, 3) is seen to be."""
    return document.shown_motion().states(np.asarray(times, np.float64), place)[0]


def keyed(document: Document, times: Floats | list[float], place: Place) -> Floats:
    """Where its keys have it (T, 3), corrections and all."""
    return document.motion().states(np.asarray(times, np.float64), place)[0]


def effort(solution: Solution) -> list[Figure]:
    """What solving took."""
    return [Figure("windows simulated", solution.windows, ""), Figure("in batches", solution.batches, "")]
