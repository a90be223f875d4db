"""What a pose is asked for: points to pull, points to hold, channels that may move."""

import math
from dataclasses import dataclass

from inbetweener.errors import InvalidRequest
from inbetweener.motion import Constraint
from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted


@dataclass(frozen=True, slots=True)
class Pull:
    """A point that is pulled; `weight` > 0 says how much it counts where not all pulls can be satisfied."""

    point: Place
    wanted: Wanted = "position"
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (self.weight > 0.0 and math.isfinite(self.weight)):
            raise InvalidRequest(f"pull on {self.point}: weight {self.weight:g} must be positive and finite")


@dataclass(frozen=True, slots=True)
class PoseRequest:
    """Pull any number of points while pins hold: constraints of any kind, each as it is in the pose before.

    `channels` allows only some channels to move; by default all may that matter, except scales and the blends of
    handles: nobody expects a pull to make a limb longer or to change how it is controlled.
    """

    pulls: tuple[Pull, ...]
    pins: tuple[Constraint, ...] = ()
    channels: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if not self.pulls:
            raise InvalidRequest("a pose request without pulls asks for nothing; name at least one point to pull")
