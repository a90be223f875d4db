# SPDX-License-Identifier: GPL-3.0-or-later
"""An object's action: which F-curves move it, read as our curves, and handles written back into them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import bpy
import numpy as np

from inbetweener.arrays import frozen, stacked_offsets
from inbetweener.curves import Curve

from .keys import Ints, Keys, Tangents, curve_of, frozen_types, with_handles
from .refusal import Refused

SAMPLES = 8
"""A frame: how often a curve is looked at that is no Bezier curve of ours. It is held still, straight in between."""


def rate_of(scene: bpy.types.Scene) -> float:
    """Frames a second."""
    return scene.render.fps / scene.render.fps_base


@dataclass(frozen=True)
class Source:
    """An F-curve: its keys as they are, our curve, and where it stands; `held` says why it may not change, if so."""

    path: str
    index: int
    keys: Keys
    curve: Curve
    number: int
    held: str = ""

    @property
    def name(self) -> str:
        """By path and index."""
        return f"{self.path}[{self.index}]"


def fcurves(ob: bpy.types.Object) -> Sequence[bpy.types.FCurve]:
    """The F-curves of an object's action; what stands in the way of them is named."""
    data = ob.animation_data
    action = data.action if data else None
    if action is None or data.action_slot is None:
        return ()
    if (
        data.use_nla
        and any(not track.mute and len(track.strips) for track in data.nla_tracks)
        and not data.use_tweak_mode
    ):
        raise Refused(f"{ob.name}: NLA tracks play with its action; mute them, or enter tweak mode on one strip")
    if data.action_influence != 1.0 or data.action_blend_type != "REPLACE":
        raise Refused(f"{ob.name}: its action is blended in; set its influence to 1 and its blending to Replace")
    if not action.is_editable:
        raise Refused(f"{ob.name}: action {action.name!r} is linked from another file; make it local first")
    if len(action.layers) > 1:
        raise Refused(f"{ob.name}: action {action.name!r} has several layers; merge them first")
    bags = [strip.channelbag(data.action_slot) for layer in action.layers for strip in layer.strips]
    return bags[0].fcurves if bags and bags[0] is not None else ()


def sources(ob: bpy.types.Object, scene: bpy.types.Scene, wanted: Callable[[str], bool]) -> dict[str, Source]:
    """The curves in use of an object whose paths are wanted, by name; seconds are frames by the scene's rate."""
    rate = rate_of(scene)
    found, known = {}, dict[str, bool]()
    for number, curve in enumerate(fcurves(ob)):
        path = curve.data_path
        if path not in known:
            known[path] = wanted(path)
        if known[path] and not curve.mute and curve.is_valid and len(curve.keyframe_points):
            source = _source(curve, number, scene, rate)
            found[source.name] = source
    return found


def _source(curve: bpy.types.FCurve, number: int, scene: bpy.types.Scene, rate: float) -> Source:
    keys = keys_of(curve)
    held = _held(curve, keys)
    if held:
        first, last = float(keys.points[0, 0]), float(keys.points[-1, 0])
        frames = np.linspace(*_range(min(first, scene.frame_start), max(last, scene.frame_end)))
        values = np.array([curve.evaluate(frame) for frame in frames])
        sampled = Curve.sampled(frames / rate, values)
        return Source(curve.data_path, curve.array_index, keys, sampled, number, held)
    held = "its channel is locked" if curve.lock else ""
    return Source(curve.data_path, curve.array_index, keys, known_curve(keys, rate), number, held)


MOST_CURVES = 20000
"""Curves that are remembered."""
_KEYS: dict[object, Keys] = {}
known_curve = lru_cache(MOST_CURVES)(curve_of)
"""The curve of keys: those that are the same to the bit are the same keys, and their curve is made and checked once."""


def _range(first: float, last: float) -> tuple[float, float, int]:
    return first, last + 1.0, round((last + 1.0 - first) * SAMPLES) + 1


def _held(curve: bpy.types.FCurve, keys: Keys) -> str:
    """Why a curve is no Bezier curve of ours."""
    active = [modifier.type for modifier in curve.modifiers if not modifier.mute]
    if active:
        return f"it has the modifier {active[0].title()}"
    if curve.extrapolation != "CONSTANT":
        return "it goes on straight beyond its keys"
    return "" if keys.is_ours else "a segment of it is an easing, or two keys share a frame"


