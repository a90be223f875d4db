"""Line of action: any set of bones follows a stroke through the line that runs through all of them ([DB] §3.3)."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.maths import quaternions
from inbetweener.posing.sketch.bones import Bones, Samples
from inbetweener.posing.sketch.guide import Guide, PlaneCurve
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.posing.sketch.wish import Wishes


class NoLine(InbetweenerError, ValueError):
    """Bones through which no line can be laid."""


@dataclass(frozen=True, slots=True, eq=False)
class SupportLine:
    """The line through `centre` (2,) along the unit vector `along` (2,) in the view plane, from `low` to `high`."""

    centre: Floats
    along: Floats
    low: float
    high: float

    @classmethod
    def through(cls, points: Floats, weights: Floats) -> Self:
        """The line nearest to points (n, 2) in the least squares sense, between their projections."""
        centre = weights @ points / weights.sum()
        away = points - centre
        spread, axes = np.linalg.eigh((weights[:, None] * away).T @ away)
        if spread[1] <= 1e-18 * max(1.0, weights.sum()):
            raise NoLine("from here the bones are seen as a single point; turn the view or choose more bones")
        places = away @ axes[:, 1]
        return cls(centre, axes[:, 1], float(places.min()), float(places.max()))

    def from_nearer_end(self, point: Floats) -> "SupportLine":
        """The same line, in the direction that starts at the end nearer to a point (2,)."""
        low, high = (np.linalg.norm(point - self.centre - end * self.along) for end in (self.low, self.high))
        return self if low <= high else SupportLine(self.centre, -self.along, -self.high, -self.low)

    @property
    def heading(self) -> float:
        """Radians from +x."""
        return float(np.arctan2(self.along[1], self.along[0]))

    def places(self, points: Floats) -> tuple[Floats, Floats]:
        """How far along the line (n,) from its centre, and to its left (n,), points (n, 2) are."""
        away = points - self.centre
        return away @ self.along, away @ np.array([-self.along[1], self.along[0]])


class LineOfAction:
    """Bones, the line that supports them and the stroke that it becomes.

    The line is laid through the bones as they are in `support`: in the pose at hand, or at rest as in the paper.
    """

    def __init__(
        self,
        bones: Bones,
        chosen: list[int],
        stroke: PlaneCurve,
        view: ViewPlane,
        *,
        stretch: bool = False,
        support: Bones | None = None,
    ) -> None:
        self._view, self._stretch = view, stretch
        self._support = support or bones
        samples = self._support.samples({joint: bones.steps(joint) for joint in chosen})
        flat, _ = view.project(samples.positions)
        # Every centimetre of bone counts the same: fingers are many but short.
        counts = [rows.stop - rows.start for rows in samples.rows.values()]
        weights = np.repeat(np.array(list(samples.lengths.values())) / counts, counts)
        self.guide = Guide(stroke)
        self.line = SupportLine.through(flat, weights).from_nearer_end(stroke.positions([0.0])[0])
        self._root = float(self.line.places(flat[:1])[0][0])

    def wishes(self, samples: Samples) -> Wishes:
        """What the stroke wishes of the samples of the bones."""
        _, depth = self._view.project(samples.positions)
        held = self._support.samples({joint: rows.stop - rows.start - 1 for joint, rows in samples.rows.items()})
        along, aside = self.line.places(self._view.project(held.positions)[0])
        asked, headings = self.guide.at(self._arcs(along))
        asked = asked + aside[:, None] * np.stack([-np.sin(headings), np.cos(headings)], axis=1)
        angles = headings - self.line.heading - self._turned(held, samples)
        # Full turns by which the very first sample would spin on the spot are not meant.
        angles -= 2.0 * np.pi * np.round(angles[0] / (2.0 * np.pi))
        return Wishes(samples, angles, self._view.lift(asked, depth), asked, kept=not self._stretch)

    def _turned(self, before: Samples, after: Samples) -> Floats:
        """By how many radians (M,) samples are turned already about the way the view looks."""
        turns = after.frames[..., :3] @ np.swapaxes(before.frames[..., :3], -1, -2)
        rotation = quaternions.from_matrix(turns)
        return np.unwrap(2.0 * np.arctan2(rotation[:, 1:] @ self._view.backward, rotation[:, 0]))

    def _arcs(self, along: Floats) -> Floats:
        """Where on the stroke places (n,) along the line go: evenly, or at their own distance from the first bone."""
        scale = self.guide.length / (self.line.high - self.line.low)
        if self._stretch:
            return (along - self.line.low) * scale
        return (self._root - self.line.low) * scale + along - self._root
