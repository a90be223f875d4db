"""Colours: between linear light and sRGB, the palette of the house, and a perceptually even map for speed."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.render.camera import Camera

Colour = tuple[float, float, float]


def linear(srgb: npt.ArrayLike) -> Floats:
    """Linear light of sRGB values in 0 … 1."""
    srgb = np.asarray(srgb, np.float64)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0.04045) + 0.055) / 1.055) ** 2.4)


def encoded(light: npt.ArrayLike) -> Floats:
    """sRGB values in 0 … 1 of linear light."""
    light = np.clip(np.asarray(light, np.float64), 0.0, 1.0)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)


def _of(code: str) -> Colour:
    r, g, b = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return r, g, b


# All sRGB. Dark and quiet, one accent; purple arc, orange keys, red alarms, pale ghosts.
BACK_TOP = _of("#171a21")
BACK_BOTTOM = _of("#2b303b")
FLOOR = _of("#3a404d")
LINE = _of("#535b6b")
SHADOW = _of("#12141a")
ARC = _of("#a06bff")
KEY = _of("#ff9a2e")
BONE = _of("#d9d4c7")
JOINT = _of("#7fa3d9")
GHOST = _of("#c9d6f2")
OBSTACLE = _of("#b98d5e")
ALARM = _of("#e5383b")


def speed_colours(share: npt.ArrayLike) -> Floats:
    """sRGB (..., 3) for 0 (slow) … 1 (fast): deep blue over green to yellow, even steps of lightness.

    Drawn as an arc in OKLab, where equal steps look equal, and brought back to sRGB.
    """
    s = np.clip(np.asarray(share, np.float64), 0.0, 1.0)
    lightness = 0.52 + 0.40 * s
    hue = np.radians(262.0 - 155.0 * s)
    chroma = 0.13 + 0.05 * s
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    lms = np.stack(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ],
        axis=-1,
    )
    rgb_from_lms = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    return encoded(lms**3 @ rgb_from_lms.T)


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
