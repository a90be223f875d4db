"""What differs between two documents, as far as a page that shows one clip must know."""

from dataclasses import fields

import numpy as np

from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.motion import Clip, Curves
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
    """The curves that differ; layers must be the same in number and order."""
    changes: list[CurveChange] = []
    pairs = [(before.curves, after.curves)]
    pairs += [(old.curves, new.curves) for old, new in zip(before.layers, after.layers, strict=True)]
    for layer, (old, new) in enumerate(pairs):
        changes += [(document.rig.channel_index(name), layer, new.get(name)) for name in _differing(old, new)]
    return changes


def changed_span(before: Clip, after: Clip) -> Span | None:
    """Between which times the motion may differ; None when it does not."""
    timing = ("start", "end", "rate")
    if any(getattr(before, each) != getattr(after, each) for each in timing):
        return ALWAYS
    if [(x.name, x.weight, x.muted) for x in before.layers] != [(x.name, x.weight, x.muted) for x in after.layers]:
        return ALWAYS
    pairs = [(before.curves, after.curves)]
    pairs += [(old.curves, new.curves) for old, new in zip(before.layers, after.layers, strict=True)]
    start, end = np.inf, -np.inf
    for old, new in pairs:
        for name in _differing(old, new):
            if name not in old or name not in new:
                return ALWAYS
            if (span := _span(old[name], new[name])) is not None:
                start, end = min(start, span[0]), max(end, span[1])
    return (start, end) if start <= end else None


def _differing(old: Curves, new: Curves) -> list[str]:
    if old is new:
        return []
    return [name for name in {**old, **new} if old.get(name) is not new.get(name)]


def _span(old: Curve, new: Curve) -> Span | None:
    """From the last key before the first difference to the first key after the last one; ties make no difference."""
    if len(old) != len(new):
        return ALWAYS
    differs = np.zeros(len(old), np.bool_)
    for one, other in (
        (old.times, new.times),
        (old.values, new.values),
        (old.ins, new.ins),
        (old.outs, new.outs),
        (old.interpolations, new.interpolations),
    ):
        # An edit shares the arrays that it leaves alone.
        if one is not other:
            differs |= (one != other) if one.ndim == 1 else (one != other).any(axis=1)
    changed = np.flatnonzero(differs)
    if len(changed) == 0:
        return None
    first, last = int(changed[0]) - 1, int(changed[-1]) + 1
    # These two keys are the same in both curves; beyond the ends a curve is held for ever.
    return float(-np.inf if first < 0 else old.times[first]), float(np.inf if last >= len(old) else old.times[last])


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
    return channel.kind, joints, channel.default, channel.lower, channel.upper, channel.stiffness
