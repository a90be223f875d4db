"""The frame rate that a clip was probably made at."""

import numpy as np

from inbetweener.arrays import Floats

RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0, 24000 / 1001, 30000 / 1001, 60000 / 1001)
"""Tried in this order: the lowest on whose frames all keys lie wins."""
DEFAULT = 24.0
_SLACK = 0.01
"""Of a frame; exporters write times in single precision."""


def guessed_rate(times: Floats) -> float:
    """Frames a second such that all key times lie on frames; the default where none fits."""
    for rate in RATES:
        frames = times * rate
        if np.abs(frames - np.round(frames)).max(initial=0.0) < _SLACK:
            return rate
    return DEFAULT
