"""Keys: set, deleted, copied, pasted, and how curves run between them."""

from collections.abc import Callable

from inbetweener.document import Document, edits
from inbetweener.document.edits.words import frame_read
from inbetweener.errors import InvalidDocument, InvalidEdit
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.gestures.move_keys import Chosen, chosen, counted
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.protocol.parts import KeyRef
from inbetweener.studio.session.edits.stroke import Editing, Stroke, in_a_line


def _copy_keys(document: Document, clip: str, request: edit_requests.CopyKeys) -> Stroke:
    layers = {key.layer for key in request.keys}
    if len(layers) != 1:
        raise InvalidEdit("keys of several layers cannot be copied at once; select those of one", "keys")
    (layer,) = layers
    found = {each.channel: each.keys.tolist() for each in chosen(document, clip, request.keys)}
    text = edits.copy_keys(document, keys=found, clip=clip, layer=layer)
    made = edits.cut_keys(document, clip, found, layer=layer) if request.cut else document
    return Stroke(f"Cut {counted(chosen(document, clip, request.keys))}", made, text)


def _paste_keys(document: Document, clip: str, request: edit_requests.PasteKeys) -> Stroke:
    require_sane("a time", request.time)
    made = edits.paste_keys(
        document,
        request.text,
        time=request.time,
        mirrored=request.mirrored,
        joints=request.joints,
        clip=clip,
        layer=request.layer,
    )
    what = f"{made.keys} key{'' if made.keys == 1 else 's'}{' mirrored' if request.mirrored else ''}"
    label = f"Paste {what} at frame {frame_read(document.clip(clip), request.time)}"
    return Stroke(label, made.document, str(made))


def _stagger(document: Document, clip: str, request: edit_requests.Stagger) -> Stroke:
    require_sane("an offset", request.by, *(each for each in (request.start, request.end) if each is not None))
    made = edits.stagger(
        document, request.joints, request.by, start=request.start, end=request.end, clip=clip, layer=request.layer
    )
    return Stroke(made.done, made.document)


def _chart(document: Document, clip: str, request: edit_requests.Chart) -> Stroke:
    require_sane("a time", request.time)
    made = edits.chart(
        document, request.shares, time=request.time, channels=request.channels, clip=clip, layer=request.layer
    )
    return Stroke(made.done, made.document)


def _snap(document: Document, clip: str, request: edit_requests.SnapKeys) -> Stroke:
    made = edits.snap_keys(document, request.channels, clip=clip, layer=request.layer)
    return Stroke(made.done, made.document, in_a_line(made))


def _insert(document: Document, clip: str, request: edit_requests.InsertKeys) -> Stroke:
    require_sane("a time", request.time)
    frame = frame_read(document.clip(clip), request.time)
    made = edits.insert_keys(document, clip, request.channels, request.time, layer=request.layer)
    if made is document:
        raise InvalidDocument(f"there are keys on frame {frame} already")
    before, after = (edits.curves_of(each, clip, request.layer) for each in (document, made))
    changed = [name for name in after if after[name] is not before.get(name)]
    return Stroke(f"Key {changed[0] if len(changed) == 1 else f'{len(changed)} channels'} at frame {frame}", made)


def _each(
    document: Document, clip: str, keys: list[KeyRef], label: str, change: Callable[[Document, Chosen], Document]
) -> Stroke:
    """One change to keys of any number of curves; `label` ends where their number belongs."""
    found = chosen(document, clip, keys)
    for each in found:
        document = change(document, each)
    return Stroke(f"{label} {counted(found)}", document)


def _delete(document: Document, clip: str, request: edit_requests.DeleteKeys) -> Stroke:
    def changed(document: Document, at: Chosen) -> Document:
        return edits.delete_keys(document, clip, at.channel, at.keys, layer=at.layer)

    return _each(document, clip, request.keys, "Delete", changed)


def _preset(document: Document, clip: str, request: edit_requests.PresetTangents) -> Stroke:
    def changed(document: Document, at: Chosen) -> Document:
        return edits.preset_tangents(document, clip, at.channel, request.preset, at.keys, layer=at.layer)

    return _each(document, clip, request.keys, f"{request.preset.capitalize()} tangents on", changed)


def _tie(document: Document, clip: str, request: edit_requests.TieTangents) -> Stroke:
    def changed(document: Document, at: Chosen) -> Document:
        return edits.tie_tangents(document, clip, at.channel, at.keys, tied=request.tied, layer=at.layer)

    return _each(document, clip, request.keys, f"{'Tie' if request.tied else 'Break'} tangents of", changed)


def _interpolate(document: Document, clip: str, request: edit_requests.SetInterpolation) -> Stroke:
    def changed(document: Document, at: Chosen) -> Document:
        return edits.set_interpolation(document, clip, at.channel, request.kind, at.keys, layer=at.layer)

    name = {"constant": "Stepped", "linear": "Linear", "bezier": "Bezier"}[request.kind]
    return _each(document, clip, request.keys, f"{name} segments after", changed)


EDITS: dict[type, Editing] = {
    edit_requests.InsertKeys: _insert,
    edit_requests.DeleteKeys: _delete,
    edit_requests.CopyKeys: _copy_keys,
    edit_requests.PasteKeys: _paste_keys,
    edit_requests.Stagger: _stagger,
    edit_requests.Chart: _chart,
    edit_requests.SnapKeys: _snap,
    edit_requests.PresetTangents: _preset,
    edit_requests.TieTangents: _tie,
    edit_requests.SetInterpolation: _interpolate,
}
