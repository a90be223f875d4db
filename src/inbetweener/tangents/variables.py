"""The free tangents as a vector of scaled variables, and back.

Four variables a free curve: width and height of the out tangent at the left end of its free segment, width and height
of the in tangent at the right end, all relative to where the drag started and divided by `scale`, so that the drag's
E_d ([TSO] Eq. 4) is simply the squared length of the vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.curves import BEZIER, Bundle, Curve, value_ranges
from inbetweener.curves.curve import with_tangents
from inbetweener.curves.widths import MARGIN, slack
from inbetweener.rig import Channel
from inbetweener.tangents import kernels
from inbetweener.tangents.settings import Settings

WIDTH_WORTH = 0.3
"""Changing a width by this share of its segment costs as much as changing a height by one radian."""


FAR = 1e30
"""A bound that binds nothing, as the solver writes it."""


@dataclass(frozen=True, slots=True, eq=False)
class Variables:
    """F free curves, cut to the keys around the stretch of time that can change.

    window      the cut curves; first_keys (F,) where each cut begins in the whole curve
    segments    (F,) the key in the window where the free segment starts; ties (F, 2): do the segments before and
                after it turn along?
    start       (4F,) tangents before the drag; scale (4F,); lower, upper, step (4F,) bounds and trust, scaled
    together    (4F,) where E_b ([TSO] Eq. 5) would have the sides of broken tangents, scaled; zero where none is broken
    limits      (F, 3, 2) lowest and highest value of the segments before, at and after the free one; widened so that
                what is already outside may stay as it is
    """

    window: Bundle
    first_keys: Ints
    segments: Ints
    ties: Bools
    start: Floats
    scale: Floats
    lower: Floats
    upper: Floats
    step: Floats
    together: Floats
    limits: Floats

    def __len__(self) -> int:
        return len(self.scale)

    @property
    def free(self) -> kernels.Free:
        """The free segments, as kernels take them."""
        return kernels.Free(self.segments, self.ties, self.start, self.scale)

    @classmethod
    def of(
        cls, curves: Sequence[Curve], channels: Sequence[Channel], time: float, settings: Settings, height: float
    ) -> Self:
        """The variables of the segments that are active at `time`; every curve must have a Bezier segment there."""
        segments = [segment_at(curve, time) for curve in curves]
        ties = np.array([turns_along(curve, k) for curve, k in zip(curves, segments, strict=True)])
        spans = [
            (curve.times[k - tie[0]], curve.times[k + 1 + tie[1]])
            for curve, k, tie in zip(curves, segments, ties.astype(int), strict=True)
        ]
        start, end = min(a for a, _ in spans), max(b for _, b in spans)
        # Only the keys around what can change: a drag costs the same in a clip of any length.
        ends = [_around(curve, start, end) for curve in curves]
        window = Bundle.of([_cut(curve, first, last) for curve, (first, last) in zip(curves, ends, strict=True)])
        first_keys = np.array([first for first, _ in ends])
        local = window.starts[:-1] + np.array(segments) - first_keys
        tangents = np.concatenate([window.outs[local], window.ins[local + 1]], axis=1)
        lengths = (window.times[local + 1] - window.times[local])[:, None]

        others = np.stack([window.ins[local], window.outs[local + 1]], axis=1)
        broken = np.stack([_broken(curve, k) for curve, k in zip(curves, segments, strict=True)])
        weights = settings.together * (broken & (others[:, :, 0] > 0.0))
        slopes = np.divide(others[:, :, 1], others[:, :, 0], out=np.zeros(weights.shape), where=weights > 0.0)
        # Of the two sides only one moves: to the slope of the other, at the width that it has.
        apart = slopes * tangents[:, [0, 2]] - tangents[:, [1, 3]]
        stiffness = np.repeat(np.array([channel.stiffness for channel in channels])[:, None], 4, axis=1)
        stiffness[:, [1, 3]] = np.sqrt(stiffness[:, [1, 3]] ** 2 + weights)
        unit = np.array([channel.unit(height) for channel in channels])[:, None]
        scale = np.tile(np.concatenate([WIDTH_WORTH * lengths, unit], axis=1), 2) / stiffness
        together = np.zeros_like(scale)
        together[:, [1, 3]] = weights * apart / stiffness[:, [1, 3]] ** 2

        widths = np.array([True, False, True, False])
        low, high = _width_box(tangents[:, [0, 2]] / lengths, settings)
        lower, upper = np.full_like(tangents, -np.inf), np.full_like(tangents, np.inf)
        lower[:, widths] = low * lengths - tangents[:, widths]
        upper[:, widths] = high * lengths - tangents[:, widths]
        step = np.where(widths, settings.width_step * lengths, np.inf)
        # A tangent without width has no direction to turn: it stays as it is.
        dead = np.repeat(tangents[:, [0, 2]] <= 1e-9 * lengths, 2, axis=1)
        lower, upper = np.where(dead, 0.0, lower), np.where(dead, 0.0, upper)
        ties &= ~dead[:, [0, 2]]
        within = np.array([_limits(c, k, channel) for c, k, channel in zip(curves, segments, channels, strict=True)])
        keyed = np.stack([window.values[local], window.values[local + 1]], axis=1)
        signs = _height_signs(keyed, within, ties)
        for column, (least, most) in ((1, signs[:, 0].T), (3, signs[:, 1].T)):
            now = tangents[:, column]
            lower[:, column] = np.maximum(lower[:, column], np.minimum(least - now, 0.0))
            upper[:, column] = np.minimum(upper[:, column], np.maximum(most - now, 0.0))
        return cls(
            window,
            frozen(first_keys, np.int64),
            frozen(local, np.int64),
            frozen(ties, np.bool_),
            frozen(tangents.ravel()),
            frozen(scale.ravel()),
            frozen(np.maximum(lower / scale, -FAR).ravel()),
            frozen(np.minimum(upper / scale, FAR).ravel()),
            frozen(np.minimum(step / scale, FAR).ravel()),
            frozen((np.clip(together, lower, upper) / scale).ravel()),
            frozen(within),
        )

    @property
    def span(self) -> tuple[float, float]:
        """The stretch of time in which anything can change."""
        before = self.window.times[self.segments - self.ties[:, 0]]
        after = self.window.times[self.segments + 1 + self.ties[:, 1]]
        return float(before.min()), float(after.max())

    @property
    def shortest(self) -> float:
        """Length in seconds of the shortest free segment."""
        return float((self.window.times[self.segments + 1] - self.window.times[self.segments]).min())

    def write(self, z: Floats, ins: Floats, outs: Floats) -> None:
        """Put the tangents that `z` (4F,) describes into the window's arrays; tied tangents follow in slope."""
        kernels.set_tangents(self.free, z, ins, outs)

    def changed(self, curves: Sequence[Curve], z: Floats) -> tuple[Curve, ...]:
        """The whole curves with the tangents that `z` describes; the very same where these are as they were."""
        window = self.window
        ins, outs = window.ins.copy(), window.outs.copy()
        # Bounds are met up to rounding, and a tangent that has no width must have none to the last bit.
        self.write(np.clip(z, self.lower, self.upper), ins, outs)
        touched = ((ins != window.ins) | (outs != window.outs)).any(axis=1)
        others = [i for i in range(len(curves)) if touched[window.starts[i] : window.starts[i + 1]].any()]
        if not others:
            return tuple(curves)
        tangents: tuple[list[Floats], list[Floats]] = [], []
        for i in others:
            first, last = window.starts[i], window.starts[i + 1]
            keys = slice(self.first_keys[i], self.first_keys[i] + last - first)
            for made, own, given in zip(tangents, (curves[i].ins, curves[i].outs), (ins, outs), strict=True):
                whole = own.copy()
                whole[keys] = given[first:last]
                whole.flags.writeable = False
                made.append(whole)
        result = list(curves)
        for i, curve in zip(others, with_tangents([curves[i] for i in others], *tangents), strict=True):
            result[i] = curve
        return tuple(result)


