"""Keying by code: a pose is a small table of joints, a clip a table of poses by frame."""

import math
from collections.abc import Callable, Mapping
from typing import Literal

from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.errors import UnknownName
from inbetweener.motion import Clip
from inbetweener.motion.clip import Curves
from inbetweener.rig import Rig

Pose = Mapping[str, float | tuple[float, ...]]
"""What a pose says, by name:

- a joint: its turns (x, y, z) in degrees, e.g. "upper_arm_l": (0, -30, 40);
- a joint with ".at": where it is relative to its place at rest, in metres, e.g. "hips.at": (0, -0.1, 0);
- an IK handle: where its target is in the world, in metres, e.g. "arm_l": (0.3, 1.2, 0.4); with ".pole", its pole;
- any channel: its own value, e.g. "curl_l": 0.8 for a control, or degrees for one turn: "shank_l.rx": 40.
"""

Tangents = Literal["smooth", "flat", "linear", "stepped"]
_PRESETS: dict[Tangents, Callable[[Curve], Curve]] = {
    "smooth": tangent_presets.smooth,
    "flat": tangent_presets.flat,
    "linear": tangent_presets.linear,
    "stepped": tangent_presets.stepped,
}


def keyed(
    rig: Rig,
    name: str,
    poses: Mapping[float, Pose],
    *,
    rate: float = 24.0,
    end: float | None = None,
    tangents: Tangents = "smooth",
    loops: bool = False,
) -> Clip:
    """A clip with a key on every frame of the table, for the channels that the pose there speaks of.

    It ends on frame `end`, or on the last pose. A clip that `loops` should repeat its first pose at the end.
    """
    keys: dict[str, list[Key]] = {}
    for frame in sorted(poses):
        for channel, value in channel_values(rig, poses[frame]).items():
            keys.setdefault(channel, []).append(Key(frame / rate, value))
    preset = _PRESETS[tangents]
    curves = {channel: preset(Curve.from_keys(listed)) for channel, listed in keys.items()}
    last = max(poses) if end is None else end
    return Clip(name, end=last / rate, rate=rate, curves=Curves(curves), loops=loops)


def channel_values(rig: Rig, pose: Pose) -> dict[str, float]:
    """The channels that a pose sets, in radians and metres."""
    names = {channel.name for channel in rig.channels}
    handles = {part for handle in rig.handles for part in (handle.name, f"{handle.name}.pole")}
    values: dict[str, float] = {}
    for name, given in pose.items():
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


def posed(*poses: Pose, **changes: float | tuple[float, ...]) -> dict[str, float | tuple[float, ...]]:
    """Several tables as one; what comes later wins."""
    result: dict[str, float | tuple[float, ...]] = {}
    for pose in (*poses, changes):
        result.update(pose)
    return result


def mirrored_pose(pose: Pose) -> dict[str, float | tuple[float, ...]]:
    """The pose as seen in a mirror: left and right swapped, turns about y and z and moves along x the other way."""
    result: dict[str, float | tuple[float, ...]] = {}
    for name, given in pose.items():
        stem, dot, part = name.partition(".")
        other = _SIDES.get(stem[-2:], "")
        swapped = (stem[:-2] + other if other else stem) + dot + part
        if isinstance(given, tuple):
            x, y, z = given
            result[swapped] = (-x, y, z) if part == "at" else (x, -y, -z)
        else:
            result[swapped] = -given if part in ("ry", "rz", "tx") else given
    return result


_SIDES = {"_l": "_r", "_r": "_l"}
