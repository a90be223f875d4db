"""From the domain to the schema: what the native file and the journal write."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import msgspec
import numpy as np

from inbetweener.curves import LINEAR, Curve
from inbetweener.curves.key import INTERPOLATIONS
from inbetweener.document.document import Document, Loosening, Source
from inbetweener.document.native import schema
from inbetweener.document.native.shelf import KEY, SAMPLE, Packer
from inbetweener.document.native.structs import to_struct, to_told
from inbetweener.document.staging import Staging
from inbetweener.motion import Clip, Curves
from inbetweener.rig import ROOT, Bend, Channel, Joint
from inbetweener.skinning import Material, Mesh

LONG = 16
"""Keys from which on a curve is packed: nobody compares so many line by line, and a line takes the room of five."""
_DEFAULTS = ("linear", 0.0, 0.0, 0.0, 0.0, True)


def file(document: Document, arrays: Packer | None = None) -> schema.File:
    """The whole document with its arrays, which are also remembered in `arrays`."""
    arrays = arrays or Packer()
    # Not called `channel` as the function below: early Pythons 3.12 mix the two up.
    rig, channels = document.rig, [each.name for each in document.rig.channels]
    return schema.File(
        format=schema.FORMAT,
        version=schema.VERSION,
        name=document.name,
        source=source(document.source, arrays),
        view=to_told(document.view, schema.View | None),
        joints=[joint(each, rig.joints) for each in rig.joints],
        channels=[channel(each) for each in rig.channels],
        points=[to_struct(each, schema.Point) for each in rig.points],
        handles=[to_struct(each, schema.Handle) for each in rig.handles],
        bends=[bend(each, arrays) for each in rig.bends],
        blending=document.blending,
        props=[to_struct(each, schema.Prop) for each in document.props],
        meshes=[mesh(each, arrays) for each in document.meshes],
        clips=[clip(each, channels, arrays) for each in document.clips],
        constraints=[to_struct(each, schema.Constraint) for each in document.constraints],
        loosenings=[loosening(each) for each in document.loosenings],
        roles=[to_struct(each, schema.Role) for each in document.roles],
        stagings=[staging(each, arrays) for each in document.stagings],
        arrays=arrays.new,
    )


def source(source: Source | None, arrays: Packer) -> schema.Source | None:
    """Where a document came from; what is kept of the file goes into `arrays`."""
    if source is None or source.kept is None:
        return to_told(source, schema.Source | None)
    kept = source.kept
    blocks: list[tuple[Literal["u1", "f4"], str]] = []
    for block in kept.blocks:
        kind: Literal["u1", "f4"] = "f4" if block.dtype.kind == "f" else "u1"
        blocks.append((kind, arrays.put(block, kind)))
    told = schema.Kept(_bytes(kept.text, arrays), blocks, list(kept.joints), list(kept.clips))
    return to_struct(source, schema.Source, kept=told)


def joint(joint: Joint, joints: Sequence[Joint]) -> schema.Joint:
    """A joint of `joints`."""
    return to_struct(joint, schema.Joint, parent=None if joint.parent == ROOT else joints[joint.parent].name)


def channel(channel: Channel) -> schema.Channel:
    """A channel."""
    return to_struct(channel, schema.Channel, drives={str(each.dof): float(each.weight) for each in channel.drives})


def bend(bend: Bend, arrays: Packer) -> schema.Bend:
    """A bend; its steps go into `arrays`."""
    screws = {str(joint): arrays.put(steps, "f8") for joint, steps in bend.screws.items()}
    return to_struct(bend, schema.Bend, screws=screws)


def mesh(mesh: Mesh, arrays: Packer) -> schema.Mesh:
    """A mesh, its arrays put into `arrays`."""
    return to_struct(
        mesh,
        schema.Mesh,
        **_put(mesh, schema.MESH_ARRAYS, arrays),
        material=_material(mesh.material, arrays),
        shapes=[to_struct(s, schema.Shape, **_put(s, schema.SHAPE_ARRAYS, arrays)) for s in mesh.shapes],
    )


def clip(clip: Clip, channels: Iterable[str], arrays: Packer) -> schema.Clip:
    """A clip, its curves in the order of the rig's channels, so that the order of edits leaves no trace."""
    names = list(channels)
    layers = [
        to_struct(each, schema.Layer, **_curves(each.curves, names, arrays), weights=weights(each.weights))
        for each in clip.layers
    ]
    return to_struct(clip, schema.Clip, **_curves(clip.curves, names, arrays), layers=layers)


