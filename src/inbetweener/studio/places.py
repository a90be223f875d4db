"""Places on the body, as messages have them and as the rig knows them."""

from inbetweener.rig import BlendedPoint, Place, Point, Rig
from inbetweener.studio.protocol import parts
from inbetweener.studio.protocol.binary import MalformedMessage

FARTHEST = 1e6
"""Metres beyond which no body reaches."""


def to_place(rig: Rig, place: parts.Place) -> Place:
    """The place that a message names; raises UnknownName for a joint that is not there."""
    for part in place.parts:
        rig.joint_index(part.joint)
        if not (0.0 < part.weight <= FARTHEST and all(abs(each) <= FARTHEST for each in part.offset)):
            raise MalformedMessage(f"{part.joint}: a place on the body has weights above nought and offsets in metres")
    if len(place.parts) == 1:
        return Point(place.parts[0].joint, place.parts[0].offset, place.name)
    whole = sum(part.weight for part in place.parts)
    points = tuple((Point(part.joint, part.offset), part.weight / whole) for part in place.parts)
    return BlendedPoint(points, place.name)


def from_place(place: Place) -> parts.Place:
    """A place as messages have it."""
    listed = [parts.Part(point.joint, tuple(map(float, point.offset)), weight) for point, weight in place.parts]  # type: ignore[arg-type]
    return parts.Place(listed, place.name)
