"""What is in the way where a program cannot reach all that it was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Blocker:
    """What keeps points from their targets — a pin, a contact, a limit — and its share of the resistance, 0 to 1."""

    name: str
    share: float


def ranked(pushes: Mapping[str, float], least: float) -> tuple[Blocker, ...]:
    """Those that push back with more than the share `least` of all, the strongest first."""
    total = sum(pushes.values())
    strongest = sorted(pushes.items(), key=lambda each: -each[1])
    return tuple(Blocker(name, force / total) for name, force in strongest if force > least * total)
