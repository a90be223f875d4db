"""From retargeted frames to curves: a key on every frame, or keys where the source has them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves import BEZIER, CONSTANT, Curve
from inbetweener.motion import Clip, Curves, heard
from inbetweener.retarget.body import Body
from inbetweener.retarget.channels import plain_channels
from inbetweener.retarget.match import Pair
from inbetweener.retarget.slots import ARM, LEG, SIDES
from inbetweener.rig import Rig
from inbetweener.rig.chains import above

STILL = 1e-9
"""What moves by less rests."""
BISECTIONS = 40
"""Halvings, after which a moment is known to all digits that count."""
FAINT = 1e-15
"""What keeps equations solvable where a tangent has no width, and no say."""
FAITH = 1e-4
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
        knots = _knots(curves, times)
        limits = [(rig.channels[c].lower, rig.channels[c].upper) for c in columns]
        for c, curve in zip(columns, fitted(times, values[:, columns], knots, limits), strict=True):
            made[rig.channels[c].name] = curve
    return Curves(made)


def _told_by(target: Body, source: Body, pairs: Sequence[Pair]) -> dict[int, set[int]]:
    """By joint of the target, the source's joints whose keys count for it: those of its limb, its row, its root."""
    hips = source.slots["hips", None, 0, 0]
    root = {hips, *above(source.rig, hips)}
    own = {pair.joint: {pair.source} | ({pair.second} if pair.second >= 0 else set()) for pair in pairs}
    told: dict[int, set[int]] = {}
    limbs: list[tuple[list[int], set[int]]] = []
    for slots in (LEG, ARM[1:]):
        for side in SIDES:
            joints = [*target.chain(slots, side)]
            # Legs make up for what the hips do, so they have keys where these have.
            limbs.append((joints, set(root) if slots[0] == "thigh" else set()))
    limbs += [(list(row), set()) for row in target.chains.values()]
    for joints, more in limbs:
        every = set().union(more, *(own.get(joint, set()) for joint in joints))
        for joint in joints:
            told[joint] = told.get(joint, set()) | every
    for joint, sources in own.items():
        told.setdefault(joint, sources)
    for twist in target.twists:
        # What it takes is of the bone that carries it, or of the next one in its limb.
        told.setdefault(twist, told.get(target.rig.joints[twist].parent, set()))
    target_hips = target.slots["hips", None, 0, 0]
    for joint in (target_hips, *above(target.rig, target_hips)):
        told[joint] = told.get(joint, set()) | root
    return told


def _curves_by_joint(rig: Rig, clip: Clip) -> dict[int, list[Curve]]:
    """The curves with several keys that move each joint, by channels that drive it or a handle that turns it."""
    movers = {channel.name: [drive.joint for drive in channel.drives] for channel in rig.channels}
    movers |= {name: [*handle.joints] for handle in rig.handles for name in handle.channels}
    found: dict[int, list[Curve]] = {}
    for curves in (clip.curves, *(layer.curves for layer in heard(rig, clip))):
        for name, curve in curves.items():
            for joint in movers[name] if len(curve) > 1 else ():
                found.setdefault(rig.joint_index(joint), []).append(curve)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Knots:
    """Samples that are keys, and how the curves that have them there go on.

    samples    (n,) numbers of times
    held       (n,) whether the segment after a key is a step
    smooth     (n,) whether there is one slope at a key
    out, into  (n − 1,) widths of the tangents of each segment, relative to its length
    """

    samples: Ints
    held: Bools
    smooth: Bools
    out: Floats
    into: Floats


def _knots(curves: Sequence[Curve], times: Floats) -> Knots:
    """Keys of several curves together; what these say of tangents by their median."""
    kept, held, smooth = (np.zeros(len(times), np.bool_) for _ in range(3))
    kept[[0, -1]] = True
    found = [np.clip(np.searchsorted(times, curve.times - 1e-9), 0, len(times) - 1) for curve in curves]
    for at in found:
        kept[at] = held[at] = smooth[at] = True
    for curve, at in zip(curves, found, strict=True):
        bezier = curve.interpolations == BEZIER
        held[at] &= curve.interpolations == CONSTANT
        smooth[at] &= curve.tied & bezier & np.concatenate([[True], bezier[:-1]])
    samples = np.flatnonzero(kept)
    widths: list[list[tuple[float, float]]] = [[] for _ in samples[1:]]
    for curve, at in zip(curves, found, strict=True):
        numbers = np.searchsorted(samples, at)
        for k in np.flatnonzero((np.diff(numbers) == 1) & (curve.interpolations[:-1] == BEZIER)):
            span = curve.times[k + 1] - curve.times[k]
            widths[numbers[k]].append((curve.outs[k, 0] / span, curve.ins[k + 1, 0] / span))
    shares = np.array([np.median(each, axis=0) if each else (1 / 3, 1 / 3) for each in widths]).reshape(-1, 2)
    shares = np.clip(shares, 0.0, 1.0)
    return Knots(samples, held[samples], smooth[samples], shares[:, 0], shares[:, 1])


