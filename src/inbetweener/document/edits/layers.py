"""Layers of clips, made by hand: add, name, weigh, mute, solo, mask, order and merge them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener import motion
from inbetweener.curves import Curve, tangent_presets
from inbetweener.curves.edit import move_key
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip, replace_layer
from inbetweener.document.edits.keys import keyed
from inbetweener.document.edits.loosenings import loosenings_of_renamed_layer
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_read, moment, near, the_clip
from inbetweener.errors import InvalidDocument, InvalidEdit
from inbetweener.motion import Clip, Layer
from inbetweener.motion.layers import TOLERANCE
from inbetweener.rig.naming import free_name


@dataclass(frozen=True, slots=True, repr=False)
class LayerResult(Result):
    """A clip with a layer made, changed or taken away; `done` is what a history calls it."""

    clip: str
    name: str
    done: str

    @property
    def lines(self) -> tuple[str, ...]:
        """What it is like now."""
        found = [each for each in self.document.clip(self.clip).layers if each.name == self.name]
        return (f"{self.done}: {_described(found[0])}" if found else self.done,)

    @property
    def facts(self) -> dict[str, Any]:
        """All layers, the lowest first."""
        return {
            "clip": self.clip,
            "layers": [
                {
                    "name": each.name,
                    "override": each.override,
                    "weight": each.weight,
                    "weight_keys": 0 if each.weights is None else len(each.weights),
                    "muted": each.muted,
                    "solo": each.solo,
                    "joints": list(each.joints),
                    "curves": len(each.curves),
                }
                for each in self.document.clip(self.clip).layers
            ],
        }


def layer(
    document: Document,
    name: str,
    *,
    weight: float | None = None,
    frame: float | None = None,
    time: float | str | None = None,
    override: bool | None = None,
    muted: bool | None = None,
    solo: bool | None = None,
    joints: Iterable[str] | None = None,
    place: int | None = None,
    rename: str | None = None,
    remove: bool = False,
    clip: str | None = None,
) -> LayerResult:
    """Make a layer, on top of all others, or change the one of that name; what is not said stays.

    It is added to what lies below or, with `override`, takes its place, as much as it weighs. A `weight` with a `frame`
    or `time` is a key, others stay; without, it is the same all the time. Masked by `joints` it moves only these; none
    lifts the mask. `place` 0 is the lowest. `remove` takes it away.
    """
    shown = the_clip(document, clip)
    at, known = shown.name, any(each.name == name for each in shown.layers)
    if remove:
        return LayerResult(remove_layer(document, at, name), at, name, f"Remove layer {name}")
    if weight is None and not (frame is None and time is None):
        raise InvalidEdit("a time is for a key of the weight; say the weight too", "frame", "time")
    done = [] if known else [f"Add layer {name}"]
    if not known:
        document = add_layer(document, at, Layer(name))
    if weight is not None:
        when = None if frame is None and time is None else moment(shown, frame, time)
        document = set_layer_weight(document, at, name, weight, time=when)
        keyed_at = "" if when is None else f" at frame {frame_read(shown, when)}"
        done.append(f"Weigh {name} {weight:.3g}{keyed_at}")
    if override is not None:
        document = override_layer(document, at, name, override)
        done.append(f"{'Override with' if override else 'Add'} {name}")
    if muted is not None:
        document = mute_layer(document, at, name, muted)
        done.append(f"{'Mute' if muted else 'Unmute'} {name}")
    if solo is not None:
        document = solo_layer(document, at, name, solo)
        done.append(f"{'Solo' if solo else 'No solo of'} {name}")
    if joints is not None:
        document = mask_layer(document, at, name, joints)
        done.append(f"Mask {name}")
    if place is not None:
        document = move_layer(document, at, name, place)
        done.append(f"Move layer {name}")
    if rename is not None:
        document = rename_layer(document, at, name, rename)
        done.append(f"Rename layer to {rename}")
    return LayerResult(document, at, rename or name, done[0] if done else f"Keep {name}")


@dataclass(frozen=True, slots=True, repr=False)
class MergeResult(Result):
    """A clip with a layer merged; `error` is by how much a channel changed at most, looked at eight times a frame."""

    clip: str
    layer: str
    into: str
    keys: int
    error: float

    @property
    def lines(self) -> tuple[str, ...]:
        """Where to, and how near it stays."""
        return (f"Merged {self.layer} into {self.into}: {self.keys} keys there, the motion within {self.error:.2g}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"clip": self.clip, "layer": self.layer, "into": self.into, "keys": self.keys, "error": self.error}


def merge(
    document: Document, layer: str, *, down: bool = False, clip: str | None = None, tolerance: float = TOLERANCE
) -> MergeResult:
    """Work a layer into the base or, `down`, into the layer below it, which keeps its name; the motion stays.

    Curves are exact where sums of curves are; elsewhere they get keys until they are within `tolerance`.
    """
    shown = the_clip(document, clip)
    names = [each.name for each in shown.layers]
    at = names.index(shown.layer(layer).name)
    if down and at == 0:
        raise InvalidEdit(f"there is no layer below {layer!r}; merge it into the base", "down")
    into = names[at - 1] if down else None
    merged = [names[at - 1], layer] if down else [layer]
    made = merge_layers(document, shown.name, merged, into=into, tolerance=tolerance)
    curves = made.clip(shown.name).curves if into is None else made.clip(shown.name).layer(into).curves
    times = np.linspace(shown.start, shown.end, 8 * (len(shown.frame_times) - 1) + 1)
    before, after = (_without_solo(each, shown.name).motion(shown.name).channels(times) for each in (document, made))
    keys = sum(len(curve) for curve in curves.values())
    return MergeResult(made, shown.name, layer, into or "the base", keys, float(np.abs(after - before).max(initial=0)))


def _without_solo(document: Document, clip: str) -> Document:
    shown = document.clip(clip)
    if not any(each.solo for each in shown.layers):
        return document
    layers = tuple(replace(each, solo=False) for each in shown.layers)
    return replace_clip(document, clip, replace(shown, layers=layers))


def _described(layer: Layer) -> str:
    told = ["overrides" if layer.override else "adds"]
    told.append(f"weight {layer.weight:.3g}" if layer.weights is None else f"{len(layer.weights)} keys of its weight")
    told += [word for word, on in (("muted", layer.muted), ("solo", layer.solo)) if on]
    told += [f"masked to {len(layer.joints)} joint{'s' * (len(layer.joints) > 1)}"] if layer.joints else []
    return ", ".join((*told, f"{len(layer.curves)} curves"))


def free_layer_name(clip: Clip, wish: str = "layer") -> str:
    """A name that no layer of a clip has: the wish itself, or with a number."""
    return free_name(wish, {each.name for each in clip.layers})


def add_layer(document: Document, clip: str, layer: Layer) -> Document:
    """A clip with one more layer, on top."""
    old = document.clip(clip)
    for name in layer.curves:
        document.rig.channel_index(name)
    _require_free_layer(document, old, layer.name)
    return replace_clip(document, clip, replace(old, layers=(*old.layers, layer)))


def remove_layer(document: Document, clip: str, layer: str) -> Document:
    """A clip without a layer."""
    old = document.clip(clip)
    gone = old.layer(layer)
    return replace_clip(document, clip, replace(old, layers=tuple(each for each in old.layers if each is not gone)))


def rename_layer(document: Document, clip: str, layer: str, name: str) -> Document:
    """A layer under another name; a target whose correction it holds is renamed with it."""
    old = document.clip(clip)
    if name != layer:
        _require_free_layer(document, old, name)
    renamed = replace_layer(document, clip, layer, replace(old.layer(layer), name=name))
    return replace(renamed, loosenings=loosenings_of_renamed_layer(document, clip, layer, name))


def move_layer(document: Document, clip: str, layer: str, place: int) -> Document:
    """A layer at another place among the layers, 0 being the lowest."""
    old = document.clip(clip)
    moved = old.layer(layer)
    if not 0 <= place < len(old.layers):
        raise InvalidDocument(f"clip {clip!r} has {len(old.layers)} layers; there is no place {place}")
    others = [each for each in old.layers if each is not moved]
    return replace_clip(document, clip, replace(old, layers=(*others[:place], moved, *others[place:])))


def mute_layer(document: Document, clip: str, layer: str, muted: bool = True) -> Document:
    """A layer muted, or heard again."""
    return replace_layer(document, clip, layer, replace(document.clip(clip).layer(layer), muted=muted))


def solo_layer(document: Document, clip: str, layer: str, solo: bool = True) -> Document:
    """A layer heard without those that are not solo too, or with all again; the base is always heard."""
    return replace_layer(document, clip, layer, replace(document.clip(clip).layer(layer), solo=solo))


def override_layer(document: Document, clip: str, layer: str, override: bool = True) -> Document:
    """A layer that takes the place of what lies below, or is added to it; its curves stay as they are."""
    return replace_layer(document, clip, layer, replace(document.clip(clip).layer(layer), override=override))


def mask_layer(document: Document, clip: str, layer: str, joints: Iterable[str]) -> Document:
    """A layer that moves only some joints; none of them named, it may move all again. Its curves stay."""
    named = {document.rig.joints[document.rig.joint_index(joint)].name for joint in joints}
    listed = tuple(joint.name for joint in document.rig.joints if joint.name in named)
    return replace_layer(document, clip, layer, replace(document.clip(clip).layer(layer), joints=listed))


def set_layer_weight(
    document: Document, clip: str, layer: str, weight: float, *, time: float | None = None
) -> Document:
    """How much a layer counts, 1 being all of it: always or, with a `time`, keyed there between keys of its own."""
    if not math.isfinite(weight):
        raise InvalidDocument(f"layer {layer!r}: weight {weight:g} must be a finite number")
    shown = document.clip(clip)
    old = shown.layer(layer)
    if time is None:
        return replace_layer(document, clip, layer, replace(old, weight=weight, weights=None))
    curve, key = keyed(old.weights or Curve.constant(old.weight, time), time, near(shown))
    # Level at its keys, so that it goes from one to the other and nowhere else.
    moved = tangent_presets.flat(move_key(curve, key, value=weight).curve, [key])
    return replace_layer(document, clip, layer, replace(old, weights=moved))


def merge_layers(
    document: Document, clip: str, layers: Iterable[str], *, into: str | None = None, tolerance: float = TOLERANCE
) -> Document:
    """Layers worked into the base curves or, with `into`, into one layer of that name; the motion stays."""
    old, names = document.clip(clip), list(layers)
    if into is None:
        return replace_clip(document, clip, motion.merge_into_base(document.rig, old, names, tolerance))
    if not into.strip():
        raise InvalidDocument("a layer needs a name")
    return replace_clip(document, clip, motion.merge_layers(document.rig, old, names, into, tolerance))


def flatten_clip(document: Document, clip: str, *, tolerance: float = TOLERANCE) -> Document:
    """A clip as base curves alone; it shows the same motion."""
    return replace_clip(document, clip, motion.flatten(document.rig, document.clip(clip), tolerance))


def _require_free_layer(document: Document, clip: Clip, name: str) -> None:
    if not name.strip():
        raise InvalidDocument("a layer needs a name")
    if any(aim.name == name for aim in document.loosening(clip.name).aims):
        raise InvalidDocument(f"{name!r} is a target of clip {clip.name!r}, and its layer's name; choose another name")
    if any(each.name == name for each in clip.layers):
        raise InvalidDocument(f"clip {clip.name!r} already has a layer called {name!r}; choose another name")
