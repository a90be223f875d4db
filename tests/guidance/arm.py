"""A small arm that swings: two joints and a wrist, three keys, one of them broken, one curve staggered."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig
from inbetweener.rig.channel import joint_channels

JOINTS = (
    Joint("base"),
    Joint("upper", 0, Transform((0.1, 1.0, 0.0))),
    Joint("lower", 1, Transform((0.4, 0.0, 0.0)), "XYZ"),
    Joint("wrist", 2, Transform((0.3, 0.0, 0.0))),
)


def arm(limit: float = np.inf) -> Rig:
    return Rig(
        JOINTS,
        (
            *joint_channels(JOINTS[0], "tx ty tz"),
            *joint_channels(JOINTS[1], "rx ry rz"),
            *joint_channels(JOINTS[2], "ry rz", limits={"rz": (-limit, limit)}),
        ),
        (Point("wrist", (0.1, 0.0, 0.0), "tip"),),
    )


def curve(times: list[float], values: list[float], *, broken: bool = False) -> Curve:
    at, v = np.array(times), np.array(values)
    slopes = np.gradient(v, at)
    before, after = np.diff(at, prepend=at[0] - 0.3), np.diff(at, append=at[-1] + 0.3)
    ins = np.stack([0.3 * before, 0.3 * before * slopes], axis=1)
    outs = np.stack([0.35 * after, 0.35 * after * slopes], axis=1)
    tied = np.ones(len(at), np.bool_)
    if broken:
        tied[1], outs[1, 1] = False, -0.1
    return Curve(at, v, ins, outs, np.full(len(at), 2, np.uint8), tied)


def swing(rig: Rig | None = None) -> Motion:
    rig = rig or arm()
    curves = {
        "base.tx": curve([0.0, 0.5, 1.0], [0.0, 0.1, 0.0]),
        "upper.rx": curve([0.0, 0.5, 1.0], [0.0, 0.4, -0.2]),
        "upper.rz": curve([0.0, 0.5, 1.0], [-0.8, 0.9, -0.3], broken=True),
        "lower.rz": curve([0.0, 0.35, 0.8, 1.0], [0.2, 0.7, 0.1, 0.3]),
    }
    return Motion(rig, Clip("swing", 1.0, curves=Curves(curves)))
