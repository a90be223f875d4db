"""Does a document contradict itself? All problems, each naming its element."""

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.choices import Up
from inbetweener.document.document import Aim, Constraint, Document, Loosening, Prop, Source
from inbetweener.document.staging import View, staging_problems
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import PointTarget
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.solution import span
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Place, Rig
from inbetweener.rig.freedom import Wanted
from inbetweener.skinning import Mesh
from inbetweener.skinning.mesh import WEIGHT_TOLERANCE


def validate(document: Document, since: Document | None = None) -> None:
    """Raise InvalidDocument at the first problem; parts shared with `since`, known to be sound, are not looked at."""
    for problem in _problems(document, since):
        raise InvalidDocument(problem)


def problems(document: Document) -> list[str]:
    """Everything that is wrong, one line each, in the order of the document."""
    return list(_problems(document, None))


def outside_limits(document: Document) -> list[str]:
    """One line for every key, or stretch between keys, of a clip's base curves that lies outside its limits."""
    from inbetweener.curves import breaches

    lines = []
    for clip in document.clips:
        for name, curve in clip.curves.items():
            channel = document.rig.channel(name)
            lines += [f"clip {clip.name}: {name}: {each}" for each in breaches(curve, channel.lower, channel.upper)]
    return lines


def constraint_problems(constraint: Constraint, document: Document) -> list[str]:
    """What is wrong with a constraint that is to hold in a document, one line each."""
    clips, joints = {clip.name for clip in document.clips}, {joint.name for joint in document.rig.joints}
    channels, props = {c.name for c in document.rig.channels}, {prop.name for prop in document.props}
    return list(_constraint_problems(constraint, clips, joints, props, channels))


def _problems(document: Document, since: Document | None) -> Iterator[str]:
    # Clips, meshes, props and constraints lean on the rig, so a changed rig makes all of them new.
    same_rig = since is not None and since.rig is document.rig
    sound = {id(part) for part in (*since.clips, *since.meshes, *since.props)} if since and same_rig else set()
    channels = {channel.name for channel in document.rig.channels}
    joints = {joint.name for joint in document.rig.joints}

    yield from _name_problems("document", document.name)
    if not same_rig:
        yield from _rig_problems(document.rig)
    yield from _repeats("mesh", [mesh.name for mesh in document.meshes])
    yield from _repeats("prop", [prop.name for prop in document.props])
    yield from _repeats("clip", [clip.name for clip in document.clips])
    for mesh in document.meshes:
        if id(mesh) not in sound:
            yield from _mesh_problems(mesh, joints, channels)
    for prop in document.props:
        if id(prop) not in sound:
            yield from _prop_problems(prop, joints)
    for clip in document.clips:
        if id(clip) not in sound:
            yield from _clip_problems(clip, channels, joints)
    yield from _repeats("role of", [part.joint for part in document.roles])
    for part in document.roles:
        if part.joint not in joints:
            yield _at(f"role of {part.joint!r}", "there is no such joint")
    yield from _repeats("constraint", [constraint.name for constraint in document.constraints])
    clips = {clip.name for clip in document.clips}
    props = {prop.name for prop in document.props}
    # Constraints lean on clips and props too, by name.
    leaned_on = since and all(c.name in clips for c in since.clips) and all(p.name in props for p in since.props)
    if since and same_rig and leaned_on:
        sound |= {id(constraint) for constraint in since.constraints}
    for constraint in document.constraints:
        if id(constraint) not in sound:
            yield from _constraint_problems(constraint, clips, joints, props, channels)
    yield from _repeats("looseness of clip", [loosening.clip for loosening in document.loosenings])
    for loosening in document.loosenings:
        yield from loosening_problems(loosening, document.clips, document.rig, document.meshes)
    yield from _repeats("staging of clip", [staging.clip for staging in document.stagings])
    for staging in document.stagings:
        if staging.clip not in clips:
            yield _at(f"staging of {staging.clip!r}", "there is no such clip")
        yield from (_at(f"clip {staging.clip!r}", problem) for problem in staging_problems(staging))
    if document.view is not None:
        yield from _view_problems(document.view)
    if document.source is not None:
        yield from _source_problems(document.source)


