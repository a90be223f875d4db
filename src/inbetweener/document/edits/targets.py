"""Edits of targets: what loose motion is to hit, each with a name, a switch and, once solved, a layer."""

from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.loosen import replace_loosening
from inbetweener.document.edits.loosenings import taken_names
from inbetweener.document.loosening import Aim
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import Target
from inbetweener.rig.naming import free_name


def add_target(document: Document, clip: str, target: Target, *, name: str | None = None) -> Document:
    """A clip with one more target, on; without a name it is called after its point."""
    old = document.loosening(clip)
    taken = taken_names(old, document.clip(clip))
    if name is None:
        name = free_name(target.name, taken)
    else:
        _require_free(name, taken)
    return replace_loosening(document, replace(old, aims=(*old.aims, Aim(name, target))))


def replace_target(document: Document, clip: str, name: str, target: Target) -> Document:
    """A target moved in space or time, or wanting something else; its correction stays until it is solved again."""
    return _replaced(document, clip, name, replace(document.loosening(clip).aim(name), target=target))


def switch_target(document: Document, clip: str, name: str, on: bool) -> Document:
    """A target solved for or not; the layer of its correction is muted while it is off."""
    document = _replaced(document, clip, name, replace(document.loosening(clip).aim(name), on=on))
    old = document.clip(clip)
    if all(layer.name != name or layer.muted is not on for layer in old.layers):
        return document
    layers = tuple(replace(layer, muted=not on) if layer.name == name else layer for layer in old.layers)
    return replace_clip(document, clip, replace(old, layers=layers))


def rename_target(document: Document, clip: str, name: str, new: str) -> Document:
    """A target, and the layer of its correction, under another name."""
    loosening, old = document.loosening(clip), document.clip(clip)
    aim = loosening.aim(name)
    if new == name:
        return document
    _require_free(new, taken_names(loosening, old))
    document = _replaced(document, clip, name, replace(aim, name=new))
    if all(layer.name != name for layer in old.layers):
        return document
    layers = tuple(replace(layer, name=new) if layer.name == name else layer for layer in old.layers)
    return replace_clip(document, clip, replace(old, layers=layers))


def remove_target(document: Document, clip: str, name: str) -> Document:
    """A clip without a target and the layer of its correction."""
    loosening, old = document.loosening(clip), document.clip(clip)
    gone = loosening.aim(name)
    document = replace_loosening(document, replace(loosening, aims=tuple(a for a in loosening.aims if a is not gone)))
    if all(layer.name != name for layer in old.layers):
        return document
    layers = tuple(layer for layer in old.layers if layer.name != name)
    return replace_clip(document, clip, replace(old, layers=layers))


def _replaced(document: Document, clip: str, name: str, changed: Aim) -> Document:
    old = document.loosening(clip)
    aim = old.aim(name)
    return replace_loosening(document, replace(old, aims=tuple(changed if each is aim else each for each in old.aims)))


def _require_free(name: str, taken: set[str]) -> None:
    if not name.strip():
        raise InvalidDocument("a target needs a name")
    if name in taken:
        raise InvalidDocument(f"there is already a target or layer called {name!r}; choose another name")
