"""Cameras: where they stand, what they see, and how far back they must go to see everything."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.document import View
from inbetweener.errors import UnknownName
from inbetweener.maths.transforms import Vector

Preset = Literal["front", "side", "three-quarter", "top", "back"]
PRESETS: tuple[Preset, ...] = get_args(Preset)

# Azimuth from +z towards +x and elevation, in degrees.
_ANGLES: dict[str, tuple[float, float]] = {
    "front": (0.0, 8.0),
    "side": (90.0, 8.0),
    "three-quarter": (35.0, 14.0),
    "top": (0.0, 89.0),
    "back": (180.0, 8.0),
}
FOV_RAD = 0.55
MARGIN = 0.86
"""The share of the picture that a framed motion may fill."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole at `eye` that looks at `target` with y up; `fov` is the vertical angle in radians."""

    eye: Vector
    target: Vector
    fov: float = FOV_RAD

    @classmethod
    def of(cls, view: View) -> "Camera":
        """The camera that a document remembers."""
        return cls(view.eye, view.target, view.fov)

    @property
    def distance(self) -> float:
        """From eye to target, in metres."""
        return float(np.linalg.norm(np.subtract(self.target, self.eye)))

    def moved(self, by: npt.ArrayLike) -> "Camera":
        """The same camera carried along by a vector in metres."""
        return replace(self, eye=_vector(np.add(self.eye, by)), target=_vector(np.add(self.target, by)))

    def axes(self) -> Floats:
        """Rows: right, up and backward, unit vectors in the world (3, 3)."""
        backward = np.subtract(self.eye, self.target).astype(np.float64)
        length = np.linalg.norm(backward)
        backward = backward / length if length > 0 else np.array([0.0, 0.0, 1.0])
        # Looking straight down, "up" in the picture is away from the viewer: −z.
        up = np.array([0.0, 1.0, 0.0]) if abs(backward[1]) < 0.9999 else np.array([0.0, 0.0, -np.sign(backward[1])])
        right = np.cross(up, backward)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(backward, right), backward])

    def view(self, points: npt.ArrayLike) -> Floats:
        """Points (..., 3) as seen from the camera: x right, y up, z backward, in metres."""
        return (np.asarray(points, np.float64) - np.asarray(self.eye)) @ self.axes().T

    def pixels(self, points: npt.ArrayLike, size: tuple[int, int]) -> Floats:
        """Column, row and depth in metres (..., 3) of points; (0, 0) is the corner of the top left pixel."""
        width, height = size
        x, y, z = np.moveaxis(self.view(points), -1, 0)
        depth = -z
        ahead = np.where(np.abs(depth) > 1e-12, depth, 1e-12)
        focal = self.focal(height)
        return np.stack([width / 2 + focal * x / ahead, height / 2 - focal * y / ahead, depth], axis=-1)

    def focal(self, height: int) -> float:
        """How many pixels a metre spans at one metre's distance, in a picture `height` pixels high."""
        return float(height / (2 * np.tan(self.fov / 2)))

    def pixel_size(self, height: int) -> float:
        """How many metres one pixel spans at the target's distance."""
        return self.distance / self.focal(height)


def looking(preset: str) -> tuple[float, float]:
    """Azimuth and elevation in radians of a preset."""
    if preset not in _ANGLES:
        raise UnknownName("camera", preset, _ANGLES)
    azimuth, elevation = np.radians(_ANGLES[preset])
    return float(azimuth), float(elevation)


def framing(
    points: npt.ArrayLike,
    aspect: float,
    preset: str = "three-quarter",
    *,
    fov: float = FOV_RAD,
    margin: float = MARGIN,
) -> Camera:
    """The nearest camera in a preset's direction that sees all points (n, 3) with some air around them.

    Exact: along each picture axis the two outermost sight lines meet in the place where the camera stands.
    """
    azimuth, elevation = looking(preset)
    backward = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    points = np.asarray(points, np.float64).reshape(-1, 3)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = max(float(np.linalg.norm(np.ptp(points, axis=0))), 1e-3)
    probe = Camera(_vector(middle + backward), _vector(middle))
    axes = probe.axes()
    x, y, z = ((points - middle) @ axes.T).T
    half_y = np.tan(fov / 2) * margin
    half_x = np.tan(fov / 2) * aspect * margin
    at_x, back_x = _apex(x, z, half_x)
    at_y, back_y = _apex(y, z, half_y)
    # A single point, or a flat thing seen edge on, still wants some room.
    back = max(back_x, back_y, float(z.max()) + 0.5 * reach)
    eye = middle + at_x * axes[0] + at_y * axes[1] + back * axes[2]
    return Camera(_vector(eye), _vector(eye - axes[2] * (back - np.median(z))), fov)


def _apex(across: Floats, back: Floats, half: float) -> tuple[float, float]:
    """Where the outermost sight lines of slope `half` on both sides meet: position across and back."""
    high, low = float(np.max(back + across / half)), float(np.max(back - across / half))
    return half * (high - low) / 2, (high + low) / 2


def _vector(values: npt.ArrayLike) -> Vector:
    x, y, z = (float(v) for v in np.asarray(values))
    return x, y, z
