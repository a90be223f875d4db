# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones as plain data, to a rig of ours that moves exactly as they do; Blender is not needed here.

pose = parent's pose · (parent's rest⁻¹ · rest) · T(location) · R · S: the bracket is our joint's rest transform, and
`location` moves along its turned axes. An object is a root joint.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inbetweener.curves import Curve
from inbetweener.host import Quaternion, TurnedRig, quaternion_joint
from inbetweener.maths import quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Channel, Drive, Joint

Floats = npt.NDArray[np.float64]

OBJECT = " (object)"
"""What the joint of an object itself is called after its name."""


@dataclass(frozen=True)
class Bone:
    """A bone or an object: rest (4, 4) in its parent, and the paths of its properties.

    `values` are what the properties hold where no curve does: location, rotation, scale. `mode` is Blender's rotation
    mode, an order of angles or "QUATERNION". `locked` names properties, such as "location[1]", that are not to change,
    `limits` how far others may.
    """

    name: str
    parent: str | None
    rest: Floats
    path: str
    mode: str
    values: dict[str, tuple[float, ...]]
    locked: frozenset[str] = frozenset()
    moves: bool = True
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def rotation_property(mode: str) -> str:
    """The property that turns a bone."""
    return "rotation_quaternion" if mode == "QUATERNION" else "rotation_euler"


def rig_of(bones: Sequence[Bone], curves: dict[str, Curve], size: float) -> tuple[TurnedRig, dict[str, Curve]]:
    """The rig of bones, parents first, and curves for all its channels: those given, and properties that stand still.

    Channels are called by path and index, as 'pose.bones["arm"].location[0]'.
    """
    joints: list[Joint] = []
    channels: list[Channel] = []
    turning: list[Quaternion] = []
    number: dict[str, int] = {}
    values: dict[str, float] = {}
    for bone in bones:
        rest = _transform(bone.rest)
        parent = -1 if bone.parent is None else number[bone.parent]
        turn = f"{bone.path}{rotation_property(bone.mode)}"
        if bone.mode == "QUATERNION":
            names = (f"{turn}[0]", f"{turn}[1]", f"{turn}[2]", f"{turn}[3]")
            (base, joint), four, quaternion = quaternion_joint(Joint(bone.name, parent, rest), names)
            joints += [base, Joint(joint.name, len(joints))]
            channels += [_held(each, bone, rotation_property(bone.mode)) for each in four]
            turning.append(quaternion)
            moving = base.name
        else:
            # Blender's XYZ turns about x first, which stands last in our product.
            order: Order = bone.mode[::-1]  # type: ignore[assignment]
            joints.append(Joint(bone.name, parent, rest, order))
            for n, axis in enumerate("xyz"):
                made = Channel(f"{turn}[{n}]", "rotation", (Drive(f"{bone.name}.r{axis}"),))
                channels.append(_held(made, bone, rotation_property(bone.mode)))
            moving = bone.name
        number[bone.name] = len(joints) - 1
        if bone.moves:
            axes = bone.rest[:3, :3]
            for n in range(3):
                drives = tuple(Drive(f"{moving}.t{axis}", float(axes[r, n])) for r, axis in enumerate("xyz"))
                made = Channel(f"{bone.path}location[{n}]", "translation", drives)
                channels.append(_held(made, bone, "location", free=bone.parent is None or _varies(curves, made.name)))
        for n, axis in enumerate("xyz"):
            drive = Drive(f"{bone.name}.s{axis}")
            channels.append(Channel(f"{bone.path}scale[{n}]", "scale", (drive,), default=1.0, free=False))
        for name, each in bone.values.items():
            values |= {f"{bone.path}{name}[{n}]": value for n, value in enumerate(each)}
    known = {
        channel.name: curves.get(channel.name) or Curve.constant(values.get(channel.name, channel.default))
        for channel in channels
    }
    return TurnedRig(tuple(joints), tuple(channels), quaternions=tuple(turning), size=size), known


def _held(channel: Channel, bone: Bone, name: str, free: bool = True) -> Channel:
    index = channel.name[channel.name.rindex("[") :]
    free = free and f"{name}{index}" not in bone.locked
    lower, upper = bone.limits.get(f"{name}{index}", (-math.inf, math.inf))
    return Channel(channel.name, channel.kind, channel.drives, channel.default, lower, upper, free=free)


def _varies(curves: dict[str, Curve], name: str) -> bool:
    """Whether keys differ: a place that is keyed all over but never moves is no way to reach anything."""
    curve = curves.get(name)
    return curve is not None and float(np.ptp(curve.values)) > 1e-6


def _transform(rest: Floats) -> Transform:
    x, y, z = (float(v) for v in rest[:3, 3])
    w, i, j, k = (float(v) for v in quaternions.from_matrix(rest[:3, :3]))
    return Transform((x, y, z), (w, i, j, k))
