"""The guide: a stroke in the direction of the bones, led in from where they hang and going on straight beyond."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats

_GENTLE = 3.0
"""A stroke that starts beside its bones is led in over so many times that distance, so that it never turns back."""
_CELLS = 256


class PlaneCurve(Protocol):
    """A curve in the view plane, by arc length in metres from its start."""

    @property
    def length(self) -> float:
        """From end to end."""
        ...

    @property
    def corners(self) -> Floats:
        """Where its heading jumps (C,)."""
        ...

    def positions(self, s: npt.ArrayLike) -> Floats:
        """Where it is (n, 2)."""
        ...

    def headings(self, s: npt.ArrayLike) -> Floats:
        """Which way it goes (n,): radians from +x, counter-clockwise, without jumps of full turns."""
        ...


class Guide:
    """A stroke as bones follow it, by arc length from where they start.

    `backwards` goes along it from its end. With `start` (2,), the guide begins there and joins the stroke within
    `reach` metres or a little later; without, it begins where the stroke does.
    """

    def __init__(
        self, curve: PlaneCurve, *, backwards: bool = False, start: Floats | None = None, reach: float = 0.0
    ) -> None:
        self.curve, self.backwards = curve, backwards
        self._offset = np.zeros(2) if start is None else start - self.drawn(np.zeros(1))[0][0]
        away = float(np.linalg.norm(self._offset))
        self._reach = min(curve.length, max(reach, _GENTLE * away)) if away > 1e-12 else 0.0
        cells = np.linspace(0.0, self._reach, _CELLS + 1)
        speed = self._led_in(cells)[2]
        self._places = cells
        self._arcs = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(cells))])

    @property
    def length(self) -> float:
        """From where the guide begins to the stroke's end."""
        return self.curve.length + float(self._arcs[-1]) - self._reach

    @property
    def corners(self) -> Floats:
        """Arc lengths (C,) along the stroke itself, in the direction of the guide, at which it has corners."""
        return self.curve.length - self.curve.corners if self.backwards else self.curve.corners

    def at(self, arcs: Floats) -> tuple[Floats, Floats]:
        """Positions (n, 2) and headings (n,) at arc lengths (n,)."""
        if not self._reach:
            return self.drawn(arcs)
        positions, headings, _ = self._led_in(self.place(arcs))
        return positions, headings

    def place(self, arcs: Floats) -> Floats:
        """The arc lengths along the stroke itself (n,) for those along the guide (n,)."""
        if not self._reach:
            return arcs
        beyond = arcs - self._arcs[-1]
        return np.where(beyond > 0.0, self._reach + beyond, np.interp(arcs, self._arcs, self._places))

    def drawn(self, places: Floats) -> tuple[Floats, Floats]:
        """Positions (n, 2) and headings (n,) of the stroke itself at arc lengths (n,), straight beyond both ends."""
        within = np.clip(places, 0.0, self.curve.length)
        along = self.curve.length - within if self.backwards else within
        headings = self.curve.headings(along) + (np.pi if self.backwards else 0.0)
        ahead = (places - within)[:, None] * np.stack([np.cos(headings), np.sin(headings)], axis=1)
        return self.curve.positions(along) + ahead, headings

    def _led_in(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """Positions, headings and speed (n,) at arc lengths (n,) of the stroke: its offset fades by a cubic step."""
        positions, headings = self.drawn(places)
        if not self._reach:
            return positions, headings, np.ones(len(places))
        t = np.clip(places / self._reach, 0.0, 1.0)
        left, fading = 1.0 - t * t * (3.0 - 2.0 * t), 6.0 * t * (t - 1.0) / self._reach
        # In the stroke's own frame, x ahead and y to the left; it never turns back, so the angle needs no unwrapping.
        ahead = 1.0 + fading * (np.cos(headings) * self._offset[0] + np.sin(headings) * self._offset[1])
        aside = fading * (np.cos(headings) * self._offset[1] - np.sin(headings) * self._offset[0])
        turned = headings + np.arctan2(aside, ahead)
        return positions + left[:, None] * self._offset, turned, np.hypot(ahead, aside)
