"""Style: as near as may be to a reference clip."""

from dataclasses import dataclass

import numpy as np

from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.motion import Motion

NEAR = 0.1
"""Radians, or heights of the character, that count as one."""


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The distance of the free channels' values, or of their velocities, from those of a reference motion.

    Velocities compare how a motion flows and leave aside where it goes; they count over `seconds`.
    """

    reference: Motion
    of_velocities: bool = False
    seconds: float = 0.2
    name: str = "style"

    def residuals(self, moments: Moments) -> Residuals:
        """One for each free channel that the reference has."""
        reference = self.reference.channel_motion(moments.times)
        columns = [self.reference.rig.channel_index(name) for name in moments.names]
        channels = [moments.rig.channel(name) for name in moments.names]
        worth = np.array([1.0 / moments.height if c.kind == "translation" else 1.0 for c in channels]) / NEAR
        if self.of_velocities:
            worth = worth * self.seconds
            values = (moments.velocities - reference[:, columns, 1]) * worth
        else:
            values = (moments.values - reference[:, columns, 0]) * worth
        by = np.broadcast_to(np.diag(worth), (*values.shape, len(worth)))
        if self.of_velocities:
            return Residuals(values, by_velocity=by, labels=moments.names, reading=(NEAR / self.seconds, "rad/s"))
        return Residuals(values, by_value=by, labels=moments.names, reading=(NEAR, "rad"))
