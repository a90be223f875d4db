"""A key: a value at a time, with a tangent on either side."""

from dataclasses import dataclass, field
from typing import Literal, get_args

Interpolation = Literal["constant", "linear", "bezier"]
INTERPOLATIONS: tuple[Interpolation, ...] = get_args(Interpolation)
CONSTANT, LINEAR, BEZIER = range(3)


@dataclass(frozen=True, slots=True)
class Tangent:
    """A Bezier handle relative to its key: width `x` ≥ 0 in seconds, height `y` in the curve's unit.

    Both tangents of a key point forward in time: the in handle sits at key − in, the out handle at key + out. So a
    smooth key has equal slopes y/x on both sides.
    """

    x: float = 0.0
    y: float = 0.0

    @property
    def slope(self) -> float:
        """Height over width; zero for a tangent without width."""
        return self.y / self.x if self.x > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a curve; `interpolation` shapes the segment that starts here, `tied` keeps both slopes equal."""

    time: float
    value: float
    in_tangent: Tangent = field(default_factory=Tangent)
    out_tangent: Tangent = field(default_factory=Tangent)
    interpolation: Interpolation = "bezier"
    tied: bool = True
