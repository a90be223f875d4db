"""Bells: how a correction comes and goes around the time of its target.

A bell and its wiggle are curves on the same keys with tangents a third of a segment long, so cubic in time: sums and
multiples of them are such curves again, exactly, and can be kept in a layer and edited there ([IKD] §6.2).
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, Bundle, Curve
from inbetweener.kinodynamics.spring import InvalidLooseness

Shape = Literal["gaussian", "polynomial"]

HALF = 4
"""Keys on either side of a bell's middle."""

SOON = 0.06
"""Seconds, of one standard deviation, after which a wiggle has come back at the latest: it would swing out as far to
the other side as it did before its target, and take a hand that was stopped with it."""

LET_GO = 0.1
"""Seconds after which a bell is over at the latest where something was stopped: what comes after a target does not help
it, and keys that stay led away would draw along what they stopped."""

AHEAD = 8
"""Frames before a stretch over which what arrives there may be slowed down."""

REACH = 3.0
"""Widths, of one standard deviation, after which a Gaussian bell has come to nothing."""


@dataclass(frozen=True, slots=True)
class Bell:
    """Rises over `before` seconds to 1 at the target's time and falls back over `after` seconds.

    `drawn` is a user's own shape: heights (t, y) from t = −1, where it starts, over (0, 1) to t = 1, where it ends.
    """

    before: float = 0.5
    after: float = 0.5
    shape: Shape = "gaussian"
    drawn: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        for name, width in (("before", self.before), ("after", self.after)):
            if not 0 < width < 1e4:
                raise InvalidLooseness(f"a bell's width {name} its target, {width:g} s, must be positive")
        if self.drawn:
            times, heights = np.array(self.drawn).T
            middle = np.interp(0.0, times, heights)
            if not (times[0] == -1 and times[-1] == 1 and (np.diff(times) > 0).all() and middle == 1.0):
                raise InvalidLooseness("a drawn bell must run from −1 to 1 and be 1 at 0")
            if heights[0] != 0 or heights[-1] != 0:
                raise InvalidLooseness("a drawn bell must start and end at 0")

    def run(self, scale: float) -> "Bell":
        """The bell in a clip that runs `scale` times as long; below nought backward."""
        sides = abs(scale) * self.before, abs(scale) * self.after
        if scale > 0.0:
            return replace(self, before=sides[0], after=sides[1])
        return replace(self, before=sides[1], after=sides[0], drawn=tuple((-t, y) for t, y in self.drawn[::-1]))

    def let_go(self) -> "Bell":
        """The bell of what stops: over at once, unless somebody has drawn it."""
        return self if self.drawn else replace(self, after=min(self.after, LET_GO))

    def curves(self, time: float) -> tuple[Curve, Curve]:
        """The bell φ around a time, and the wiggle ψ that changes its slope there and not its value ([IKD] Eq. 8)."""
        places = self._places()
        seconds = np.where(places < 0, places * self.before, places * self.after)
        heights, slopes = self._heights(places)
        # Per second; both sides are flat at the middle, so the joint of two widths stays smooth.
        rates = slopes / np.where(places < 0, self.before, self.after)
        bell = cubic(time + seconds, heights, rates)
        reach = np.where(seconds < 0, self.before / REACH, self._return)
        x = seconds / reach
        # t e^(−t²/2): one a second steep at the middle, and zero with its value there.
        wave = np.exp(-0.5 * x * x)
        wiggle = cubic(time + seconds, reach * _ended(x * wave), _ended((1 - x * x) * wave))
        return bell, wiggle

    def stretch(self, time: float, until: float, count: int) -> list[Curve]:
        """The bell of what holds until later, 1 all the while; its wiggle; and B-splines on `count` even parts of the
        stretch, as far as they have room, with which a correction can be any smooth curve there. All on the same keys.
        """
        (rise, wiggle), (fall, _) = self.curves(time), self.curves(until)
        part = (until - time) / count
        even = np.arange(-AHEAD, count + 5)
        even = even[(even * part >= -self.before - 1e-9) & ((even - count) * part <= self.after + 1e-9)]
        middles = even[2:-2]
        keys = np.r_[rise.times[rise.times < time], time + part * even, fall.times[fall.times > until]]
        keys = np.unique(keys.round(9))
        keys = keys[np.r_[True, np.diff(keys) > 1e-6]]
        read = Bundle.of([rise, wiggle, fall]).evaluate_motion(keys)[:, :, :2]
        bell = np.where((keys < time)[:, None], read[:, 0], np.where((keys > until)[:, None], read[:, 2], [1.0, 0.0]))
        curves = [cubic(keys, _ended(rows[:, 0]), _ended(rows[:, 1])) for rows in (bell, read[:, 1])]
        for middle in middles:
            x = (keys - time) / part - middle
            far, near = np.maximum(2 - np.abs(x), 0.0), np.maximum(1 - np.abs(x), 0.0)
            rates = -np.sign(x) * (far**2 / 2 - 2 * near**2) / part
            curves.append(cubic(keys, far**3 / 6 - 2 * near**3 / 3, rates))
        return curves

    @property
    def _return(self) -> float:
        """Seconds, of one standard deviation, in which a wiggle is over: what comes after a target does not help it."""
        return min(self.before / REACH, self.after / REACH, SOON)

    def _places(self) -> Floats:
        if self.drawn:
            return np.array([t for t, _ in self.drawn])
        even, soon = np.linspace(-1.0, 1.0, 2 * HALF + 1), self._return * np.arange(1.0, REACH + 0.5) / self.after
        return even if self._return == self.after / REACH else np.unique(np.r_[even, soon].round(9))

    def _heights(self, places: Floats) -> tuple[Floats, Floats]:
        if self.drawn:
            from scipy.interpolate import PchipInterpolator

            curve = PchipInterpolator(places, [y for _, y in self.drawn])
            return _ended(curve(places)), _ended(curve.derivative()(places))
        if self.shape == "polynomial":
            inner = 1 - places**2
            return _ended(inner**2), _ended(-4 * places * inner)
        x = REACH * places
        height = np.exp(-0.5 * x * x)
        return _ended(height), _ended(-REACH * x * height)


def _ended(values: Floats) -> Floats:
    """The same with nothing at both ends."""
    values = np.array(values)
    values[0] = values[-1] = 0.0
    return values


def cubic(times: Floats, values: Floats, rates: Floats) -> Curve:
    """The curve through values (n,) with slopes (n,) per second, cubic in time between them."""
    thirds = np.diff(times) / 3
    ins, outs = np.r_[thirds[:1], thirds], np.r_[thirds, thirds[-1:]]
    count = len(times)
    return Curve(
        times,
        values,
        np.stack([ins, rates * ins], axis=1),
        np.stack([outs, rates * outs], axis=1),
        np.full(count, BEZIER, np.uint8),
        np.ones(count, np.bool_),
    )
