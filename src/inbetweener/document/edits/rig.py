"""Edits of the rig: limits and stiffness of channels, which of them are free, names of joints."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from inbetweener.anatomy import Part
from inbetweener.document.document import Document, Source
from inbetweener.document.edits.constraints import (
    constraints_of_renamed_joint,
)
from inbetweener.document.edits.loosenings import loosenings_of_renamed_joint
from inbetweener.document.edits.result import Result
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves
from inbetweener.posing import stiffened
from inbetweener.rig import DOFS, Bend, Channel, Drive, Handle, Rig
from inbetweener.rig.mirror import Side, mirrored_name
from inbetweener.skinning import Mesh


def set_limits(document: Document, channel: str, lower: float, upper: float) -> Document:
    """The values that a channel may take; infinite for no limit."""
    return _replace_channel(document, channel, replace(document.rig.channel(channel), lower=lower, upper=upper))


def set_stiffness(document: Document, channel: str, stiffness: float) -> Document:
    """A channel's resistance to change, relative to other channels."""
    return _replace_channel(document, channel, replace(document.rig.channel(channel), stiffness=stiffness))


@dataclass(frozen=True, slots=True, repr=False)
class FreeResult(Result):
    """A document with channels that are free or held now; those that were so before are not among them."""

    channels: tuple[str, ...]
    freed: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """What was freed or held."""
        some = ", ".join(self.channels[:4]) + (" …" if len(self.channels) > 4 else "")
        done = "freed" if self.freed else "held"
        return (f"{done} {len(self.channels)} channels: {some}" if self.channels else f"all were {done} already",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {"freed" if self.freed else "held": list(self.channels)}


def free(document: Document, names: Iterable[str], *, free: bool = True) -> FreeResult:
    """Let drags, poses and guidance change the length of bones, or single channels, or hold them again.

    A joint's name means its translations and scales. What is held stays as it is keyed; keys set by hand, and verbs
    that are told which channels to change, still may.
    """
    rig, wanted = document.rig, set[str]()
    for name in names:
        joint = any(each.name == name for each in rig.joints)
        lengths = [c.name for c in rig.channels if joint and _is_length(c, name)]
        if not lengths and not any(each.name == name for each in rig.channels):
            if joint:
                raise InvalidDocument(f"joint {name!r} has no channel that moves or scales it; name a channel")
            known = [*(each.name for each in rig.joints), *(each.name for each in rig.channels)]
            raise UnknownName("joint or channel", name, known)
        wanted |= set(lengths or [name])
    changed = tuple(each.name for each in rig.channels if each.name in wanted and each.free != free)
    if not changed:
        return FreeResult(document, (), free)
    channels = tuple(replace(each, free=free) if each.name in changed else each for each in rig.channels)
    return FreeResult(replace(document, rig=replace(rig, channels=channels)), changed, free)


@dataclass(frozen=True, slots=True, repr=False)
class StiffenResult(Result):
    """A document whose joints are as stiff as a preset says; those that were so before are not among them."""

    preset: str
    channels: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """How many it was."""
        if not self.channels:
            return (f"nothing here is a part of a body that could be stiffened as {self.preset}, or all is so",)
        return (f"{len(self.channels)} channels are as stiff as those of {self.preset}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {"preset": self.preset, "stiffened": list(self.channels)}


def stiffen(document: Document, preset: str = "person") -> StiffenResult:
    """Give all joints that are parts of a body the stiffness of a preset: person, upright or supple."""
    rig = document.rig
    channels = stiffened(rig, preset, document.anatomy())
    changed = tuple(new.name for new, old in zip(channels, rig.channels, strict=True) if new != old)
    made = replace(document, rig=replace(rig, channels=channels)) if changed else document
    return StiffenResult(made, preset, changed)


def _is_length(channel: Channel, joint: str) -> bool:
    return channel.kind in ("translation", "scale") and any(drive.joint == joint for drive in channel.drives)


def rename_joint(document: Document, joint: str, name: str) -> Document:
    """A joint under another name, everywhere: channels, drives, points, meshes, props, curves, constraints, springs."""
    rig = document.rig
    rig.joint_index(joint)
    if not name.strip():
        raise InvalidDocument("a joint needs a name")
    if name == joint:
        return document
    if any(each.name == name for each in rig.joints):
        raise InvalidDocument(f"there is already a joint called {name!r}; choose another name")

    # A plain channel carries its joint's name; others, such as a finger curl, keep their own.
    plain = {f"{joint}.{dof}": f"{name}.{dof}" for dof in DOFS}
    channels = {each.name: plain[each.name] for each in rig.channels if each.name in plain}
    joints = [each.renamed(lambda called: name if called == joint else called) for each in rig.joints]
    loosenings, clips = loosenings_of_renamed_joint(document, joint, name, channels)
    return replace(
        document,
        rig=Rig(
            tuple(joints),
            tuple(_renamed_channel(each, channels, plain) for each in rig.channels),
            tuple(replace(each, joint=name) if each.joint == joint else each for each in rig.points),
            tuple(_renamed_handle(each, joint, name) for each in rig.handles),
            tuple(_renamed_bend(each, joint, name) for each in rig.bends),
        ),
        meshes=tuple(_renamed_mesh(each, joint, name, channels) for each in document.meshes),
        props=tuple(replace(each, joint=name) if each.joint == joint else each for each in document.props),
        clips=tuple(_renamed_clip(each, joint, name, channels) for each in clips),
        constraints=constraints_of_renamed_joint(document, joint, name),
        loosenings=loosenings,
        roles=tuple(replace(each, joint=name) if each.joint == joint else each for each in document.roles),
        source=_renamed_source(document.source, joint, name),
    )


def set_roles(document: Document, parts: Iterable[Part], *, mirror: bool = False) -> Document:
    """Say what joints are, in place of what is recognised; `mirror` says the same of their partners on the other side.

    Whoever says so is sure: the confidence is 1.
    """
    found = document.anatomy()
    said = {part.joint: part for part in document.roles}
    for part in parts:
        document.rig.joint_index(part.joint)
        said[part.joint] = replace(part, confidence=1.0)
        other = found.partner(part.joint) or mirrored_name(part.joint)
        if mirror and part.side is not None and other != part.joint and other in {each.joint for each in found}:
            side: Side = "right" if part.side == "left" else "left"
            said[other] = replace(part, joint=other, side=side, confidence=1.0)
    return replace(document, roles=tuple(said.values()))


def forget_roles(document: Document, joints: Iterable[str]) -> Document:
    """Joints as they are recognised, whatever was said of them."""
    gone = set(joints)
    for joint in gone:
        document.rig.joint_index(joint)
    return replace(document, roles=tuple(part for part in document.roles if part.joint not in gone))


def _renamed_source(source: Source | None, joint: str, name: str) -> Source | None:
    if source is None:
        return None
    orders = tuple((name if each == joint else each, order) for each, order in source.orders)
    kept = source.kept
    if kept is not None:
        kept = replace(kept, joints=tuple(name if each == joint else each for each in kept.joints))
    return replace(source, orders=orders, kept=kept)


def _replace_channel(document: Document, channel: str, changed: Channel) -> Document:
    channels = tuple(changed if each.name == channel else each for each in document.rig.channels)
    return replace(document, rig=replace(document.rig, channels=channels))


def _renamed_channel(channel: Channel, channels: dict[str, str], dofs: dict[str, str]) -> Channel:
    if channel.name not in channels and not any(drive.dof in dofs for drive in channel.drives):
        return channel
    drives = tuple(Drive(dofs.get(drive.dof, drive.dof), drive.weight) for drive in channel.drives)
    return replace(channel, name=channels.get(channel.name, channel.name), drives=drives)


def _renamed_handle(handle: Handle, joint: str, name: str) -> Handle:
    if joint not in (*handle.joints, handle.tip.joint):
        return handle
    tip = replace(handle.tip, joint=name) if handle.tip.joint == joint else handle.tip
    return replace(handle, joints=tuple(name if each == joint else each for each in handle.joints), tip=tip)


def _renamed_bend(bend: Bend, joint: str, name: str) -> Bend:
    if joint not in bend.screws:
        return bend
    return replace(bend, screws={name if each == joint else each: steps for each, steps in bend.screws.items()})


def _renamed_mesh(mesh: Mesh, joint: str, name: str, channels: dict[str, str]) -> Mesh:
    if joint not in mesh.joints and not any(shape.channel in channels for shape in mesh.shapes):
        return mesh
    shapes = tuple(replace(each, channel=channels.get(each.channel, each.channel)) for each in mesh.shapes)
    joints = tuple(name if each == joint else each for each in mesh.joints)
    return replace(mesh, joints=joints, shapes=shapes)


def _renamed_clip(clip: Clip, joint: str, name: str, channels: dict[str, str]) -> Clip:
    owners = (clip.curves, *(layer.curves for layer in clip.layers))
    masked = any(joint in layer.joints for layer in clip.layers)
    if not masked and not any(channel in curves for curves in owners for channel in channels):
        return clip
    layers = tuple(
        replace(
            layer,
            curves=_renamed_curves(layer.curves, channels),
            joints=tuple(name if each == joint else each for each in layer.joints),
        )
        for layer in clip.layers
    )
    return replace(clip, curves=_renamed_curves(clip.curves, channels), layers=layers)


def _renamed_curves(curves: Curves, channels: dict[str, str]) -> Curves:
    return Curves({channels.get(channel, channel): curve for channel, curve in curves.items()})
