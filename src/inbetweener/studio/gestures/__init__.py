"""Gestures: one file a thing that a hand may take hold of."""

from collections.abc import Callable
from typing import Any

from inbetweener.document import Document
from inbetweener.studio.gestures.drag_arc import DragArc
from inbetweener.studio.gestures.hand import Hand, Outcome
from inbetweener.studio.protocol import gestures

__all__ = ["Hand", "Outcome", "take_hold"]

_HANDS: dict[type[gestures.Gesture], Callable[[Document, str, Any], Hand]] = {
    gestures.DragArc: DragArc,
}


def take_hold(document: Document, clip: str, gesture: gestures.AnyGesture) -> Hand:
    """Begin a gesture on a clip of a document."""
    return _HANDS[type(gesture)](document, clip, gesture)
