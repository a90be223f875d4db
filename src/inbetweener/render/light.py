"""Three soft lamps that stand around the camera, so that a character is well lit from every side."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.render.camera import Camera

KEY_FROM = (-0.80, 0.80, 0.38)
"""Towards the key light: right, up and back of the camera's level axes."""

_LAMPS = (
    (KEY_FROM, (1.55, 1.44, 1.28)),
    ((0.85, 0.10, 0.60), (0.13, 0.17, 0.25)),
    ((0.35, 0.60, -0.85), (0.75, 0.84, 1.05)),
)
_SKY, _EARTH = (0.11, 0.13, 0.17), (0.05, 0.045, 0.042)


def level_axes(camera: Camera) -> Floats:
    """Rows: the camera's right, the world's up, and level backward (3, 3)."""
    right = camera.axes()[0]
    up = np.array([0.0, 1.0, 0.0])
    return np.stack([right, up, np.cross(right, up)])


def lamps(camera: Camera) -> Floats:
    """(5, 6): unit direction towards the key, fill and rim lights with their linear colours, then sky and earth.

    The last two rows hold only a colour, that of light from above and from below.
    """
    rows = np.zeros((5, 6))
    axes = level_axes(camera)
    for row, (direction, colour) in zip(rows, _LAMPS, strict=False):
        row[:3] = np.asarray(direction) / np.linalg.norm(direction) @ axes
        row[3:] = colour
    rows[3, 3:], rows[4, 3:] = _SKY, _EARTH
    return rows


def key_direction(camera: Camera) -> Floats:
    """Unit vector towards the key light (3,)."""
    return lamps(camera)[0, :3]
