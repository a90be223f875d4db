"""A person without fingers, eyes and controls, whose sixty hinges are loose, and a shot for it."""

import numpy as np

from inbetweener.builtin.characters.human import human_rig
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, Spring, everywhere
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, joint_channels

LEFT_OUT = ("thumb", "index", "middle", "ring", "pinky", "eye")
RATE = 100.0
"""Frames a second, as [IKD] has its captured motion; a step of the simulation is one frame."""

SECONDS = 7.0
TIGHT = ("hips", "neck")


def mannequin() -> Rig:
    """Twenty-two joints with three hinges each, and the root's six freedoms."""
    whole = human_rig()
    kept = [joint for joint in whole.joints if not joint.name.startswith(LEFT_OUT)]
    numbers = {joint.name: number for number, joint in enumerate(kept)}
    joints = tuple(
        Joint(j.name, -1 if j.parent < 0 else numbers[whole.joints[j.parent].name], j.rest, j.order) for j in kept
    )
    channels = [c for j in joints for c in joint_channels(j, "tx ty tz rx ry rz" if j.parent < 0 else "rx ry rz")]
    return Rig(joints, tuple(channels))


def shot(rig: Rig, *, still: tuple[str, ...] = (), seconds: float = SECONDS) -> Clip:
    """A key every third of a second or so, at random, on all channels but those of joints that are to stay still."""
    random = np.random.default_rng(7)
    count = int(3 * seconds) + 1
    times = np.linspace(0.0, seconds, count)
    curves = {}
    for channel in rig.channels:
        size = 0.0 if channel.drives[0].joint in still else 0.1 if channel.kind == "translation" else 0.35
        values = channel.default + size * random.normal(size=count)
        curves[channel.name] = smooth(Curve.sampled(times, values))
    return Clip("shot", seconds, rate=RATE, curves=Curves(curves))


def loose(rig: Rig, window: float) -> Loosened:
    """Sixty relaxed hinges."""
    springs = everywhere(rig, Spring(3.5, 0.5), without=TIGHT)
    return Loosened(rig, Looseness(springs, window=window, gravity=1.0, masses="human"), RATE)


def relaxed(window: float = 0.3, *, held: bool = False) -> LooseMotion:
    """A shot of it; `held` where all that is tight stays still."""
    rig = mannequin()
    return LooseMotion(loose(rig, window), shot(rig, still=TIGHT if held else ()))
