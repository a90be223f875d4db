"""Making the motion around a time faster or slower, and moving a frame's tick along its path, as gestures."""

from collections.abc import Sequence

import numpy as np

from inbetweener.document import Document
from inbetweener.document.edits.grip import Grip
from inbetweener.document.edits.timing import Retiming
from inbetweener.document.edits.words import frame_of
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require, triple
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.watched import watched_motion


def _retiming(document: Document, clip: str, gesture: gestures.ScaleTiming | gestures.MoveTick) -> Retiming:
    place = to_place(document.rig, gesture.place)
    return Retiming(document, clip, place, gesture.time, document.rules(clip), gesture.layer)


class ScaleTiming:
    """Widens or narrows the tangents around a time, in the channels that move a place."""

    def __init__(self, document: Document, clip: str, gesture: gestures.ScaleTiming) -> None:
        self._retiming, self.time = _retiming(document, clip, gesture), gesture.time
        self.label = f"Timing of {self._retiming.place} at frame {frame_of(document.clip(clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Faster by an amount, slower below zero; as much of it as all curves allow."""
        (amount,) = map(float, require(values, 1))
        made = self._retiming.faster(amount)
        return Outcome(made.document, reached=made.reached, text=made.moves)


class MoveTick:
    """Lets the body arrive at a spot of its path on the frame that is dragged there."""

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveTick) -> None:
        self._retiming, self.time = _retiming(document, clip, gesture), gesture.time
        self._retiming.look_ahead()
        place = self._retiming.place
        self._grip = Grip(document, clip, place, gesture.time, watched_motion(document, clip))
        self.label = f"Move the tick of {place} at frame {frame_of(document.clip(clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """As near to the pointer as the path comes and the widths allow."""
        wish = require(values, 3)
        made = self._retiming.to(np.asarray(self._grip.position(wish)))
        return Outcome(
            made.document,
            made.reached,
            triple(self._grip.shown(np.array(made.position))),
            triple(wish),
            distance=made.distance,
            text=made.moves,
        )
