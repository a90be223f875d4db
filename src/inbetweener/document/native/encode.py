"""From the domain to the schema: what the native file and the journal write."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec
import numpy as np

from inbetweener.curves import LINEAR, Curve
from inbetweener.curves.key import INTERPOLATIONS
from inbetweener.document.constraint import Constraint
from inbetweener.document.document import Document, Prop, Source, View
from inbetweener.document.loosening import Aim, Loosening
from inbetweener.document.native import schema
from inbetweener.document.native.shelf import Packer
from inbetweener.kinodynamics import Looseness, PointTarget, Spring, Target
from inbetweener.kinodynamics.soft import SoftPart, SoftPoint, SpringyPart
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import ROOT, Bend, BlendedPoint, Channel, Handle, Joint, Place, Point
from inbetweener.skinning import BlendShape, Material, Mesh

_DEFAULTS = ("linear", 0.0, 0.0, 0.0, 0.0, True)


def file(document: Document, arrays: Packer | None = None) -> schema.File:
    """The whole document with its arrays, which are also remembered in `arrays`."""
    arrays = arrays or Packer()
    channels = [channel.name for channel in document.rig.channels]
    return schema.File(
        format=schema.FORMAT,
        version=schema.VERSION,
        name=document.name,
        source=source(document.source),
        view=view(document.view),
        joints=[joint(each, document.rig.joints) for each in document.rig.joints],
        channels=[channel(each) for each in document.rig.channels],
        points=[point(each) for each in document.rig.points],
        handles=[handle(each) for each in document.rig.handles],
        bends=[bend(each, arrays) for each in document.rig.bends],
        blending=document.blending,
        props=[prop(each) for each in document.props],
        meshes=[mesh(each, arrays) for each in document.meshes],
        clips=[clip(each, channels) for each in document.clips],
        constraints=[constraint(each) for each in document.constraints],
        loosenings=[loosening(each) for each in document.loosenings],
        arrays=arrays.new,
    )


def joint(joint: Joint, joints: Sequence[Joint]) -> schema.Joint:
    """A joint of `joints`."""
    return schema.Joint(
        name=joint.name,
        parent=None if joint.parent == ROOT else joints[joint.parent].name,
        translation=_three(joint.rest.translation),
        rotation=_four(joint.rest.rotation),
        scale=_three(joint.rest.scale),
        order=joint.order,
    )


def channel(channel: Channel) -> schema.Channel:
    """A channel; infinite limits become null."""
    return schema.Channel(
        name=channel.name,
        kind=channel.kind,
        drives={str(drive.dof): float(drive.weight) for drive in channel.drives},
        default=float(channel.default),
        lower=None if channel.lower == -math.inf else float(channel.lower),
        upper=None if channel.upper == math.inf else float(channel.upper),
        stiffness=float(channel.stiffness),
    )


def point(point: Point) -> schema.Point:
    """A named point."""
    return schema.Point(point.name, str(point.joint), _three(point.offset))


def bend(bend: Bend, arrays: Packer) -> schema.Bend:
    """A bend; its steps go into `arrays`."""
    screws = {str(joint): arrays.put(steps, "f8") for joint, steps in bend.screws.items()}
    return schema.Bend(bend.name, bend.channel, screws)


def handle(handle: Handle) -> schema.Handle:
    """An IK handle."""
    hinge = None if handle.hinge is None else _three(handle.hinge)
    return schema.Handle(handle.name, [str(name) for name in handle.joints], point(handle.tip), hinge)


def prop(prop: Prop) -> schema.Prop:
    """A prop."""
    return schema.Prop(
        name=prop.name,
        solid=_solid(prop.solid),
        translation=_three(prop.transform.translation),
        rotation=_four(prop.transform.rotation),
        scale=_three(prop.transform.scale),
        role=prop.role,
        joint=None if prop.joint is None else str(prop.joint),
        colour=_three(prop.colour),
    )


def mesh(mesh: Mesh, arrays: Packer) -> schema.Mesh:
    """A mesh, its arrays put into `arrays`."""
    return schema.Mesh(
        name=mesh.name,
        joints=[str(name) for name in mesh.joints],
        vertices=arrays.put(mesh.vertices, "f4"),
        triangles=arrays.put(mesh.triangles, "i4"),
        joint_from_mesh=arrays.put(mesh.joint_from_mesh, "f8"),
        influences=arrays.put(mesh.influences, "i4"),
        weights=arrays.put(mesh.weights, "f4"),
        normals=None if mesh.normals is None else arrays.put(mesh.normals, "f4"),
        uvs=None if mesh.uvs is None else arrays.put(mesh.uvs, "f4"),
        colours=None if mesh.colours is None else arrays.put(mesh.colours, "f4"),
        material=_material(mesh.material, arrays),
        shapes=[_shape(each, arrays) for each in mesh.shapes],
    )


def clip(clip: Clip, channels: Iterable[str]) -> schema.Clip:
    """A clip, its curves in the order of the rig's channels, so that the order of edits leaves no trace."""
    channels = list(channels)
    return schema.Clip(
        name=clip.name,
        start=float(clip.start),
        end=float(clip.end),
        rate=float(clip.rate),
        loops=bool(clip.loops),
        curves=_curves(clip.curves, channels),
        layers=[_layer(each, channels) for each in clip.layers],
    )


