"""Bells: how a correction comes and goes around the time of its target.

A bell and its wiggle are curves on the same keys with tangents a third of a segment long, so cubic in time: sums and
multiples of them are such curves again, exactly, and can be kept in a layer and edited there ([IKD] §6.2).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, Curve
from inbetweener.kinodynamics.spring import InvalidLooseness

Shape = Literal["gaussian", "polynomial"]

HALF = 4
"""Keys on either side of a bell's middle."""

SOON = 0.06
"""Seconds, of one standard deviation, after which a wiggle has come back at the latest: it would swing out as far to
the other side as it did before its target, and take a hand that was stopped with it."""

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

    def curves(self, time: float) -> tuple[Curve, Curve]:
        """The bell φ around a time, and the wiggle ψ that changes its slope there and not its value ([IKD] Eq. 8)."""
        places = self._places()
        seconds = np.where(places < 0, places * self.before, places * self.after)
        heights, slopes = self._heights(places)
        # Per second; both sides are flat at the middle, so the joint of two widths stays smooth.
        rates = slopes / np.where(places < 0, self.before, self.after)
        bell = cubic(time + seconds, heights, rates)
        reach = np.where(seconds < 0, min(self.before, self.after) / REACH, self._return)
        x = seconds / reach
        # t e^(−t²/2): one a second steep at the middle, and zero with its value there.
        wave = np.exp(-0.5 * x * x)
        wiggle = cubic(time + seconds, reach * _ended(x * wave), _ended((1 - x * x) * wave))
        return bell, wiggle

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
