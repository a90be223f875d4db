"""What a hand may take hold of about loose motion; moves carry the numbers named here, as all gestures' do."""

from typing import Annotated, Literal

from msgspec import Meta

from inbetweener.studio.protocol.gesture import Gesture
from inbetweener.studio.protocol.parts import Name


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
    """Drag the flanks of a target's bell. Moves (2): seconds before and after."""

    target: Name
    solves: bool = True


class WeighTarget(Gesture, tag="weigh-target"):
    """Slide how much a target counts where not all can be met. Moves: the weight (1)."""

    target: Name
    solves: bool = True
