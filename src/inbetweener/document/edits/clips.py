"""Edits of clips: add, remove, rename, duplicate, and their stretch of time."""

from collections.abc import Iterable
from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.edits.constraints import (
    constraints_of_renamed_clip,
    constraints_with_copies,
    constraints_without_clip,
)
from inbetweener.document.edits.loosenings import (
    loosenings_of_renamed_clip,
    loosenings_with_copy,
    loosenings_without_clip,
)
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Clip, Kernel


def add_clip(document: Document, clip: Clip) -> Document:
    """The document with one more clip, at the end."""
    for curves in (clip.curves, *(layer.curves for layer in clip.layers)):
        for name in curves:
            document.rig.channel_index(name)
    _require_free(document, clip.name)
    return replace(document, clips=(*document.clips, clip))


def remove_clip(document: Document, clip: str) -> Document:
    """The document without a clip, its constraints and its looseness."""
    gone = document.clip(clip)
    return replace(
        document,
        clips=tuple(each for each in document.clips if each is not gone),
        constraints=constraints_without_clip(document, clip),
        loosenings=loosenings_without_clip(document, clip),
    )


def rename_clip(document: Document, clip: str, name: str) -> Document:
    """A clip under another name."""
    if name != clip:
        _require_free(document, name)
    return replace_clip(document, clip, replace(document.clip(clip), name=name))


def duplicate_clip(document: Document, clip: str, name: str) -> Document:
    """A copy of a clip and its constraints under new names, as loose, right behind it; all curves are shared."""
    _require_free(document, name)
    original = document.clip(clip)
    copy = replace(original, name=name)
    clips = tuple(one for each in document.clips for one in ((each, copy) if each is original else (each,)))
    constraints, loosenings = constraints_with_copies(document, clip, name), loosenings_with_copy(document, clip, name)
    return replace(document, clips=clips, constraints=constraints, loosenings=loosenings)


def set_clip_range(document: Document, clip: str, start: float, end: float) -> Document:
    """Where a clip starts and ends, in seconds; its keys stay where they are."""
    return replace_clip(document, clip, replace(document.clip(clip), start=start, end=end))


def set_clip_rate(document: Document, clip: str, rate: float) -> Document:
    """Frames a second at which a clip is shown; its keys stay where they are."""
    return replace_clip(document, clip, replace(document.clip(clip), rate=rate))


def set_clip_loops(document: Document, clip: str, loops: bool) -> Document:
    """Whether the end of a clip flows into its start."""
    return replace_clip(document, clip, replace(document.clip(clip), loops=loops))


def set_kernels(document: Document, clip: str, kernels: Iterable[Kernel]) -> Document:
    """When guidance lets effort be in a clip, in place of when it did."""
    return replace_clip(document, clip, replace(document.clip(clip), kernels=tuple(kernels)))


def replace_clip(document: Document, clip: str, changed: Clip) -> Document:
    """The document with `changed` where the clip called `clip` was; constraints and looseness follow its name."""
    old = document.clip(clip)
    return replace(
        document,
        clips=tuple(changed if each is old else each for each in document.clips),
        constraints=constraints_of_renamed_clip(document, clip, changed.name),
        loosenings=loosenings_of_renamed_clip(document, clip, changed.name),
    )


def _require_free(document: Document, name: str) -> None:
    if not name.strip():
        raise InvalidDocument("a clip needs a name")
    if any(each.name == name for each in document.clips):
        raise InvalidDocument(f"there is already a clip called {name!r}; choose another name")
