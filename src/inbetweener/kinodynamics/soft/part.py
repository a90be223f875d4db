"""Soft parts of meshes, in an animator's terms: what a joint carries is elastic, or hangs on springs."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from inbetweener.kinodynamics.spring import InvalidLooseness, Spring

FELT = Spring(2.4, 0.22)
"""A tall hat: it nods after its wearer twice and is still."""

FLESH = Spring(5.0, 0.35)
"""Cheeks and lips: they come a frame late and hardly overshoot."""

MOST_CELLS = 40
"""Cubes along a part's longest side; more take minutes, and no eye sees them."""


@dataclass(frozen=True, slots=True)
class ElasticPart:
    """An elastic solid on a joint: all that the joint and those below it carry of a mesh, such as a hat or a belly.

    spring  how often a second its slowest shape swings, and how damped; faster shapes are damped more
    held    the share of its reach, from the joint's origin, within which it does not give
    cells   cubes of the grid around it, along its longest side
    modes   shapes in which it swings
    poisson how much it thins when it is stretched: 0 as cork, nearly 0.5 as rubber
    beta_share  how much of the slowest shape's damping grows with stiffness, β K, the rest with inertia, α M ([IKD] Eq.
            23): with 0 all shapes die away alike, with 1 fast ones at once
    """

    mesh: str
    joint: str
    spring: Spring = field(default=FELT)
    held: float = 0.25
    cells: int = 14
    modes: int = 30
    poisson: float = 0.25
    beta_share: float = 0.5

    @classmethod
    def rayleigh(cls, mesh: str, joint: str, frequency: float, alpha: float, beta: float, **others: Any) -> Self:
        """One that is damped by α in 1/s and β in s, as solids mostly are ([IKD] Eq. 24)."""
        spring = Spring.rayleigh(frequency, alpha, beta)
        by_stiffness = math.pi * frequency * beta
        return cls(mesh, joint, spring, beta_share=by_stiffness / spring.damping if spring.damping else 0.5, **others)

    def __post_init__(self) -> None:
        if not (0 < self.held < 1 and math.isfinite(self.held)):
            raise InvalidLooseness(f"{self}: the share that is held, {self.held:g}, must lie between 0 and 1")
        if not 2 <= self.cells <= MOST_CELLS:
            raise InvalidLooseness(f"{self}: a grid of {self.cells} cells must have from 2 to {MOST_CELLS}")
        if not 1 <= self.modes <= 200:
            raise InvalidLooseness(f"{self}: {self.modes} modes must be from 1 to 200")
        if not 0 <= self.poisson <= 0.45:
            raise InvalidLooseness(f"{self}: a Poisson ratio of {self.poisson:g} must lie between 0 and 0.45")
        if not 0 <= self.beta_share <= 1:
            raise InvalidLooseness(
                f"{self}: the share of damping by stiffness, {self.beta_share:g}, must lie from 0 to 1"
            )

    def __str__(self) -> str:
        return f"{self.joint} of mesh {self.mesh!r}"


@dataclass(frozen=True, slots=True)
class SpringyPart:
    """Vertices on a spring each: all that the joint and those below it carry of a mesh, such as a face ([IKD] §4.5).

    frame  "joint": they swing as seen from the joint, so only what moves on it shakes them; "world": whatever does
    """

    mesh: str
    joint: str
    spring: Spring = field(default=FLESH)
    frame: Literal["joint", "world"] = "joint"

    def __post_init__(self) -> None:
        if self.frame not in ("joint", "world"):
            raise InvalidLooseness(f"{self}: swings in the frame of its joint or of the world, not of {self.frame!r}")

    def __str__(self) -> str:
        return f"{self.joint} of mesh {self.mesh!r}"


SoftPart = ElasticPart | SpringyPart
