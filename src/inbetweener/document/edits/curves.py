"""Edits of the curves of a clip or of one of its layers."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from inbetweener.curves import Curve
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.layers import replace_layer
from inbetweener.errors import UnknownName
from inbetweener.motion import Curves


def set_curves(
    document: Document, clip: str, curves: Mapping[str, Curve | None], *, layer: str | None = None
) -> Document:
    """A clip, or one of its layers, with some curves put in or, where None is given, taken out."""
    for name in curves:
        document.rig.channel_index(name)
    changed = curves_of(document, clip, layer).replaced(curves)
    old = document.clip(clip)
    if layer is None:
        return replace_clip(document, clip, replace(old, curves=changed))
    return replace_layer(document, clip, layer, replace(old.layer(layer), curves=changed))


def remove_curves(document: Document, clip: str, channels: Iterable[str], *, layer: str | None = None) -> Document:
    """A clip, or one of its layers, without the curves of some channels."""
    gone = dict.fromkeys(channels)
    for name in gone:
        curve_of(document, clip, name, layer)
    return set_curves(document, clip, gone, layer=layer)


def curve_of(document: Document, clip: str, channel: str, layer: str | None = None) -> Curve:
    """The curve of a channel in a clip or in one of its layers."""
    curves = curves_of(document, clip, layer)
    if channel not in curves:
        raise UnknownName("curve", channel, curves)
    return curves[channel]


def curves_of(document: Document, clip: str, layer: str | None = None) -> Curves:
    """All curves of a clip or of one of its layers."""
    owner = document.clip(clip)
    return owner.curves if layer is None else owner.layer(layer).curves
