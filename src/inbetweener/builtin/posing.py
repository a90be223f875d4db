"""Keying by code: a pose is a small table of joints, a clip a table of poses by frame."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from inbetweener.curves import Curve, Key
from inbetweener.curves.tangent_presets import PRESETS, Preset
from inbetweener.document import Document, Prop, View
from inbetweener.errors import UnknownName
from inbetweener.motion import Clip
from inbetweener.motion.clip import Curves
from inbetweener.rig import ROOT, Rig

Given = float | tuple[float, ...] | tuple[tuple[float, ...], ...]
Pose = Mapping[str, Given]
"""What a pose says, by name:

- a joint: its turns (x, y, z) in degrees, e.g. "upper_arm_l": (0, -30, 40);
- a chain of joints: one turn for all of them or one for each, e.g. "neck > head": (5, 9, 3);
- a joint with ".at": where it is relative to its place at rest, in metres, e.g. "hips.at": (0, -0.1, 0);
- an IK handle: where its target is in the world, in metres, e.g. "arm_l": (0.3, 1.2, 0.4); with ".pole", its pole;
- any channel: its own value, e.g. "curl_l": 0.8 for a control, or degrees for one turn: "shank_l.rx": 40.
"""


def keyed(
    rig: Rig,
    name: str,
    poses: Mapping[float, Pose],
    *,
    rate: float = 24.0,
    end: float | None = None,
    tangents: Preset = "smooth",
    loops: bool = False,
    throughout: Pose | None = None,
) -> Clip:
    """A clip with a key on every frame of the table, for the channels that the pose there speaks of.

    It ends on frame `end`, or on the last pose; a clip that `loops` comes back to its first pose there. What is said
    `throughout` belongs to every pose.
    """
    if loops and end is not None:
        poses = {**poses, end: poses[min(poses)]}
    keys: dict[str, list[Key]] = {}
    for frame in sorted(poses):
        for channel, value in channel_values(rig, posed(poses[frame], throughout or {})).items():
            keys.setdefault(channel, []).append(Key(frame / rate, value))
    curves = {channel: PRESETS[tangents](Curve.from_keys(listed), None) for channel, listed in keys.items()}
    last = max(poses) if end is None else end
    return Clip(name, end=last / rate, rate=rate, curves=Curves(curves), loops=loops)


def staged(character: Document, name: str, clip: Clip, view: View, props: tuple[Prop, ...] = ()) -> Document:
    """A character with something to do, things around it and a place to watch from: a scene."""
    return replace(character, name=name, props=props, clips=(clip,), view=view)


def channel_values(rig: Rig, pose: Pose) -> dict[str, float]:
    """The channels that a pose sets, in radians and metres."""
    names = {channel.name for channel in rig.channels}
    handles = {part for handle in rig.handles for part in (handle.name, f"{handle.name}.pole")}
    values: dict[str, float] = {}
    for name, given in _by_joint(rig, pose):
        if not isinstance(given, tuple):
            channel = rig.channel(name)
            values[name] = math.radians(given) if channel.kind == "rotation" else float(given)
            continue
        if name in handles:
            values.update({f"{name}.{axis}": float(number) for axis, number in zip("xyz", given, strict=True)})
            continue
        at = name.endswith(".at")
        joint = rig.joint(name.removesuffix(".at"))
        for axis, number in zip("xyz", given, strict=True):
            channel_name = f"{joint.name}.{'t' if at else 'r'}{axis}"
            if channel_name in names:
                values[channel_name] = joint.rest_dof(f"t{axis}") + number if at else math.radians(number)
            elif number != 0:
                raise UnknownName("channel", channel_name, names)
    return values


def _by_joint(rig: Rig, pose: Pose) -> Iterator[tuple[str, float | tuple[float, ...]]]:
    """What a pose says, chains taken apart."""
    for name, given in pose.items():
        first, _, last = name.partition(" > ")
        names = [last or first]
        while names[0] != first:
            parent = rig.joint(names[0]).parent
            if parent == ROOT:
                raise UnknownName("chain of joints", name, [])
            names.insert(0, rig.joints[parent].name)
        each = given if isinstance(given, tuple) and isinstance(given[0], tuple) else [given] * len(names)
        yield from zip(names, each, strict=True)


def posed(*poses: Pose, **changes: Given) -> dict[str, Given]:
    """Several tables as one; what comes later wins."""
    result: dict[str, Given] = {}
    for pose in (*poses, changes):
        result.update(pose)
    return result


def mirrored_pose(pose: Pose) -> dict[str, Given]:
    """The pose as seen in a mirror: left and right swapped, turns about y and z and moves along x the other way."""
    return {_SIDE.sub(lambda side: _OTHER[side[0]], name): _mirrored(name, given) for name, given in pose.items()}


def both_sides(pose: Pose) -> dict[str, Given]:
    """A pose whose right side mirrors its left one, of which it speaks."""
    sides = {name: given for name, given in pose.items() if _SIDE.search(name)}
    return posed(pose, mirrored_pose(sides))


def _mirrored(name: str, given: Given) -> Given:
    part = name.partition(".")[2]
    if not isinstance(given, tuple):
        return -given if part in ("ry", "rz", "tx") else given
    if isinstance(given[0], tuple):
        return tuple(_mirrored(name, each) for each in given)  # type: ignore[return-value]
    x, y, z = given
    return (-x, y, z) if part == "at" else (x, -y, -z)


_SIDE = re.compile(r"_[lr](?=$|[. ])")
_OTHER = {"_l": "_r", "_r": "_l"}
