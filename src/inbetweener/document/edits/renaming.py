"""A document whose things are called otherwise: a joint, a bend, or all of them, which keeps characters apart.

What is called after something else is renamed with it, a name of its own stays. A solved target keeps its correction in
the layer of the same name, so the two are renamed together. Parts that do not change are shared.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from inbetweener.document.document import Constraint, Document, Loosening, Source
from inbetweener.document.edits.constraints import follow_label
from inbetweener.document.edits.loosenings import taken_names
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Bend, Channel, Drive, Handle, Rig
from inbetweener.rig.naming import Called, Renaming
from inbetweener.skinning import Mesh

T = TypeVar("T")


def renamed(document: Document, names: Renaming) -> Document:
    """The document with everything under other names, but for its clips and itself."""
    rig = document.rig
    clips = {clip.name: clip for clip in document.clips}
    loosenings = []
    for each in document.loosenings:
        loosening, clips[each.clip] = _loosening(each, clips[each.clip], document, names)
        loosenings.append(loosening)
    loosened = {each.clip for each in document.loosenings}
    return replace(
        document,
        rig=Rig(
            _each(rig.joints, lambda each: each.renamed(names)),
            _each(rig.channels, lambda each: _channel(each, names)),
            _each(rig.points, lambda each: each.renamed(names)),
            _each(rig.handles, lambda each: _handle(each, names)),
            _each(rig.bends, lambda each: _bend(each, names)),
        ),
        meshes=_each(document.meshes, lambda each: _mesh(each, names)),
        props=_each(
            document.props,
            lambda each: _with(each, name=names.other(each.name), joint=each.joint and names.joint(each.joint)),
        ),
        clips=_each(
            document.clips,
            lambda each: clips[each.name] if each.name in loosened else _clip(each, names, names.other),
        ),
        constraints=_constraints(document, names),
        loosenings=_shared(document.loosenings, loosenings),
        roles=_each(document.roles, lambda each: _with(each, joint=names.joint(each.joint))),
        source=document.source and _source(document.source, names),
    )


def _with(thing: T, **fields: Any) -> T:
    """Itself with other fields; the same object where they are as they were."""
    same = all(getattr(thing, name) == value for name, value in fields.items())
    return thing if same else replace(thing, **fields)  # type: ignore[type-var]


def _shared(before: tuple[T, ...], after: Iterable[T]) -> tuple[T, ...]:
    """The same tuple where nothing in it changed."""
    made = tuple(after)
    return before if all(a is b for a, b in zip(made, before, strict=True)) else made


def _each(things: tuple[T, ...], make: Callable[[T], T]) -> tuple[T, ...]:
    return _shared(things, map(make, things))


def _keyed(mapping: Mapping[str, T], called: Called) -> dict[str, T]:
    return {called(name): value for name, value in mapping.items()}


def _channel(channel: Channel, names: Renaming) -> Channel:
    drives = tuple(Drive(f"{names.joint(each.joint)}.{each.axis}", each.weight) for each in channel.drives)
    return _with(channel, name=names.channel(channel.name), drives=drives)


def _handle(handle: Handle, names: Renaming) -> Handle:
    joints = tuple(map(names.joint, handle.joints))
    return _with(handle, name=names.other(handle.name), joints=joints, tip=handle.tip.renamed(names))


def _bend(bend: Bend, names: Renaming) -> Bend:
    screws = _keyed(bend.screws, names.joint)
    return _with(bend, name=names.bend(bend.name), channel=names.channel(bend.channel), screws=screws)


def _mesh(mesh: Mesh, names: Renaming) -> Mesh:
    shapes = _each(mesh.shapes, lambda each: _with(each, channel=names.channel(each.channel)))
    return _with(mesh, name=names.other(mesh.name), joints=tuple(map(names.joint, mesh.joints)), shapes=shapes)


def _clip(clip: Clip, names: Renaming, layer: Called) -> Clip:
    layers = _each(
        clip.layers,
        lambda each: _with(
            each,
            name=layer(each.name),
            curves=_curves(each.curves, names),
            joints=tuple(map(names.joint, each.joints)),
        ),
    )
    return _with(clip, curves=_curves(clip.curves, names), layers=layers)


def _curves(curves: Curves, names: Renaming) -> Curves:
    return curves if all(names.channel(name) == name for name in curves) else Curves(_keyed(curves, names.channel))


def _constraints(document: Document, names: Renaming) -> tuple[Constraint, ...]:
    taken = {each.name for each in document.constraints}

    def following(constraint: Constraint) -> Constraint:
        rule = constraint.rule.renamed(names)
        called = _following(constraint.name, constraint.rule.label, rule.label, taken, names)
        return _with(constraint, rule=rule, name=called)

    return _each(document.constraints, following)


def _following(name: str, before: str, after: str, taken: set[str], names: Renaming) -> str:
    """What something is called whose name may say what it is of; among `taken`, where that is put too."""
    called = follow_label(name, before, after, taken)
    if called == name:
        called = names.other(name)
    taken.add(called)
    return called


def _loosening(loosening: Loosening, clip: Clip, document: Document, names: Renaming) -> tuple[Loosening, Clip]:
    """How a clip is loose, and the clip with the layers that its targets keep their corrections in."""
    joints = {joint.name for joint in document.rig.joints}
    loose = loosening.looseness
    springs = _keyed(loose.springs, lambda name: (names.joint if name in joints else names.channel)(name))
    soft = _each(loose.soft, lambda each: _with(each, mesh=names.other(each.mesh), joint=names.joint(each.joint)))
    taken, layers, aims = taken_names(loosening, clip), dict[str, str](), []
    for aim in loosening.aims:
        target = _target(aim.target, names)
        layers[aim.name] = _following(aim.name, aim.target.name, target.name, taken, names)
        aims.append(_with(aim, name=layers[aim.name], target=target))
    changed = _with(loosening, looseness=_with(loose, springs=springs, soft=soft), aims=_shared(loosening.aims, aims))
    return changed, _clip(clip, names, lambda name: layers.get(name) or names.other(name))


def _target(target: Target, names: Renaming) -> Target:
    if not isinstance(target, PointTarget):
        return target if isinstance(target.pose, str) else _with(target, pose=_keyed(target.pose, names.channel))
    channels = target.channels and frozenset(map(names.channel, target.channels))
    if isinstance(target.point, SoftPoint):
        return _with(target, point=_with(target.point, mesh=names.other(target.point.mesh)), channels=channels)
    return _with(target, point=target.point.renamed(names), channels=channels)


def _source(source: Source, names: Renaming) -> Source:
    kept = source.kept
    if kept is not None:
        kept = _with(kept, joints=tuple(each and names.joint(each) for each in kept.joints))
    return _with(source, orders=tuple((names.joint(each), order) for each, order in source.orders), kept=kept)
