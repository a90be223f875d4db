"""What is loose, and how: springs on joints and channels, and the window in which they are simulated."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np

from inbetweener.dynamics.body import Body, Weighing
from inbetweener.dynamics.forward import mass_matrix
from inbetweener.kinodynamics.soft import SoftPart
from inbetweener.kinodynamics.spring import STIFFEST, InvalidLooseness, Spring
from inbetweener.rig import Rig
from inbetweener.rig.chains import descendants
from inbetweener.rig.characters import floating
from inbetweener.rig.joint import DOFS
from inbetweener.rig.masses import MassModel

Window = float | Literal["auto", "adaptive"]
"""Seconds; or found from springs and motion, one length for the whole clip or one for every moment."""

Masses = Weighing | MassModel
"""How parts are weighed, or what they weigh: what meshes weigh is found once for all that asks."""

HEAVIEST = 1e12
"""Times the earth's gravity: more is a slip, and beyond the numbers that simulations can take."""

LONGEST = 30.0
"""Seconds: a window longer than this is a simulation of the whole shot."""


@dataclass(frozen=True)
class Looseness:
    """Which parts are loose, and the world they swing in.

    springs  by joint, for all its turns, or by channel, which wins over its joint; what is not named stays tight
    window   how far back the simulation of each moment begins
    error    metres: how far windows that are found may leave anything from a simulation of the whole shot
    gravity  how much of the earth's pulls at what is loose; none by default, for whoever posed the keys has held the
             body up already: a pose that is held stays as it was posed, and what swings is what moves
    drag     1: damping holds against any movement, as [IKD] has it; 0: only against leaving the keyed motion
    masses   how parts are weighed
    total    kg of the whole body; as it is weighed where nobody says
    collide  whether the ground and props stop what is loose; needs the extra "contacts"
    light    what hangs on a loose joint is next to weightless to it: joints in a row swing each by itself, as in VRM
    soft     parts of meshes that swing by themselves on top: elastic solids, vertices on springs
    """

    springs: Mapping[str, Spring] = field(default_factory=dict)
    window: Window = "auto"
    error: float = 0.001
    gravity: float = 0.0
    drag: float = 1.0
    masses: Weighing = "boxes"
    collide: bool = False
    soft: tuple[SoftPart, ...] = ()
    total: float | None = None
    light: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "springs", MappingProxyType(dict(self.springs)))
        if isinstance(self.window, (int, float)) and not 0 < self.window <= LONGEST:
            raise InvalidLooseness(f"window {self.window:g} s must lie above 0 and up to {LONGEST:g} s")
        if not (self.error > 0 and math.isfinite(self.error)):
            raise InvalidLooseness(f"error {self.error:g} m must be positive")
        if not abs(self.gravity) <= HEAVIEST:
            raise InvalidLooseness(f"gravity {self.gravity:g} must lie within {HEAVIEST:g} times the earth's")
        if self.total is not None and not (self.total > 0 and math.isfinite(self.total)):
            raise InvalidLooseness(f"a body of {self.total:g} kg: its mass must be positive and finite")
        if not 0 <= self.drag <= 1:
            raise InvalidLooseness(f"drag {self.drag:g} must lie between 0 and 1")

    __hash__ = None  # type: ignore[assignment]  # a mapping inside

    @property
    def is_loose(self) -> bool:
        """Whether anything is."""
        return bool(self.springs or self.soft)

    def with_springs(self, changes: Mapping[str, Spring | None]) -> "Looseness":
        """A copy with some springs put in, or taken out where the change is None."""
        kept = {name: spring for name, spring in self.springs.items() if name not in changes}
        return replace(self, springs={**kept, **{name: spring for name, spring in changes.items() if spring}})


STEEPEST = 1000.0
"""How many times as stiff, or as loose, one end of a chain may be as the other."""


def chain(rig: Rig, first: str, spring: Spring, *, tip: float = 0.4, masses: Masses = "boxes") -> dict[str, Spring]:
    """Springs for a joint and all below it, falling to `tip` times the stiffness at the far end: tails, hair, arms.

    The chain as a whole swings as the spring says. Joints in a row give way one after the other, so each of them alone
    is tighter than that: all by as much as brings the slowest swing at rest to the spring's own.
    """
    if not 1 / STEEPEST <= tip <= STEEPEST:
        most = f"give between {1 / STEEPEST} and {STEEPEST:g}"
        raise InvalidLooseness(f"chain from {first!r}: {tip:g} times the stiffness at its tip; {most}")
    depths = _depths(rig, first)
    longest = max(max(depths.values()), 1)
    return _swinging_as(rig, {name: tip ** (depth / longest) for name, depth in depths.items()}, spring, masses)


