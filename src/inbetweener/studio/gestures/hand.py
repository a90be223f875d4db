"""What every gesture can do: follow the hand, and say how well."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.maths import quaternions
from inbetweener.rig.freedom import Wanted
from inbetweener.studio.protocol.binary import MalformedMessage
from inbetweener.studio.protocol.to_page import BlockerInfo

Position = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a move: the document to show, and for the page's `Answer` the fields of the same names."""

    document: Document
    reached: bool = True
    position: Position | None = None
    wish: Position | None = None
    distance: float = 0.0
    turn: float = 0.0
    held: float = 0.0
    blockers: list[BlockerInfo] = field(default_factory=list)
    text: str = ""


class Hand(Protocol):
    """A gesture under way. Moves are absolute: each starts from the document as it was when the gesture began."""

    @property
    def label(self) -> str:
        """What the history will call it: "Drag hand_l at frame 17"."""

    @property
    def time(self) -> float | None:
        """Around which time the page looks most closely; None where it is all one."""

    def to(self, values: Sequence[float]) -> Outcome:
        """Follow the hand; raises an InbetweenerError when there cannot be such a move."""


@runtime_checkable
class Settles(Hand, Protocol):
    """A gesture whose moves begin from what the last one found, or stop short of all that can be done.

    What such a gesture is kept as must not depend on moves on the way, of which a busy machine drops some.
    """

    def settled(self, values: Sequence[float]) -> Outcome:
        """What the last move comes to from the beginning, as if it were the only one."""


FARTHEST = 1e6
"""No hand reaches farther: metres, seconds, radians; squares of such numbers still have digits to spare."""

_SIZES = {"position": 3, "orientation": 4, "both": 7}


def require(values: Sequence[float], count: int) -> Floats:
    """The values as an array, if there are as many as the gesture takes and none is out of this world."""
    if len(values) != count:
        raise MalformedMessage(f"this gesture moves by {count} values, not {len(values)}")
    numbers = np.array(values, np.float64)
    if not (np.abs(numbers) <= FARTHEST).all():
        raise MalformedMessage(f"this gesture moves by values up to {FARTHEST:g}, not {numbers.tolist()}")
    return numbers


def wished_state(values: Sequence[float], wanted: Wanted) -> tuple[Floats | None, Floats | None]:
    """The position (3,) and orientation (3, 3) that a move wishes for; None for the half that is not wanted."""
    numbers = require(values, _SIZES[wanted])
    position = numbers[:3] if wanted != "orientation" else None
    turn = quaternions.to_matrix(_unit(numbers[-4:])) if wanted != "position" else None
    return position, turn


def triple(vector: Floats) -> Position:
    """A vector (3,) as messages have it."""
    x, y, z = map(float, vector)
    return x, y, z


def _unit(turn: Floats) -> Floats:
    length = float(np.linalg.norm(turn))
    if length < 1e-6:
        raise MalformedMessage("an orientation of length nought is none")
    return turn / length


def require_sane(what: str, *numbers: float) -> None:
    """Refuse numbers that no body or clip has, by the name of what they are for."""
    for number in numbers:
        if not abs(number) <= FARTHEST:
            raise MalformedMessage(f"{what} cannot be {number:g}; choose a number up to {FARTHEST:g}")
