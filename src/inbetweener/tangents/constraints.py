"""What must hold while something is dragged: pins, contacts, and states of the dragged point itself."""

import math
from dataclasses import dataclass

from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted


@dataclass(frozen=True, slots=True)
class Pin:
    """The motion curve of `point` must not change from `start` to `end` seconds; the whole clip by default."""

    point: Place
    wanted: Wanted = "position"
    start: float = -math.inf
    end: float = math.inf

    @property
    def is_endless(self) -> bool:
        """Whether it holds at all times."""
        return self.start == -math.inf and self.end == math.inf

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"{self.point} pin"


@dataclass(frozen=True, slots=True)
class Contact:
    """The point must not move from `start` to `end` seconds; it stays where it is at `start`."""

    point: Place
    start: float
    end: float
    wanted: Wanted = "position"

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"{self.point} contact"


@dataclass(frozen=True, slots=True)
class Lock:
    """The dragged point keeps its state at this time, while it is dragged at another."""

    time: float
    wanted: Wanted = "position"

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"lock at {self.time:g} s"


Constraint = Pin | Contact | Lock
