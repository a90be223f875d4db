"""Words that messages in both directions share. Times are seconds, lengths metres, angles radians, turns wxyz."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Vector = tuple[float, float, float]
Name = Annotated[str, Meta(max_length=400)]
Number = Annotated[int, Meta(ge=0, lt=1 << 32)]
"""A number that a page gives to something of its own."""
Wanted = Literal["position", "orientation", "both"]
Side = Literal["in", "out"]
Preset = Literal["smooth", "flat", "linear", "stepped"]
Interpolation = Literal["constant", "linear", "bezier"]
Blending = Literal["linear", "dual-quaternion", "screw", "differential", "differential-world"]
"""As `skinning` has them."""


class Part(Struct, forbid_unknown_fields=True):
    """A share of a place: an offset in a joint's frame."""

    joint: Name
    offset: Vector
    weight: float


class Place(Struct, forbid_unknown_fields=True):
    """A spot on the body that one joint carries, or several by weight; without a name it is called by its joint."""

    parts: Annotated[list[Part], Meta(min_length=1, max_length=64)]
    name: Name


class KeyRef(Struct, forbid_unknown_fields=True):
    """A key: the channel, its number on the curve, and the layer (none is the base)."""

    channel: Name
    key: int
    layer: Name | None = None
