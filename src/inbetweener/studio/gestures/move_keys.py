"""Moving, stretching and copying keys of several channels, as a gesture.

All keys move as one block. Where one of them would come to a key that stays, the whole block stops: the drag feels
solid, and no key is ever passed or lost. Copies pass freely, and take the place of keys that they land on.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, retime
from inbetweener.curves.edit import settled
from inbetweener.document import Document
from inbetweener.document.edits.breakage import Breakage
from inbetweener.document.edits.words import near
from inbetweener.studio.gestures.chosen_keys import Chosen, chosen, counted, with_curves
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures

_ARRAYS = ("times", "values", "ins", "outs", "interpolations", "tied")


class MoveKeys:
    """Keys go to pivot + scale · (key − pivot) + shift, in time and in value."""

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveKeys) -> None:
        self._document, self._clip, self._copies = document, clip, gesture.copies
        self._chosen = chosen(document, clip, gesture.keys)
        self._near = near(document.clip(clip))
        self._bounds = None if gesture.copies else _Bounds(self._chosen, self._near)
        self._least = max((_least_scale(each.curve.times[each.keys], self._near) for each in self._chosen), default=0.0)
        self._breakage = Breakage(document, clip)
        self.time: float | None = float(np.mean([each.curve.times[each.keys].mean() for each in self._chosen]))
        self.label = f"{'Copy' if gesture.copies else 'Move'} {counted(self._chosen)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Follow the hand as far as the neighbours allow."""
        shift, raise_by, stretch, grow, pivot, level = map(float, require(values, 6))
        # A block cannot be turned inside out; its keys stay a little apart.
        scale = max(stretch, self._least, 1e-6)
        moved = pivot - scale * pivot + shift
        if self._bounds is not None:
            scale, moved = self._bounds.nearest(scale, moved, pivot, shift)
        made = []
        for each in self._chosen:
            curve = _raised(each, raise_by, grow, level)
            if self._copies:
                made.append((each, _copied(each, curve, scale, moved, self._near)))
            else:
                made.append((each, retime(curve, each.keys, shift=moved, scale=scale, pivot=0.0).curve))
        document = with_curves(self._document, self._clip, made)
        text = self._breakage.text(document)
        wished = pivot - stretch * pivot + shift
        stopped = abs(scale - stretch) > 1e-9 or abs(moved - wished) > 1e-9
        return Outcome(document, reached=not stopped, text=text or ("a key is in the way" if stopped else ""))


class _Bounds:
    """Which stretches and shifts keep all chosen keys between their neighbours.

    A chosen key at t goes to scale · t + shift. Each neighbour that stays gives a line in (scale, shift): both are
    free within a convex region, in which staying put, (1, 0), lies.
    """

    def __init__(self, keys: Sequence[Chosen], gap: float) -> None:
        floors: list[Floats] = [np.empty((0, 2))]
        ceilings: list[Floats] = [np.empty((0, 2))]
        for each in keys:
            times, count = each.curve.times, len(each.curve)
            picked = np.zeros(count + 2, np.bool_)
            picked[each.keys + 1] = True
            for side, found in ((-1, floors), (1, ceilings)):
                beside = each.keys + side
                stays = (beside >= 0) & (beside < count) & ~picked[beside + 1]
                own, other = times[each.keys[stays]], times[beside[stays]]
                # Keys that are nearer than that already may stay so.
                room = np.minimum(gap, np.abs(other - own))
                found.append(np.stack([own, other - side * room], axis=-1))
        self._floors, self._ceilings = np.concatenate(floors), np.concatenate(ceilings)

    def nearest(self, scale: float, moved: float, pivot: float, shift: float) -> tuple[float, float]:
        """The stretch wished for, or as much of it as there is room for, and then as much of the shift."""
        low, high = self._range(scale)
        if low > high:
            within, beyond = 1.0, scale
            for _ in range(60):
                middle = 0.5 * (within + beyond)
                low, high = self._range(middle)
                within, beyond = (middle, beyond) if low <= high else (within, middle)
            scale = within
            moved = pivot - scale * pivot + shift
            low, high = self._range(scale)
        return scale, min(max(moved, low), high)

    def _range(self, scale: float) -> tuple[float, float]:
        low = (self._floors[:, 1] - scale * self._floors[:, 0]).max(initial=-np.inf)
        high = (self._ceilings[:, 1] - scale * self._ceilings[:, 0]).min(initial=np.inf)
        return float(low), float(high)


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


def _copied(each: Chosen, changed: Curve, scale: float, shift: float, gap: float) -> Curve:
    """The curve with the changed keys put in at other times; keys that were near there are replaced."""
    copies = {name: getattr(changed, name)[each.keys].copy() for name in _ARRAYS}
    copies["times"] = scale * copies["times"] + shift
    copies["ins"][:, 0] *= scale
    copies["outs"][:, 0] *= scale
    apart = np.abs(each.curve.times[:, None] - copies["times"]).min(axis=1)
    kept = apart > gap * (1.0 - 1e-9)
    merged = {name: np.concatenate([getattr(each.curve, name)[kept], copies[name]]) for name in _ARRAYS}
    order = np.argsort(merged["times"], kind="stable")
    return settled(each.curve, **{name: array[order] for name, array in merged.items()}).curve
