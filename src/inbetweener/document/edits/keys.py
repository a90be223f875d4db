"""Edits of keys, as `curves` knows them, on a channel of a clip or of one of its layers."""

from collections.abc import Callable, Iterable
from typing import Literal

from inbetweener.curves import Curve, Interpolation, Tangent, edit, tangent_presets
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curve_of, set_curves
from inbetweener.errors import UnknownName

Preset = Literal["smooth", "flat", "linear", "stepped"]
_PRESETS: dict[str, Callable[[Curve, Iterable[int] | None], Curve]] = {
    "smooth": tangent_presets.smooth,
    "flat": tangent_presets.flat,
    "linear": tangent_presets.linear,
    "stepped": tangent_presets.stepped,
}


def insert_key(document: Document, clip: str, channel: str, time: float, *, layer: str | None = None) -> Document:
    """A key at `time` that leaves the curve as it is."""
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: edit.insert_key(curve, time).curve}, layer=layer)


def delete_keys(
    document: Document, clip: str, channel: str, keys: Iterable[int], *, layer: str | None = None
) -> Document:
    """A curve without some keys; without all of them, the channel has no curve any more."""
    curve = curve_of(document, clip, channel, layer)
    gone = edit.indices(curve, keys)
    left = None if len(gone) == len(curve) else edit.delete_keys(curve, gone).curve
    return set_curves(document, clip, {channel: left}, layer=layer)


def move_key(
    document: Document,
    clip: str,
    channel: str,
    key: int,
    *,
    time: float | None = None,
    value: float | None = None,
    layer: str | None = None,
) -> Document:
    """A key at another time, value or both; it may not pass its neighbours."""
    curve = curve_of(document, clip, channel, layer)
    moved = edit.move_key(curve, key, time=time, value=value).curve
    return set_curves(document, clip, {channel: moved}, layer=layer)


def retime_keys(
    document: Document,
    clip: str,
    channels: Iterable[str],
    keys: Iterable[int] | None = None,
    *,
    shift: float = 0.0,
    scale: float = 1.0,
    pivot: float = 0.0,
    layer: str | None = None,
) -> Document:
    """Keys (all when None) of several channels moved to pivot + scale·(time − pivot) + shift."""
    chosen = None if keys is None else list(keys)
    changed: dict[str, Curve | None] = {}
    for channel in channels:
        curve = curve_of(document, clip, channel, layer)
        changed[channel] = edit.retime(curve, chosen, shift=shift, scale=scale, pivot=pivot).curve
    return set_curves(document, clip, changed, layer=layer)


def set_tangent(
    document: Document,
    clip: str,
    channel: str,
    key: int,
    side: Literal["in", "out"],
    tangent: Tangent,
    *,
    layer: str | None = None,
) -> Document:
    """One tangent of a key; a tied key's other tangent takes over the slope."""
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: edit.set_tangent(curve, key, side, tangent).curve}, layer=layer)


def tie_tangents(
    document: Document,
    clip: str,
    channel: str,
    keys: Iterable[int] | None = None,
    *,
    tied: bool = True,
    layer: str | None = None,
) -> Document:
    """Keys (all when None) whose two slopes are one, or may differ."""
    curve = curve_of(document, clip, channel, layer)
    changed = edit.tie_tangents(curve, keys) if tied else edit.break_tangents(curve, keys)
    return set_curves(document, clip, {channel: changed.curve}, layer=layer)


def set_interpolation(
    document: Document,
    clip: str,
    channel: str,
    kind: Interpolation,
    keys: Iterable[int] | None = None,
    *,
    layer: str | None = None,
) -> Document:
    """How the segments after some keys (all when None) run."""
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: edit.set_interpolation(curve, kind, keys).curve}, layer=layer)


def preset_tangents(
    document: Document,
    clip: str,
    channel: str,
    preset: Preset,
    keys: Iterable[int] | None = None,
    *,
    layer: str | None = None,
) -> Document:
    """Tangents of some keys (all when None) made smooth, flat, linear or stepped."""
    if preset not in _PRESETS:
        raise UnknownName("tangent preset", preset, _PRESETS)
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: _PRESETS[preset](curve, keys)}, layer=layer)
