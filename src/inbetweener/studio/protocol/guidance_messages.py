"""What the server tells of a run of guidance."""

from typing import Literal

from msgspec import Struct, field

from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.protocol.message import Message


class TermCost(Struct):
    """What a term, or a regulariser, costs."""

    name: str
    cost: float


class Guidance(Message, tag="guidance"):
    """How far a run is: the iterate shown, how many there are, their costs. At rest `text` sums up what changed.

    With `before`, the motion is shown as it was; the run is still at that iterate.
    `state` "over": the gesture was kept or cancelled, by whomever; "failed": nothing was changed, and `text` says why.
    """

    gesture: int
    state: Literal["running", "resting", "failed", "over"]
    iterate: int = 0
    before: bool = False
    costs: list[float] = field(default_factory=list)
    terms: list[TermCost] = field(default_factory=list)
    text: str = ""


class HeatRow(Struct):
    """What a term costs at each moment because of a joint or channel."""

    term: str
    label: str
    values: list[float]


class GuidanceHeat(Message, tag="guidance-heat"):
    """Cost over time at the iterate shown, once a run rests."""

    gesture: int
    times: list[float]
    rows: list[HeatRow]


class CurveBefore(Struct):
    """A curve as it was before a run: eight numbers a key, as curves come in arrays; layer 0 is the base."""

    channel: int
    layer: int
    rows: list[float]


class GuidanceOffer(Message, tag="guidance-offer"):
    """A run that its page has left is this page's from now on; `Guidance` follows. `layer` null is the base."""

    gesture: int
    settings: GuidanceSettings
    layer: str | None
    before: list[CurveBefore]
