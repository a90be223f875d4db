"""How far a point slides: measured on the evaluated motion, between frames too."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Constraint, Motion
from inbetweener.rig import Place

LOOKS = 8
"""Looks a frame."""


def sliding(motion: Motion, point: Place, start: float, end: float, looks: int = LOOKS) -> float:
    """The largest distance in metres between any two places where a point is from `start` to `end` seconds."""
    return spread(motion.states(look_times(motion, start, end, looks), point)[0])


def wandering(motion: Motion, rule: Constraint, looks: int = LOOKS) -> float:
    """The same of a constraint's point while it holds, as seen from its base."""
    return spread(rule.states(motion, look_times(motion, rule.start, rule.end, looks))[0])


def look_times(motion: Motion, start: float, end: float, looks: int = LOOKS) -> Floats:
    """Times from start to end, both included, `looks` of them a frame."""
    return np.linspace(start, end, max(2, round((end - start) * motion.clip.rate * looks) + 1))


def spread(positions: Floats) -> float:
    """The largest distance between any two of the positions (n, 3)."""
    # The farthest pair are corners of the hull: extreme along some direction. Over many directions, nearly exact
    # ones are found without comparing all pairs.
    extremes = positions[np.unique((positions @ _DIRECTIONS.T).argmax(axis=0))]
    return float(np.linalg.norm(extremes[:, None] - extremes[None], axis=-1).max())


def _sphere(count: int) -> Floats:
    """Directions (count, 3) spread evenly: a spiral from pole to pole."""
    height = np.linspace(-1.0, 1.0, count)
    angle = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(angle), height, radius * np.sin(angle)], axis=1)


_DIRECTIONS = _sphere(400)
