"""Small rigs and clips for the tests of motions."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, control, joint_channels, shape_channels


def arm(links: int = 4) -> Rig:
    """A chain along y with 0.3 m links, a root that travels, a curl over all links and a blend shape."""
    joints = [Joint("root")]
    joints += [Joint(f"link{i}", i, Transform((0.0, 0.3, 0.0))) for i in range(links)]
    channels = [*joint_channels(joints[0], "tx ty tz rx ry rz")]
    for joint in joints[1:]:
        channels += joint_channels(joint)
    channels += [control("curl", {f"{joint.name}.rz": 0.5 for joint in joints[1:]}), *shape_channels(["smile"])]
    return Rig(tuple(joints), tuple(channels))


def wave_clip(rig: Rig, frames: int = 240, rate: float = 60.0, seed: int = 0) -> Clip:
    """Dense samples of smooth waves on every channel."""
    rng = np.random.default_rng(seed)
    times = np.arange(frames) / rate
    curves = {}
    for channel in rig.channels:
        size = 0.2 if channel.kind in ("rotation", "control") else 0.3
        values = sum(
            size / k * rng.normal() * np.sin(2 * np.pi * k * times / times[-1] + rng.uniform(0, 6)) for k in range(1, 6)
        )
        curves[channel.name] = Curve.sampled(times, channel.default + values)
    return Clip("waves", end=float(times[-1]), rate=rate, curves=Curves(curves))
