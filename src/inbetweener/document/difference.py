"""What changed between two documents, found by the parts that they share.

An edit makes new only what it changes, so comparing identities finds the change without knowing the edit. Lists (of
joints, clips, layers …) are told as one entry a place: the number of the part in the list before, or a new part.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType

from inbetweener.document.document import Document
from inbetweener.document.native import decode, encode, schema
from inbetweener.document.native.misfit import Misfit, placed
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.document.native.structs import from_struct, to_struct, to_told
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Joint

T = TypeVar("T")
S = TypeVar("S")
Named = TypeVar("Named", Clip, Layer)


class LayerChange(Struct, forbid_unknown_fields=True):
    """A layer by what it changes of layer `of` of the clip before; of a blank one when that is null."""

    of: int | None
    name: str | UnsetType = UNSET
    weight: float | UnsetType = UNSET
    muted: bool | UnsetType = UNSET
    override: bool | UnsetType = UNSET
    solo: bool | UnsetType = UNSET
    joints: list[str] | UnsetType = UNSET
    weights: Raw | UnsetType = UNSET
    curves: dict[str, Raw] | UnsetType = UNSET


class ClipChange(Struct, forbid_unknown_fields=True):
    """A clip by what it changes of clip `of`; a curve of null is gone."""

    of: int | None
    name: str | UnsetType = UNSET
    start: float | UnsetType = UNSET
    end: float | UnsetType = UNSET
    rate: float | UnsetType = UNSET
    loops: bool | UnsetType = UNSET
    kernels: list[schema.Kernel] | UnsetType = UNSET
    curves: dict[str, Raw] | UnsetType = UNSET
    layers: list[int | LayerChange] | UnsetType = UNSET


class Change(Struct, forbid_unknown_fields=True):
    """Everything that differs; what is unset stays. Arrays that the reader cannot know yet come along."""

    name: str | UnsetType = UNSET
    source: schema.Source | UnsetType | None = UNSET
    view: schema.View | UnsetType | None = UNSET
    joints: list[int | schema.Joint] | UnsetType = UNSET
    channels: list[int | schema.Channel] | UnsetType = UNSET
    points: list[int | schema.Point] | UnsetType = UNSET
    handles: list[int | schema.Handle] | UnsetType = UNSET
    bends: list[int | schema.Bend] | UnsetType = UNSET
    blending: schema.Blending | UnsetType = UNSET
    props: list[int | schema.Prop] | UnsetType = UNSET
    meshes: list[int | schema.Mesh] | UnsetType = UNSET
    clips: list[int | ClipChange] | UnsetType = UNSET
    constraints: list[int | schema.Constraint] | UnsetType = UNSET
    loosenings: list[int | schema.Loosening] | UnsetType = UNSET
    roles: list[int | schema.Role] | UnsetType = UNSET
    stagings: list[int | schema.Staging] | UnsetType = UNSET
    arrays: dict[str, schema.Array] | UnsetType = UNSET


_BLANK_CLIP = Clip("", 0.0)
_BLANK_LAYER = Layer("")
_GONE = Raw(b"null")


def difference(before: Document, after: Document, arrays: Packer) -> Change:
    """The change from one document to the other; new arrays are put into `arrays`."""
    old, new = before.rig, after.rig
    meshes = _entries(before.meshes, after.meshes, lambda mesh: encode.mesh(mesh, arrays))
    return Change(
        name=_if_new(before.name, after.name),
        source=UNSET if before.source == after.source else encode.source(after.source, arrays),
        view=UNSET if before.view == after.view else to_told(after.view, schema.View | None),
        joints=_entries(old.joints, new.joints, lambda joint: encode.joint(joint, new.joints)),
        channels=_entries(old.channels, new.channels, encode.channel),
        points=_entries(old.points, new.points, lambda each: to_struct(each, schema.Point)),
        handles=_entries(old.handles, new.handles, lambda each: to_struct(each, schema.Handle)),
        bends=_entries(old.bends, new.bends, lambda bend: encode.bend(bend, arrays)),
        blending=_if_new(before.blending, after.blending),
        props=_entries(before.props, after.props, lambda each: to_struct(each, schema.Prop)),
        meshes=meshes,
        clips=_changed(before.clips, after.clips, _BLANK_CLIP, _clip_change),
        constraints=_entries(before.constraints, after.constraints, lambda each: to_struct(each, schema.Constraint)),
        loosenings=_entries(before.loosenings, after.loosenings, encode.loosening),
        roles=_entries(before.roles, after.roles, lambda each: to_struct(each, schema.Role)),
        stagings=_entries(before.stagings, after.stagings, lambda each: encode.staging(each, arrays)),
        arrays=arrays.new or UNSET,
    )


def changed(before: Document, change: Change, arrays: Unpacker) -> Document:
    """The document after the change, sharing with `before` whatever the change does not touch."""
    if change.arrays is not UNSET:
        arrays.offer(change.arrays, "$.arrays")
    rig = before.rig
    if any(part is not UNSET for part in (change.joints, change.channels, change.points, change.handles, change.bends)):
        rig = decode.rig(
            _joints(rig.joints, change.joints),
            _parts(rig.channels, change.channels, "$.channels", decode.channel),
            _parts(rig.points, change.points, "$.points", from_struct),
            _parts(rig.handles, change.handles, "$.handles", from_struct),
            _parts(rig.bends, change.bends, "$.bends", lambda bend, at: decode.bend(bend, arrays, at)),
        )
    return Document(
        name=before.name if change.name is UNSET else change.name,
        rig=rig,
        meshes=_parts(before.meshes, change.meshes, "$.meshes", lambda mesh, at: decode.mesh(mesh, arrays, at)),
        props=_parts(before.props, change.props, "$.props", from_struct),
        clips=_parts(before.clips, change.clips, "$.clips", lambda clip, at: _changed_clip(before.clips, clip, at)),
        constraints=_parts(before.constraints, change.constraints, "$.constraints", from_struct),
        loosenings=_parts(before.loosenings, change.loosenings, "$.loosenings", from_struct),
        roles=_parts(before.roles, change.roles, "$.roles", from_struct),
        stagings=_parts(
            before.stagings, change.stagings, "$.stagings", lambda each, at: decode.staging(each, arrays, at)
        ),
        blending=before.blending if change.blending is UNSET else decode.blending(change.blending),
        view=before.view if change.view is UNSET else from_struct(change.view, "$.view"),
        source=before.source if change.source is UNSET else decode.source(change.source, arrays),
    )


def _entries(before: Sequence[T], after: Sequence[T], encoded: Callable[[T], S]) -> list[int | S] | UnsetType:
    if before is after:
        return UNSET
    numbers = {id(part): number for number, part in enumerate(before)}
    return [numbers[id(part)] if id(part) in numbers else encoded(part) for part in after]


def _parts(
    before: tuple[T, ...], entries: "list[int | S] | UnsetType", place: str, decoded: Callable[[S, str], T]
) -> tuple[T, ...]:
    if entries is UNSET:
        return before
    return tuple(
        _part(before, each, f"{place}[{i}]") if isinstance(each, int) else decoded(each, f"{place}[{i}]")
        for i, each in enumerate(entries)
    )


def _part(before: Sequence[T], number: int, place: str) -> T:
    if not 0 <= number < len(before):
        raise Misfit(place, f"there was no part {number} before; there were {len(before)}")
    return before[number]


def _joints(before: tuple[Joint, ...], entries: "list[int | schema.Joint] | UnsetType") -> tuple[Joint, ...]:
    if entries is UNSET:
        return before
    # Parents are told by name, and a parent may be new as well: names first, then joints.
    listed = [_part(before, each, "$.joints") if isinstance(each, int) else each for each in entries]
    names = {each.name: number for number, each in enumerate(listed)}
    return tuple(
        each if isinstance(each, Joint) else decode.joint(each, names, f"$.joints[{i}]")
        for i, each in enumerate(listed)
    )


def _clip_change(of: int | None, old: Clip, clip: Clip) -> ClipChange:
    return ClipChange(
        of=of,
        name=_if_new(old.name, clip.name),
        start=_if_new(float(old.start), float(clip.start)),
        end=_if_new(float(old.end), float(clip.end)),
        rate=_if_new(float(old.rate), float(clip.rate)),
        loops=_if_new(bool(old.loops), bool(clip.loops)),
        kernels=_if_new(*([to_struct(k, schema.Kernel) for k in each.kernels] for each in (old, clip))),
        curves=_curve_changes(old.curves, clip.curves),
        layers=_changed(old.layers, clip.layers, _BLANK_LAYER, _layer_change),
    )


def _layer_change(of: int | None, old: Layer, layer: Layer) -> LayerChange:
    return LayerChange(
        of=of,
        name=_if_new(old.name, layer.name),
        weight=_if_new(float(old.weight), float(layer.weight)),
        muted=_if_new(bool(old.muted), bool(layer.muted)),
        override=_if_new(bool(old.override), bool(layer.override)),
        solo=_if_new(bool(old.solo), bool(layer.solo)),
        joints=_if_new(list(old.joints), list(layer.joints)),
        weights=UNSET if old.weights is layer.weights else encode.weights(layer.weights),
        curves=_curve_changes(old.curves, layer.curves),
    )


def _changed(
    before: tuple[Named, ...], after: tuple[Named, ...], blank: Named, change: Callable[[int | None, Named, Named], S]
) -> "list[int | S] | UnsetType":
    """What became of parts, each told as what differs from the one it came from, or from a blank one."""
    places = {id(part): place for place, part in enumerate(after)}
    names = [each.name for each in before]

    def told(part: Named) -> S:
        # Which it came from: any answer is right, the likeliest makes the smallest record.
        place = names.index(part.name) if part.name in names else places[id(part)]
        of = place if place < len(names) else None
        return change(of, blank if of is None else before[of], part)

    return _entries(before, after, told)


def _curve_changes(before: Curves, after: Curves) -> dict[str, Raw] | UnsetType:
    if before is after:
        return UNSET
    made: dict[str, Raw] = {name: encode.curve(curve) for name, curve in after.items() if before.get(name) is not curve}
    made.update((name, _GONE) for name in before if name not in after)
    return made or UNSET


def _changed_clip(before: Sequence[Clip], change: ClipChange, place: str) -> Clip:
    old = _BLANK_CLIP if change.of is None else _part(before, change.of, place)
    fields = _given(change, "name", "start", "end", "rate", "loops")
    layers = _parts(old.layers, change.layers, f"{place}.layers", lambda c, at: _changed_layer(old.layers, c, at))
    curves = _changed_curves(old.curves, change.curves, f"{place}.curves")
    if change.kernels is not UNSET:
        fields["kernels"] = tuple(from_struct(k, f"{place}.kernels[{i}]") for i, k in enumerate(change.kernels))
    with placed(place):
        return replace(old, layers=layers, curves=curves, **fields)


def _changed_layer(before: Sequence[Layer], change: LayerChange, place: str) -> Layer:
    old = _BLANK_LAYER if change.of is None else _part(before, change.of, place)
    curves = _changed_curves(old.curves, change.curves, f"{place}.curves")
    fields = _given(change, "name", "weight", "muted", "override", "solo")
    if change.joints is not UNSET:
        fields["joints"] = tuple(change.joints)
    if change.weights is not UNSET:
        fields["weights"] = decode.weights(change.weights, f"{place}.weights")
    return replace(old, curves=curves, **fields)


def _changed_curves(before: Curves, changes: dict[str, Raw] | UnsetType, place: str) -> Curves:
    if changes is UNSET:
        return before
    return before.replaced(
        {
            name: None if bytes(rows) == b"null" else decode.curve(rows, f'{place}["{name}"]')
            for name, rows in changes.items()
        }
    )


def _given(change: Struct, *names: str) -> dict[str, Any]:
    return {name: getattr(change, name) for name in names if getattr(change, name) is not UNSET}


def _if_new(before: T, after: T) -> T | UnsetType:
    return UNSET if before == after else after
