"""How far places are from solids that stand somewhere, and how that changes."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths.solids import Solid
from inbetweener.maths.transforms import Transform, inverse

STEP = 1e-6
"""Metres over which a solid's distance is differenced: distances are exact, so their slopes are to ten digits."""


def distance(solid: Solid, transform: Transform, places: Floats) -> Floats:
    """Of places (…, 3) from a placed solid, negative inside."""
    matrix = inverse(transform.matrix())
    return solid.distance(places @ matrix[:, :3].T + matrix[:, 3])


def slopes(solid: Solid, transform: Transform, places: Floats) -> Floats:
    """How it grows along each axis: (…, 3)."""
    sides = [[distance(solid, transform, places + way * STEP * axis) for way in (1, -1)] for axis in np.eye(3)]
    return np.stack([(up - down) / (2 * STEP) for up, down in sides], axis=-1)
