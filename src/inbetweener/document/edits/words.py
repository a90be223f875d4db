"""What people say of a document, made exact: which clip, which point, when, what is held meanwhile.

Every verb that a person can do takes the same words: points by name, a frame or seconds, a clip only where there are
several. The pins and contacts that are on in the document always count; `own=False` leaves them out.
"""

import math
from collections.abc import Iterable

from inbetweener.document.constraint import Rule
from inbetweener.document.document import Document
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip
from inbetweener.rig import Place
from inbetweener.tangents import Contact, Pin

SLIGHTLY = 1e-9
"""Seconds by which a moment may lie outside a clip, as frames divided by rates do."""


def the_clip(document: Document, clip: str | None = None) -> Clip:
    """The clip that is meant: by name, or the only one there is."""
    if clip is None and len(document.clips) > 1:
        names = ", ".join(each.name for each in document.clips)
        raise InvalidEdit(f"{document.name!r} has several clips; say which one: {names}")
    return document.clip(clip)


def moment(clip: Clip, frame: float | None = None, time: float | None = None) -> float:
    """Seconds, from seconds or from frames counted from the clip's first; between frames too, within the clip."""
    if (frame is None) == (time is None):
        raise InvalidEdit("say when: with a frame or with a time in seconds, one of them")
    found = time if time is not None else clip.start + (frame or 0.0) / clip.rate
    if not (math.isfinite(found) and clip.start - SLIGHTLY <= found <= clip.end + SLIGHTLY):
        raise InvalidEdit(
            f"{found:g} s lies outside clip {clip.name!r}, which runs from {clip.start:g} to {clip.end:g} s"
        )
    return min(max(found, clip.start), clip.end)


def the_place(document: Document, point: str | Place) -> Place:
    """A named point or joint, or a place that is one already."""
    return document.rig.point(point) if isinstance(point, str) else point


def held(
    document: Document,
    clip: str,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[Contact] = (),
    *,
    own: bool = True,
) -> tuple[Rule, ...]:
    """What must hold: the document's own pins and contacts that are on, unless left out, and further ones."""
    named = tuple(each if isinstance(each, Pin) else Pin(the_place(document, each)) for each in pins)
    return (*(document.rules(clip) if own else ()), *named, *contacts)
