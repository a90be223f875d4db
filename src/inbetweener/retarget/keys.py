"""From retargeted frames to curves: a key on every frame, or keys where the source has them."""

from collections.abc import Iterable, Sequence

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves import BEZIER, CONSTANT, Curve
from inbetweener.motion import Clip, Curves
from inbetweener.retarget.body import Body
from inbetweener.retarget.channels import plain_channels
from inbetweener.retarget.match import Pair
from inbetweener.rig import Rig
from inbetweener.retarget.body import above

STILL = 1e-9
FAITH = 1e-3
"""How much the slope to the neighbouring keys counts beside samples: where there are none, it decides."""


def sampled(rig: Rig, clip: Clip, times: Floats, values: Floats) -> Curves:
    """Curves with a key on every frame, of all channels that do not rest."""
    return Curves(
        {
            channel.name: Curve.sampled(times, values[:, c])
            if np.ptp(values[:, c]) > STILL
            else Curve.constant(float(values[0, c]), clip.start)
            for c, channel in enumerate(rig.channels)
            if np.abs(values[:, c] - channel.default).max() > STILL
        }
    )


def keyed(target: Body, source: Body, pairs: Sequence[Pair], clip: Clip, times: Floats, values: Floats) -> Curves:
    """Curves with keys where the curves of the source that tell a joint have theirs, tangents fitted to all frames."""
    rig = target.rig
    owners = {c: dof // 9 for dof, (c, _) in plain_channels(rig).items()}
    told = _told_by(target, source, pairs)
    by_source = _curves_by_joint(source.rig, clip)
    made: dict[str, Curve] = {}
    groups: dict[frozenset[int], list[int]] = {}
    for c, channel in enumerate(rig.channels):
        if np.ptp(values[:, c]) <= STILL:
            if abs(values[0, c] - channel.default) > STILL:
                made[channel.name] = Curve.constant(float(values[0, c]), clip.start)
        else:
            groups.setdefault(frozenset(told.get(owners.get(c, -1), ())), []).append(c)
    for joints, columns in groups.items():
        curves = [curve for joint in joints for curve in by_source.get(joint, ())]
        knots, steps, smooth = _knots(curves, times)
        for c, curve in zip(columns, fitted(times, values[:, columns], knots, steps, smooth), strict=True):
            made[rig.channels[c].name] = curve
    return Curves(made)


def _told_by(target: Body, source: Body, pairs: Sequence[Pair]) -> dict[int, set[int]]:
    """By joint of the target, the joints of the source whose keys count for it: those of its limb, its row, its root."""
    hips = source.slots["hips", None, 0, 0]
    root = {hips, *above(source.rig, hips)}
    own = {pair.joint: {pair.source} | ({pair.second} if pair.second >= 0 else set()) for pair in pairs}
    told: dict[int, set[int]] = {}
    limbs: list[tuple[list[int], set[int]]] = []
    for slots in (("thigh", "shin", "foot", "toe"), ("upper_arm", "forearm", "hand")):
        for side in ("left", "right"):
            joints = [target.slots[role, side, 0, 0] for role in slots if (role, side, 0, 0) in target.slots]
            # Legs make up for what the hips do, so they have keys where these have.
            limbs.append((joints, set(root) if slots[0] == "thigh" else set()))
    limbs += [(list(row), set()) for row in target.chains.values()]
    for joints, more in limbs:
        every = set().union(more, *(own.get(joint, set()) for joint in joints))
        for joint in joints:
            told[joint] = told.get(joint, set()) | every
    for joint, sources in own.items():
        told.setdefault(joint, sources)
    target_hips = target.slots["hips", None, 0, 0]
    for joint in (target_hips, *above(target.rig, target_hips)):
        told[joint] = told.get(joint, set()) | root
    return told


def _curves_by_joint(rig: Rig, clip: Clip) -> dict[int, list[Curve]]:
    found: dict[int, list[Curve]] = {}
    for channel in rig.channels:
        curves = [clip.curves.get(channel.name), *(layer.curves.get(channel.name) for layer in clip.layers)]
        for drive in channel.drives:
            found.setdefault(rig.joint_index(drive.joint), []).extend(c for c in curves if c is not None and len(c) > 1)
    return found


def _knots(curves: Iterable[Curve], times: Floats) -> tuple[Ints, Bools, Bools]:
    """Samples (n,) that are keys, whether each is held until the next, and whether the curve is smooth there."""
    kept, held, smooth = np.zeros(len(times), np.bool_), np.ones(len(times), np.bool_), np.ones(len(times), np.bool_)
    kept[[0, -1]] = True
    for curve in curves:
        at = np.clip(np.searchsorted(times, curve.times - 1e-9), 0, len(times) - 1)
        kept[at] = True
        held[at] &= curve.interpolations == CONSTANT
        straight = (curve.interpolations != BEZIER) | ~curve.tied
        smooth[at] &= ~straight & ~np.concatenate([[False], curve.interpolations[:-1] != BEZIER])
    knots = np.flatnonzero(kept)
    return knots, held[knots] & np.isin(knots, _marked(curves, times)), smooth[knots]


def _marked(curves: Iterable[Curve], times: Floats) -> Ints:
    found = [np.searchsorted(times, curve.times - 1e-9) for curve in curves]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)