def curve(curve: Curve) -> msgspec.Raw:
    """Rows of keys; a sampled curve gives rows of time and value alone."""
    times, values = curve.times.tolist(), curve.values.tolist()
    if _is_plain(curve):
        return msgspec.Raw(msgspec.json.encode(list(zip(times, values, strict=True))))
    kinds = [INTERPOLATIONS[kind] for kind in curve.interpolations]
    handles = np.concatenate([curve.ins, curve.outs], axis=1).tolist()
    shaped = zip(times, values, kinds, handles, curve.tied.tolist(), strict=True)
    return msgspec.Raw(msgspec.json.encode([_row(t, v, (kind, *handle, tied)) for t, v, kind, handle, tied in shaped]))


def constraint(constraint: Constraint) -> schema.Constraint:
    """A constraint; infinite ends become null."""
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(schema.Rule)}
    kind = kinds[constraint.rule.kind]
    rule = kind(**{field: _stored(getattr(constraint.rule, field)) for field in kind.__struct_fields__})
    return schema.Constraint(constraint.name, constraint.clip, bool(constraint.on), rule)


def _stored(value: Any) -> Any:
    """A field of a rule as the file has it."""
    if isinstance(value, Point | BlendedPoint):
        return _place(value)
    if isinstance(value, int | float | np.floating):
        return None if math.isinf(value) else float(value)
    return value


def loosening(loosening: Loosening) -> schema.Loosening:
    """How loose a clip is; springs in the order of their names, so that the order of edits leaves no trace."""
    aims = [schema.Aim(aim.name, bool(aim.on), _target(aim)) for aim in loosening.aims]
    return schema.Loosening(loosening.clip, bool(loosening.on), _looseness(loosening.looseness), aims)


def view(view: View | None) -> schema.View | None:
    """A view."""
    return None if view is None else schema.View(_three(view.eye), _three(view.target), float(view.fov))


def source(source: Source | None) -> schema.Source | None:
    """Where a document came from."""
    return None if source is None else schema.Source(source.format, float(source.unit), source.up)


def _place(place: Place) -> schema.Plain | schema.Blended:
    if isinstance(place, Point):
        return schema.Plain(place.name, str(place.joint), _three(place.offset))
    parts = [schema.Share(p.name, str(p.joint), _three(p.offset), float(weight)) for p, weight in place.parts]
    return schema.Blended(place.name, parts)


def _looseness(loose: Looseness) -> schema.Looseness:
    return schema.Looseness(
        springs={str(name): _spring(spring) for name, spring in sorted(loose.springs.items())},
        window=loose.window if isinstance(loose.window, str) else float(loose.window),
        error=float(loose.error),
        gravity=float(loose.gravity),
        drag=float(loose.drag),
        masses=loose.masses,
        collide=bool(loose.collide),
        soft=[_soft(part) for part in loose.soft],
    )


