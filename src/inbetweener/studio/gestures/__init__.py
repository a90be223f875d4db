"""Gestures: one file a thing that a hand may take hold of."""

from collections.abc import Callable
from typing import Any

from inbetweener.document import Document
from inbetweener.document.pose import Pose
from inbetweener.errors import UnknownName
from inbetweener.studio.gestures.guide import GuideTangents
from inbetweener.studio.gestures.hand import Hand, Outcome, Settles, require_sane
from inbetweener.studio.gestures.move_keys import DragHandle, MoveKeys, MoveRange
from inbetweener.studio.gestures.points import (
    BlendPose,
    DragArc,
    MoveTick,
    PullPose,
    ReachPose,
    ScaleTiming,
    Sketch,
    TwistBones,
)
from inbetweener.studio.gestures.settings import SetLooseness, SetSpring, SetStiffness, SetValue
from inbetweener.studio.gestures.target_hands import DragTarget, MoveTarget, ShapeBell, WeighTarget
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.parts import Gesture

__all__ = ["DragArc", "GuideTangents", "Hand", "Outcome", "Settles", "take_hold"]

_HANDS: dict[type[Gesture], Callable[[Document, str, Any], Hand]] = {
    gestures.DragArc: DragArc,
    gestures.ScaleTiming: ScaleTiming,
    gestures.MoveTick: MoveTick,
    gestures.PullPose: PullPose,
    gestures.BlendPose: BlendPose,
    gestures.MoveKeys: MoveKeys,
    gestures.DragHandle: DragHandle,
    gestures.SetValue: SetValue,
    gestures.SetStiffness: SetStiffness,
    gestures.MoveRange: MoveRange,
    gestures.Sketch: Sketch,
    gestures.TwistBones: TwistBones,
    gestures.Guide: GuideTangents,
    gestures.SetSpring: SetSpring,
    gestures.SetLooseness: SetLooseness,
    gestures.DragTarget: DragTarget,
    gestures.MoveTarget: MoveTarget,
    gestures.ShapeBell: ShapeBell,
    gestures.WeighTarget: WeighTarget,
}


def take_hold(
    document: Document, clip: str, gesture: gestures.AnyGesture, poses: Callable[[str], Pose] | None = None
) -> Hand:
    """Begin a gesture on a clip of a document; `poses` knows those that are kept by their names."""
    if hasattr(gesture, "time"):
        require_sane("a time", gesture.time)
    if isinstance(gesture, gestures.ReachPose):
        if poses is None:
            raise UnknownName("pose", gesture.pose, ())
        return ReachPose(document, clip, gesture, poses(gesture.pose))
    return _HANDS[type(gesture)](document, clip, gesture)