def weights(keyed: Curve | None) -> msgspec.Raw:
    """The keyed weight of a layer, or null."""
    return msgspec.Raw(b"null") if keyed is None else curve(keyed)


def curve(curve: Curve) -> msgspec.Raw:
    """Rows of keys; a sampled curve gives rows of time and value alone."""
    times, values = curve.times.tolist(), curve.values.tolist()
    if _is_plain(curve):
        return msgspec.Raw(msgspec.json.encode(list(zip(times, values, strict=True))))
    kinds = [INTERPOLATIONS[kind] for kind in curve.interpolations]
    handles = np.concatenate([curve.ins, curve.outs], axis=1).tolist()
    shaped = zip(times, values, kinds, handles, curve.tied.tolist(), strict=True)
    return msgspec.Raw(msgspec.json.encode([_row(t, v, (kind, *handle, tied)) for t, v, kind, handle, tied in shaped]))


def loosening(loosening: Loosening) -> schema.Loosening:
    """How loose a clip is; springs in the order of their names, so that the order of edits leaves no trace."""
    springs = dict(sorted(loosening.looseness.springs.items()))
    ordered = replace(loosening, looseness=replace(loosening.looseness, springs=springs))
    return to_struct(ordered, schema.Loosening)


def staging(staging: Staging, arrays: Packer) -> schema.Staging:
    """What a clip is heard with; bytes of files go into `arrays`."""
    sound, picture = staging.sound, staging.picture
    return to_struct(
        staging,
        schema.Staging,
        sound=None if sound is None else to_struct(sound, schema.Sound, data=_bytes(sound.data, arrays)),
        picture=None if picture is None else to_struct(picture, schema.Reference, data=_bytes(picture.data, arrays)),
    )


def _bytes(data: bytes, arrays: Packer) -> str:
    return arrays.put(np.frombuffer(data, np.uint8), "u1")


def _put(value: object, types: dict[str, schema.ArrayType], arrays: Packer) -> dict[str, Any]:
    """The names under which the arrays of a mesh or shape are in `arrays`; None for those that it does not have."""
    found = {name: getattr(value, name) for name in types}
    return {name: None if each is None else arrays.put(each, types[name]) for name, each in found.items()}


def _is_plain(curve: Curve) -> bool:
    linear = (curve.interpolations == LINEAR).all() and curve.tied.all()
    return bool(linear) and not curve.ins.any() and not curve.outs.any()


def _row(time: float, value: float, rest: tuple[object, ...]) -> tuple[object, ...]:
    count = len(rest)
    while count and rest[count - 1] == _DEFAULTS[count - 1]:
        count -= 1
    return (time, value, *rest[:count])


def _curves(curves: Curves, channels: list[str], arrays: Packer) -> dict[str, Any]:
    """The rows of short curves, and the tables of long ones."""
    ordered = {name: curves[name] for name in channels if name in curves}
    rows = {name: each for name, each in ordered.items() if len(each) < LONG or not arrays.packs}
    alike: dict[tuple[bytes, bool], dict[str, Curve]] = {}
    for name, each in ordered.items():
        if name not in rows:
            alike.setdefault((each.times.tobytes(), _is_plain(each)), {})[name] = each
    tables = [_table(each, plain, arrays) for (_, plain), each in alike.items()]
    return {"curves": {name: curve(each) for name, each in rows.items()}, "tables": tables}


def _table(curves: dict[str, Curve], plain: bool, arrays: Packer) -> schema.Table:
    first, *_ = each = list(curves.values())
    arrays.unfolds += len(each) * len(first) * (SAMPLE if plain else KEY)
    shaped = (
        None
        if plain
        else schema.Shaped(
            arrays.put(np.array([c.ins for c in each]), "f8"),
            arrays.put(np.array([c.outs for c in each]), "f8"),
            arrays.put(np.array([c.interpolations for c in each]), "u1"),
            arrays.put(np.array([c.tied for c in each]), "u1"),
        )
    )
    values = arrays.put(np.array([c.values for c in each]), "f8")
    return schema.Table(list(curves), arrays.put(first.times, "f8"), values, shaped)


def _material(material: Material, arrays: Packer) -> schema.Material:
    texture = None if material.texture is None else _bytes(material.texture, arrays)
    return to_struct(material, schema.Material, texture=texture)
