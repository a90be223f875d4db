"""What a capture recorded: for every joint how it is turned and, where it moves, where it is, frame by frame.

Turns are rotations, never Euler angles, whose jumps mean nothing. Both kinds of track answer the same two questions –
how one state differs from another, and what a state plus a difference is – so that faults are found and mended alike.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.maths import euler, quaternions
from inbetweener.rig import DOFS, Rig


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """States of one joint: quaternions (F, 4), places (F, 3), or angles (F, 3) of one that turns about fewer axes.

    channels[d] drives turn or shift d, −1 if none does.
    """

    joint: int
    states: Floats
    channels: Ints
    turns: bool


def difference(a: Floats, b: Floats) -> Floats:
    """How to get from a to b: a rotation vector (…, 3) in the parent's frame, the shorter way, or a shift."""
    if a.shape[-1] == 3:
        return b - a
    q = quaternions.product(b, quaternions.inverse(a))
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 2.0)


def plus(a: Floats, by: Floats) -> Floats:
    """The state that a difference leads to."""
    if a.shape[-1] == 3:
        return a + by
    angle = np.linalg.norm(by, axis=-1, keepdims=True)
    half = np.where(angle > 1e-12, np.sin(angle / 2) / np.maximum(angle, 1e-300), 0.5)
    return quaternions.product(np.concatenate([np.cos(angle / 2), half * by], axis=-1), a)


def tracks_of(rig: Rig, channels: Floats) -> list[Track]:
    """The tracks of all joints whose channels are their own, from samples (F, C); others are left as they are.

    A joint under a control or an IK handle has no states of its own that could be put right.
    """
    owners: dict[tuple[str, str], int] = {}
    shared: set[tuple[str, str]] = set()
    for number, channel in enumerate(rig.channels):
        plain = len(channel.drives) == 1 and channel.drives[0].weight == 1.0
        for drive in channel.drives:
            place = (drive.joint, drive.axis[0])
            if not plain or (drive.joint, drive.axis) in owners:
                shared.add(place)
            owners[drive.joint, drive.axis] = number
    shared |= {(name, "r") for handle in rig.handles for name in handle.joints}
    dofs = rig.dof_map.dofs(channels).reshape(len(channels), len(rig.joints), len(DOFS))
    made = []
    for j, joint in enumerate(rig.joints):
        for kind, first in (("r", 3), ("t", 0)):
            own = np.array([owners.get((joint.name, kind + axis), -1) for axis in "xyz"])
            if (own < 0).all() or (joint.name, kind) in shared:
                continue
            values = dofs[:, j, first : first + 3]
            if kind == "r" and (own >= 0).all():
                values = quaternions.from_matrix(euler.to_matrix(values, joint.order))
            made.append(Track(j, values, own, kind == "r"))
    return made


def write(rig: Rig, channels: Floats, track: Track, frames: Ints) -> None:
    """Put a track's states at some frames into the samples (F, C).

    Angles are written nearest to those of the frame before, so that nothing spins between frames.
    """
    own = track.channels
    if track.states.shape[1] == 3:
        for axis in np.flatnonzero(own >= 0):
            channels[frames, own[axis]] = track.states[frames, axis]
        return
    joint = rig.joints[track.joint]
    angles = channels[:, own].copy()
    made = euler.from_matrix(quaternions.to_matrix(track.states[frames]), joint.order)
    for frame, each in zip(frames, made, strict=True):
        near = angles[frame - 1] if frame > 0 else angles[min(frame + 1, len(angles) - 1)]
        angles[frame] = euler.continuous(np.stack([near, each]), joint.order)[1]
    channels[:, own] = angles
