"""Edits of the rig: limits and stiffness of channels, which of them are free, names of joints."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from inbetweener.anatomy import Part
from inbetweener.document.document import Document
from inbetweener.document.edits.renaming import renamed
from inbetweener.document.edits.result import Result
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.posing import stiffened
from inbetweener.rig import DOFS, Channel
from inbetweener.rig.mirror import Side, mirrored_name
from inbetweener.rig.naming import Renaming


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

    if any({joint, name} <= each.looseness.springs.keys() for each in document.loosenings):
        raise InvalidDocument(f"there is already a loose channel called {name!r}; choose another name")
    # A plain channel carries its joint's name; others, such as a finger curl, keep their own.
    plain = {f"{joint}.{dof}": f"{name}.{dof}" for dof in DOFS}
    return renamed(
        document,
        Renaming(joint=lambda each: name if each == joint else each, channel=lambda each: plain.get(each, each)),
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


def _replace_channel(document: Document, channel: str, changed: Channel) -> Document:
    channels = tuple(changed if each.name == channel else each for each in document.rig.channels)
    return replace(document, rig=replace(document.rig, channels=channels))
