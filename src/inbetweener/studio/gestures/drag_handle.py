"""Dragging a Bezier handle, as a gesture."""

import math
from collections.abc import Sequence

from inbetweener.curves import BEZIER, Curve, Tangent, break_tangents, set_tangent
from inbetweener.curves.widths import MARGIN
from inbetweener.document import Document
from inbetweener.document.edits.words import frame_of
from inbetweener.studio.gestures.chosen_keys import chosen, with_curves
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures

LEAST = 0.01
"""Share of its segment that a handle keeps as width: with less it could not be seen or taken hold of again."""


class DragHandle:
    """Turns and stretches one tangent of a key; a tied key's other tangent keeps its width and shares the slope.

    Time must run forward, so there is a longest width beside the tangent at the other end of the segment, which
    stays as it is: there the handle stops, its slope going on.
    """

    def __init__(self, document: Document, clip: str, gesture: gestures.DragHandle) -> None:
        self._document, self._clip, self._gesture = document, clip, gesture
        (self._chosen,) = chosen(document, clip, [gesture.key])
        curve, self._key = self._chosen.curve, int(self._chosen.keys[0])
        self._curve = break_tangents(curve, [self._key]).curve if gesture.breaks else curve
        self._least, self._most = admissible_widths(curve, self._key, gesture.side)
        self.time: float | None = float(curve.times[self._key])
        self.label = f"Tangent of {gesture.key.channel} at frame {frame_of(document.clip(clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Bring the handle's end to where the hand is, as width and height from its key."""
        x, y = map(float, require(values, 2))
        wished = max(x, self._least)
        width = wished
        if not self._gesture.weighted:
            own = (self._curve.ins if self._gesture.side == "in" else self._curve.outs)[self._key, 0]
            width = float(own) if own > 0 else self._most / 4.0
        width = min(max(width, self._least), self._most)
        tangent = Tangent(width, y * width / wished)
        curve = set_tangent(self._curve, self._key, self._gesture.side, tangent).curve
        stopped = self._gesture.weighted and abs(width - x) > 1e-9
        text = "a handle cannot be longer here, or time would run backwards" if stopped and width < x else ""
        return Outcome(with_curves(self._document, self._clip, [(self._chosen, curve)]), reached=not stopped, text=text)


def admissible_widths(curve: Curve, key: int, side: str) -> tuple[float, float]:
    """The shortest and longest width in seconds of a tangent, the other end of its segment staying as it is.

    From a + b − 1 ≤ √(ab) (see `curves.widths`): √a lies between (√b ∓ √(4 − 3b)) / 2, and from nought where b ≤ 1.
    """
    first = key - 1 if side == "in" else key
    if not 0 <= first < len(curve) - 1:
        # Beyond the ends there is no segment; any width does, one segment's length is plenty.
        span = float(curve.times[-1] - curve.times[0]) or 1.0
        return LEAST * span, span
    length = float(curve.times[first + 1] - curve.times[first])
    if curve.interpolations[first] != BEZIER:
        return LEAST * length, length
    other = (curve.outs[first, 0] if side == "in" else curve.ins[first + 1, 0]) / length
    root = math.sqrt(max(0.0, 4.0 - 3.0 * other))
    most = (0.5 * (math.sqrt(other) + root)) ** 2 * (1.0 - MARGIN)
    least = (0.5 * (math.sqrt(other) - root)) ** 2 * (1.0 + MARGIN) if other > 1.0 else 0.0
    return max(least, min(LEAST, most)) * length, max(least, most) * length
