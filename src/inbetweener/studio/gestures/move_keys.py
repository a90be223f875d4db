"""Moving, stretching and copying keys of several channels, as a gesture.

All keys move as one block, past keys that stay. What they land on they take the place of, as copies do; a hand that
goes on gives it back, as every move starts from how things were.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import BEZIER, Curve, Tangent, break_tangents, set_tangent
from inbetweener.curves.edit import settled
from inbetweener.curves.widths import MARGIN
from inbetweener.document import Document
from inbetweener.document.edits import curve_of, replace_rule, set_curves
from inbetweener.document.edits.constraints import Breakage
from inbetweener.document.edits.words import frame_read, near
from inbetweener.errors import InvalidCurve
from inbetweener.studio.gestures.hand import Outcome, require
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.parts import KeyRef

_ARRAYS = ("times", "values", "ins", "outs", "interpolations", "tied")


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Some keys (k,) of one curve, in order."""

    channel: str
    layer: str | None
    curve: Curve
    keys: Ints


class MoveKeys:
    """Keys go to pivot + scale · (key − pivot) + shift, in time and in value."""

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveKeys) -> None:
        self._document, self._clip, self._copies = document, clip, gesture.copies
        self._chosen = chosen(document, clip, gesture.keys)
        self._near = near(document.clip(clip))
        self._least = max((_least_scale(each.curve.times[each.keys], self._near) for each in self._chosen), default=0.0)
        self._breakage = Breakage(document, clip)
        self.time: float | None = float(np.mean([each.curve.times[each.keys].mean() for each in self._chosen]))
        self.label = f"{'Copy' if gesture.copies else 'Move'} {counted(self._chosen)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Follow the hand."""
        shift, raise_by, stretch, grow, pivot, level = map(float, require(values, 6))
        # A block cannot be turned inside out; its keys stay a little apart.
        scale = max(stretch, self._least, 1e-6)
        moved = pivot - scale * pivot + shift
        made = []
        for each in self._chosen:
            curve = _raised(each, raise_by, grow, level)
            made.append((each, _placed(each, curve, scale, moved, self._near, stays=self._copies)))
        document = with_curves(self._document, self._clip, made)
        text = self._breakage.text(document)
        stopped = abs(scale - stretch) > 1e-9
        return Outcome(document, reached=not stopped, text=text or ("keys stay a little apart" if stopped else ""))


def _least_scale(times: Floats, gap: float) -> float:
    """The strongest squeeze that leaves neighbours a gap, or the one they have where that is less."""
    apart = np.diff(times)
    return float((np.minimum(gap, apart) / apart).max(initial=0.0))


def _raised(each: Chosen, by: float, scale: float, pivot: float) -> Curve:
    values, ins, outs = each.curve.values.copy(), each.curve.ins.copy(), each.curve.outs.copy()
    # In this form nothing is rounded where nothing is wished for.
    values[each.keys] = scale * values[each.keys] + (pivot - scale * pivot + by)
    ins[each.keys, 1] *= scale
    outs[each.keys, 1] *= scale
    return replace(each.curve, values=values, ins=ins, outs=outs)


def _placed(each: Chosen, changed: Curve, scale: float, shift: float, gap: float, *, stays: bool) -> Curve:
    """The curve with the changed keys at other times, or copies of them; other keys that were near there are gone."""
    copies = {name: getattr(changed, name)[each.keys].copy() for name in _ARRAYS}
    copies["times"] = scale * copies["times"] + shift
    copies["ins"][:, 0] *= scale
    copies["outs"][:, 0] *= scale
    apart = np.abs(each.curve.times[:, None] - copies["times"]).min(axis=1)
    kept = apart > gap * (1.0 - 1e-9)
    if not stays:
        kept[each.keys] = False
    merged = {name: np.concatenate([getattr(each.curve, name)[kept], copies[name]]) for name in _ARRAYS}
    order = np.argsort(merged["times"], kind="stable")
    return settled(each.curve, **{name: array[order] for name, array in merged.items()}).curve


class MoveRange:
    """Gives a constraint another stretch of time within its clip; a lock keeps to one moment."""

    def __init__(self, document: Document, _clip: str, gesture: gestures.MoveRange) -> None:
        self._document = document
        self._constraint = document.constraint(gesture.constraint)
        self._shown = document.clip(self._constraint.clip)
        self.time: float | None = None
        self.label = f"Move range of {gesture.constraint}"

    def to(self, values: Sequence[float]) -> Outcome:
        """From a start to an end, whichever comes first, cut to the clip."""
        wished = [float(value) for value in require(values, 2)]
        first, last = self._shown.start, self._shown.end
        start, end = (min(max(each, first), last) for each in sorted(wished))
        if self._constraint.rule.is_momentary:
            end = start
        else:
            # An empty range would be another kind of constraint, or none.
            end = max(end, min(start + near(self._shown), last))
            start = min(start, max(end - near(self._shown), first))
        rule = self._constraint.rule
        reached = [start, end] == wished
        if (rule.start, rule.end) == (start, end):
            return Outcome(self._document, reached=reached)
        return Outcome(replace_rule(self._document, self._constraint.name, rule.during(start, end)), reached=reached)


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
        self.label = f"Tangent of {gesture.key.channel} at frame {frame_read(document.clip(clip), self.time)}"

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


def chosen(document: Document, clip: str, keys: Iterable[KeyRef]) -> list[Chosen]:
    """The named keys, curve by curve; raises where a curve or key is not there."""
    grouped: dict[tuple[str, str | None], list[int]] = {}
    for ref in keys:
        grouped.setdefault((ref.channel, ref.layer), []).append(ref.key)
    found = []
    for (channel, layer), numbers in grouped.items():
        curve = curve_of(document, clip, channel, layer)
        for number in (min(numbers), max(numbers)):
            if not 0 <= number < len(curve):
                raise InvalidCurve(f"{channel} has no key {number}; it has keys 0 to {len(curve) - 1}")
        found.append(Chosen(channel, layer, curve, np.unique(np.array(numbers, np.int64))))
    return found


def with_curves(document: Document, clip: str, changes: Iterable[tuple[Chosen, Curve | None]]) -> Document:
    """The document with other curves where chosen keys were; None takes a curve away."""
    by_layer: dict[str | None, dict[str, Curve | None]] = {}
    for each, curve in changes:
        if curve is None or curve != each.curve:
            by_layer.setdefault(each.layer, {})[each.channel] = curve
    for layer, curves in by_layer.items():
        document = set_curves(document, clip, curves, layer=layer)
    return document


def counted(keys: Iterable[Chosen]) -> str:
    """How people say it: "1 key", "12 keys"."""
    count = sum(len(each.keys) for each in keys)
    return f"{count} key{'' if count == 1 else 's'}"
