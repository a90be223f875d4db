"""Motions for the tests of tangents: keys together or staggered; tied, broken and stepped ones among them."""

import numpy as np

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig, joint_channels

TIP = Point("hand", (0.0, 0.25, 0.0), "tip")


def arm(**limits: tuple[float, float]) -> Rig:
    """Shoulder, elbow and wrist, a metre up to the tip, each with three turns; limits by channel, "elbow_rx"=(0, 2)."""
    joints = (
        Joint("shoulder"),
        Joint("elbow", 0, Transform((0.0, 0.4, 0.0))),
        Joint("hand", 1, Transform((0.0, 0.35, 0.0))),
    )
    channels = []
    for joint in joints:
        mine = {name.split("_")[1]: pair for name, pair in limits.items() if name.startswith(joint.name)}
        channels += joint_channels(joint, limits=mine)
    return Rig(joints, tuple(channels), (TIP,))


def even_curve(values: list[float], length: float = 0.5, *, slope: float = 0.0, tied: bool = True) -> Curve:
    """Keys `length` seconds apart, tangents a third of that wide."""
    tangent = Tangent(length / 3.0, slope * length / 3.0)
    return Curve.from_keys(Key(k * length, v, tangent, tangent, tied=tied) for k, v in enumerate(values))


def swing(rig: Rig, seed: int = 0, keys: int = 4, *, size: float = 0.4, tied: bool = True) -> Motion:
    """All channels keyed together every half second at arbitrary values."""
    rng = np.random.default_rng(seed)
    curves = {
        channel.name: even_curve(
            list(np.clip(channel.default + size * rng.normal(size=keys), channel.lower, channel.upper)),
            slope=float(0.3 * rng.normal()) if np.isinf(channel.lower) else 0.0,
            tied=tied,
        )
        for channel in rig.channels
    }
    return Motion(rig, Clip("swing", end=0.5 * (keys - 1), curves=Curves(curves)))


def staggered_curve(rng: np.random.Generator, default: float, size: float = 0.4) -> Curve:
    """Keys at times of its own over two seconds; every fourth broken; the last segment may be straight or stepped."""
    times = np.concatenate([[0.0], np.sort(rng.uniform(0.1, 1.9, 4)), [2.0]])
    times = np.cumsum([0.0, *np.maximum(np.diff(times), 0.12)])
    gaps = np.diff(times)
    keys = []
    for k, time in enumerate(times):
        slope = float(rng.normal())
        before, after = (gaps[k - 1] if k else 0.0), (gaps[k] if k < len(gaps) else 0.0)
        tied = k % 4 != 2
        into, out = rng.uniform(0.2, 0.5) * before, rng.uniform(0.2, 0.5) * after
        kind = ("bezier", "linear", "constant")[int(rng.integers(3))] if k == len(times) - 2 else "bezier"
        keys.append(
            Key(
                float(time),
                default + size * float(rng.normal()),
                Tangent(into, into * slope),
                Tangent(out, out * (slope if tied else slope + 1.0)),
                kind,  # type: ignore[arg-type]
                tied,
            )
        )
    return Curve.from_keys(keys)


def staggered(rig: Rig, seed: int) -> Motion:
    """Every channel with keys of its own."""
    rng = np.random.default_rng(seed)
    curves = {channel.name: staggered_curve(rng, channel.default) for channel in rig.channels}
    end = max(float(curve.times[-1]) for curve in curves.values())
    return Motion(rig, Clip("staggered", end=end, curves=Curves(curves)))


def tangents_only(before: Curve, after: Curve) -> bool:
    """Whether two curves have the same keys, kinds and ties."""
    return all(
        np.array_equal(getattr(before, part), getattr(after, part))
        for part in ("times", "values", "interpolations", "tied")
    )
