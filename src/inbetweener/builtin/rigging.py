"""Rigs by code: bones in the order parents first, sides mirrored, limits in degrees."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.errors import UnknownName
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Transform, Vector
from inbetweener.rig import ROOT, Channel, Joint, Point, Rig, joint_channels

LIMB_X: Order = "ZYX"
"""For limbs that lie along x: the twist about the limb comes first."""
LIMB_Y: Order = "XZY"
"""For limbs that stand or hang along y: the twist about the limb comes first."""
HEADING: Order = "YXZ"
"""For roots: the heading comes last, whatever the body does."""


@dataclass(frozen=True, slots=True)
class Bone:
    """A joint to be: where it sits in its parent's frame, and how it may move.

    `offset` in metres and `turn` (x, y, z in degrees, applied z outermost) say where the joint rests. `limits` are
    degrees for rotations and metres for translations; `dofs` are those that get channels.
    """

    name: str
    parent: str | None
    offset: Vector
    turn: Vector = (0.0, 0.0, 0.0)
    order: Order = "ZYX"
    dofs: str = "rx ry rz"
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    stiffness: float = 1.0


def both_sides(bones: Iterable[Bone]) -> list[Bone]:
    """Bones of the left side followed by their mirror images on the right."""
    left = list(bones)
    return [*left, *(mirrored_bone(bone) for bone in left)]


def mirrored_bone(bone: Bone) -> Bone:
    """The bone on the other side: x of the offset, and turns about y and z, change sign."""
    flips = ("ry", "rz", "tx")
    return replace(
        bone,
        name=_other(bone.name),
        parent=None if bone.parent is None else _other(bone.parent),
        offset=(-bone.offset[0], bone.offset[1], bone.offset[2]),
        turn=(bone.turn[0], -bone.turn[1], -bone.turn[2]),
        limits={dof: (-high, -low) if dof in flips else (low, high) for dof, (low, high) in bone.limits.items()},
    )


def build_rig(bones: Iterable[Bone], controls: Iterable[Channel] = (), points: Iterable[Point] = ()) -> Rig:
    """The rig of these bones, with a plain channel for each of their degrees of freedom, then the controls."""
    joints: list[Joint] = []
    channels: list[Channel] = []
    index: dict[str, int] = {}
    for bone in bones:
        if bone.parent is not None and bone.parent not in index:
            raise UnknownName("joint", bone.parent, index)
        w, x, y, z = (float(v) for v in quaternions.from_matrix(euler.to_matrix(np.deg2rad(bone.turn), "ZYX")))
        parent = ROOT if bone.parent is None else index[bone.parent]
        joint = Joint(bone.name, parent, Transform(bone.offset, (w, x, y, z)), bone.order)
        index[bone.name] = len(joints)
        joints.append(joint)
        limits = {
            dof: (math.radians(low), math.radians(high)) if dof.startswith("r") else (low, high)
            for dof, (low, high) in bone.limits.items()
        }
        channels.extend(joint_channels(joint, bone.dofs, limits=limits, stiffness=bone.stiffness))
    return Rig(tuple(joints), (*channels, *controls), tuple(points))


def _other(name: str) -> str:
    return name[:-2] + "_r" if name.endswith("_l") else name