def fitted(times: Floats, values: Floats, knots: Knots, limits: Sequence[tuple[float, float]]) -> list[Curve]:
    """Curves through values (T, c) at knots, with the slopes there that are best for all samples, within limits.

    A tangent's width says when a segment is where on its way; then what it is there is linear in slopes:
    v = B₀ v₀ + B₁ (v₀ + a h m₀) + B₂ (v₁ − b h m₁) + B₃ v₁, of a segment that lasts h.
    """
    at, count = times[knots.samples], len(knots.samples)
    ends = values[knots.samples]
    if count == 1:
        return [Curve.constant(float(value), float(at[0])) for value in ends[0]]
    # Every key has a slope to the left and one to the right, which are one where it is smooth.
    left = np.cumsum(np.concatenate([[0], np.where(knots.smooth[:-1], 1, 2)]))
    right = left + np.where(knots.smooth, 0, 1)
    span = np.diff(at)
    segment = np.clip(np.searchsorted(at, times, side="right") - 1, 0, count - 2)
    out, into = (knots.out * span)[segment], (knots.into * span)[segment]
    s = _way(np.clip((times - at[segment]) / span[segment], 0.0, 1.0), knots.out[segment], knots.into[segment])
    b1, b2, b3 = 3.0 * (1.0 - s) ** 2 * s, 3.0 * (1.0 - s) * s**2, s**3
    rest = values - ends[segment] - (b2 + b3)[:, None] * (ends[segment + 1] - ends[segment])
    unknowns = int(right[-1]) + 1
    normal, pull = FAINT * np.eye(unknowns), np.zeros((unknowns, values.shape[1]))
    rows = np.stack([b1 * out, -b2 * into], axis=1)
    columns = np.stack([right[segment], left[segment + 1]], axis=1)
    for a in range(2):
        np.add.at(pull, columns[:, a], rows[:, a, None] * rest)
        for b in range(2):
            np.add.at(normal, (columns[:, a], columns[:, b]), rows[:, a] * rows[:, b])
    for n, slope in enumerate(np.diff(ends, axis=0) / span[:, None]):
        for index in (right[n], left[n + 1]):
            normal[index, index] += FAITH * span[n] ** 2
            pull[index] += FAITH * span[n] ** 2 * slope
    slopes = np.linalg.solve(normal, pull)
    before, after = np.concatenate([[0.0], knots.into * span]), np.concatenate([knots.out * span, [0.0]])
    kinds = np.where(knots.held, CONSTANT, BEZIER).astype(np.uint8)
    made = []
    for c, (low, high) in enumerate(limits):
        # What lies between handles within limits is within them too.
        ins, outs = before * slopes[left, c], after * slopes[right, c]
        own = np.clip(ends[:, c], low, high)
        kept = own - np.clip(own - ins, low, high), np.clip(own + outs, low, high) - own
        tied = knots.smooth & (kept[0] == ins) & (kept[1] == outs) if np.isfinite([low, high]).any() else knots.smooth
        heights = (ins, outs) if tied is knots.smooth else kept
        made.append(
            Curve(at, own, np.stack([before, heights[0]], axis=1), np.stack([after, heights[1]], axis=1), kinds, tied)
        )
    return made


def _way(share: Floats, out: Floats, into: Floats) -> Floats:
    """How far along its way (n,) a segment is, given how much of its time has passed; widths relative to its length."""
    low, high = np.zeros_like(share), np.ones_like(share)
    for _ in range(BISECTIONS):
        s = 0.5 * (low + high)
        passed = 3.0 * (1.0 - s) ** 2 * s * out + 3.0 * (1.0 - s) * s**2 * (1.0 - into) + s**3
        low, high = np.where(passed < share, s, low), np.where(passed < share, high, s)
    return 0.5 * (low + high)
