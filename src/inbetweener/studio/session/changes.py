"""What differs between two documents, as far as a page that shows one clip must know."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from inbetweener.arrays import Bools
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Channel, Rig

Span = tuple[float, float]
"""A stretch of time in seconds; endless where everything may differ."""

ALWAYS: Span = (-np.inf, np.inf)
NEVER: Span = (np.inf, -np.inf)
_COMPARED = ("channels", "points")
"""Parts of a rig: channels are compared by what matters, and points carry nothing."""
CurveChange = tuple[int, int, Curve | None]
"""Channel, layer + 1 or 0 for the base, and the curve as it is now."""


def curve_changes(before: Clip, after: Clip, document: Document) -> list[CurveChange]:
    """The curves that differ; of layers that only one of them has, all."""
    changes: list[CurveChange] = []
    count = max(len(before.layers), len(after.layers))
    before, after = (
        replace(each, layers=(*each.layers, *[_BLANK] * (count - len(each.layers)))) for each in (before, after)
    )
    pairs = [(before.curves, after.curves)]
    pairs += [(old.curves, new.curves) for old, new in zip(before.layers, after.layers, strict=True)]
    for layer, (old, new) in enumerate(pairs):
        changes += [(document.rig.channel_index(name), layer, new.get(name)) for name in old.differing(new)]
    return changes


def changed_span(before: Clip, after: Clip) -> Span | None:
    """Between which times the motion may differ; None when it does not."""
    timing = ("start", "end", "rate")
    if any(getattr(before, each) != getattr(after, each) for each in timing):
        return ALWAYS
    if len(before.layers) > len(after.layers):
        before, after = after, before
    known = len(before.layers)
    # One that is heard alone silences the others also where it is empty.
    added = any(layer.solo or (layer.override and layer.curves) for layer in after.layers[known:])
    if list(map(_settings, before.layers)) != list(map(_settings, after.layers[:known])) or added:
        return ALWAYS
    pairs = [(before.curves.get(name), after.curves.get(name)) for name in before.curves.differing(after.curves)]
    comes_and_goes: list[tuple[Curve | None, Curve | None]] = []
    for n, new in enumerate(after.layers):
        old = before.layers[n].curves if n < known else _NONE
        mine = [(old.get(name), new.curves.get(name)) for name in old.differing(new.curves)]
        passing = mine and not new.override and all(_comes_and_goes(curve) for pair in mine for curve in pair)
        (comes_and_goes if passing else pairs).extend(mine)
    ends = [curve.times[[0, -1]] for pair in comes_and_goes for curve in pair if curve is not None]
    spans = [(float(min(first for first, _ in ends)), float(max(last for _, last in ends)))] if ends else []
    spans += [span for span in [_span(pairs) if pairs else None] if span is not None]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def _settings(layer: Layer) -> Layer:
    """What a layer is but for its curves."""
    return replace(layer, curves=_NONE)


_NONE = Curves()
_BLANK = Layer("")


def _comes_and_goes(curve: Curve | None) -> bool:
    """Whether a curve of a layer adds nothing before its first key and after its last one."""
    return curve is None or (curve.values[0] == 0.0 and curve.values[-1] == 0.0)


def _span(pairs: Sequence[tuple[Curve | None, Curve | None]]) -> Span | None:
    """From the last key before the first difference to the first key after the last one; ties make no difference."""
    known = [(old, new) for old, new in pairs if old is not None and new is not None and len(old) == len(new)]
    if len(known) < len(pairs):
        return ALWAYS
    old = [one for one, _ in known]
    differs: Bools = np.zeros(sum(map(len, old)), np.bool_)
    for name in ("times", "values", "ins", "outs", "interpolations"):
        arrays = [(getattr(one, name), getattr(other, name)) for one, other in known]
        # An edit shares the arrays that it leaves alone.
        if any(one is not other for one, other in arrays):
            ones, others = (np.concatenate(side) for side in zip(*arrays, strict=True))
            differs |= (ones != others) if ones.ndim == 1 else (ones != others).any(axis=1)
    if not differs.any():
        return None
    # Keys around a difference are the same in both curves; beyond the ends a curve is held for ever.
    times, ends = np.concatenate([curve.times for curve in old]), np.cumsum([len(curve) for curve in old])
    before, after = np.r_[-np.inf, times[:-1]], np.r_[times[1:], np.inf]
    before[[0, *ends[:-1]]], after[ends - 1] = -np.inf, np.inf
    return float(before[differs].min()), float(after[differs].max())


def moves_alike(before: Rig, after: Rig) -> bool:
    """Whether the same curves make the same motion of both rigs; limits and stiffness do not matter for that."""
    if before is after:
        return True
    if len(before.channels) != len(after.channels) or any(
        getattr(before, part.name) != getattr(after, part.name) for part in fields(Rig) if part.name not in _COMPARED
    ):
        return False
    return all(
        old is new or (old.name, old.drives, old.default) == (new.name, new.drives, new.default)
        for old, new in zip(before.channels, after.channels, strict=True)
    )


def same_channels(before: Rig, after: Rig) -> bool:
    """Whether both rigs have channels of the same names, in the same order."""
    return before.channels is after.channels or (
        len(before.channels) == len(after.channels)
        and all(old is new or old.name == new.name for old, new in zip(before.channels, after.channels, strict=True))
    )


def same_description(before: Rig, after: Rig) -> bool:
    """Whether a page that was told of one rig knows the other: how bones are bent is told with the poses."""
    return before is after or (
        all(getattr(before, part) == getattr(after, part) for part in ("joints", "points", "handles"))
        and same_channels(before, after)
        and all(
            old is new or _described(old) == _described(new)
            for old, new in zip(before.channels, after.channels, strict=True)
        )
    )


def _described(channel: Channel) -> tuple[object, ...]:
    """What a page is told of a channel."""
    joints = [drive.joint for drive in channel.drives]
    return channel.kind, joints, channel.default, channel.lower, channel.upper, channel.stiffness, channel.free
