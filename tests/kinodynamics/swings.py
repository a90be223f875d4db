"""What tests of loose motion swing: a chain of bones, a pendulum, a face, and clips for them."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, Spring
from inbetweener.kinodynamics.looseness import Window
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, control, joint_channels

RATE = 24.0


def arm(bones: int = 3) -> Rig:
    """A root that shifts and turns, bones of 0.3 m below it, and a control that moves no joint."""
    joints = [Joint("root", -1)]
    for n in range(bones):
        joints.append(Joint(f"bone_{n}", n, Transform((0.3 if n else 0.0, 0.0, 0.0))))
    joints.append(Joint("tip", bones, Transform((0.3, 0.0, 0.0))))
    channels = [*joint_channels(joints[0], "tx ty tz rx ry rz")]
    channels += [channel for joint in joints[1:-1] for channel in joint_channels(joint, "rx ry rz")]
    return Rig(tuple(joints), (*channels, control("smile", {})))


def waving(rig: Rig, *, seconds: float = 2.0, loops: bool = False, size: float = 0.2, seed: int = 3) -> Clip:
    """Keys every half second, gentle enough that swings are not chaotic; the end meets the start where it loops."""
    random = np.random.default_rng(seed)
    times = np.linspace(0.0, seconds, int(2 * seconds) + 1)
    curves = {}
    for channel in rig.channels:
        values = channel.default + random.normal(size=len(times)) * (
            0.3 * size if channel.name.startswith("root") else size
        )
        if loops:
            values[-1] = values[0]
        curves[channel.name] = smooth(Curve.sampled(times, values))
    return Clip("wave", seconds, rate=RATE, curves=Curves(curves), loops=loops)


def bones_of(rig: Rig, spring: Spring) -> dict[str, Spring]:
    return {joint.name: spring for joint in rig.joints if joint.name.startswith("bone")}


def loose(
    spring: Spring = Spring(4.0, 0.6),  # noqa: B008  # frozen
    *,
    window: Window = 0.5,
    clip: Clip | None = None,
    bones: int = 3,
    error: float = 0.001,
    gravity: float = 1.0,
    drag: float = 1.0,
    smile: Spring | None = None,
) -> LooseMotion:
    rig = arm(bones)
    springs = bones_of(rig, spring) | ({"smile": smile} if smile else {})
    looseness = Looseness(springs, window=window, error=error, gravity=gravity, drag=drag)
    return LooseMotion(Loosened(rig, looseness, RATE), clip or waving(rig))
