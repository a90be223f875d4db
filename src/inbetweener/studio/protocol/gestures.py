"""Gestures: what a hand may take hold of. Every move that follows carries the numbers named here, all of them float64.

A move is absolute: it says where the hand is now, not how far it came since the last move, so that any move but the
last may be dropped.
"""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.protocol.parts import (
    Drawing,
    Gesture,
    KeyRef,
    Name,
    Place,
    Side,
    Support,
    ViewPlane,
    Wanted,
    declared,
)

Bones = Annotated[list[Name], Meta(min_length=1, max_length=10_000)]
Keys = Annotated[list[KeyRef], Meta(min_length=1, max_length=200_000)]


class DragArc(Gesture, tag="drag-arc"):
    """Drag a motion curve at a time. Moves: position (3), orientation wxyz (4), or both (7), as wanted.

    Where motion is loose, the hand is on what swings; with `keyed`, on the curve of the keyed motion. With `clear`, the
    body stays out of obstacles, of the ground and of itself. Where there are keys on every frame, or with a `reach`,
    the change comes and goes within so many seconds, in a layer; moves may have the reach as a last number then.
    """

    place: Place
    time: float
    wanted: Wanted = "position"
    layer: Name | None = None
    keyed: bool = False
    clear: bool = False
    reach: float | None = None


class ScaleTiming(Gesture, tag="scale-timing"):
    """Make the motion around a time faster or slower. Moves: the amount (1), above zero is faster."""

    place: Place
    time: float
    layer: Name | None = None


class MoveTick(Gesture, tag="move-tick"):
    """Move a frame's tick along the motion curve. Moves: the position that the pointer is at (3)."""

    place: Place
    time: float
    layer: Name | None = None


class PullPose(Gesture, tag="pull-pose"):
    """Pose by pin-and-drag on a key frame. Moves: position (3), orientation wxyz (4), or both (7), as wanted.

    With `key` a pose that is not keyed there becomes so; `alone`, only the place's own joint turns; `planted`, feet
    that stand stay; `symmetric`, the limb opposite does the same in the mirror.
    """

    place: Place
    time: float
    wanted: Wanted = "position"
    key: bool = False
    alone: bool = False
    planted: bool = False
    symmetric: bool = False
    layer: Name | None = None


class BlendPose(Gesture, tag="blend-pose"):
    """Mix the pose at a time with what is around it, in some channels or all. Moves: how much (1), as `edits` say.

    `planted`, what is in contact and feet that stand stay.
    """

    time: float
    how: Literal["tween", "push", "neighbour", "rest", "clip"] = "tween"
    other: Name | None = None
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    layer: Name | None = None
    planted: bool = False


class ReachPose(Gesture, tag="reach-pose"):
    """Lead the pose at a time to one that the project keeps, in some channels or all. Moves: how far (1), of 1."""

    pose: Name
    time: float
    mirrored: bool = False
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    layer: Name | None = None
    key: bool = True


class MoveKeys(Gesture, tag="move-keys"):
    """Move or copy keys. Moves (6): shift of time and value, scale of time and value, pivot time and value."""

    keys: Keys
    copies: bool = False


class DragHandle(Gesture, tag="drag-handle"):
    """Drag a Bezier handle. Moves (2): the tangent's width x ≥ 0 in seconds and height y in the curve's unit.

    `breaks` lets the key's two slopes differ from now on. `weighted` false keeps the width: only the slope follows.
    """

    key: KeyRef
    side: Side
    breaks: bool = False
    weighted: bool = True


class SetValue(Gesture, tag="set-value"):
    """Change a channel's value at a time: on a key the key's value, between keys by tangents. Moves: the value (1)."""

    channel: Name
    time: float
    layer: Name | None = None


class SetStiffness(Gesture, tag="set-stiffness"):
    """Slide the stiffness of channels. Moves: the stiffness (1)."""

    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)]


class MoveRange(Gesture, tag="move-range"):
    """Drag the ends of a pin's or contact's range on the timeline. Moves (2): start and end."""

    constraint: Name


class Sketch(Gesture, tag="sketch"):
    """Draw what bones, named by their joints, shall look like at a time. Moves: all points of the stroke, x and y each.

    With `pressed` there are three numbers a point: how hard the pen pressed comes last.
    `stretch` lets bones change their length; without `carry` children that were not chosen keep their orientation.
    `support` is what a line of action starts from.
    """

    bones: Bones
    time: float
    view: ViewPlane
    drawing: Drawing = "auto"
    stretch: bool = False
    carry: bool = True
    support: Support = "rest"
    pressed: bool = False


class TwistBones(Gesture, tag="twist-bones"):
    """Twist a chain of bones about itself, up to a place 0 to 1 on its last bone. Moves: radians (1)."""

    bones: Bones
    time: float
    place: float = 1.0


class Guide(Gesture, tag="guide"):
    """Let tangents be led to less cost; iterates are told as `Guidance`. Moves: the iterate to go back to (1).

    A negative number shows the motion before the run, for comparing.
    """

    settings: GuidanceSettings
    layer: Name | None = None


class SetSpring(Gesture, tag="set-spring"):
    """Slide the springs of joints or channels. Moves (2): how often a second they swing, and their damping.

    No names: the whole body swings so. With `tip` each begins a chain that as a whole swings so, as in LoosenAs.
    """

    names: Annotated[list[Name], Meta(min_length=1, max_length=10_000)] | None = None
    tip: float | None = None


class SetLooseness(Gesture, tag="set-looseness"):
    """Slide one number of the world that springs swing in. Moves (1): gravity, drag, seconds, metres."""

    part: Literal["gravity", "drag", "window", "error"]


class DragTarget(Gesture, tag="drag-target"):
    """Drag a target in space. Moves: position (3), orientation wxyz (4), both (7), or velocity (3), as wanted.

    The motion is solved for under the hand where there is time for it, else when it lets go; without `solves`, never.
    """

    target: Name
    wanted: Literal["position", "orientation", "both", "velocity"] = "position"
    solves: bool = True


class MoveTarget(Gesture, tag="move-target"):
    """Drag a target along the timeline. Moves: the time (1)."""

    target: Name
    solves: bool = True


class ShapeBell(Gesture, tag="shape-bell"):
    """Drag the flanks of a target's bell, or draw it. Moves (2 or more): seconds before and after, then heights.

    Heights are those of a drawn bell at even places between its ends; the one in the middle is 1.
    """

    target: Name
    solves: bool = True


class WeighTarget(Gesture, tag="weigh-target"):
    """Slide how much a target counts where not all can be met. Moves: the weight (1)."""

    target: Name
    solves: bool = True


if TYPE_CHECKING:
    AnyGesture = Gesture
else:
    AnyGesture = declared(Gesture, __name__)
