"""Cycles: where a clip comes back to a pose, and a clip cut there that flows on for ever."""

import math
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, Bundle, Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.curves.edit import delete_keys, insert_key, run
from inbetweener.errors import InvalidDocument
from inbetweener.motion.clip import Clip, Curves, Layer
from inbetweener.motion.motion import Motion
from inbetweener.rig import Rig, chains

SHORTEST = 0.4
"""Seconds: what comes back sooner trembles."""

BESIDE = 0.08
"""Seconds before and after a pose that have to look alike too, so that its speed counts."""

MOST = 1200
"""Poses that are compared with each other at most."""

AS_GOOD = 1.2
"""Of the best cut's distance: of cuts as good as this the shortest is one round, others are two or three."""

GONE = 0.3
"""Of the farthest that a motion leads away from any pose: a round leads as far at least."""

NOISE = 0.005
"""Heights of the body by which poses differ that nobody could tell apart."""

MOST_TURN = math.radians(15)
"""A round that ends in another direction by more is no straight walk."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """From when to when a motion goes round, and how far apart its two ends are: metres, on average over the body,
    as seen from the body, a moment before and after included."""

    start: float
    end: float
    apart_m: float


def find_cycle(rig: Rig, clip: Clip) -> Cycle:
    """The stretch of a clip whose end is most like its start, wherever on the ground that is."""
    length = clip.end - clip.start
    if not rig.joints or length < SHORTEST + 2.0 * BESIDE:
        raise InvalidDocument(
            f"clip {clip.name!r} is too short to find a round in: {length:.2g} s, where "
            f"{SHORTEST + 2 * BESIDE:g} are needed; say from when to when it goes round"
        )
    times = clip.frame_times
    times = times[(times >= clip.start + BESIDE) & (times <= clip.end - BESIDE)]
    step = max(1, math.ceil(len(times) / MOST))
    times = times[::step]
    first, last = np.triu_indices(len(times), max(1, round(SHORTEST * clip.rate / step)))
    if not len(first):
        raise InvalidDocument(
            f"clip {clip.name!r} has too few frames to find a round in, {clip.rate:g} a second; "
            "raise its rate, or say from when to when it goes round"
        )
    apart, turned = _apart(_clouds(rig, clip, times))
    # What rests is like itself all the time: in between it must have gone away.
    away = np.maximum.accumulate(np.triu(apart), axis=1)
    if not away.max() > 0.0:
        raise InvalidDocument(
            f"nothing moves in clip {clip.name!r}, so there is no round to find; say from when to when it goes"
        )
    moves = away[first, last] >= GONE * away.max()
    straight = moves & (turned[first, last] <= MOST_TURN)
    wanted = straight if straight.any() else moves
    first, last = first[wanted], last[wanted]
    found = apart[first, last] + NOISE * chains.height(rig)
    alike = np.flatnonzero(found / away[first, last] <= AS_GOOD * (found / away[first, last]).min())
    shortest = (last - first)[alike].min()
    near = alike[(last - first)[alike] <= 1.1 * shortest]
    best = near[np.argmin(found[near])]
    return Cycle(float(times[first[best]]), float(times[last[best]]), float(apart[first[best], last[best]]))


def ends_apart(rig: Rig, clip: Clip, start: float, end: float) -> float:
    """How far apart the poses at two times are, as `Cycle` has it."""
    return float(_apart(_clouds(rig, clip, np.array([start, end])))[0][0, 1])


def _clouds(rig: Rig, clip: Clip, times: Floats) -> Floats:
    """All joints (N, P, 3) at times, and a moment before and after."""
    motion = Motion(rig, clip)
    return np.concatenate([motion.joint_positions(times + beside) for beside in (-BESIDE, 0.0, BESIDE)], axis=1)


def _apart(seen: Floats) -> tuple[Floats, Floats]:
    """How far apart (N, N) clouds of points (N, P, 3) are at the root of the mean square once one is moved over the
    ground and turned to fit the other best, in closed form; and by how much it is turned."""
    x, y, z = np.moveaxis(seen - seen.mean(axis=1, keepdims=True) * [1.0, 0.0, 1.0], -1, 0)
    along, across = x @ x.T + z @ z.T, x @ z.T - z @ x.T
    size = (x**2 + y**2 + z**2).sum(axis=1)
    square = size[:, None] + size[None] - 2.0 * (np.hypot(along, across) + y @ y.T)
    return np.sqrt(np.maximum(square, 0.0) / seen.shape[1]), np.abs(np.arctan2(across, along))


def close_cycle(rig: Rig, clip: Clip, start: float, end: float, *, in_place: bool = False) -> Clip:
    """What a clip does from `start` to `end`, as a loop that begins at nought.

    What its two ends differ by is taken out evenly over the whole round, so that nothing jerks, and where slopes
    differ, both become their mean. Whole turns stay. The way over the ground stays too, unless it shall be `in_place`.
    """
    if not clip.start - 1e-9 <= start < end <= clip.end + 1e-9:
        raise InvalidDocument(
            f"clip {clip.name!r} has no stretch from {start:g} to {end:g} s; "
            f"it runs from {clip.start:g} to {clip.end:g} s"
        )
    pose = Motion(rig, clip).channels([start])
    going = set() if in_place else _going(rig, pose)
    turning = {each.name for each in rig.channels if each.kind == "rotation"}

    def closed(curves: Curves) -> Curves:
        made = {}
        for name, curve in curves.items():
            if len(curve) > 1:
                curve = run(_cut(curve, start, end), 1.0, -start)
                rise = curve.values[-1] - curve.values[0]
                rise = math.remainder(rise, 2.0 * math.pi) if name in turning else rise
                curve = _closed(curve, end - start, 0.0 if name in going else rise)
            made[name] = curve
        return Curves(made)

    return replace(
        clip,
        start=0.0,
        end=end - start,
        loops=True,
        curves=closed(clip.curves),
        layers=tuple(
            replace(layer, curves=closed(layer.curves), weights=closed(_weights(layer)).get(""))
            for layer in clip.layers
        ),
        kernels=tuple(
            replace(each, centre=each.centre - start) for each in clip.kernels if start <= each.centre <= end
        ),
    )


def _weights(layer: Layer) -> Curves:
    return Curves({} if layer.weights is None else {"": layer.weights})


def _going(rig: Rig, pose: Floats) -> set[str]:
    """Channels that carry the whole body over the ground and do nothing else."""
    moves = rig.jacobians(pose, rig.places)[0]
    same = np.isclose(moves[:, :3], moves[:1, :3], atol=1e-9).all(axis=(0, 1)) & (moves[:, 3:] == 0.0).all(axis=(0, 1))
    over = np.hypot(moves[0, 0], moves[0, 2]) > np.abs(moves[0, 1])
    return {rig.channels[c].name for c in np.flatnonzero(same & over)}


def _cut(curve: Curve, start: float, end: float) -> Curve:
    """The curve from one time to another, with a key on both."""
    for time in (start, end):
        if np.abs(curve.times - time).min() > 1e-9:
            curve = insert_key(curve, time).curve
    outside = np.flatnonzero((curve.times < start - 1e-9) | (curve.times > end + 1e-9))
    return delete_keys(curve, outside).curve


def _closed(curve: Curve, length: float, rise: float) -> Curve:
    """A curve from nought to `length` that ends `rise` lower than it did, with one slope at both ends."""
    after, before = Bundle.of([curve]).evaluate_motion([0.0, length * (1.0 - 1e-9)])[:, 0, 1]
    mean, even = 0.5 * (before + after), -rise / length
    # Evenly down, and within a third of the round of either end towards the mean of both slopes.
    at = np.linspace(0.0, length, 4)
    slopes = np.array([even + mean - after, even, even, even + mean - before])
    tangents = np.stack([np.full(4, length / 9.0), slopes * length / 9.0], axis=-1)
    change = Curve(at, even * at, tangents, tangents, np.full(4, BEZIER, np.uint8), np.ones(4, np.bool_))
    return weighted_sum([(1.0, curve), (1.0, change)])
