"""Springs in an animator's terms: how often a second a part would swing, and how soon it comes to rest."""

import math
from dataclasses import dataclass, replace

from inbetweener.errors import InbetweenerError, UnknownName

STIFFEST = 1000.0
"""Hz: above, nothing is loose any more."""


class InvalidLooseness(InbetweenerError, ValueError):
    """Looseness that cannot be simulated; says which number, and what would do."""


@dataclass(frozen=True, slots=True)
class Spring:
    """A part swings `frequency` times a second about its keyed motion; with `damping` 1 it comes to rest soonest, with
    less it overshoots.
    """

    frequency: float
    damping: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.frequency <= STIFFEST:
            raise InvalidLooseness(
                f"stiffness {self.frequency:g} Hz must lie above 0 and up to {STIFFEST:g}; "
                "to keep a joint tight, leave it out"
            )
        if not 0 <= self.damping <= 100:
            raise InvalidLooseness(f"damping {self.damping:g} must lie between 0, swinging for ever, and 100")

    def scaled(self, factor: float) -> "Spring":
        """The same damping, `factor` times as tight."""
        return replace(self, frequency=self.frequency * factor)

    @property
    def decay(self) -> float:
        """1/s: the rate at which the slowest part of a swing dies away."""
        omega, zeta = 2 * math.pi * self.frequency, self.damping
        # Written so that strong damping loses no digits: ω (ζ − √(ζ² − 1)).
        return omega * zeta if zeta <= 1 else omega / (zeta + math.sqrt(zeta * zeta - 1))

    def gains(self, step: float) -> tuple[float, float]:
        """Stiffness and damping for a unit of inertia so that steps of this length swing as the spring should.

        Implicit springs taken plainly, ω² and 2 ζ ω, are damped more than asked by about ω h / 2. One step multiplies
        the state by a matrix of determinant 1 / D and trace 1 + (1 − h² k) / D with D = 1 + h c + h² k; these are put
        to e^(−2ζωh) and 2 e^(−ζωh) cos(ω√(1 − ζ²) h), the exact ones. Where that would take negative damping, which
        lends bodies of less inertia no stability, the frequency alone is met; where steps are too long for either,
        plain gains follow without ever blowing up.
        """
        omega, zeta = 2 * math.pi * self.frequency, self.damping
        turn = omega * step
        if turn > 1.0:
            return omega**2, 2 * zeta * omega
        inner = 1 - zeta * zeta
        wave = math.cos(math.sqrt(inner) * turn) if inner >= 0 else math.cosh(math.sqrt(-inner) * turn)
        grown = math.exp(2 * zeta * turn)
        stiffness = grown + 1 - 2 * math.exp(zeta * turn) * wave
        damping = grown - 1 - stiffness
        if damping < 0:
            stiffness, damping = math.tan(math.sqrt(max(inner, 0.0)) * turn) ** 2, 0.0
        return stiffness / step**2, damping / step


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
