"""Where a pose got to, and what is in the way."""

from dataclasses import dataclass

from inbetweener.arrays import Floats, frozen
from inbetweener.maths.blocker import Blocker
from inbetweener.posing.problem import Problem
from inbetweener.posing.state import State


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Where a pose got to.

    z                  (n,) scaled channels, to start the next solve from
    targets            what each pulled point should have; positions (P, 3), orientations (P, 3, 3) what it has
    distances, turns   (P,) metres and radians still missing, zero where not wanted
    pin_error          the worst pin: heights of the character, or radians
    iterations         programs solved
    blockers           what is in the way where not all is reached; empty if limbs are simply too short
    """

    problem: Problem
    z: Floats
    targets: tuple[State, ...]
    positions: Floats
    orientations: Floats
    distances: Floats
    turns: Floats
    pin_error: float
    iterations: int
    reached: bool
    blockers: tuple[Blocker, ...]

    @property
    def channels(self) -> Floats:
        """All channel values (C,) of the new pose."""
        return frozen(self.problem.posed(self.z))

    @property
    def states(self) -> tuple[State, ...]:
        """The states that the pulled points have."""
        return tuple(State(p, t) for p, t in zip(self.positions, self.orientations, strict=True))
