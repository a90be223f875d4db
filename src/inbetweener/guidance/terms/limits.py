"""Joint limits as a cost: keeping a distance from them, where staying inside is granted anyway."""

from dataclasses import dataclass

import numpy as np

from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the free channels come nearer to a limit than `margin`, as a share of their range."""

    margin: float = 0.1
    name: str = "limits"

    def residuals(self, moments: Moments) -> Residuals:
        """One for each free channel; a margin deep is one."""
        channels = [moments.rig.channel(name) for name in moments.names]
        low, high = np.array([c.lower for c in channels]), np.array([c.upper for c in channels])
        room = high - low
        # A channel with one limit only keeps its distance in radians, or metres.
        margin = self.margin * np.where(np.isfinite(room), room, 1.0)
        margin = np.maximum(margin, 1e-9)
        over = np.maximum(moments.values - (high - margin), 0.0) / margin
        under = np.maximum((low + margin) - moments.values, 0.0) / margin
        slopes = ((over > 0) * 1.0 - (under > 0) * 1.0) / margin
        by = slopes[:, :, None] * np.eye(len(channels))
        return Residuals(
            over + under, by_value=by, labels=moments.names, always=True, reading=(100.0, "% of the margin")
        )