def _spring(spring: Spring) -> schema.Spring:
    return schema.Spring(float(spring.frequency), float(spring.damping))


def _soft(part: SoftPart) -> schema.Elastic | schema.Springy:
    spring = _spring(part.spring)
    if isinstance(part, SpringyPart):
        return schema.Springy(part.mesh, part.joint, spring, part.frame)
    sizes = float(part.held), int(part.cells), int(part.modes), float(part.poisson)
    return schema.Elastic(part.mesh, part.joint, spring, *sizes)


def _target(aim: Aim) -> schema.PointTarget | schema.PoseTarget:
    target = aim.target
    shared = float(target.weight), _bell(target)
    if not isinstance(target, PointTarget):
        pose = target.pose if isinstance(target.pose, str) else {str(k): float(v) for k, v in target.pose.items()}
        return schema.PoseTarget(float(target.time), pose, target.velocity, *shared)
    return schema.PointTarget(
        float(target.time),
        _aimed(target.point),
        _three(target.position) if isinstance(target.position, tuple) else target.position,
        _four(target.orientation) if isinstance(target.orientation, tuple) else target.orientation,
        _three(target.velocity) if isinstance(target.velocity, tuple) else target.velocity,
        *shared,
        None if target.channels is None else sorted(target.channels),
    )


def _aimed(place: Place | SoftPoint) -> schema.Plain | schema.Blended | schema.SoftPoint:
    if isinstance(place, SoftPoint):
        return schema.SoftPoint(place.mesh, int(place.vertex))
    return _place(place)


def _bell(target: Target) -> schema.Bell:
    bell = target.bell
    drawn = [(float(t), float(y)) for t, y in bell.drawn]
    return schema.Bell(float(bell.before), float(bell.after), bell.shape, drawn)


def _is_plain(curve: Curve) -> bool:
    linear = (curve.interpolations == LINEAR).all() and curve.tied.all()
    return bool(linear) and not curve.ins.any() and not curve.outs.any()


def _row(time: float, value: float, rest: tuple[object, ...]) -> tuple[object, ...]:
    count = len(rest)
    while count and rest[count - 1] == _DEFAULTS[count - 1]:
        count -= 1
    return (time, value, *rest[:count])


def _curves(curves: Curves, channels: list[str]) -> schema.Curves:
    return {name: curve(curves[name]) for name in channels if name in curves}


def _layer(layer: Layer, channels: list[str]) -> schema.Layer:
    return schema.Layer(layer.name, float(layer.weight), bool(layer.muted), _curves(layer.curves, channels))


def _shape(shape: BlendShape, arrays: Packer) -> schema.Shape:
    normals = None if shape.normal_offsets is None else arrays.put(shape.normal_offsets, "f4")
    return schema.Shape(shape.name, str(shape.channel), arrays.put(shape.offsets, "f4"), normals)


def _material(material: Material, arrays: Packer) -> schema.Material:
    texture = None if material.texture is None else arrays.put(np.frombuffer(material.texture, np.uint8), "u1")
    return schema.Material(material.name, _four(material.colour), texture, bool(material.double_sided))


def _solid(solid: Solid) -> schema.Sphere | schema.Box | schema.Capsule:
    match solid:
        case Sphere(radius):
            return schema.Sphere(float(radius))
        case Box(half):
            return schema.Box(_three(half))
        case Capsule(radius, half_length):
            return schema.Capsule(float(radius), float(half_length))


# Plain floats (and above, plain strings), because numpy's own scalars may stand there and JSON does not know them.
def _three(values: Sequence[float]) -> schema.Vector:
    x, y, z = values
    return float(x), float(y), float(z)


def _four(values: Sequence[float]) -> schema.Quaternion:
    a, b, c, d = values
    return float(a), float(b), float(c), float(d)
