"""From the schema to the domain: what the native file and the journal read. Every problem names its place."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from inbetweener.curves import LINEAR, Curve
from inbetweener.curves.key import INTERPOLATIONS
from inbetweener.document.constraint import Constraint, Rule
from inbetweener.document.document import Document, Prop, Source, View
from inbetweener.document.loosening import Aim, Loosening
from inbetweener.document.native import schema
from inbetweener.document.native.misfit import Misfit, decoded, placed
from inbetweener.document.native.shelf import Unpacker
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, PoseTarget, Spring, Target
from inbetweener.kinodynamics.soft import ElasticPart, SoftPart, SoftPoint, SpringyPart
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import ROOT, Bend, BlendedPoint, Channel, Drive, Handle, Joint, Place, Point, Rig
from inbetweener.skinning import BlendShape, Material, Mesh

_KEYS = msgspec.json.Decoder(list[schema.Key])


def document(file: schema.File, arrays: Unpacker | None = None) -> Document:
    """The whole document; its arrays are also put into `arrays`."""
    arrays = arrays or Unpacker()
    arrays.offer(file.arrays, "$.arrays")
    names = {each.name: number for number, each in reversed(list(enumerate(file.joints)))}
    joints = [joint(each, names, f"$.joints[{i}]") for i, each in enumerate(file.joints)]
    channels = [channel(each, f"$.channels[{i}]") for i, each in enumerate(file.channels)]
    return Document(
        name=file.name,
        rig=rig(
            joints,
            channels,
            [point(each) for each in file.points],
            [handle(each) for each in file.handles],
            [bend(each, arrays, f"$.bends[{i}]") for i, each in enumerate(file.bends)],
        ),
        meshes=tuple(mesh(each, arrays, f"$.meshes[{i}]") for i, each in enumerate(file.meshes)),
        props=tuple(prop(each) for each in file.props),
        clips=tuple(clip(each, f"$.clips[{i}]") for i, each in enumerate(file.clips)),
        constraints=tuple(constraint(each) for each in file.constraints),
        loosenings=tuple(loosening(each, f"$.loosenings[{i}]") for i, each in enumerate(file.loosenings)),
        blending=file.blending,
        view=view(file.view),
        source=source(file.source),
    )


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
    parent = ROOT if joint.parent is None else names[joint.parent]
    with placed(place):
        return Joint(joint.name, parent, Transform(joint.translation, joint.rotation, joint.scale), joint.order)


def channel(channel: schema.Channel, place: str) -> Channel:
    """A channel; a limit of null is none."""
    with placed(place):
        return Channel(
            name=channel.name,
            kind=channel.kind,
            drives=tuple(Drive(dof, weight) for dof, weight in channel.drives.items()),
            default=channel.default,
            lower=-math.inf if channel.lower is None else channel.lower,
            upper=math.inf if channel.upper is None else channel.upper,
            stiffness=channel.stiffness,
        )


def point(point: schema.Point) -> Point:
    """A named point."""
    return Point(point.joint, point.offset, point.name)


def bend(bend: schema.Bend, arrays: Unpacker, place: str) -> Bend:
    """A bend, its steps taken from `arrays`."""
    screws = {joint: arrays.get(name, "f8", f'{place}.screws["{joint}"]') for joint, name in bend.screws.items()}
    with placed(place):
        return Bend(bend.name, bend.channel, screws)


def handle(handle: schema.Handle) -> Handle:
    """An IK handle."""
    return Handle(handle.name, tuple(handle.joints), point(handle.tip), handle.hinge)


def prop(prop: schema.Prop) -> Prop:
    """A prop."""
    transform = Transform(prop.translation, prop.rotation, prop.scale)
    return Prop(prop.name, _solid(prop.solid), transform, prop.role, prop.joint, prop.colour)


def mesh(mesh: schema.Mesh, arrays: Unpacker, place: str) -> Mesh:
    """A mesh, its arrays taken from `arrays`."""
    with placed(place):
        return Mesh(
            name=mesh.name,
            vertices=arrays.get(mesh.vertices, "f4", f"{place}.vertices"),
            triangles=arrays.get(mesh.triangles, "i4", f"{place}.triangles"),
            joints=tuple(mesh.joints),
            joint_from_mesh=arrays.get(mesh.joint_from_mesh, "f8", f"{place}.joint_from_mesh"),
            influences=arrays.get(mesh.influences, "i4", f"{place}.influences"),
            weights=arrays.get(mesh.weights, "f4", f"{place}.weights"),
            normals=None if mesh.normals is None else arrays.get(mesh.normals, "f4", f"{place}.normals"),
            uvs=None if mesh.uvs is None else arrays.get(mesh.uvs, "f4", f"{place}.uvs"),
            colours=None if mesh.colours is None else arrays.get(mesh.colours, "f4", f"{place}.colours"),
            shapes=tuple(_shape(each, arrays, f"{place}.shapes[{i}]") for i, each in enumerate(mesh.shapes)),
            material=_material(mesh.material, arrays, f"{place}.material"),
        )


def clip(clip: schema.Clip, place: str) -> Clip:
    """A clip."""
    with placed(place):
        return Clip(
            name=clip.name,
            end=clip.end,
            start=clip.start,
            rate=clip.rate,
            curves=curves(clip.curves, f"{place}.curves"),
            layers=tuple(_layer(each, f"{place}.layers[{i}]") for i, each in enumerate(clip.layers)),
            loops=clip.loops,
        )


def curves(rows: schema.Curves, place: str) -> Curves:
    """Curves by channel."""
    return Curves({name: curve(raw, f'{place}["{name}"]') for name, raw in rows.items()})


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


def constraint(constraint: schema.Constraint) -> Constraint:
    """A constraint; an end of null is none."""
    rule: Any = constraint.rule
    fields = {field: getattr(rule, field) for field in rule.__struct_fields__}
    fields["point"] = _place(rule.point)
    for end, forever in (("start", -math.inf), ("end", math.inf)):
        fields[end] = forever if fields[end] is None else fields[end]
    kind: Any = Rule.KINDS[rule.__struct_config__.tag]
    return Constraint(constraint.name, constraint.clip, kind(**fields), constraint.on)


def loosening(loosening: schema.Loosening, place: str) -> Loosening:
    """How loose a clip is."""
    loose = loosening.looseness
    with placed(f"{place}.looseness"):
        made = Looseness(
            {name: _spring(spring) for name, spring in loose.springs.items()},
            loose.window,
            loose.error,
            loose.gravity,
            loose.drag,
            loose.masses,
            loose.collide,
            tuple(_soft(part) for part in loose.soft),
        )
    aims = []
    for i, aim in enumerate(loosening.aims):
        with placed(f"{place}.aims[{i}]"):
            aims.append(Aim(aim.name, _target(aim.target), aim.on))
    return Loosening(loosening.clip, made, loosening.on, tuple(aims))


def view(view: schema.View | None) -> View | None:
    """A view."""
    return None if view is None else View(view.eye, view.target, view.fov)


def source(source: schema.Source | None) -> Source | None:
    """Where a document came from."""
    return None if source is None else Source(source.format, source.unit, source.up)


def _place(place: schema.Plain | schema.Blended) -> Place:
    if isinstance(place, schema.Plain):
        return Point(place.joint, place.offset, place.name)
    return BlendedPoint(tuple((Point(p.joint, p.offset, p.name), p.weight) for p in place.parts), place.name)


def _spring(spring: schema.Spring) -> Spring:
    return Spring(spring.frequency, spring.damping)


def _soft(part: schema.Elastic | schema.Springy) -> SoftPart:
    spring = _spring(part.spring)
    if isinstance(part, schema.Springy):
        return SpringyPart(part.mesh, part.joint, spring, part.frame)
    return ElasticPart(part.mesh, part.joint, spring, part.held, part.cells, part.modes, part.poisson)


def _target(target: schema.PointTarget | schema.PoseTarget) -> Target:
    bell = Bell(target.bell.before, target.bell.after, target.bell.shape, tuple(target.bell.drawn))
    if isinstance(target, schema.PoseTarget):
        return PoseTarget(target.time, target.pose, target.velocity, target.weight, bell)
    return PointTarget(
        target.time,
        _aimed(target.point),
        target.position,
        target.orientation,
        target.velocity,
        target.weight,
        bell,
        None if target.channels is None else frozenset(target.channels),
    )


def _aimed(place: schema.Plain | schema.Blended | schema.SoftPoint) -> Place | SoftPoint:
    return SoftPoint(place.mesh, place.vertex) if isinstance(place, schema.SoftPoint) else _place(place)


def _layer(layer: schema.Layer, place: str) -> Layer:
    return Layer(layer.name, curves(layer.curves, f"{place}.curves"), layer.weight, layer.muted)


def _shape(shape: schema.Shape, arrays: Unpacker, place: str) -> BlendShape:
    offsets = arrays.get(shape.offsets, "f4", f"{place}.offsets")
    normals = (
        None if shape.normal_offsets is None else arrays.get(shape.normal_offsets, "f4", f"{place}.normal_offsets")
    )
    return BlendShape(shape.name, shape.channel, offsets, normals)


def _material(material: schema.Material, arrays: Unpacker, place: str) -> Material:
    texture = None if material.texture is None else arrays.get(material.texture, "u1", f"{place}.texture").tobytes()
    return Material(material.name, material.colour, texture, material.double_sided)


def _solid(solid: schema.Sphere | schema.Box | schema.Capsule) -> Solid:
    match solid:
        case schema.Sphere():
            return Sphere(solid.radius)
        case schema.Box():
            return Box(solid.half)
        case schema.Capsule():
            return Capsule(solid.radius, solid.half)
