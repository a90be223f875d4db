"""Places on the body and planes to draw in, as messages have them and as the rig and sketches know them."""

from dataclasses import replace

import numpy as np

from inbetweener.document.native.structs import to_told
from inbetweener.posing.sketch import ViewPlane
from inbetweener.rig import BlendedPoint, Place, Point, Rig
from inbetweener.studio.protocol import parts
from inbetweener.studio.protocol.binary import MalformedMessage

FARTHEST = 1e6
"""Metres beyond which no body reaches."""


def to_place(rig: Rig, place: parts.Place) -> Place:
    """The place that a message names; raises UnknownName for a joint that is not there."""
    for part in place.parts:
        rig.joint_index(part.joint)
        for channel, _ in part.shapes:
            rig.channel_index(channel)
    return place_of(place)


def place_of(place: parts.Place) -> Place:
    """The place that a message names, on whatever body."""
    for part in place.parts:
        numbers = (*part.offset, *(each for _, move in part.shapes for each in move))
        if not (0.0 < part.weight <= FARTHEST and all(abs(each) <= FARTHEST for each in numbers)):
            raise MalformedMessage(f"{part.joint}: a place on the body has weights above nought and offsets in metres")
    points = [Point(part.joint, part.offset, shapes=tuple(part.shapes)) for part in place.parts]
    if len(points) == 1:
        return replace(points[0], name=place.name)
    whole = sum(part.weight for part in place.parts)
    shares = (part.weight / whole for part in place.parts)
    return BlendedPoint(tuple(zip(points, shares, strict=True)), place.name)


def from_place(place: Place) -> parts.Place:
    """A place as messages have it."""
    listed = [
        parts.Part(each.joint, to_told(each.offset, parts.Vector), weight, list(each.shapes))
        for each, weight in place.parts
    ]
    return parts.Place(listed, place.name)


def to_view(view: parts.ViewPlane) -> ViewPlane:
    """The view plane that a message describes; refuses one whose axes are no axes."""
    if not all(abs(each) <= FARTHEST for each in (*view.origin, *view.right, *view.up, view.distance)):
        raise MalformedMessage("a view plane is told in metres and unit axes")
    right, up = np.array(view.right), np.array(view.up)
    square = np.allclose([right @ right, up @ up, right @ up], [1.0, 1.0, 0.0], atol=1e-4)
    if not square or not view.distance > 0.0:
        raise MalformedMessage("a view plane has two unit axes at right angles and an eye before it")
    return ViewPlane(np.array(view.origin), right, up, view.distance)
