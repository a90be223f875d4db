"""Words that messages in both directions share. Times are seconds, lengths metres, angles radians, turns wxyz."""

import sys
from typing import Annotated, Any, Literal, Union

from msgspec import Meta, Struct

from inbetweener.curves import Interpolation
from inbetweener.curves.edit import Side
from inbetweener.curves.tangent_presets import Preset
from inbetweener.maths.transforms import Vector
from inbetweener.posing.sketch import Selecting
from inbetweener.rig.channel import ChannelKind
from inbetweener.rig.freedom import Wanted
from inbetweener.skinning import Blending

__all__ = ["Blending", "ChannelKind", "Interpolation", "Preset", "Selecting", "Side", "Vector", "Wanted"]

Name = Annotated[str, Meta(max_length=400)]
Number = Annotated[int, Meta(ge=0, lt=1 << 32)]
"""A number that a page gives to something of its own."""
Drawing = Literal["auto", "direct", "line-of-action", "outline"]
Support = Literal["rest", "pose"]
"""How bones follow a stroke; "auto" is direct for a chain and a line of action for all else."""


class Message(Struct, tag_field="type", kw_only=True):
    """Base of all messages to the page."""


class Request(Struct, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """Base of all requests; `id` counts up from 1 on every connection."""

    id: Number


class Gesture(Struct, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """Base of all gestures; a gesture becomes one step of the history."""


def declared(kind: type[Struct], *modules: str) -> Any:
    """The union of all messages of a kind that modules declare."""
    found = (each for module in modules for each in vars(sys.modules[module]).values() if isinstance(each, type))
    return Union[tuple(each for each in found if issubclass(each, kind) and each.__module__ in modules)]  # noqa: UP007


class Part(Struct, forbid_unknown_fields=True):
    """A share of a place: an offset in a joint's frame, and by channel what a blend shape of one adds to it."""

    joint: Name
    offset: Vector
    weight: float
    shapes: Annotated[list[tuple[Name, Vector]], Meta(max_length=1_000)] = []


class Place(Struct, forbid_unknown_fields=True):
    """A spot on the body that one joint carries, or several by weight; without a name it is called by its joint."""

    parts: Annotated[list[Part], Meta(min_length=1, max_length=64)]
    name: Name


class ViewPlane(Struct, forbid_unknown_fields=True):
    """The plane that strokes are drawn in, through what they are drawn on: two numbers a point, right and up, metres.

    `distance` is how far before its origin the eye stands.
    """

    origin: Vector
    right: Vector
    up: Vector
    distance: float


class KeyRef(Struct, forbid_unknown_fields=True):
    """A key: the channel, its number on the curve, and the layer (none is the base)."""

    channel: Name
    key: int
    layer: Name | None = None
