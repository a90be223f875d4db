"""Springs in an animator's terms: how often a second a part would swing, and how soon it comes to rest."""

import math
from dataclasses import dataclass, replace
from typing import Self

from inbetweener.errors import InbetweenerError, UnknownName

STIFFEST = 1000.0
"""Hz: above, nothing is loose any more."""


THICKEST = 240.0
"""1/s: in this air half a speed is gone after three thousandths of a second."""


class InvalidLooseness(InbetweenerError, ValueError):
    """Looseness that cannot be simulated; says which number, and what would do."""


@dataclass(frozen=True, slots=True)
class Spring:
    """A part swings `frequency` times a second about its keyed motion; with `damping` 1 it comes to rest soonest, with
    less it overshoots.

    Damping holds against turning in the joint; `air` against moving through the world, as hair in water: 1/s, the share
    of its speed that a part would lose in a second if it lost it evenly. Then it trails behind whatever it hangs on.
    Soft parts of meshes feel none.
    """

    frequency: float
    damping: float = 0.5
    air: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.frequency <= STIFFEST:
            raise InvalidLooseness(
                f"stiffness {self.frequency:g} Hz must lie above 0 and up to {STIFFEST:g}; "
                "to keep a joint tight, leave it out"
            )
        if not 0 <= self.damping <= 100:
            raise InvalidLooseness(f"damping {self.damping:g} must lie between 0, swinging for ever, and 100")
        if not 0 <= self.air <= THICKEST:
            raise InvalidLooseness(f"air {self.air:g} 1/s must lie between 0, which is none, and {THICKEST:g}")

    @classmethod
    def rayleigh(cls, frequency: float, alpha: float, beta: float) -> Self:
        """Damped by α times the inertia and β times the stiffness, in 1/s and s ([IKD] Eq. 24): ζ = (α/ω + β ω) / 2."""
        if not (alpha >= 0 and beta >= 0):
            raise InvalidLooseness(f"Rayleigh damping of α {alpha:g} and β {beta:g} must not be negative")
        omega = 2 * math.pi * frequency
        return cls(frequency, (alpha / omega + beta * omega) / 2 if omega > 0 else 0.0)

    def scaled(self, factor: float) -> "Spring":
        """The same damping, `factor` times as tight."""
        return replace(self, frequency=self.frequency * factor)

    @property
    def decay(self) -> float:
        """1/s: the rate at which the slowest part of a swing dies away."""
        omega = 2 * math.pi * self.frequency
        zeta = self.damping + self.air / (2 * omega)
        # Written so that strong damping loses no digits: ω (ζ − √(ζ² − 1)).
        return omega * zeta if zeta <= 1 else omega / (zeta + math.sqrt(zeta * zeta - 1))

    @property
    def rates(self) -> tuple[float, float]:
        """ω² and 2 ζ ω: stiffness and damping for a unit of inertia."""
        omega = 2 * math.pi * self.frequency
        return omega**2, 2 * self.damping * omega


PRESETS: dict[str, Spring] = {
    "tight": Spring(12.0, 0.9),
    "firm": Spring(6.0, 0.7),
    "relaxed": Spring(3.5, 0.5),
    "loose": Spring(2.2, 0.35),
    "drunk": Spring(1.4, 0.25),
}
"""From hardly noticed to hardly under control."""


def preset(name: str) -> Spring:
    """The spring that goes by a name."""
    if name not in PRESETS:
        raise UnknownName("looseness", name, PRESETS)
    return PRESETS[name]
