"""What every gesture can do: follow the hand, and say how well."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from inbetweener.document import Document
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
