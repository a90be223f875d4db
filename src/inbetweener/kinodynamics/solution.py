"""Solutions: how far every target was missed, how far it is now, and the layers that make the difference."""

from dataclasses import dataclass
from typing import Literal

from inbetweener.arrays import Floats
from inbetweener.kinodynamics.corrections import with_layers
from inbetweener.kinodynamics.target import PointTarget, Target
from inbetweener.motion import Clip, Curves, Layer

Ending = Literal["reached", "stuck", "stopped"]
"""Every target is hit; no step brings them nearer; or the run was ended before either."""


NAMED = 3
"""Channels at a limit that a summary names."""


@dataclass(frozen=True, slots=True)
class Miss:
    """How far a target is missed: metres, radians, metres a second; of a pose, by the channel that is furthest off.

    share  channels of a pose that are neither turned nor shifted: blend shapes and controls, in their own unit
    """

    distance: float = 0.0
    turn: float = 0.0
    speed: float = 0.0
    share: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TargetOutcome:
    """What became of one target.

    correction    curves by channel, to be added to the keyed ones
    coefficients  (B, C): the λ and β of every channel, and how much there is of its further parts
    state         (C,) channel values of the loose motion at the target's time: what is hit or, out of reach, comes
                  nearest
    before, after how far it was missed without any correction, and is with all of them
    blocked       of a target that is missed, the channels that would bring it nearer and stand at a limit
    """

    name: str
    target: Target
    correction: Curves
    coefficients: Floats
    state: Floats
    before: Miss
    after: Miss
    reached: bool
    blocked: tuple[str, ...] = ()

    @property
    def layer(self) -> Layer:
        """The correction as a layer of the target's name."""
        return Layer(self.name, self.correction)

    @property
    def summary(self) -> str:
        """One line for an animator."""
        when = f"{self.name} {span(self.target)}"
        if self.reached:
            held = "hit" if self.target.end == self.target.time else f"held to {1000 * self.after.distance:.2g} mm"
            return f"{when}: {held} ({_said(self.before, self.target)} off before)"
        still = f"{when}: still {_said(self.after, self.target)} off ({_said(self.before, self.target)} before)"
        if not self.blocked:
            return still
        more = f" and {len(self.blocked) - NAMED} more" if len(self.blocked) > NAMED else ""
        return f"{still}; at a limit: {', '.join(self.blocked[:NAMED])}{more}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: the worst target's error in metres (turns and speeds count by a lever and a time of
    reaction), after so many windows simulated in so many batches.
    """

    error: float
    windows: int
    batches: int


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Corrections for all targets, measured afresh on the motion that they make.

    history  from the motion without corrections on, one entry each time that errors were looked at
    """

    outcomes: tuple[TargetOutcome, ...]
    history: tuple[Progress, ...]
    ending: Ending

    @property
    def reached(self) -> bool:
        """Whether every target is hit."""
        return all(outcome.reached for outcome in self.outcomes)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """One for every target, ready for the clip."""
        return tuple(outcome.layer for outcome in self.outcomes)

    @property
    def windows(self) -> int:
        """How many windows were simulated in all, those of derivatives and of the last look included."""
        return self.history[-1].windows if self.history else 0

    @property
    def batches(self) -> int:
        """In how many batches, each of which takes little longer than one window while cores are free."""
        return self.history[-1].batches if self.history else 0

    def applied(self, clip: Clip) -> Clip:
        """The clip with all corrections, instead of those that the same targets had before."""
        return with_layers(clip, self.layers)

    @property
    def summary(self) -> str:
        """A line for every target."""
        return "\n".join(outcome.summary for outcome in self.outcomes) or "no targets"


def span(target: Target) -> str:
    """When a target is: "at 1.42 s", or "from 1.42 to 1.92 s"."""
    if target.end == target.time:
        return f"at {target.time:.2f} s"
    return f"from {target.time:.2f} to {target.end:.2f} s"


def _said(miss: Miss, target: Target) -> str:
    parts = []
    if isinstance(target, PointTarget) and target.position is None:
        shown = miss.distance > 0
    else:
        shown = miss.distance > 0 or not (miss.turn or miss.speed or miss.share)
    if shown:
        parts.append(f"{100 * miss.distance:.3g} cm")
    if miss.turn > 0:
        parts.append(f"{miss.turn * 57.29577951308232:.3g}°")
    if miss.speed > 0:
        parts.append(f"{100 * miss.speed:.3g} cm/s")
    if miss.share > 0:
        parts.append(f"{miss.share:.3g}")
    return ", ".join(parts) or "nothing"
