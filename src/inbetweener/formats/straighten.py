"""Documents for programs that know no bent bones: bends baked into the joints, a sample a frame."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.maths import euler, quaternions, transforms
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Channel, Rig, bent, joint_channels
from inbetweener.rig.bend import along_bone

_STILL = 1e-9


@dataclass(frozen=True, slots=True)
class Straightened:
    """A document without bends, and the names of the joints whose bones were bent."""

    document: Document
    bones: tuple[str, ...] = ()

    def losses(self) -> list[str]:
        """One line on what straight bones cannot show."""
        if not self.bones:
            return []
        more = f" and {len(self.bones) - 3} more" if len(self.bones) > 3 else ""
        names = ", ".join(self.bones[:3]) + more
        return [f"bends of {names}: baked into the joints, a sample a frame; curved bones become straight"]


def straightened(document: Document) -> Straightened:
    """The document with its bends baked.

    All joints are where they were. A bent bone is straight and turned as its middle was: for an arc that is the
    direction from end to end, and for a twist half of it.
    """
    rig = document.rig
    if not rig.bends:
        return Straightened(document)
    poses = [Motion(rig, clip).channels(clip.frame_times) for clip in document.clips]
    bones = _bent_bones(rig, poses)
    baked = _baked_joints(rig, bones)
    channels = {joint: _free_channels(rig, joint) for joint in baked}
    plain = _plain_rig(rig, channels)
    clips = tuple(
        _plain_clip(clip, plain, {c.name: curve for c, curve in _curves(rig, clip, each, bones, channels)})
        for clip, each in zip(document.clips, poses, strict=True)
    )
    return Straightened(replace(document, rig=plain, clips=clips), tuple(rig.joints[joint].name for joint in bones))


def _bent_bones(rig: Rig, poses: list[Floats]) -> list[int]:
    """Joints whose bones are ever bent."""
    found = set()
    for each in poses:
        for name, screws in bent.screws(rig, each).items():
            if np.abs(screws).max(initial=0.0) > _STILL:
                found.add(rig.joint_index(name))
    return sorted(found)


def _baked_joints(rig: Rig, bones: list[int]) -> list[int]:
    """Joints that turn or move otherwise than they are keyed; whole chains where a handle turns one of them."""
    found = {joint for joint, each in enumerate(rig.joints) if joint in bones or each.parent in bones}
    # A bend's channel may also shift joints as a whole; it goes, and so they must hold what it did.
    found |= {rig.joint_index(drive.joint) for bend in rig.bends for drive in rig.channel(bend.channel).drives}
    chains = [{rig.joint_index(name) for name in handle.joints} for handle in rig.handles]
    for _ in chains:
        found = found.union(*(chain for chain in chains if not chain.isdisjoint(found)))
    return sorted(found)


def _free_channels(rig: Rig, joint: int) -> tuple[Channel, ...]:
    """Channels of all nine degrees of freedom, under names that no channel has which drives other joints too."""
    own = rig.joints[joint]
    shared = {c.name for c in rig.channels if any(drive.joint != own.name for drive in c.drives) or not c.drives}
    made = joint_channels(own, "tx ty tz rx ry rz sx sy sz")
    return tuple(replace(c, name=f"{c.name} baked") if c.name in shared else c for c in made)


def _plain_rig(rig: Rig, channels: dict[int, tuple[Channel, ...]]) -> Rig:
    names = {rig.joints[joint].name for joint in channels}
    handles = tuple(handle for handle in rig.handles if names.isdisjoint(handle.joints))
    gone = {c for handle in rig.handles if handle not in handles for c in handle.channels}
    gone |= {bend.channel for bend in rig.bends}
    kept = []
    for channel in rig.channels:
        drives = tuple(drive for drive in channel.drives if drive.joint not in names)
        if channel.name not in gone and (drives or not channel.drives):
            kept.append(replace(channel, drives=drives))
    made = [c for joint in channels for c in channels[joint]]
    return replace(rig, channels=(*kept, *made), handles=handles, bends=())


def _plain_clip(clip: Clip, rig: Rig, made: dict[str, Curve]) -> Clip:
    names = {channel.name for channel in rig.channels}
    layers = tuple(
        replace(
            layer,
            curves=layer.curves.replaced({name: None for name in layer.curves if name not in names or name in made}),
        )
        for layer in clip.layers
    )
    curves = clip.curves.replaced({name: None for name in clip.curves if name not in names}).replaced(made)
    return replace(clip, curves=curves, layers=layers)


def _curves(
    rig: Rig, clip: Clip, poses: Floats, bones: list[int], channels: dict[int, tuple[Channel, ...]]
) -> list[tuple[Channel, Curve]]:
    world = rig.world_from_joint(poses)
    for name, screws in bent.screws(rig, poses).items():
        joint = rig.joint_index(name)
        if joint in bones:
            middle = quaternions.to_matrix(along_bone(screws, 0.5)[:, :4])
            world[:, joint, :, :3] = world[:, joint, :, :3] @ middle
    made = []
    for joint, own in channels.items():
        dofs = _dofs(rig, joint, world)
        for number, channel in enumerate(own):
            values = dofs[:, number]
            if np.abs(values - channel.default).max(initial=0.0) > _STILL:
                made.append((channel, Curve.sampled(clip.frame_times, values)))
    return made


def _dofs(rig: Rig, joint: int, world: Floats) -> Floats:
    """A joint's degrees of freedom (F, 9) that place it where world_from_joint (F, J, 3, 4) has it."""
    parent = rig.joints[joint].parent
    local = world[:, joint]
    if parent >= 0:
        local = transforms.product(transforms.inverse(world[:, parent]), local)
    shift, rotation, scale, _ = transforms.decompose(local)
    turned = np.swapaxes(rig.skeleton.rest[joint], -1, -2) @ quaternions.to_matrix(rotation)
    order = rig.joints[joint].order
    angles = euler.from_matrix(turned, order)
    if len(angles):
        angles = euler.continuous(angles, order)
    return np.concatenate([shift, angles, scale], axis=1)