def keys_of(curve: bpy.types.FCurve) -> Keys:
    """All keys of an F-curve; what is the same to the bit is the same keys."""
    points = curve.keyframe_points
    count = len(points)
    places, choices = np.empty((3, 2 * count), np.float32), np.empty((3, count), np.int32)
    for n, name in enumerate(("co", "handle_left", "handle_right")):
        points.foreach_get(name, places[n])
    for n, name in enumerate(("handle_left_type", "handle_right_type", "interpolation")):
        points.foreach_get(name, choices[n])
    told = (places.tobytes(), choices.tobytes())
    if told not in _KEYS:
        if len(_KEYS) >= MOST_CURVES:
            _KEYS.clear()
        at, left, right = (frozen(each.reshape(count, 2)) for each in places)
        types, kinds = (frozen(each, np.int64) for each in (choices[:2].T, choices[2]))
        _KEYS[told] = Keys(at, left, right, types, kinds)
    return _KEYS[told]


def put(curve: bpy.types.FCurve, keys: Keys) -> None:
    """Write the values of keys, their handles and the types of these; everything else of a key stays."""
    points = curve.keyframe_points
    _put_types(curve, keys.types)
    for name, handles in (("co", keys.points), ("handle_left", keys.left), ("handle_right", keys.right)):
        points.foreach_set(name, np.ascontiguousarray(handles, np.float32).ravel())
    curve.update()


def _put_types(curve: bpy.types.FCurve, types: Ints) -> None:
    for name, column in (("handle_left_type", 0), ("handle_right_type", 1)):
        curve.keyframe_points.foreach_set(name, np.ascontiguousarray(types[:, column], np.int32))


class Handles:
    """Writes the tangents of curves into an object's F-curves, again and again while a hand moves: what changed alone.

    All keys stand one after another in flat arrays, those of each source from where it starts.
    """

    def __init__(self, ob: bpy.types.Object, known: Mapping[str, Source], rate: float) -> None:
        self._object, self._rate = ob.name, rate
        self._sources = {name: each for name, each in known.items() if not each.held}
        each = list(self._sources.values())
        self._starts = stacked_offsets(len(source.keys.points) for source in each)
        self._keys = Keys(
            np.concatenate([source.keys.points for source in each]),
            np.concatenate([source.keys.left for source in each]),
            np.concatenate([source.keys.right for source in each]),
            np.concatenate([source.keys.types for source in each]),
            np.concatenate([source.keys.interpolations for source in each]),
        )
        self._before = _tangents([source.curve for source in each])
        self._last = self._keys
        self._written: set[str] = set()

    def write(self, curves: Mapping[str, Curve]) -> None:
        """Put the tangents of curves into those of the same name."""
        now = _tangents([curves.get(name, source.curve) for name, source in self._sources.items()])
        keys = with_handles(self._keys, self._before, now, self._rate)
        others = ((keys.left != self._last.left) | (keys.right != self._last.right)).any(axis=1)
        owners = np.searchsorted(self._starts, np.flatnonzero(others), side="right") - 1
        ob = bpy.data.objects.get(self._object)
        if ob is None:
            raise Refused(f"{self._object} is gone, or has another name now; drag again")
        listed, named = fcurves(ob), list(self._sources)
        for owner in np.unique(owners).tolist():
            name, first = named[owner], self._starts[owner]
            fcurve = _still_there(listed, self._sources[name])
            points = fcurve.keyframe_points
            if name not in self._written:
                _put_types(fcurve, frozen_types(self._sources[name].keys.types))
                self._written.add(name)
            for row in np.flatnonzero(others[first : self._starts[owner + 1]]).tolist():
                points[row].handle_left, points[row].handle_right = keys.left[first + row], keys.right[first + row]
            fcurve.update()
        self._last = keys

    def restore(self) -> None:
        """Put all handles back as they were; what somebody has taken away or keyed otherwise meanwhile is left."""
        ob = bpy.data.objects.get(self._object)
        listed = fcurves(ob) if ob is not None else ()
        for name in self._written:
            source = self._sources[name]
            if not _what_became(listed, source):
                put(listed[source.number], source.keys)
        self._written, self._last = set(), self._keys


def _tangents(curves: Sequence[Curve]) -> Tangents:
    return Tangents(np.concatenate([curve.ins for curve in curves]), np.concatenate([curve.outs for curve in curves]))


def _still_there(listed: Sequence[bpy.types.FCurve], source: Source) -> bpy.types.FCurve:
    """The F-curve of a source, with as many keys as it had."""
    became = _what_became(listed, source)
    if became:
        raise Refused(f"{source.name} {became}; drag again")
    return listed[source.number]


def _what_became(listed: Sequence[bpy.types.FCurve], source: Source) -> str:
    """What has happened to the F-curve of a source, if anything."""
    curve = listed[source.number] if source.number < len(listed) else None
    if curve is None or (curve.data_path, curve.array_index) != (source.path, source.index):
        return "is gone from its action"
    return "has other keys now" if len(curve.keyframe_points) != len(source.keys.points) else ""
