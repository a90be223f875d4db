"""Changing a channel's value at a time, as a gesture."""

from collections.abc import Sequence

import numpy as np

from inbetweener.curves import Curve, move_key
from inbetweener.document import Document
from inbetweener.document.edits import curves_of, set_curves
from inbetweener.document.edits.breakage import Breakage
from inbetweener.document.edits.words import frame_of, key_near
from inbetweener.errors import InvalidDocument
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures
from inbetweener.tangents import drag_value
from inbetweener.tangents.layered import weight_of


class SetValue:
    """On a key the key's value changes, between keys the tangents; a channel without keys gets one, for all times.

    The value is the channel's, layers and all; limits are kept.
    """

    def __init__(self, document: Document, clip: str, gesture: gestures.SetValue) -> None:
        self._document, self._clip, self._gesture = document, clip, gesture
        self._motion = document.motion(clip)
        self._channel = document.rig.channel(gesture.channel)
        self._curve = curves_of(document, clip, gesture.layer).get(gesture.channel)
        self._weight = weight_of(self._motion, gesture.layer)
        if self._weight == 0.0:
            raise InvalidDocument(f"layer {gesture.layer!r} weighs nothing, so no value there can be seen; weigh it")
        self._key = self._keyed()
        self.time: float | None = gesture.time
        if self._curve is not None and len(self._curve) > 1 and self._key is not None:
            self.time = float(self._curve.times[self._key])
        number = document.rig.channel_index(gesture.channel)
        self._now = float(self._motion.channels([self.time])[0, number])
        self._breakage = Breakage(document, clip)
        self.label = f"Set {gesture.channel} at frame {frame_of(self._motion.clip, gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Bring the channel to a value, or as near as its limits allow."""
        (wish,) = map(float, require(values, 1))
        if self._curve is not None and self._key is None:
            return self._between(wish)
        # A channel that is beyond a limit already may stay there, but goes no farther.
        value = min(max(wish, min(self._channel.lower, self._now)), max(self._channel.upper, self._now))
        by = (value - self._now) / self._weight
        if self._curve is None or self._key is None:
            base = self._channel.default if self._gesture.layer is None else 0.0
            curve = Curve.constant(base + by, self._gesture.time)
        else:
            curve = move_key(self._curve, self._key, value=float(self._curve.values[self._key]) + by).curve
        return self._outcome(curve, value == wish)

    def _keyed(self) -> int | None:
        """The key that is meant: one near the time, or the only one there is."""
        if self._curve is None:
            return None
        if len(self._curve) == 1:
            return 0
        return key_near(self._curve.times, self._gesture.time, self._motion.clip)

    def _between(self, wish: float) -> Outcome:
        gesture = self._gesture
        dragged = drag_value(self._motion, gesture.channel, gesture.time, wish, layer=gesture.layer)
        return self._outcome(dragged.curves[gesture.channel], dragged.reached)

    def _outcome(self, curve: Curve, reached: bool) -> Outcome:
        if curve == self._curve:
            return Outcome(self._document, reached=reached, text=self._limit(reached))
        document = set_curves(self._document, self._clip, {self._gesture.channel: curve}, layer=self._gesture.layer)
        moved = self._breakage.text(document)
        return Outcome(document, reached=reached, text="; ".join(filter(None, (self._limit(reached), moved))))

    def _limit(self, reached: bool) -> str:
        lower, upper = self._channel.lower, self._channel.upper
        if reached or not (np.isfinite(lower) or np.isfinite(upper)):
            return ""
        return f"{self._channel.name} keeps its limits, {lower:g} to {upper:g}"
