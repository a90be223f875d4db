# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones as plain data, to a rig of ours that moves exactly as they do; Blender is not needed here.

pose = parent's pose · (parent's rest⁻¹ · rest) · T(location) · R · S: the bracket is our joint's rest transform, and
`location` moves along its turned axes. An object is a root joint.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

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

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others, but for the values that it has now."""
        limits = tuple(sorted(self.limits.items()))
        return (self.name, self.parent, self.rest.tobytes(), self.path, self.mode, self.locked, self.moves, limits)


def rotation_property(mode: str) -> str:
    """The property that turns a bone."""
    return "rotation_quaternion" if mode == "QUATERNION" else "rotation_euler"


def rig_of(
    bones: Sequence[Bone], curves: dict[str, Curve], size: float, held: frozenset[str] = frozenset()
) -> tuple[TurnedRig, dict[str, Curve]]:
    """The rig of bones, parents first, and curves for all its channels: those given, and properties that stand still.

    Channels that are `held` may not change.

    Channels are called by path and index, as 'pose.bones["arm"].location[0]'. The same bones are the same rig: making
    one takes longer than an arc.
    """
    moving = frozenset(name for bone in bones for name in _places(bone) if _varies(curves, name))
    key = (tuple(bone.key for bone in bones), moving, size, held)
    if key not in _RIGS:
        while len(_RIGS) >= MOST_RIGS:
            _RIGS.pop(next(iter(_RIGS)))
        made = _made(bones, moving, size)
        free = tuple(replace(each, free=each.free and each.name not in held) for each in made.channels)
        _RIGS[key] = replace(made, channels=free) if held else made
    rig = _RIGS[key]
    values = {
        f"{bone.path}{name}[{n}]": value
        for bone in bones
        for name, each in bone.values.items()
        for n, value in enumerate(each)
    }
    known = {
        channel.name: curves.get(channel.name) or _still(values.get(channel.name, channel.default))
        for channel in rig.channels
    }
    return rig, known


MOST_RIGS = 16
"""Rigs that are remembered."""
_RIGS: dict[object, TurnedRig] = {}
_still = lru_cache(4096)(Curve.constant)


def _places(bone: Bone) -> list[str]:
    """What moves a bone along its axes."""
    return [f"{bone.path}location[{n}]" for n in range(3)] if bone.moves else []


def _made(bones: Sequence[Bone], shifting: frozenset[str], size: float) -> TurnedRig:
    """The rig of bones, of which only those properties move bones along that are `shifting`, besides roots."""
    joints: list[Joint] = []
    channels: list[Channel] = []
    turning: list[Quaternion] = []
    number: dict[str, int] = {}
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
        axes = bone.rest[:3, :3]
        for n, name in enumerate(_places(bone)):
            drives = tuple(Drive(f"{moving}.t{axis}", float(axes[r, n])) for r, axis in enumerate("xyz"))
            made = Channel(name, "translation", drives)
            channels.append(_held(made, bone, "location", free=bone.parent is None or name in shifting))
        for n, axis in enumerate("xyz"):
            drive = Drive(f"{bone.name}.s{axis}")
            channels.append(Channel(f"{bone.path}scale[{n}]", "scale", (drive,), default=1.0, free=False))
    return TurnedRig(tuple(joints), tuple(channels), quaternions=tuple(turning), size=size)


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
