"""The view plane: where strokes live, and the way from there to the body and back."""

import math
from dataclasses import dataclass, field
from typing import Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.maths.transforms import Vector

NamedView = Literal["front", "side", "top", "back"]
NAMED_VIEWS: tuple[NamedView, ...] = get_args(NamedView)

# Right and up in the picture; whoever faces +z is seen from the front.
_AXES: dict[str, tuple[Vector, Vector]] = {
    "front": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "side": ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    "top": ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    "back": ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
}


class OutOfView(InbetweenerError, ValueError):
    """A part of the body that the camera cannot see, because it is behind it."""


@dataclass(frozen=True, slots=True, eq=False)
class ViewPlane:
    """A plane through `origin` (3,) with unit axes `right` and `up` (3,); its coordinates are metres from the origin.

    `distance` is how far before the plane the eye stands, in metres; infinite for parallel rays.
    """

    origin: Floats
    right: Floats
    up: Floats
    distance: float = math.inf
    backward: Floats = field(init=False)
    """Towards the eye (3,): what turns counter-clockwise in the picture turns about it."""

    def __post_init__(self) -> None:
        for name in ("origin", "right", "up"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        object.__setattr__(self, "backward", frozen(np.cross(self.right, self.up)))

    @classmethod
    def looking(cls, eye: npt.ArrayLike, target: npt.ArrayLike, *, perspective: bool = True) -> Self:
        """The plane through what a camera looks at, y up in the picture; straight down, −z is up."""
        eye, target = np.asarray(eye, np.float64), np.asarray(target, np.float64)
        distance = float(np.linalg.norm(target - eye))
        if not (math.isfinite(distance) and distance > 0.0):
            raise OutOfView("a camera that looks at its own eye sees nothing; move eye and target apart")
        back = (eye - target) / distance
        upwards = np.array([0.0, 1.0, 0.0]) if abs(back[1]) < 0.9999 else np.array([0.0, 0.0, -np.sign(back[1])])
        right = np.cross(upwards, back)
        right /= np.linalg.norm(right)
        return cls(target, right, np.cross(back, right), distance if perspective else math.inf)

    @classmethod
    def named(cls, name: str) -> Self:
        """Front, side (from +x), top or back, with parallel rays and the world's origin."""
        if name not in _AXES:
            raise UnknownName("view", name, NAMED_VIEWS)
        right, up = _AXES[name]
        return cls(np.zeros(3), np.array(right), np.array(up))

    def project(self, points: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Points (n, 3) in the plane (n, 2), and how far behind it they lie (n,)."""
        away = np.asarray(points, np.float64) - self.origin
        depth = -(away @ self.backward)
        if depth.min(initial=0.0) <= -self.distance:
            raise OutOfView("a part of the body is behind the camera; move back to sketch it")
        flat = np.stack([away @ self.right, away @ self.up], axis=-1)
        return flat / self.magnification(depth)[:, None], depth

    def lift(self, flat: npt.ArrayLike, depth: Floats) -> Floats:
        """Points (n, 3) in the world that are seen at (n, 2) and lie so far behind the plane (n,)."""
        flat = np.asarray(flat, np.float64) * self.magnification(depth)[:, None]
        return self.origin + flat[:, :1] * self.right + flat[:, 1:] * self.up - depth[:, None] * self.backward

    def magnification(self, depth: Floats) -> Floats:
        """Metres at a depth (n,) for one metre in the plane."""
        return np.ones(len(depth)) if math.isinf(self.distance) else 1.0 + depth / self.distance