def _rig_problems(rig: Rig) -> Iterator[str]:
    for joint in rig.joints:
        yield from _name_problems(f"joint {joint.name!r}", joint.name)
    for channel in rig.channels:
        element = f"channel {channel.name!r}"
        yield from _name_problems(element, channel.name)
        if channel.lower == math.inf or channel.upper == -math.inf:
            yield _at(element, "its limits leave no value at all")
        dofs = [drive.dof for drive in channel.drives]
        yield from (_at(element, f"drives {dof!r} twice") for dof in sorted({d for d in dofs if dofs.count(d) > 1}))
    for point in rig.points:
        yield from _name_problems(f"point {point.name!r}", point.name)
        yield from _finite(f"point {point.name!r}", "offset", point.offset)
    for bend in rig.bends:
        yield from _name_problems(f"bend {bend.name!r}", bend.name)
    for handle in rig.handles:
        yield from _name_problems(f"handle {handle.name!r}", handle.name)
        yield from _finite(f"tip of handle {handle.name!r}", "offset", handle.tip.offset)


def _mesh_problems(mesh: Mesh, joints: set[str], channels: set[str]) -> Iterator[str]:
    element = f"mesh {mesh.name!r}"
    yield from _name_problems(element, mesh.name)
    for name in mesh.joints:
        if name not in joints:
            yield _at(element, f"is bound to unknown joint {name!r}")
    for field in ("vertices", "joint_from_mesh", "weights", "normals", "uvs", "colours"):
        yield from _finite(element, field, getattr(mesh, field))
    yield from _finite(element, "material colour", mesh.material.colour)
    yield from _name_problems(f"material of {element}", mesh.material.name, may_be_empty=True)
    if mesh.weights.size and mesh.weights.min() < 0:
        vertex = int(np.argmax((mesh.weights < 0).any(axis=1)))
        yield _at(element, f"vertex {vertex} has a negative weight")
    error = np.abs(mesh.weights.sum(axis=1, dtype=np.float64) - 1)
    if (error > WEIGHT_TOLERANCE).any():
        vertex = int(np.argmax(error > WEIGHT_TOLERANCE))
        total = float(mesh.weights[vertex].sum(dtype=np.float64))
        yield _at(element, f"weights of vertex {vertex} sum to {total:g} instead of 1")
    yield from _repeats(f"shape of {element}", [shape.name for shape in mesh.shapes])
    for shape in mesh.shapes:
        part = f"shape {shape.name!r} of {element}"
        yield from _name_problems(part, shape.name)
        if shape.channel not in channels:
            yield _at(part, f"follows unknown channel {shape.channel!r}")
        yield from _finite(part, "offsets", shape.offsets)
        yield from _finite(part, "normal offsets", shape.normal_offsets)
        if shape.normal_offsets is not None and shape.normal_offsets.shape != mesh.vertices.shape:
            yield _at(part, f"has {len(shape.normal_offsets)} normal offsets for {len(mesh.vertices)} vertices")


def _prop_problems(prop: Prop, joints: set[str]) -> Iterator[str]:
    element = f"prop {prop.name!r}"
    yield from _name_problems(element, prop.name)
    if prop.joint is not None and prop.joint not in joints:
        yield _at(element, f"is held by unknown joint {prop.joint!r}")
    if not all(size > 0 and math.isfinite(size) for size in _sizes(prop.solid)):
        yield _at(element, f"sizes of its {type(prop.solid).__name__.lower()} must be positive and finite")
    yield from _transform_problems(element, prop.transform)
    yield from _finite(element, "colour", prop.colour)


def _sizes(solid: Solid) -> tuple[float, ...]:
    match solid:
        case Sphere(radius):
            return (radius,)
        case Box(half):
            return half
        case Capsule(radius, half_length):
            # A capsule without length is a ball.
            return (radius, half_length or radius)


