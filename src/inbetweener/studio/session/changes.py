"""What differs between two documents, as far as a page that shows one clip must know."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.motion import Clip, Curves

Span = tuple[float, float]
"""A stretch of time in seconds; endless where everything may differ."""

ALWAYS: Span = (-np.inf, np.inf)
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
    """Between which times any curve differs; None when none does."""
    spans = []
    pairs = [(before.curves, after.curves)]
    if [(x.name, x.weight, x.muted) for x in before.layers] != [(x.name, x.weight, x.muted) for x in after.layers]:
        return ALWAYS
    pairs += [(old.curves, new.curves) for old, new in zip(before.layers, after.layers, strict=True)]
    for old, new in pairs:
        for name in _differing(old, new):
            spans.append(ALWAYS if name not in old or name not in new else _span(old[name], new[name]))
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else None


def _differing(old: Curves, new: Curves) -> list[str]:
    if old is new:
        return []
    return [name for name in {**old, **new} if old.get(name) is not new.get(name)]


def _span(old: Curve, new: Curve) -> Span:
    if len(old) != len(new):
        return ALWAYS
    rows = [np.column_stack((c.times, c.values, c.ins, c.outs, c.interpolations)) for c in (old, new)]
    differs = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
    if len(differs) == 0:
        return (0.0, 0.0)
    first, last = int(differs[0]) - 1, int(differs[-1]) + 1
    start = -np.inf if first < 0 else min(old.times[first], new.times[first])
    end = np.inf if last >= len(old) else max(old.times[last], new.times[last])
    return float(start), float(end)