def fitted(times: Floats, values: Floats, knots: Ints, steps: Bools, smooth: Bools) -> list[Curve]:
    """Curves through values (T, c) at knots, the slopes there the best for all samples; one slope where `smooth`.

    With widths of a third a segment is a cubic in time, v = h00 v₀ + h01 v₁ + h (h10 m₀ + h11 m₁), linear in slopes.
    """
    at, count = times[knots], len(knots)
    if count == 1:
        return [Curve.constant(float(value), float(at[0])) for value in values[0]]
    # Every key has a slope to the left and one to the right, which are one where it is smooth.
    left = np.cumsum(np.concatenate([[0], np.where(smooth[:-1], 1, 2)]))
    right = left + np.where(smooth, 0, 1)
    unknowns = int(right[-1]) + 1
    normal, pull = np.zeros((unknowns, unknowns)), np.zeros((unknowns, values.shape[1]))
    segment = np.clip(np.searchsorted(at, times, side="right") - 1, 0, count - 2)
    span = np.diff(at)[segment]
    s = np.clip((times - at[segment]) / span, 0.0, 1.0)
    ends = values[knots]
    flat = (2 * s**3 - 3 * s**2 + 1)[:, None] * ends[segment] + (3 * s**2 - 2 * s**3)[:, None] * ends[segment + 1]
    rows = np.stack([span * (s**3 - 2 * s**2 + s), span * (s**3 - s**2)], axis=1)
    columns = np.stack([right[segment], left[segment + 1]], axis=1)
    rest = values - flat
    for a in range(2):
        np.add.at(pull, columns[:, a], rows[:, a, None] * rest)
        for b in range(2):
            np.add.at(normal, (columns[:, a], columns[:, b]), rows[:, a] * rows[:, b])
    slopes = np.diff(ends, axis=0) / np.diff(at)[:, None]
    weight = FAITH * np.diff(at) ** 2
    for n in range(count - 1):
        for index in (right[n], left[n + 1]):
            normal[index, index] += weight[n]
            pull[index] += weight[n] * slopes[n]
    if left[0] != right[0]:
        normal[left[0], left[0]] = 1.0
    if right[-1] != left[-1]:
        normal[right[-1], right[-1]] = 1.0
    found = np.linalg.solve(normal, pull)
    widths = np.diff(at) / 3.0
    before, after = np.concatenate([[0.0], widths]), np.concatenate([widths, [0.0]])
    kinds = np.where(steps, CONSTANT, BEZIER).astype(np.uint8)
    return [
        Curve(
            at,
            ends[:, c],
            np.stack([before, before * found[left, c]], axis=1),
            np.stack([after, after * found[right, c]], axis=1),
            kinds,
            smooth,
        )
        for c in range(values.shape[1])
    ]
