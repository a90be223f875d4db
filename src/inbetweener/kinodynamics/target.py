"""Targets: what loose motion must be at a moment, and how much of the motion around may give way for it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from inbetweener.kinodynamics.bell import Bell
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.rig import Place

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

Keyed = Literal["keyed"]
"""As the keyed motion has it at that time, before any correction."""


@dataclass(frozen=True)
class PointTarget:
    """A place on the body at `time`: where it is, how it is turned, how fast it moves; what is None is free.

    With `until`, all the time from `time` on: a grasp, a planted foot. A place and a turn that are given stand still
    meanwhile; "keyed" they move as keyed, or with a velocity of nought, stand where they are keyed at `time`.

    point     on joints or, as a vertex, on a soft mesh
    position, velocity  metres and metres a second in the world; orientation  a unit quaternion (w, x, y, z)
    weight    how much it counts where not all targets can be met
    channels  what may give way; all that move the place by default, but for those of the root
    """

    time: float
    point: Place | SoftPoint
    position: Vector | Keyed | None = "keyed"
    orientation: Quaternion | Keyed | None = None
    velocity: Vector | Keyed | None = None
    weight: float = 1.0
    bell: Bell = field(default_factory=Bell)
    channels: frozenset[str] | None = None
    until: float | None = None

    def __post_init__(self) -> None:
        _require_sound(self.time, self.weight)
        if self.until is not None:
            self._require_stretch(self.until)
        for name, wanted in (("position", self.position), ("orientation", self.orientation), ("speed", self.velocity)):
            if isinstance(wanted, tuple) and not all(map(math.isfinite, wanted)):
                raise InvalidLooseness(f"target {self.point} at {self.time:g} s: its {name} is not finite")
        if self.position is None and self.orientation is None and self.velocity is None:
            raise InvalidLooseness(f"target {self.point} at {self.time:g} s asks for nothing; give it a position")

    def _require_stretch(self, until: float) -> None:
        named = f"target {self.point} from {self.time:g} s"
        if not (math.isfinite(until) and until > self.time):
            raise InvalidLooseness(f"{named} must hold until a later time, not {until:g} s")
        if isinstance(self.point, SoftPoint):
            raise InvalidLooseness(f"{named} is on something soft, which cannot be held; hold what carries it")
        if self.velocity is not None and (isinstance(self.velocity, str) or any(self.velocity)):
            raise InvalidLooseness(f"{named} holds, so it has no velocity of its own; leave it out, or nought")
        if self.position is None and self.orientation is None:
            raise InvalidLooseness(f"{named} asks for nothing to hold; give it a position or an orientation")

    @property
    def end(self) -> float:
        """When it is over."""
        return self.time if self.until is None else self.until

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"{self.point} {'target' if self.until is None else 'hold'}"

    def run(self, scale: float, shift: float) -> "PointTarget":
        """The target in a clip whose times t become scale · t + shift; backward, it passes the other way."""
        first, last = sorted((scale * self.time + shift, scale * self.end + shift))
        velocity = self.velocity
        if velocity is not None and not isinstance(velocity, str):
            x, y, z = velocity
            velocity = x / scale, y / scale, z / scale
        until = None if self.until is None else last
        return replace(self, time=first, until=until, velocity=velocity, bell=self.bell.run(scale))


@dataclass(frozen=True)
class PoseTarget:
    """The whole pose at `time`: values by channel, or as keyed; the loose channels, where no others are named.

    With `velocity`, loose channels also move as fast as keyed there, or stand still.
    """

    time: float
    pose: Mapping[str, float] | Keyed = "keyed"
    velocity: Literal["keyed", "still"] | None = None
    weight: float = 1.0
    bell: Bell = field(default_factory=Bell)

    def __post_init__(self) -> None:
        _require_sound(self.time, self.weight)
        if not isinstance(self.pose, str):
            object.__setattr__(self, "pose", MappingProxyType(dict(self.pose)))
            for name, value in self.pose.items():
                if not math.isfinite(value):
                    raise InvalidLooseness(f"pose target at {self.time:g} s: {name!r} is not finite")

    __hash__ = None  # type: ignore[assignment]  # a mapping inside

    @property
    def end(self) -> float:
        """When it is over."""
        return self.time

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return "pose target"

    def run(self, scale: float, shift: float) -> "PoseTarget":
        """The target in a clip whose times t become scale · t + shift."""
        return replace(self, time=scale * self.time + shift, bell=self.bell.run(scale))


Target = PointTarget | PoseTarget


def _require_sound(time: float, weight: float) -> None:
    if not math.isfinite(time):
        raise InvalidLooseness("a target's time must be finite")
    if not (weight > 0 and math.isfinite(weight)):
        raise InvalidLooseness(f"target at {time:g} s: weight {weight:g} must be positive")
