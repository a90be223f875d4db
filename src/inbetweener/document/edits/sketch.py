"""Sketches as edits: a bend of the rig, and keys on the channel that dials it in."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from inbetweener.curves import Curve, Key, edit, tangent_presets
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.loosenings import loosenings_of_renamed_channels, loosenings_without_channel
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves
from inbetweener.posing.sketch import Sketch
from inbetweener.rig import Bend, Channel, Drive, Rig, bend_channel
from inbetweener.rig.naming import free_name

SAME_TIME = 1e-6
"""Seconds within which a key is the key of that moment."""


def sketched_at(document: Document, clip: str, time: float) -> str | None:
    """The bend that a sketch at `time` refines: the last one with a key there that is not zero."""
    curves = document.clip(clip).curves
    for bend in reversed(document.rig.bends):
        curve = curves.get(bend.channel)
        if curve is not None and any(curve.values[np.abs(curve.times - time) < SAME_TIME]):
            return bend.name
    return None


def sketch_pose(document: Document, clip: str, time: float, sketch: Sketch, *, name: str | None = None) -> Document:
    """A clip that shows a sketch at `time`: its channel is 1 there and 0 at the key times of the clip around.

    Where the sketch was drawn onto a bend, it takes that bend's place and only the key at `time` is set. Otherwise it
    becomes a new bend under `name`, or under the first free one.
    """
    rig = document.rig
    old = None if sketch.onto is None else _bend(rig, sketch.onto)
    drives = tuple(Drive(dof, amount) for dof, amount in sketch.turns.items() if amount != 0.0)
    if old is not None:
        changed = replace(rig.channel(old.channel), drives=drives)
        rig = replace(
            rig,
            channels=tuple(changed if each.name == old.channel else each for each in rig.channels),
            bends=tuple(replace(old, screws=sketch.screws) if each is old else each for each in rig.bends),
        )
        channel = old.channel
    else:
        taken = {*(each.name for each in rig.bends), *(each.name for each in rig.channels)}
        if name is not None and name in taken:
            raise InvalidDocument(f"there is already a bend or channel called {name!r}; choose another name")
        channel = name if name is not None else free_name("sketch", taken)
        _require_name(channel)
        rig = replace(
            rig,
            channels=(*rig.channels, replace(bend_channel(channel), drives=drives)),
            bends=(*rig.bends, Bend(channel, channel, sketch.screws)),
        )
    shown = document.clip(clip)
    curve = _dialled(shown, channel, time)
    return set_curves(replace(document, rig=rig), clip, {channel: curve})


def remove_bend(document: Document, bend: str) -> Document:
    """The document without a bend, its channel and the keys of that channel, in all clips."""
    rig = document.rig
    gone = _bend(rig, bend)
    bends = tuple(each for each in rig.bends if each is not gone)
    if any(each.channel == gone.channel for each in bends):
        return replace(document, rig=replace(rig, bends=bends))
    channels = tuple(each for each in rig.channels if each.name != gone.channel)
    clips = tuple(_with_curves(clip, {gone.channel: None}) for clip in document.clips)
    loosenings = loosenings_without_channel(document, gone.channel)
    return replace(document, rig=replace(rig, bends=bends, channels=channels), clips=clips, loosenings=loosenings)


def rename_bend(document: Document, bend: str, name: str) -> Document:
    """A bend under another name, and its channel with it where that has the same."""
    rig = document.rig
    old = _bend(rig, bend)
    _require_name(name)
    if name == bend:
        return document
    if name in {*(each.name for each in rig.bends), *(each.name for each in rig.channels)}:
        raise InvalidDocument(f"there is already a bend or channel called {name!r}; choose another name")
    if old.channel != bend:
        changed = tuple(replace(each, name=name) if each is old else each for each in rig.bends)
        return replace(document, rig=replace(rig, bends=changed))
    channels: tuple[Channel, ...] = tuple(replace(c, name=name) if c.name == bend else c for c in rig.channels)
    bends = tuple(
        replace(each, name=name if each is old else each.name, channel=name) if each.channel == bend else each
        for each in rig.bends
    )
    clips = tuple(_with_renamed(clip, bend, name) for clip in document.clips)
    loosenings = loosenings_of_renamed_channels(document, {bend: name})
    return replace(document, rig=replace(rig, channels=channels, bends=bends), clips=clips, loosenings=loosenings)


def _dialled(clip: Clip, channel: str, time: float) -> Curve:
    """The curve of a bend's channel that is 1 at `time`: the one there is, or a new one between its neighbours."""
    start, end = (abs(time - each) < SAME_TIME for each in (clip.start, clip.end))
    ones = {clip.start, clip.end} if clip.loops and (start or end) else {time}
    curve = clip.curves.get(channel)
    if curve is None:
        others = [each.times for name, each in clip.curves.items() if name != channel]
        times = np.unique(np.concatenate([[clip.start, clip.end], *others]))
        keys = dict.fromkeys(ones, 1.0)
        for one in ones:
            before, after = times[times < one - SAME_TIME], times[times > one + SAME_TIME]
            for near in (*before[-1:], *after[:1]):
                keys.setdefault(float(near), 0.0)
        return tangent_presets.smooth(Curve.from_keys([Key(at, keys[at]) for at in sorted(keys)]))
    for one in sorted(ones):
        found = np.flatnonzero(np.abs(curve.times - one) < SAME_TIME)
        if not len(found):
            curve = edit.insert_key(curve, one).curve
            found = np.flatnonzero(np.abs(curve.times - one) < SAME_TIME)
        if curve.values[found[0]] != 1.0:
            curve = edit.move_key(curve, int(found[0]), value=1.0).curve
            curve = tangent_presets.smooth(curve, [int(found[0])])
    return curve


def _bend(rig: Rig, name: str) -> Bend:
    for bend in rig.bends:
        if bend.name == name:
            return bend
    raise UnknownName("bend", name, [bend.name for bend in rig.bends])


def _require_name(name: str) -> None:
    if not name.strip():
        raise InvalidDocument("a bend needs a name")


def _with_curves(clip: Clip, changes: Mapping[str, Curve | None]) -> Clip:
    layers = tuple(replace(layer, curves=layer.curves.replaced(changes)) for layer in clip.layers)
    return replace(clip, curves=clip.curves.replaced(changes), layers=layers)


def _with_renamed(clip: Clip, channel: str, name: str) -> Clip:
    def renamed(curves: Curves) -> Curves:
        return Curves({name if each == channel else each: curve for each, curve in curves.items()})

    layers = tuple(replace(layer, curves=renamed(layer.curves)) for layer in clip.layers)
    return replace(clip, curves=renamed(clip.curves), layers=layers)
