"""From the schema to the domain: what the native file and the journal read. Every problem names its place."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from inbetweener.curves import LINEAR, Curve
from inbetweener.curves.key import INTERPOLATIONS
from inbetweener.document.document import Document, Source
from inbetweener.document.kept import Kept
from inbetweener.document.native import schema
from inbetweener.document.native.misfit import Misfit, decoded, placed
from inbetweener.document.native.shelf import KEY, SAMPLE, Unpacker
from inbetweener.document.native.structs import from_struct
from inbetweener.document.staging import Staging
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import ROOT, Bend, Channel, Drive, Handle, Joint, Point, Rig
from inbetweener.skinning import Blending, BlendShape, Material, Mesh

_KEYS = msgspec.json.Decoder(list[schema.Key])


def document(file: schema.File, arrays: Unpacker | None = None) -> Document:
    """The whole document; its arrays are also put into `arrays`."""
    arrays = arrays or Unpacker()
    arrays.offer(file.arrays, "$.arrays")
    names = {each.name: number for number, each in reversed(list(enumerate(file.joints)))}
    return Document(
        name=file.name,
        rig=rig(
            [joint(each, names, f"$.joints[{i}]") for i, each in enumerate(file.joints)],
            [channel(each, f"$.channels[{i}]") for i, each in enumerate(file.channels)],
            parts(file.points, "$.points"),
            parts(file.handles, "$.handles"),
            [bend(each, arrays, f"$.bends[{i}]") for i, each in enumerate(file.bends)],
        ),
        meshes=tuple(mesh(each, arrays, f"$.meshes[{i}]") for i, each in enumerate(file.meshes)),
        props=parts(file.props, "$.props"),
        clips=tuple(clip(each, arrays, f"$.clips[{i}]") for i, each in enumerate(file.clips)),
        constraints=parts(file.constraints, "$.constraints"),
        loosenings=parts(file.loosenings, "$.loosenings"),
        roles=parts(file.roles, "$.roles"),
        stagings=tuple(staging(each, arrays, f"$.stagings[{i}]") for i, each in enumerate(file.stagings)),
        blending=blending(file.blending),
        view=from_struct(file.view, "$.view"),
        source=source(file.source, arrays),
    )


def source(source: schema.Source | None, arrays: Unpacker) -> Source | None:
    """Where a document came from; what is kept of the file is taken from `arrays`."""
    if source is None or (kept := source.kept) is None:
        return from_struct(source, "$.source")
    place = "$.source.kept"
    blocks = tuple(arrays.get(name, kind, f"{place}.blocks[{i}]") for i, (kind, name) in enumerate(kept.blocks))
    text = arrays.get(kept.text, "u1", f"{place}.text").tobytes()
    made: Source = from_struct(source, "$.source", kept=Kept(text, blocks, tuple(kept.joints), tuple(kept.clips)))
    return made


def staging(staging: schema.Staging, arrays: Unpacker, place: str) -> Staging:
    """What a clip is heard with; bytes of files are taken from `arrays`."""
    files = {name: getattr(staging, name) for name in ("sound", "picture")}
    parts: dict[str, Any] = {}
    for name, told in files.items():
        at = f"{place}.{name}"
        data = None if told is None else arrays.get(told.data, "u1", f"{at}.data").tobytes()
        parts[name] = None if told is None else from_struct(told, at, data=data)
    made: Staging = from_struct(staging, place, **parts)
    return made


def blending(blending: schema.Blending) -> Blending:
    """The way of blending; one that is no more is the one that took its place."""
    return "differential" if blending == "differential-world" else blending


def parts(structs: Sequence[msgspec.Struct], place: str) -> tuple[Any, ...]:
    """What is told field by field, standing at `place`."""
    return tuple(from_struct(each, f"{place}[{i}]") for i, each in enumerate(structs))


def rig(
    joints: Sequence[Joint],
    channels: Sequence[Channel],
    points: Sequence[Point],
    handles: Sequence[Handle],
    bends: Sequence[Bend],
) -> Rig:
    """The rig of these parts."""
    with placed("$"):
        return Rig(tuple(joints), tuple(channels), tuple(points), tuple(handles), tuple(bends))


def joint(joint: schema.Joint, names: Mapping[str, int], place: str) -> Joint:
    """A joint among others called `names`."""
    if joint.parent is not None and joint.parent not in names:
        raise Misfit(place, f"parent {joint.parent!r} is no joint of the file")
    made: Joint = from_struct(joint, place, parent=ROOT if joint.parent is None else names[joint.parent])
    return made


def channel(channel: schema.Channel, place: str) -> Channel:
    """A channel."""
    drives = tuple(Drive(dof, weight) for dof, weight in channel.drives.items())
    made: Channel = from_struct(channel, place, drives=drives)
    return made


def bend(bend: schema.Bend, arrays: Unpacker, place: str) -> Bend:
    """A bend, its steps taken from `arrays`."""
    screws = {joint: arrays.get(name, "f8", f'{place}.screws["{joint}"]') for joint, name in bend.screws.items()}
    made: Bend = from_struct(bend, place, screws=screws)
    return made


def mesh(mesh: schema.Mesh, arrays: Unpacker, place: str) -> Mesh:
    """A mesh, its arrays taken from `arrays`."""
    made: Mesh = from_struct(
        mesh,
        place,
        shapes=tuple(_shape(each, arrays, f"{place}.shapes[{i}]") for i, each in enumerate(mesh.shapes)),
        material=_material(mesh.material, arrays, f"{place}.material"),
        **_got(mesh, schema.MESH_ARRAYS, arrays, place),
    )
    return made


def clip(clip: schema.Clip, arrays: Unpacker, place: str) -> Clip:
    """A clip, its long curves taken from `arrays`."""
    layers = tuple(_layer(each, arrays, f"{place}.layers[{i}]") for i, each in enumerate(clip.layers))
    made: Clip = from_struct(clip, place, curves=_curves(clip, arrays, place), layers=layers)
    return made


def curve(rows: msgspec.Raw, place: str) -> Curve:
    """A curve of rows of keys."""
    keys = decoded(_KEYS, rows, place)
    table = np.array([(k.time, k.value, k.in_x, k.in_y, k.out_x, k.out_y) for k in keys]).reshape(-1, 6)
    kinds = np.array([INTERPOLATIONS.index(k.interpolation) for k in keys], np.uint8)
    tied = np.array([k.tied for k in keys], np.bool_)
    times, values = table[:, 0].copy(), table[:, 1].copy()
    with placed(place):
        if len(keys) and (kinds == LINEAR).all() and tied.all() and not table[:, 2:].any():
            return Curve.sampled(times, values)
        return Curve(times, values, table[:, 2:4].copy(), table[:, 4:].copy(), kinds, tied)


def weights(rows: msgspec.Raw, place: str) -> Curve | None:
    """The keyed weight of a layer; None where the rows are null."""
    return None if bytes(rows) == b"null" else curve(rows, place)


def _curves(owner: schema.Clip | schema.Layer, arrays: Unpacker, place: str) -> Curves:
    curves = {name: curve(raw, f'{place}.curves["{name}"]') for name, raw in owner.curves.items()}
    for i, table in enumerate(owner.tables):
        for name, each in zip(table.channels, _rows(table, arrays, f"{place}.tables[{i}]"), strict=True):
            if name in curves:
                raise Misfit(f"{place}.tables[{i}]", f"tells {name!r} a second time")
            curves[name] = each
    return Curves(curves)


def _rows(table: schema.Table, arrays: Unpacker, place: str) -> list[Curve]:
    """The curves of a table; they share its arrays."""
    got = _got(table, schema.TABLE_ARRAYS, arrays, place)
    if table.shaped is not None:
        got |= _got(table.shaped, schema.SHAPED_ARRAYS, arrays, f"{place}.shaped")
    count, keys = len(table.channels), got["times"].size
    for name, array in got.items():
        shape = (keys,) if name == "times" else (count, keys, 2) if name in ("ins", "outs") else (count, keys)
        if array.shape != shape:
            raise Misfit(place, f"{name} has shape {array.shape}; {count} channels of {keys} keys need {shape}")
    arrays.spend(count * keys * (SAMPLE if table.shaped is None else KEY), place)
    times, *rest = got.values()
    with placed(place):
        if table.shaped is None:
            return [Curve.sampled(times, values) for values in got["values"]]
        return [Curve(times, *each) for each in zip(*rest, strict=True)]


def _layer(layer: schema.Layer, arrays: Unpacker, place: str) -> Layer:
    keyed = weights(layer.weights, f"{place}.weights")
    made: Layer = from_struct(layer, place, curves=_curves(layer, arrays, place), weights=keyed)
    return made


def _got(struct: object, types: dict[str, schema.ArrayType], arrays: Unpacker, place: str) -> dict[str, Any]:
    """The arrays that a mesh or shape names; None for those that it does not have."""
    names = {field: getattr(struct, field) for field in types}
    return {f: None if name is None else arrays.get(name, types[f], f"{place}.{f}") for f, name in names.items()}


def _shape(shape: schema.Shape, arrays: Unpacker, place: str) -> BlendShape:
    made: BlendShape = from_struct(shape, place, **_got(shape, schema.SHAPE_ARRAYS, arrays, place))
    return made


def _material(material: schema.Material, arrays: Unpacker, place: str) -> Material:
    texture = None if material.texture is None else arrays.get(material.texture, "u1", f"{place}.texture").tobytes()
    made: Material = from_struct(material, place, texture=texture)
    return made
