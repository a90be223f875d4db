"""The numbers of a move, checked."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.studio.protocol.binary import MalformedMessage


def require(values: Sequence[float], count: int) -> Floats:
    """The values as an array, if there are as many as the gesture takes."""
    if len(values) != count:
        raise MalformedMessage(f"this gesture moves by {count} values, not {len(values)}")
    return np.array(values, np.float64)
