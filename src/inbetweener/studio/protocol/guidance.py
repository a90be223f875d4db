"""Words of guidance: how an animator steers a run."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from inbetweener.studio.protocol.loose import Masses
from inbetweener.studio.protocol.parts import KeyRef, Name

Amount = Annotated[float, Meta(ge=0.0, le=1e6)]
TermName = Literal["torque", "jerk", "acceleration", "limits", "balance", "slide", "style", "obstacles"]


class TermWeight(Struct, forbid_unknown_fields=True):
    """How much a term counts."""

    name: TermName
    weight: Amount


class JointFactor(Struct, forbid_unknown_fields=True):
    """How much more a joint's tangents stay as they are; null: they do not change at all."""

    joint: Name
    factor: Amount | None


class KernelInfo(Struct, forbid_unknown_fields=True):
    """When costs count less: a bell around `centre`, `width` its standard deviation, both in seconds.

    `depth` is how much less on its top: nothing at all at 1.
    """

    centre: float
    width: Annotated[float, Meta(ge=1e-4, le=1e6)]
    depth: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0


class GuidanceSettings(Struct, forbid_unknown_fields=True):
    """All that steers a run; no channels: all of them; no start or end: the whole clip.

    With `gravity`, torque counts what it takes to hold the body up too; with `held_root`, what drives its root as well.
    `masses` says how the body is weighed; null: as the clip's looseness does. `style` is the clip that the style term
    compares with; none is the motion as it was before the run. The tangents of `frozen` keys stay as they were.
    `seamless` keeps the ends of a loop together. Without `own`, pins and contacts of the document do not count.
    """

    terms: Annotated[list[TermWeight], Meta(min_length=1, max_length=16)]
    regularise: Amount = 0.3
    joints: Annotated[list[JointFactor], Meta(max_length=10_000)] = []
    kernels: Annotated[list[KernelInfo], Meta(max_length=100)] = []
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    start: float | None = None
    end: float | None = None
    gravity: bool = False
    held_root: bool = False
    masses: Masses | None = None
    style: Name | None = None
    frozen: Annotated[list[KeyRef], Meta(max_length=200_000)] = []
    seamless: bool = False
    own: bool = True
