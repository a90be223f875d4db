"""How looseness and targets follow what is renamed, copied and removed around them.

A solved target keeps its correction in the layer of the same name, so the two are renamed together.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from inbetweener.document.document import Document, Loosening
from inbetweener.kinodynamics import PointTarget, Target
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


def loosenings_without_channel(document: Document, channel: str) -> Loosenings:
    """The document's looseness when a channel is gone."""
    return _shared(document, (_without_channel(each, channel) for each in document.loosenings))


def taken_names(loosening: Loosening, clip: Clip) -> set[str]:
    """Names that no other target of a clip can have: those of its targets, and of layers that would be mixed up."""
    return {*(aim.name for aim in loosening.aims), *(layer.name for layer in clip.layers)}


def _with_aim_renamed(loosening: Loosening, aim: str, name: str) -> Loosening:
    if all(each.name != aim for each in loosening.aims):
        return loosening
    return replace(loosening, aims=tuple(replace(e, name=name) if e.name == aim else e for e in loosening.aims))


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
