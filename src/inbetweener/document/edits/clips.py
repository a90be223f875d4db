"""Edits of clips: add, remove, rename, duplicate, their stretch of time, and kernels."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

from inbetweener.curves.edit import run
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
from inbetweener.errors import InvalidDocument, InvalidEdit
from inbetweener.motion import Clip, Curves, Kernel, Layer


def add_clip(document: Document, clip: Clip) -> Document:
    """The document with one more clip, at the end."""
    for curves in (clip.curves, *(layer.curves for layer in clip.layers)):
        for name in curves:
            document.rig.channel_index(name)
    _require_free(document, clip.name)
    return replace(document, clips=(*document.clips, clip))


RATE, LENGTH = 24.0, 2.0
"""Frames a second and seconds of a clip of which nobody said more."""


def new_clip(document: Document, name: str | None = None, *, rate: float = RATE, length: float = LENGTH) -> Document:
    """One more clip without a curve, at the end: the character stands as its author made it."""
    return add_clip(document, Clip(free_clip_name(document) if name is None else name, length, rate=rate))


def free_clip_name(document: Document, wish: str = "clip") -> str:
    """A name that no clip has: "clip 1", or the next number of whatever is wished for."""
    taken, stem = {each.name for each in document.clips}, wish.rstrip("0123456789 ") or wish
    return next(name for n in itertools.count(1) if (name := f"{stem} {n}") not in taken)


def remove_clip(document: Document, clip: str) -> Document:
    """The document without a clip, its constraints and its looseness."""
    gone = document.clip(clip)
    return replace(
        document,
        clips=tuple(each for each in document.clips if each is not gone),
        constraints=constraints_without_clip(document, clip),
        loosenings=loosenings_without_clip(document, clip),
        stagings=tuple(each for each in document.stagings if each.clip != clip),
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
    stagings = (*document.stagings, *(replace(each, clip=name) for each in document.stagings if each.clip == clip))
    return replace(document, clips=clips, constraints=constraints, loosenings=loosenings, stagings=stagings)


def set_clip_range(document: Document, clip: str, start: float, end: float) -> Document:
    """Where a clip starts and ends, in seconds; its keys stay where they are."""
    return replace_clip(document, clip, replace(document.clip(clip), start=start, end=end))


SLOWEST, FASTEST = 0.1, 10_000.0
"""Frames a second: a picture every ten seconds, and what the swiftest cameras do."""


def require_rate(rate: float) -> None:
    """Refuse what no camera does."""
    if not SLOWEST <= rate <= FASTEST:
        raise InvalidEdit(f"{rate:g} frames a second are not within {SLOWEST:g} and {FASTEST:g}", "rate")


def set_clip_rate(document: Document, clip: str, rate: float) -> Document:
    """Frames a second at which a clip is shown; its keys stay where they are."""
    made = replace(document.clip(clip), rate=rate)
    require_rate(rate)
    return replace_clip(document, clip, made)


def shift_clip(document: Document, clip: str, by: float) -> Document:
    """A clip `by` so many seconds later, or earlier: its keys, kernels, constraints and targets move with it."""
    if not math.isfinite(by):
        raise InvalidDocument(f"clip {clip!r} cannot be shifted by {by:g} s; choose a finite number")
    return retimed(document, clip, 1.0, by)


def reverse_clip(document: Document, clip: str) -> Document:
    """A clip that runs from its end to its start: the same poses in the other order, constraints and targets too."""
    old = document.clip(clip)
    return retimed(document, clip, -1.0, old.start + old.end)


def retimed(document: Document, clip: str, scale: float, shift: float) -> Document:
    """All times t of a clip become scale · t + shift; a scale of −1 runs it backward."""
    old = document.clip(clip)

    def at(time: float) -> float:
        return scale * time + shift

    def curves(given: Curves) -> Curves:
        return Curves({name: run(curve, scale, shift) for name, curve in given.items()})

    def layer_run(layer: Layer) -> Layer:
        weights = None if layer.weights is None else run(layer.weights, scale, shift)
        return replace(layer, curves=curves(layer.curves), weights=weights)

    changed = replace(
        old,
        start=min(at(old.start), at(old.end)),
        end=max(at(old.start), at(old.end)),
        curves=curves(old.curves),
        layers=tuple(layer_run(layer) for layer in old.layers),
        kernels=tuple(replace(kernel, centre=at(kernel.centre)) for kernel in old.kernels),
    )
    constraints = tuple(
        replace(each, rule=each.rule.during(*sorted((at(each.rule.start), at(each.rule.end)))))
        if each.clip == clip
        else each
        for each in document.constraints
    )
    loosenings = tuple(
        replace(each, aims=tuple(replace(aim, target=aim.target.run(scale, shift)) for aim in each.aims))
        if each.clip == clip
        else each
        for each in document.loosenings
    )
    stagings = tuple(each.run(scale, shift) if each.clip == clip else each for each in document.stagings)
    return replace_clip(
        replace(document, constraints=constraints, loosenings=loosenings, stagings=stagings), clip, changed
    )


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
        stagings=document.stagings
        if changed.name == clip
        else tuple(replace(each, clip=changed.name) if each.clip == clip else each for each in document.stagings),
    )


def replace_layer(document: Document, clip: str, layer: str, changed: Layer) -> Document:
    """The document with `changed` where the layer called `layer` was."""
    old = document.clip(clip)
    was = old.layer(layer)
    layers = tuple(changed if each is was else each for each in old.layers)
    return replace_clip(document, clip, replace(old, layers=layers))


def _require_free(document: Document, name: str) -> None:
    if not name.strip():
        raise InvalidDocument("a clip needs a name")
    if any(each.name == name for each in document.clips):
        raise InvalidDocument(f"there is already a clip called {name!r}; choose another name")
