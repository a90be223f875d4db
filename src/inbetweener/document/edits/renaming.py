"""Everything of a document under other names: what keeps the parts of several characters apart."""

from collections.abc import Callable
from dataclasses import replace

from inbetweener.document.document import Aim, Constraint, Document, Loosening
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.motion import Curves
from inbetweener.rig import Bend, Channel, Drive, Rig
from inbetweener.skinning import Mesh

Called = Callable[[str], str]


def renamed(document: Document, called: Called) -> Document:
    """The document with everything in it under another name, but for its clips and itself."""
    rig = document.rig
    return replace(
        document,
        rig=Rig(
            tuple(each.renamed(called) for each in rig.joints),
            tuple(_renamed_channel(each, called) for each in rig.channels),
            tuple(each.renamed(called) for each in rig.points),
            tuple(
                replace(
                    each, name=called(each.name), joints=tuple(map(called, each.joints)), tip=each.tip.renamed(called)
                )
                for each in rig.handles
            ),
            tuple(
                Bend(called(each.name), called(each.channel), {called(j): steps for j, steps in each.screws.items()})
                for each in rig.bends
            ),
        ),
        meshes=tuple(_renamed_mesh(each, called) for each in document.meshes),
        props=tuple(
            replace(each, name=called(each.name), joint=each.joint and called(each.joint)) for each in document.props
        ),
        clips=tuple(
            replace(
                each,
                curves=_renamed_curves(each.curves, called),
                layers=tuple(
                    replace(layer, name=called(layer.name), curves=_renamed_curves(layer.curves, called))
                    for layer in each.layers
                ),
            )
            for each in document.clips
        ),
        constraints=tuple(_renamed_constraint(each, called) for each in document.constraints),
        loosenings=tuple(_renamed_loosening(each, called) for each in document.loosenings),
        roles=tuple(replace(each, joint=called(each.joint)) for each in document.roles),
        source=document.source
        and replace(document.source, orders=tuple((called(each), order) for each, order in document.source.orders)),
    )


def _renamed_constraint(constraint: Constraint, called: Called) -> Constraint:
    rule = constraint.rule.renamed(called)
    by_default = constraint.name == constraint.rule.label
    return replace(constraint, rule=rule, name=rule.label if by_default else called(constraint.name))


def _renamed_channel(channel: Channel, called: Called) -> Channel:
    drives = tuple(Drive(f"{called(each.joint)}.{each.axis}", each.weight) for each in channel.drives)
    return replace(channel, name=called(channel.name), drives=drives)


def _renamed_mesh(mesh: Mesh, called: Called) -> Mesh:
    shapes = tuple(replace(each, channel=called(each.channel)) for each in mesh.shapes)
    return replace(mesh, name=called(mesh.name), joints=tuple(map(called, mesh.joints)), shapes=shapes)


def _renamed_curves(curves: Curves, called: Called) -> Curves:
    return Curves({called(name): curve for name, curve in curves.items()})


def _renamed_loosening(loosening: Loosening, called: Called) -> Loosening:
    loose = loosening.looseness
    soft = tuple(replace(each, mesh=called(each.mesh), joint=called(each.joint)) for each in loose.soft)
    springs = {called(name): spring for name, spring in loose.springs.items()}
    aims = tuple(Aim(called(each.name), _renamed_target(each.target, called), each.on) for each in loosening.aims)
    return replace(loosening, looseness=replace(loose, springs=springs, soft=soft), aims=aims)


def _renamed_target(target: Target, called: Called) -> Target:
    if not isinstance(target, PointTarget):
        if isinstance(target.pose, str):
            return target
        return replace(target, pose={called(name): value for name, value in target.pose.items()})
    channels = target.channels and frozenset(map(called, target.channels))
    if isinstance(target.point, SoftPoint):
        return replace(target, point=replace(target.point, mesh=called(target.point.mesh)), channels=channels)
    return replace(target, point=target.point.renamed(called), channels=channels)
