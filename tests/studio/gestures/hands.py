"""Taking hold of things in tests."""

from typing import Any

import msgspec
import numpy as np

from inbetweener.document import Document
from inbetweener.studio.gestures import Hand, take_hold
from inbetweener.studio.protocol.gestures import AnyGesture


def hold(document: Document, kind: str, *, clip: str = "swing", **fields: Any) -> Hand:
    """A gesture as a page would ask for it."""
    return take_hold(document, clip, msgspec.convert({"kind": kind, **fields}, AnyGesture))


def position(document: Document, joint: str, time: float, clip: str = "swing") -> np.ndarray:
    return document.motion(clip).states([time], document.rig.point(joint))[0][0]


def value(document: Document, channel: str, time: float, clip: str = "swing") -> float:
    return float(document.motion(clip).channels([time])[0, document.rig.channel_index(channel)])
