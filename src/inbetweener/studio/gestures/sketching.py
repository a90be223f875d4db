"""Sketching, as gestures: a stroke that bones follow, and a twist."""

from collections.abc import Callable, Sequence

import numpy as np

from inbetweener.document import Document
from inbetweener.document.edits.sketch import Drawing, SketchResult
from inbetweener.document.edits.words import frame_of
from inbetweener.errors import InbetweenerError
from inbetweener.studio.gestures.hand import FARTHEST, Outcome, require, require_sane
from inbetweener.studio.places import to_view
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.binary import MalformedMessage

LEAST_POINTS = 3
"""A hand that has only just begun has drawn nothing yet."""


class _Sketching:
    """What a stroke and a twist share: the pose that they start from."""

    def __init__(self, document: Document, clip: str, bones: list[str], time: float) -> None:
        self._bones = tuple(bones)
        for name in self._bones:
            document.rig.joint_index(name)
        self.time: float | None = time
        self._drawing = Drawing(document, clip, time)

    def _named(self, verb: str) -> str:
        what = self._bones[0] if len(self._bones) == 1 else f"{len(self._bones)} bones"
        drawing = self._drawing
        return f"{verb} {what} at frame {frame_of(drawing.document.clip(drawing.clip), drawing.time)}"

    def _outcome(self, draw: Callable[[], SketchResult]) -> Outcome:
        """The document with the sketch; as it was, and why, where there can be no such sketch."""
        try:
            drawn = draw()
        except InbetweenerError as error:
            return Outcome(self._drawing.document, reached=False, text=str(error))
        return Outcome(drawn.document, text="; ".join(drawn.remarks))


class Sketch(_Sketching):
    """Bones follow a stroke. A stroke at a time that has a sketch already is drawn from how that one looks."""

    def __init__(self, document: Document, clip: str, gesture: gestures.Sketch) -> None:
        super().__init__(document, clip, gesture.bones, gesture.time)
        self._gesture, self._view = gesture, to_view(gesture.view)
        self.label = self._named("Sketch")

    def to(self, values: Sequence[float]) -> Outcome:
        """Follow the stroke so far: x and y of each of its points."""
        points = np.array(values, np.float64)
        if len(points) % 2 or not (np.abs(points) <= FARTHEST).all():
            raise MalformedMessage("a stroke has two numbers a point, in metres")
        if len(points) < 2 * LEAST_POINTS:
            return Outcome(self._drawing.document, reached=False, text="a stroke needs more than a point; draw on")
        asked = self._gesture
        return self._outcome(
            lambda: self._drawing.stroke(
                points.reshape(-1, 2),
                self._bones,
                self._view,
                mode=asked.drawing,
                stretch=asked.stretch,
                carry=asked.carry,
            )
        )


class TwistBones(_Sketching):
    """A chain of bones is twisted about itself, by any number of turns."""

    def __init__(self, document: Document, clip: str, gesture: gestures.TwistBones) -> None:
        require_sane("a place on a bone", gesture.place)
        super().__init__(document, clip, gesture.bones, gesture.time)
        self._place = min(max(gesture.place, 0.01), 1.0)
        self.label = self._named("Twist")

    def to(self, values: Sequence[float]) -> Outcome:
        """Twist by an angle in radians."""
        (angle,) = map(float, require(values, 1))
        if angle == 0.0:
            return Outcome(self._drawing.document)
        return self._outcome(lambda: self._drawing.twist(self._bones, angle, self._place))
