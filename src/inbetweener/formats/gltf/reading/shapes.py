"""Shapes of one name on several meshes of a face, or of one expression, are one control."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inbetweener.motion import Clip, Curves
from inbetweener.rig import Channel, Rig
from inbetweener.skinning import Mesh

Parts = tuple[Rig, tuple[Mesh, ...], tuple[Clip, ...]]


def shared_shapes(rig: Rig, meshes: tuple[Mesh, ...], clips: tuple[Clip, ...]) -> Parts:
    """Rig, meshes and clips where shapes that are called alike, on meshes that follow a joint together, have one
    channel, called like them; those that a clip moves apart, or that rest apart, keep their own.
    """
    owners: dict[str, dict[str, frozenset[str]]] = {}
    for mesh in meshes:
        for shape in mesh.shapes:
            listed = owners.setdefault(shape.name, {})
            listed[shape.channel] = listed.get(shape.channel, frozenset()) | frozenset(mesh.joints)
    groups = {}
    for label, listed in owners.items():
        first, *others = listed
        near = [channel for channel in others if listed[channel] & listed[first]]
        if near:
            groups[label] = [first, *near]
    return one_channel_each(rig, meshes, clips, groups, least=2)


def one_channel_each(
    rig: Rig,
    meshes: tuple[Mesh, ...],
    clips: tuple[Clip, ...],
    groups: Mapping[str, Sequence[str]],
    *,
    least: int = 1,
) -> Parts:
    """The same with one channel of each name for the shape channels of its group that move like the first of them, if
    those are at least so many and nothing else is called so.
    """
    taken = {channel.name for channel in rig.channels} | {joint.name for joint in rig.joints}
    renamed: dict[str, str] = {}
    for label, (first, *others) in groups.items():
        alike = [first, *(channel for channel in others if _moves_alike(rig, clips, first, channel))]
        if len(alike) >= least and label not in taken:
            taken.add(label)
            renamed |= dict.fromkeys(alike, label)
    if not renamed:
        return rig, meshes, clips
    channels: dict[str, Channel] = {}
    for channel in rig.channels:
        name = renamed.get(channel.name, channel.name)
        channels.setdefault(name, replace(channel, name=name))
    return (
        replace(rig, channels=tuple(channels.values())),
        tuple(
            replace(
                mesh,
                shapes=tuple(replace(each, channel=renamed.get(each.channel, each.channel)) for each in mesh.shapes),
            )
            if any(each.channel in renamed for each in mesh.shapes)
            else mesh
            for mesh in meshes
        ),
        tuple(_with(clip, renamed) for clip in clips),
    )


def _moves_alike(rig: Rig, clips: tuple[Clip, ...], one: str, other: str) -> bool:
    a, b = rig.channel(one), rig.channel(other)
    same = (a.default, a.lower, a.upper) == (b.default, b.lower, b.upper)
    return same and all(clip.curves.get(one) == clip.curves.get(other) for clip in clips)


def _with(clip: Clip, renamed: dict[str, str]) -> Clip:
    if not any(name in renamed for name in clip.curves):
        return clip
    return replace(clip, curves=Curves({renamed.get(name, name): curve for name, curve in clip.curves.items()}))
