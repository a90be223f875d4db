"""Edits of the rig: limits and stiffness of channels, names of joints."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from inbetweener.document.document import Document, Prop, View
from inbetweener.document.edits.constraints import (
    constraints_of_changed_prop,
    constraints_of_renamed_joint,
    constraints_without_prop,
)
from inbetweener.document.edits.loosenings import loosenings_of_renamed_joint
from inbetweener.document.edits.words import Result
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves
from inbetweener.rig import DOFS, Bend, Channel, Drive, Handle, Rig
from inbetweener.skinning import BLENDINGS, Blending, Mesh, check_weights


def set_limits(document: Document, channel: str, lower: float, upper: float) -> Document:
    """The values that a channel may take; infinite for no limit."""
    return _replace_channel(document, channel, replace(document.rig.channel(channel), lower=lower, upper=upper))


def set_stiffness(document: Document, channel: str, stiffness: float) -> Document:
    """A channel's resistance to change, relative to other channels."""
    return _replace_channel(document, channel, replace(document.rig.channel(channel), stiffness=stiffness))


def rename_joint(document: Document, joint: str, name: str) -> Document:
    """A joint under another name, everywhere: channels, drives, points, meshes, props, curves, constraints, springs."""
    rig = document.rig
    index = rig.joint_index(joint)
    if not name.strip():
        raise InvalidDocument("a joint needs a name")
    if name == joint:
        return document
    if any(each.name == name for each in rig.joints):
        raise InvalidDocument(f"there is already a joint called {name!r}; choose another name")

    # A plain channel carries its joint's name; others, such as a finger curl, keep their own.
    plain = {f"{joint}.{dof}": f"{name}.{dof}" for dof in DOFS}
    channels = {each.name: plain[each.name] for each in rig.channels if each.name in plain}
    joints = list(rig.joints)
    joints[index] = replace(joints[index], name=name)
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
        clips=tuple(_renamed_clip(each, channels) for each in clips),
        constraints=constraints_of_renamed_joint(document, joint, name),
        loosenings=loosenings,
    )


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


def _renamed_clip(clip: Clip, channels: dict[str, str]) -> Clip:
    owners = (clip.curves, *(layer.curves for layer in clip.layers))
    if not any(channel in curves for curves in owners for channel in channels):
        return clip
    layers = tuple(replace(layer, curves=_renamed_curves(layer.curves, channels)) for layer in clip.layers)
    return replace(clip, curves=_renamed_curves(clip.curves, channels), layers=layers)


def _renamed_curves(curves: Curves, channels: dict[str, str]) -> Curves:
    return Curves({channels.get(channel, channel): curve for channel, curve in curves.items()})


@dataclass(frozen=True, slots=True, repr=False)
class SkinResult(Result):
    """A character, blended or bound otherwise."""

    @property
    def lines(self) -> tuple[str, ...]:
        """How it is blended, and what makes all ways look alike."""
        return f"{self.document.name}: {self.document.blending} blending", *self.remarks

    @property
    def facts(self) -> dict[str, Any]:
        """The same, and how many vertices meshes have."""
        meshes = {mesh.name: len(mesh.vertices) for mesh in self.document.meshes}
        return {"blending": self.document.blending, "meshes": meshes}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What makes all ways of blending look alike."""
        document = self.document
        if not document.meshes:
            return (f"{document.name} has no mesh: there is nothing to blend",)
        if all(_is_rigid(mesh) for mesh in document.meshes) and len(document.rig.joints) > 1:
            return ("every vertex follows a single joint, which all methods carry alike; automatic weights differ",)
        return ()


def skin(
    document: Document, method: Blending | None = None, *, weights: Literal["keep", "auto"] = "keep"
) -> SkinResult:
    """Blend all meshes in one of the ways of `Blending`, or as now, and keep their weights or find new ones.

    Weights that are kept must be sound. Automatic ones are found by heat along the bones; rigid parts such as eyes are
    left alone, unless there is nothing else.
    """
    if method is not None and method not in BLENDINGS:
        raise UnknownName("way of blending", method, BLENDINGS)
    if weights == "auto" and document.meshes:
        from inbetweener.skinning.automatic import bind

        bare = all(_is_rigid(mesh) for mesh in document.meshes)
        made = (bind(mesh, document.rig) if bare or not _is_rigid(mesh) else mesh for mesh in document.meshes)
        document = replace(document, meshes=tuple(made))
    else:
        for mesh in document.meshes:
            check_weights(mesh)
    if method is not None and method != document.blending:
        document = replace(document, blending=method)
    return SkinResult(document)


def _is_rigid(mesh: Mesh) -> bool:
    return bool(((mesh.weights > 0.0).sum(axis=1) <= 1).all())


def rename_document(document: Document, name: str) -> Document:
    """The document under another name."""
    if not name.strip():
        raise InvalidDocument("a document needs a name")
    return replace(document, name=name)


def set_view(document: Document, view: View | None) -> Document:
    """Where the camera looks from; None leaves it to whoever shows the document."""
    return replace(document, view=view)


def add_prop(document: Document, prop: Prop) -> Document:
    """The document with one more prop."""
    if any(each.name == prop.name for each in document.props):
        raise InvalidDocument(f"there is already a prop called {prop.name!r}; choose another name")
    if prop.joint is not None:
        document.rig.joint_index(prop.joint)
    return replace(document, props=(*document.props, prop))


def remove_prop(document: Document, prop: str) -> Document:
    """The document without a prop, and without what was held in its space."""
    gone = _prop_called(document, prop)
    left = tuple(each for each in document.props if each is not gone)
    return replace(document, props=left, constraints=constraints_without_prop(document, prop))


def replace_prop(document: Document, prop: str, changed: Prop) -> Document:
    """The document with `changed` where the prop called `prop` was: moved, resized, renamed, given to a joint."""
    old = _prop_called(document, prop)
    return replace(
        document,
        props=tuple(changed if each is old else each for each in document.props),
        constraints=constraints_of_changed_prop(document, prop, changed.name, changed.joint),
    )


def _prop_called(document: Document, prop: str) -> Prop:
    """The prop called `prop`."""
    for each in document.props:
        if each.name == prop:
            return each
    raise UnknownName("prop", prop, [each.name for each in document.props])
