"""Guidance: how an animator steers a run, and what the server tells of it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from inbetweener.dynamics.body import Weighing
from inbetweener.guidance import Kernel
from inbetweener.studio.protocol.derived import Told, tells
from inbetweener.studio.protocol.parts import KeyRef, Message, Name

Amount = Annotated[float, Meta(ge=0.0, le=1e6)]


class TermWeight(Struct, forbid_unknown_fields=True):
    """How much a term counts: one that everybody has, or one that `Welcome` names."""

    name: Name
    weight: Amount


class JointFactor(Struct, forbid_unknown_fields=True):
    """How much more a joint's tangents stay as they are; null: they do not change at all."""

    joint: Name
    factor: Amount | None


@tells(Kernel)
class KernelInfo(Told, forbid_unknown_fields=True, kw_only=True):
    """When costs count less: a bell around `centre`, `width` its standard deviation, both in seconds.

    `depth` is how much less on its top: nothing at all at 1.
    """

    width: Annotated[float, Meta(ge=1e-4, le=1e6)]
    depth: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0


Kernels = Annotated[list[KernelInfo], Meta(max_length=100)]


class GuidanceSettings(Struct, forbid_unknown_fields=True):
    """All that steers a run; no channels: all of them; no start or end: the whole clip.

    With `gravity`, torque counts what it takes to hold the body up too; with `held_root`, what drives its root as well.
    `kernels` are the clip's where null; a run that is kept leaves its own there. `masses` says how the body is weighed;
    null: as the clip's looseness does. `style` is the clip that the style term compares with; none is the motion as it
    was before the run. The tangents of `frozen` keys stay as they were. `seamless` keeps the ends of a loop together.
    With `clear`, the skin stays out of obstacles, of the ground and of itself. Without `own`, pins and contacts of the
    document do not count.
    """

    terms: Annotated[list[TermWeight], Meta(min_length=1, max_length=16)]
    regularise: Amount = 0.3
    joints: Annotated[list[JointFactor], Meta(max_length=10_000)] = []
    kernels: Kernels | None = None
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    start: float | None = None
    end: float | None = None
    gravity: bool = False
    held_root: bool = False
    masses: Weighing | None = None
    style: Name | None = None
    frozen: Annotated[list[KeyRef], Meta(max_length=200_000)] = []
    seamless: bool = False
    clear: bool = False
    own: bool = True


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


class CostRow(Struct):
    """What a term measures at each moment of a joint or channel."""

    label: str
    values: list[float]


class CostsOverTime(Message, tag="costs-over-time"):
    """What the shown motion costs, whether or not a run is under way: a term's rows in its unit, N·m for torque.

    Rows of several labels together cost the root of the sum of their squares. Where nothing can be measured, `problem`
    says why.
    """

    term: str
    unit: str = ""
    times: list[float] = field(default_factory=list)
    rows: list[CostRow] = field(default_factory=list)
    problem: str = ""


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