def _clip_problems(clip: Clip, channels: set[str], joints: set[str]) -> Iterator[str]:
    element = f"clip {clip.name!r}"
    yield from _name_problems(element, clip.name)
    yield from _curve_problems(element, clip.curves, channels)
    yield from _repeats(f"layer of {element}", [layer.name for layer in clip.layers])
    for layer in clip.layers:
        part = f"layer {layer.name!r} of {element}"
        yield from _name_problems(part, layer.name)
        yield from _curve_problems(part, layer.curves, channels)
        if not math.isfinite(layer.weight):
            yield _at(part, "its weight is not a finite number")
        for joint in layer.joints:
            if joint not in joints:
                yield _at(part, f"is masked by unknown joint {joint!r}")


def _curve_problems(element: str, curves: Curves, channels: set[str]) -> Iterator[str]:
    for name in curves:
        if name not in channels:
            yield _at(element, f"has a curve for unknown channel {name!r}")


def _constraint_problems(
    constraint: Constraint, clips: set[str], joints: set[str], props: set[str], channels: set[str]
) -> Iterator[str]:
    element, rule = f"constraint {constraint.name!r}", constraint.rule
    yield from _name_problems(element, constraint.name)
    if constraint.clip not in clips:
        yield _at(element, f"holds in unknown clip {constraint.clip!r}")
    yield from _place_problems(element, rule.point, joints, channels)
    for name in dict.fromkeys((rule.point.name, *(point.name for point, _ in rule.point.parts))):
        yield from _name_problems(f"point of {element}", name, may_be_empty=True)
    if rule.wanted not in get_args(Wanted):
        yield _at(element, f"holds unknown half {rule.wanted!r}; known: {', '.join(get_args(Wanted))}")
    yield from (_at(element, problem) for problem in rule.problems(joints, props))


def _view_problems(view: View) -> Iterator[str]:
    yield from _finite("view", "eye", view.eye)
    yield from _finite("view", "target", view.target)
    if not 0 < view.fov < math.pi:
        yield _at("view", f"angle {view.fov:g} must lie between 0 and π")
    if tuple(view.eye) == tuple(view.target):
        yield _at("view", "looks from where it looks to")


def _source_problems(source: Source) -> Iterator[str]:
    yield from _name_problems("source", source.format)
    if not (source.unit > 0 and math.isfinite(source.unit)):
        yield _at("source", f"unit {source.unit:g} must be positive and finite")
    if source.up not in get_args(Up):
        yield _at("source", f"unknown up axis {source.up!r}; known: {', '.join(get_args(Up))}")
    for name, order in source.orders:
        if order not in ORDERS:
            yield _at("source", f"unknown rotation order {order!r} of {name!r}; known: {', '.join(ORDERS)}")


def _transform_problems(element: str, transform: Transform) -> Iterator[str]:
    for field in ("translation", "rotation", "scale"):
        yield from _finite(element, field, getattr(transform, field))
    length = math.hypot(*transform.rotation)
    if math.isfinite(length) and abs(length - 1) > 1e-3:
        yield _at(element, f"its rotation is a quaternion of length {length:g} instead of 1")


def _name_problems(element: str, name: str, *, may_be_empty: bool = False) -> Iterator[str]:
    if type(name) is not str:
        yield _at(element, f"its name is a {type(name).__name__} instead of plain text")
    elif not name.strip() and not may_be_empty:
        yield _at(element, "has no name")
    elif any("\ud800" <= letter <= "\udfff" for letter in name):
        yield _at(element, "its name is not valid text and could not be saved")


def _repeats(kind: str, names: Iterable[str]) -> Iterator[str]:
    listed = list(names)
    if len(set(listed)) < len(listed):
        for name in dict.fromkeys(name for name in listed if listed.count(name) > 1):
            yield _at(f"{kind} {name!r}", f"the name is used {listed.count(name)} times; names must differ")


def _finite(element: str, field: str, values: npt.NDArray[Any] | tuple[float, ...] | None) -> Iterator[str]:
    if values is None or np.size(values) == 0:
        return
    finite = np.isfinite(values)
    if not finite.all():
        row = np.argwhere(~finite)[0]
        where = f" {row[0]}" if len(row) > 1 else ""
        yield _at(element, f"{field}{where} is not a finite number")


