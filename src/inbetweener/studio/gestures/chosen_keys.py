"""Keys that a message names, checked and grouped by the curve that they are on."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Ints
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import curve_of, set_curves
from inbetweener.errors import InvalidCurve
from inbetweener.studio.protocol.parts import KeyRef


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Some keys (k,) of one curve, in order."""

    channel: str
    layer: str | None
    curve: Curve
    keys: Ints


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
