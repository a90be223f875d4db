"""Edits of looseness: which parts of a clip swing about their keyed motion, how, whether they do; and its bake."""

from collections.abc import Mapping
from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.loosenings import taken_names
from inbetweener.document.loosening import Loosening
from inbetweener.document.loosening_problems import loosening_problems
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import Loosened, Looseness, Spring
from inbetweener.kinodynamics.bake import TOLERANCE, Bake, bake
from inbetweener.rig.naming import free_name


def loosen(document: Document, clip: str, looseness: Looseness) -> Document:
    """A clip as loose as this, and loose from now on; its targets stay."""
    return replace_loosening(document, replace(document.loosening(clip), looseness=looseness, on=True))


def set_springs(document: Document, clip: str, changes: Mapping[str, Spring | None]) -> Document:
    """Springs put on some joints or channels of a clip, or taken off where the change is None."""
    old = document.loosening(clip)
    return replace_loosening(document, replace(old, looseness=old.looseness.with_springs(changes)))


def switch_looseness(document: Document, clip: str, on: bool) -> Document:
    """A clip shown loose, or as keyed."""
    return replace_loosening(document, replace(document.loosening(clip), on=on))


def replace_loosening(document: Document, changed: Loosening) -> Document:
    """The document with `changed` as the looseness of its clip; what cannot be kept or simulated is refused."""
    old = document.loosening(changed.clip)
    for problem in loosening_problems(changed, document.clips, document.rig, document.meshes):
        raise InvalidDocument(problem)
    new = changed.looseness
    if new.springs.keys() - old.looseness.springs.keys() or new.masses != old.looseness.masses:
        # Raises where something could not swing, before anybody is to be shown it; how it swings does not matter.
        Loosened(document.rig, new, document.clip(changed.clip).rate)
    others = document.loosenings
    if any(each is old for each in others):
        return replace(document, loosenings=tuple(changed if each is old else each for each in others))
    return replace(document, loosenings=(*others, changed))


def bake_loose(
    document: Document, clip: str, *, tolerance: float | None = TOLERANCE, name: str | None = None
) -> tuple[Document, Bake]:
    """What looseness adds to a clip as a layer, on top, and looseness switched off: the clip moves as it was seen to.

    `tolerance` in metres bounds what fitting few keys may change; with None there is a key on every frame, and the
    clip is exactly what was seen there. Soft meshes are in no channel, so they cannot be baked: where there are some,
    springs are taken off instead, and the meshes swing on.
    """
    loosening, old = document.loosening(clip), document.clip(clip)
    if not (loosening.on and loosening.looseness.springs):
        raise InvalidDocument(f"nothing of clip {clip!r} is loose; loosen a joint, or switch its looseness on")
    taken = taken_names(loosening, old)
    if name is not None and name in taken:
        raise InvalidDocument(f"there is already a target or layer called {name!r}; choose another name")
    baked = bake(document.loose_motion(clip), name or free_name("loose", taken), tolerance=tolerance)
    document = replace_clip(document, clip, replace(old, layers=(*old.layers, baked.layer)))
    if loosening.looseness.soft:
        return set_springs(document, clip, dict.fromkeys(loosening.looseness.springs)), baked
    return switch_looseness(document, clip, False), baked
