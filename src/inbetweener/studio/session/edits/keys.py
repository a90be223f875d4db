"""Keys: inserted, deleted, their tangents and interpolation; several channels at once."""

from collections.abc import Callable

from inbetweener.arrays import Ints
from inbetweener.curves import Curve, break_tangents, delete_keys, set_interpolation, tangent_presets, tie_tangents
from inbetweener.document import Document, edits
from inbetweener.document.edits.keys import keyed
from inbetweener.document.edits.words import frame_of, near
from inbetweener.errors import InvalidDocument
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.gestures.move_keys import chosen, counted, with_curves
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.protocol.parts import KeyRef
from inbetweener.studio.session.edits.stroke import Editing, Stroke

_PRESETS = {
    "smooth": tangent_presets.smooth,
    "flat": tangent_presets.flat,
    "linear": tangent_presets.linear,
    "stepped": tangent_presets.stepped,
}


def _insert(document: Document, clip: str, request: edit_requests.InsertKeys) -> Stroke:
    """A channel without a curve gets its value keyed; in a layer that is nought, which adds nothing."""
    require_sane("a time", request.time)
    shown, curves = document.clip(clip), edits.curves_of(document, clip, request.layer)
    made: dict[str, Curve | None] = {}
    for name in dict.fromkeys(request.channels):
        channel, curve = document.rig.channel(name), curves.get(name)
        if curve is None:
            made[name] = Curve.constant(channel.default if request.layer is None else 0.0, request.time)
        else:
            changed, _ = keyed(curve, request.time, near(shown))
            if changed is not curve:
                made[name] = changed
    if not made:
        raise InvalidDocument(f"there are keys on frame {frame_of(shown, request.time)} already")
    count = "" if len(made) == 1 else f" {len(made)} channels"
    label = f"Key{count or ' ' + next(iter(made))} at frame {frame_of(shown, request.time)}"
    return Stroke(label, edits.set_curves(document, clip, made, layer=request.layer))


def _each(
    document: Document, clip: str, keys: list[KeyRef], label: str, change: Callable[[Curve, Ints], Curve | None]
) -> Stroke:
    """One change to keys of any number of curves; `label` ends where their number belongs."""
    found = chosen(document, clip, keys)
    changed = with_curves(document, clip, [(each, change(each.curve, each.keys)) for each in found])
    return Stroke(f"{label} {counted(found)}", changed)


def _delete(document: Document, clip: str, request: edit_requests.DeleteKeys) -> Stroke:
    def without(curve: Curve, keys: Ints) -> Curve | None:
        return None if len(keys) == len(curve) else delete_keys(curve, keys).curve

    return _each(document, clip, request.keys, "Delete", without)


def _preset(document: Document, clip: str, request: edit_requests.PresetTangents) -> Stroke:
    label = f"{request.preset.capitalize()} tangents on"
    return _each(document, clip, request.keys, label, _PRESETS[request.preset])


def _tie(document: Document, clip: str, request: edit_requests.TieTangents) -> Stroke:
    def changed(curve: Curve, keys: Ints) -> Curve:
        return (tie_tangents if request.tied else break_tangents)(curve, keys).curve

    return _each(document, clip, request.keys, f"{'Tie' if request.tied else 'Break'} tangents of", changed)


def _interpolate(document: Document, clip: str, request: edit_requests.SetInterpolation) -> Stroke:
    def changed(curve: Curve, keys: Ints) -> Curve:
        return set_interpolation(curve, request.kind, keys).curve

    name = {"constant": "Stepped", "linear": "Linear", "bezier": "Bezier"}[request.kind]
    return _each(document, clip, request.keys, f"{name} segments after", changed)


KEY_EDITS: dict[type, Editing] = {
    edit_requests.InsertKeys: _insert,
    edit_requests.DeleteKeys: _delete,
    edit_requests.PresetTangents: _preset,
    edit_requests.TieTangents: _tie,
    edit_requests.SetInterpolation: _interpolate,
}