def chain_tip(rig: Rig, springs: Mapping[str, Spring], first: str) -> float | None:
    """The tip with which `chain` makes springs like these for a joint and all below it; None where they are none."""
    depths = _depths(rig, first)
    if len(depths) < 2 or not springs.keys() >= depths.keys():
        return None
    head, farthest = springs[first], max(depths, key=depths.__getitem__)
    tip = springs[farthest].frequency / head.frequency
    for name, depth in depths.items():
        each, share = springs[name], tip ** (depth / depths[farthest])
        if not (_near(each.frequency, head.frequency * share) and _near(each.damping, head.damping)):
            return None
    return tip


def as_one(rig: Rig, springs: Mapping[str, Spring], *, masses: Masses = "boxes") -> Spring:
    """The spring as which joints swing together whose springs are alike, or fall along a chain from the first."""
    head = next(iter(springs.values()))
    # Rounded, so that springs that slide together are recognised as the same shares of another stiffness.
    shares = {name: round(each.frequency / head.frequency, 9) for name, each in springs.items()}
    slowest = _slowest(rig.keyed, tuple(shares.items()), masses)
    return replace(head, frequency=head.frequency * slowest, damping=head.damping * slowest)


def as_a_whole(rig: Rig, spring: Spring, *, without: Iterable[str] = (), masses: Masses = "boxes") -> dict[str, Spring]:
    """Springs on every joint but the roots and those named, with which the body as a whole swings as the spring says.

    Like those of a chain they are tighter each: a person's spine and arm in a row would else sway at a third of it.
    """
    return _swinging_as(rig, dict.fromkeys(everywhere(rig, spring, without=without), 1.0), spring, masses)


def everywhere(rig: Rig, spring: Spring, *, without: Iterable[str] = ()) -> dict[str, Spring]:
    """The same spring on every joint but the roots and those named."""
    tight = {*without, *(rig.joints[j].name for j in np.flatnonzero(floating(rig)))}
    return {j.name: spring for j in rig.joints if j.name not in tight}


def _depths(rig: Rig, first: str) -> dict[str, int]:
    """How many joints a joint and each below it is away from it."""
    depths = {first: 0}
    for name in descendants(rig, first):
        depths[name] = depths[rig.joints[rig.joint(name).parent].name] + 1
    return depths


def _near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)


def _swinging_as(rig: Rig, shares: Mapping[str, float], spring: Spring, masses: Masses) -> dict[str, Spring]:
    """Springs of joints, with these shares of one stiffness, whose slowest swing together is that of a spring."""
    tighter = 1.0 / _slowest(rig.keyed, tuple(shares.items()), masses)
    # As many joints also share the damping of the whole.
    return {
        name: replace(
            spring,
            frequency=min(spring.frequency * share * tighter, STIFFEST),
            damping=min(spring.damping * tighter, 100.0),
        )
        for name, share in shares.items()
    }


@lru_cache(maxsize=16)
def _slowest(rig: Rig, shares: tuple[tuple[str, float], ...], masses: Masses) -> float:
    """How often a second a chain swings at rest whose joints alone, all below them held stiff, swing so often.

    Weighing a body takes tens of milliseconds, and a slider asks again with every move of the hand.
    """
    from scipy.linalg import eigh

    frequencies = dict(shares)
    turned = [
        (rig.joint_index(drive.joint) * 9 + DOFS.index(drive.axis), frequencies[drive.joint])
        for drive in dict.fromkeys(drive for channel in rig.channels for drive in channel.drives)
        if drive.joint in frequencies and drive.axis in ("rx", "ry", "rz") and drive.weight
    ]
    rates = dict(turned)
    if not rates:
        return 1.0
    matrix = mass_matrix(Body.of(rig, masses), rig.keyed.rest_dofs, np.array(list(rates), np.int64))
    inertias = np.diag(matrix)
    heavy = inertias > 1e-12 * max(float(inertias.max()), 1e-30)
    if not heavy.any():
        return 1.0
    stiffness = np.diag(inertias[heavy] * np.array(list(rates.values()))[heavy] ** 2)
    # Compliances are largest where swings are slowest, and matrices of masses may be all but singular.
    slowest = eigh(matrix[np.ix_(heavy, heavy)], stiffness, eigvals_only=True)[-1]
    return float(1.0 / np.sqrt(slowest))