def _at(element: str, what: str) -> str:
    return f"{element}: {what}"


SLACK = 1e-6
"""Seconds that a target may lie beyond its clip's ends: times that come from frames are rounded."""


def loosening_problems(
    loosening: Loosening, clips: Collection[Clip], rig: Rig, meshes: Collection[Mesh]
) -> Iterator[str]:
    """Everything that a document cannot keep of a looseness, in the order of its parts."""
    clip = next((each for each in clips if each.name == loosening.clip), None)
    element = f"looseness of clip {loosening.clip!r}"
    if clip is None:
        yield f"{element}: there is no such clip"
        return
    joints, channels = {joint.name for joint in rig.joints}, {channel.name for channel in rig.channels}
    for name in loosening.looseness.springs:
        if name not in joints and name not in channels:
            yield f"{element}: has a spring on {name!r}, which is neither joint nor channel"
    vertices = {mesh.name: len(mesh.vertices) for mesh in meshes}
    for part in loosening.looseness.soft:
        if part.mesh not in vertices:
            yield f"{element}: softens unknown mesh {part.mesh!r}"
        if part.joint not in joints:
            yield f"{element}: softens what unknown joint {part.joint!r} carries"
    window, length = loosening.looseness.window, clip.end - clip.start
    if not isinstance(window, str) and window > length:
        yield (
            f"{element}: its window, {window:g} s, is longer than the clip, {length:g} s; "
            "shorten it, or let it be found automatically"
        )
    names = [aim.name for aim in loosening.aims]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"target {name!r} of clip {clip.name!r}: the name is used {names.count(name)} times; names must differ"
    for aim in loosening.aims:
        yield from _aim_problems(aim, clip, joints, channels)
        place = aim.target.point if isinstance(aim.target, PointTarget) else None
        if isinstance(place, SoftPoint) and not 0 <= place.vertex < vertices.get(place.mesh, 0):
            yield f"target {aim.name!r} of clip {clip.name!r}: mesh {place.mesh!r} has no vertex {place.vertex}"


def _aim_problems(aim: Aim, clip: Clip, joints: set[str], channels: set[str]) -> Iterator[str]:
    element, target = f"target {aim.name!r} of clip {clip.name!r}", aim.target
    if type(aim.name) is not str or not aim.name.strip():
        yield f"{element}: has no name"
    elif any("\ud800" <= letter <= "\udfff" for letter in aim.name):
        yield f"{element}: its name is not valid text and could not be saved"
    if not clip.start - SLACK <= target.time <= target.end <= clip.end + SLACK:
        yield f"{element}: {span(target)} it lies outside the clip, from {clip.start:g} to {clip.end:g} s"
    named: Collection[str] = ()
    if isinstance(target, PointTarget):
        if not isinstance(target.point, SoftPoint):
            yield from _place_problems(element, target.point, joints, channels)
        named = sorted(target.channels or ())
        if isinstance(target.orientation, tuple) and abs(math.hypot(*target.orientation) - 1) > 1e-3:
            length = math.hypot(*target.orientation)
            yield f"{element}: its orientation is a quaternion of length {length:g} instead of 1"
    elif not isinstance(target.pose, str):
        named = target.pose
    for name in named:
        if name not in channels:
            yield f"{element}: names unknown channel {name!r}"


def _place_problems(element: str, place: Place, joints: set[str], channels: set[str]) -> Iterator[str]:
    if not place.parts:
        yield f"{element}: its point is made of no parts"
        return
    for point, _ in place.parts:
        if point.joint not in joints:
            yield f"{element}: its point sits on unknown joint {point.joint!r}"
        yield from _finite(element, "offset of its point", point.offset)
        for channel, move in point.shapes:
            if channel not in channels:
                yield f"{element}: its point is moved by unknown channel {channel!r}"
            yield from _finite(element, f"what {channel!r} moves its point by", move)
    total = sum(weight for _, weight in place.parts)
    if not abs(total - 1) <= WEIGHT_TOLERANCE:
        yield f"{element}: weights of its point sum to {total:g} instead of 1"
