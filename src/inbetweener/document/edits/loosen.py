"""Edits of looseness: which parts of a clip swing about their keyed motion, how, and whether they do."""

from collections.abc import Mapping
from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.loosening import Loosening
from inbetweener.document.loosening_problems import loosening_problems
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import Loosened, Looseness, Spring


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
    if changed.looseness.springs and changed.looseness != old.looseness:
        # Raises where something could not swing, before anybody is to be shown it.
        Loosened(document.rig, changed.looseness, document.clip(changed.clip).rate)
    others = document.loosenings
    if any(each is old for each in others):
        return replace(document, loosenings=tuple(changed if each is old else each for each in others))
    return replace(document, loosenings=(*others, changed))
