"""Obstacles: joints and points keep clear of solids."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.guidance.moments import Moments
from inbetweener.guidance.solids import distance, slopes
from inbetweener.guidance.terms.term import Residuals
from inbetweener.maths.solids import Solid
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Point

NEAR = 0.01
"""Coming this share of the character's height too near counts as one."""


@dataclass(frozen=True, slots=True)
class Obstacles:
    """How much nearer than `clearance` metres points come to solids that stand in the world."""

    solids: tuple[tuple[Solid, Transform], ...]
    points: tuple[Point, ...]
    clearance: float = 0.03
    name: str = "obstacles"

    def residuals(self, moments: Moments) -> Residuals:
        """One for each pair of point and solid."""
        unit = NEAR * moments.height
        places = moments.posed.positions(self.points)
        moves = moments.jacobians(list(self.points))[:, :, :3]
        values, by = [], []
        for solid, transform in self.solids:
            near = np.maximum(self.clearance - distance(solid, transform, places), 0.0)
            slope = slopes(solid, transform, places)
            values.append(near / unit)
            towards = np.einsum("tpr,tprc->tpc", slope, moves) / unit
            by.append(np.where(near[..., None] > 0, -towards, 0.0))
        labels: Sequence[str] = [str(point) for _ in self.solids for point in self.points]
        return Residuals(
            np.concatenate(values, axis=1),
            by_value=np.concatenate(by, axis=1),
            labels=tuple(labels),
            always=True,
            reading=(unit, "m"),
        )