def _width_box(now: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """Lowest and highest relative widths (F, 2) that a drag may make of (F, 2) present ones, any two of them together.

    The widths that keep time running forward form a convex set, so a box belongs to it when its corners do. Only an
    overlong tangent can put a corner outside; its partner then keeps its width, and it can only become shorter.
    """
    low, high = np.minimum(settings.least_width, now), np.maximum(settings.most_width, now)
    corners = [(high[:, 0], high[:, 1]), (low[:, 0], high[:, 1]), (high[:, 0], low[:, 1])]
    fits = np.all([slack(a, b) >= MARGIN for a, b in corners], axis=0)
    partner = now[:, ::-1] > settings.most_width
    kept = ~fits[:, None] & partner
    return np.where(kept, now, low), np.where(kept, now, high)


def _height_signs(ends: Floats, limits: Floats, ties: Bools) -> Floats:
    """(F, 2, 2): lowest and highest height, 0 or infinite, of out and in tangents whose keys sit on a limit.

    A curve leaves a key on its upper limit downwards and comes to it upwards; a tied key there must be level. No cut
    could say so: the half-planes of points ever nearer to the key only tend to it.
    """
    signs = np.tile([-np.inf, np.inf], (len(ends), 2, 1))
    for end, beyond in ((0, 0), (1, 2)):
        # The free segment and, where it turns along, the one beyond the key, which sees it from its other end.
        for which, flip in ((1, end == 1), (beyond, end == 0)):
            counts = ties[:, end] | (which == 1)
            low, high = limits[:, which].T
            on_high, on_low = counts & (ends[:, end] >= high - 1e-9), counts & (ends[:, end] <= low + 1e-9)
            falls, rises = (on_low, on_high) if flip else (on_high, on_low)
            signs[falls, end, 1] = 0.0
            signs[rises, end, 0] = 0.0
    return signs


def _limits(curve: Curve, k: int, channel: Channel) -> list[tuple[float, float]]:
    """Limits of the segments before, at and after key k, widened to what is already there."""
    if np.isinf(channel.lower) and np.isinf(channel.upper):
        return [(channel.lower, channel.upper)] * 3
    first = max(0, k - 1)
    ranges = value_ranges(_cut(curve, first, min(len(curve), k + 3)))
    found = []
    for segment in (k - 1 - first, k - first, k + 1 - first):
        low, high = map(float, ranges[segment]) if 0 <= segment < len(ranges) else (0.0, 0.0)
        found.append((min(channel.lower, low), max(channel.upper, high)))
    return found


def can_change(curve: Curve | None, time: float) -> bool:
    """True when the curve has a Bezier segment at `time`, whose tangents can be changed."""
    if curve is None or not curve.times[0] < time < curve.times[-1]:
        return False
    return bool(curve.interpolations[segment_at(curve, time)] == BEZIER)


def segment_at(curve: Curve, time: float) -> int:
    """The key that starts the segment at `time`."""
    return int(np.searchsorted(curve.times, time, side="right")) - 1


def turns_along(curve: Curve, k: int) -> tuple[bool, bool]:
    """Whether the segments before and after segment k turn with its tangents, because the keys between are tied."""
    left = k > 0 and curve.tied[k] and curve.interpolations[k - 1] == BEZIER
    right = k + 2 < len(curve) and curve.tied[k + 1] and curve.interpolations[k + 1] == BEZIER
    return bool(left), bool(right)


def _broken(curve: Curve, k: int) -> Bools:
    """Whether the keys at the two ends of segment k are broken and have a Bezier segment on their other side."""
    left = k > 0 and not curve.tied[k] and curve.interpolations[k - 1] == BEZIER
    right = k + 2 < len(curve) and not curve.tied[k + 1] and curve.interpolations[k + 1] == BEZIER
    return np.array([left, right], np.bool_)


def _around(curve: Curve, start: float, end: float) -> tuple[int, int]:
    """From the last key at or before `start` to the first at or after `end`, one past it."""
    first = max(0, int(np.searchsorted(curve.times, start, side="right")) - 1)
    last = min(len(curve), int(np.searchsorted(curve.times, end, side="left")) + 1)
    return first, last


def _cut(curve: Curve, first: int, last: int) -> Curve:
    keys = slice(first, last)
    return Curve(
        curve.times[keys],
        curve.values[keys],
        curve.ins[keys],
        curve.outs[keys],
        curve.interpolations[keys],
        curve.tied[keys],
    )
