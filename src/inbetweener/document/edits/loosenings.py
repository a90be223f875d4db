"""How looseness and targets follow what is renamed, copied and removed around them.

A solved target keeps its correction in the layer of the same name, so the two are renamed together.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from inbetweener.document.document import Aim, Document, Loosening
from inbetweener.document.edits.constraints import follow_label
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.motion import Clip

Loosenings = tuple[Loosening, ...]
_Moved = Callable[[Target], Target]


def loosenings_of_renamed_clip(document: Document, clip: str, name: str) -> Loosenings:
    """The document's looseness when a clip gets another name."""
    if name == clip:
        return document.loosenings
    return _shared(document, (replace(each, clip=name) if each.clip == clip else each for each in document.loosenings))


def loosenings_without_clip(document: Document, clip: str) -> Loosenings:
    """The document's looseness when a clip is gone."""
    return _shared(document, (each for each in document.loosenings if each.clip != clip))


def loosenings_with_copy(document: Document, clip: str, copy: str) -> Loosenings:
    """The document's looseness when a clip is copied; its layers are copied with it, so targets keep their names."""
    copies = (replace(each, clip=copy) for each in document.loosenings if each.clip == clip)
    return _shared(document, (*document.loosenings, *copies))


def loosenings_of_renamed_layer(document: Document, clip: str, layer: str, name: str) -> Loosenings:
    """The document's looseness when a layer gets another name, which may be that of a target."""
    if layer == name:
        return document.loosenings
    return _shared(document, (_with_aim_renamed(e, layer, name) if e.clip == clip else e for e in document.loosenings))


def loosenings_of_renamed_channels(document: Document, names: Mapping[str, str]) -> Loosenings:
    """The document's looseness when channels get other names."""
    return _shared(document, (_with_names(each, names, lambda target: target) for each in document.loosenings))


def loosenings_without_channel(document: Document, channel: str) -> Loosenings:
    """The document's looseness when a channel is gone."""
    return _shared(document, (_without_channel(each, channel) for each in document.loosenings))


def loosenings_of_renamed_joint(
    document: Document, joint: str, name: str, channels: Mapping[str, str]
) -> tuple[Loosenings, tuple[Clip, ...]]:
    """The document's looseness and clips when a joint and its channels get other names.

    Targets called after the joint are renamed with it, and with them their layers.
    """

    def moved(target: Target) -> Target:
        if not isinstance(target, PointTarget) or isinstance(target.point, SoftPoint):
            return target
        place = target.point.with_joint(joint, name)
        return target if place is target.point else replace(target, point=place)

    names = {joint: name, **channels}
    for each in document.loosenings:
        if joint in each.looseness.springs and name in each.looseness.springs:
            raise InvalidDocument(f"there is already a loose channel called {name!r}; choose another name")
    clips = {clip.name: clip for clip in document.clips}
    made = []
    for each in document.loosenings:
        changed = _with_soft_joint(_with_names(each, names, moved), joint, name)
        clip = clips[each.clip]
        for before, after in zip(each.aims, changed.aims, strict=True):
            taken = taken_names(changed, clip)
            called = follow_label(before.name, before.target.name, after.target.name, taken)
            if called != before.name:
                changed = _with_aim_renamed(changed, before.name, called)
                layers = (replace(e, name=called) if e.name == before.name else e for e in clip.layers)
                clip = replace(clip, layers=tuple(layers))
        clips[each.clip] = clip
        made.append(changed)
    return _shared(document, made), tuple(clips[clip.name] for clip in document.clips)


def taken_names(loosening: Loosening, clip: Clip) -> set[str]:
    """Names that no other target of a clip can have: those of its targets, and of layers that would be mixed up."""
    return {*(aim.name for aim in loosening.aims), *(layer.name for layer in clip.layers)}


def _with_aim_renamed(loosening: Loosening, aim: str, name: str) -> Loosening:
    if all(each.name != aim for each in loosening.aims):
        return loosening
    return replace(loosening, aims=tuple(replace(e, name=name) if e.name == aim else e for e in loosening.aims))


def _with_soft_joint(loosening: Loosening, joint: str, name: str) -> Loosening:
    loose = loosening.looseness
    if all(part.joint != joint for part in loose.soft):
        return loosening
    soft = tuple(replace(part, joint=name) if part.joint == joint else part for part in loose.soft)
    return replace(loosening, looseness=replace(loose, soft=soft))


def _with_names(loosening: Loosening, names: Mapping[str, str], moved: _Moved) -> Loosening:
    loose = loosening.looseness
    if any(name in names for name in loose.springs):
        loose = replace(loose, springs={names.get(name, name): spring for name, spring in loose.springs.items()})
    aims = tuple(_named(aim, names, moved) for aim in loosening.aims)
    if loose is loosening.looseness and all(a is b for a, b in zip(aims, loosening.aims, strict=True)):
        return loosening
    return replace(loosening, looseness=loose, aims=aims)


def _named(aim: Aim, names: Mapping[str, str], moved: _Moved) -> Aim:
    target = moved(aim.target)
    if isinstance(target, PointTarget):
        if target.channels and any(name in names for name in target.channels):
            target = replace(target, channels=frozenset(names.get(name, name) for name in target.channels))
    elif not isinstance(target.pose, str) and any(name in names for name in target.pose):
        target = replace(target, pose={names.get(name, name): value for name, value in target.pose.items()})
    return aim if target is aim.target else replace(aim, target=target)


def _without_channel(loosening: Loosening, channel: str) -> Loosening:
    loose = loosening.looseness
    if channel in loose.springs:
        loose = loose.with_springs({channel: None})
    aims = []
    for aim in loosening.aims:
        target: Target = aim.target
        if isinstance(target, PointTarget):
            if target.channels and channel in target.channels:
                target = replace(target, channels=target.channels - {channel})
        elif not isinstance(target.pose, str) and channel in target.pose:
            target = replace(target, pose={name: value for name, value in target.pose.items() if name != channel})
        aims.append(aim if target is aim.target else replace(aim, target=target))
    if loose is loosening.looseness and all(a is b for a, b in zip(aims, loosening.aims, strict=True)):
        return loosening
    return replace(loosening, looseness=loose, aims=tuple(aims))


def _shared(document: Document, loosenings: Iterable[Loosening]) -> Loosenings:
    """The document's own tuple where nothing changed."""
    made, old = tuple(loosenings), document.loosenings
    unchanged = len(made) == len(old) and all(a is b for a, b in zip(made, old, strict=True))
    return old if unchanged else made
