"""Poses by themselves: kept under a name in small files that a team shares, for any character that understands them.

Values of channels tell a pose exactly to rigs whose joints have the same names and rest alike. To others the pose is
told by roles, see `anatomy`: how every part of the body is turned, in frames that all bodies have.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.document.document import Document
from inbetweener.document.edits.retarget import body_of
from inbetweener.errors import FormatError, InbetweenerError, InvalidDocument, InvalidEdit
from inbetweener.retarget import Body
from inbetweener.retarget.posture import HIPS, Posture
from inbetweener.rig import Channel, Rig, characters
from inbetweener.system import replace_file

FORMAT = "inbetweener-pose"
VERSION = 1
SUFFIX = ".pose"
LARGEST = 16 << 20
"""Bytes. A pose of thousands of joints takes less than one megabyte."""
ALIKE = 1e-4
"""Parts of a quaternion, and metres, by which joints that rest alike may differ."""

Finite = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]


@dataclass(frozen=True, slots=True)
class RestingJoint:
    """A joint that a pose moves, and how it rests: what its angles mean."""

    name: str
    order: str
    rotation: tuple[Finite, Finite, Finite, Finite]
    translation: tuple[Finite, Finite, Finite]


@dataclass(frozen=True, slots=True)
class Pose:
    """Values by channel, of all of a character or of some joints; and the same by roles, where these were recognised.

    character  whose pose it was
    joints     those that the channels move
    posture    the whole body; None where it is no body that was recognised
    """

    name: str
    channels: dict[str, Finite]
    joints: tuple[RestingJoint, ...] = ()
    posture: Posture | None = None
    character: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidDocument("a pose needs a name")
        if not self.channels:
            raise InvalidDocument(f"pose {self.name!r} has no values; choose a joint that moves")

    @classmethod
    def of(cls, document: Document, name: str, clip: str, time: float, channels: Iterable[str] | None = None) -> "Pose":
        """The pose of a clip at a time, in some channels or in all."""
        rig, pose = document.rig, document.motion(clip).channels([time])[0]
        chosen = [channel.name for channel in rig.channels] if channels is None else list(channels)
        values = {each: float(pose[rig.channel_index(each)]) for each in chosen}
        moved = {drive.joint for each in values for drive in rig.channels[rig.channel_index(each)].drives}
        body = _body(document)
        return cls(
            name,
            values,
            tuple(_resting(rig, joint.name) for joint in rig.joints if joint.name in moved),
            None if body is None else Posture.of(body, pose),
            document.name,
        )

    def values(self, document: Document) -> tuple[Floats, Bools, tuple[str, ...]]:
        """Channel values (C,) of a document's character in this pose, and which of them (C,) the pose speaks of.

        And the joints of the pose that have no like here.
        """
        rig = document.rig
        found, said = rig.defaults.copy(), np.zeros(len(rig.channels), np.bool_)
        known = {joint.name: joint for joint in self.joints}
        for c, channel in enumerate(rig.channels):
            if channel.name in self.channels and all(_alike(rig, channel, joint, known) for joint in _joints(channel)):
                found[c], said[c] = self.channels[channel.name], True
        heard = {joint for c in np.flatnonzero(said) for joint in _joints(rig.channels[c])}
        if said.sum() < len(self.channels):
            heard |= self._by_roles(document, found, said)
        if not said.any():
            raise InvalidEdit(
                f"pose {self.name!r} of {self.character or 'another character'} says nothing to {document.name!r}: no "
                "joint of the same name rests alike, and roles were not recognised on both; see `recognise`",
                "pose",
            )
        return found, said, tuple(joint.name for joint in self.joints if joint.name not in heard)

    def _by_roles(self, document: Document, found: Floats, said: Bools) -> set[str]:
        """Say what the same names do not tell; which joints of the pose were heard."""
        body = _body(document)
        if self.posture is None or body is None:
            return set()
        values, givers = self.posture.on(body)
        moved = {joint.name for joint in self.joints}
        hips = next(part.joint for part in self.posture.parts if HIPS in part.slots)
        travels = any(name.endswith((".tx", ".ty", ".tz")) for name in self.channels) and hips in moved
        for c, channel in enumerate(document.rig.channels):
            joints = _joints(channel)
            if said[c] or len(joints) != 1:
                continue
            joint = document.rig.joint_index(next(iter(joints)))
            if channel.kind == "translation":
                told = travels and values[c] != channel.default
            else:
                told = channel.kind == "rotation" and bool(givers.get(joint, frozenset()) & moved)
            if told:
                found[c], said[c] = values[c], True
        return {hips, *(name for names in givers.values() for name in names)}


def read_pose(path: str | Path) -> Pose:
    """The pose that a file keeps."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise FormatError(path, "", error.strerror or str(error)) from error
    if len(content) > LARGEST:
        raise FormatError(path, "", "it is far too large for a pose")
    try:
        kept = msgspec.json.decode(content, type=_File)
        if kept.format != FORMAT or kept.version > VERSION:
            raise InvalidDocument(f"it is {kept.format[:40]!r} version {kept.version}, not {FORMAT!r} up to {VERSION}")
        return kept.pose
    except (msgspec.MsgspecError, InbetweenerError, UnicodeDecodeError) as error:
        raise FormatError(path, "", f"this is no pose: {error}", "save the pose once more") from error


def write_pose(pose: Pose, path: str | Path) -> None:
    """Keep a pose in a file, as JSON that people can compare."""
    path = Path(path)
    if path.suffix.lower() != SUFFIX:
        raise FormatError(path, "", f"poses are kept in files that end in {SUFFIX}")
    content = msgspec.json.format(msgspec.json.encode(_File(FORMAT, VERSION, pose)), indent=1)
    try:
        replace_file(path, content + b"\n")
    except OSError as error:
        raise FormatError(path, "", error.strerror or str(error)) from error


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    pose: Pose


def _body(document: Document) -> Body | None:
    """The body of a document's only character, if it is one that was recognised."""
    if len(characters(document.rig)) > 1:
        return None
    try:
        return body_of(document)
    except InvalidEdit:
        return None  # a table or a snake has poses too, which go by names alone


def _joints(channel: Channel) -> set[str]:
    return {drive.joint for drive in channel.drives}


def _resting(rig: Rig, name: str) -> RestingJoint:
    joint = rig.joint(name)
    return RestingJoint(name, joint.order, joint.rest.rotation, joint.rest.translation)


def _alike(rig: Rig, channel: Channel, joint: str, known: dict[str, RestingJoint]) -> bool:
    """Whether values of a channel mean the same on a joint here as on the one of that name in the pose."""
    there, here = known.get(joint), _resting(rig, joint)
    if there is None or there.order != here.order:
        return False
    turned = min(float(np.abs(np.subtract(here.rotation, np.multiply(sign, there.rotation))).max()) for sign in (1, -1))
    moved = float(np.abs(np.subtract(here.translation, there.translation)).max())
    return turned <= ALIKE and (moved <= ALIKE or channel.kind != "translation")
