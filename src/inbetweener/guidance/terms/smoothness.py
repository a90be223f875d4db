"""Smoothness: no more acceleration, or jerk, of the free channels than there must be."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals


@dataclass(frozen=True, slots=True)
class Smoothness:
    """The squared jerk or acceleration of the free channels; translations count in heights of the character."""

    of: Literal["jerk", "acceleration"] = "jerk"

    @property
    def name(self) -> str:
        """Jerk or acceleration."""
        return self.of

    def residuals(self, moments: Moments) -> Residuals:
        """One for each free channel."""
        channels = [moments.rig.channel(name) for name in moments.names]
        worth = np.array([1.0 / moments.height if c.kind == "translation" else 1.0 for c in channels])
        values = moments.jerks if self.of == "jerk" else moments.accelerations
        by = np.broadcast_to(np.diag(worth), (len(values), len(worth), len(worth)))
        if self.of == "jerk":
            return Residuals(values * worth, by_jerk=by, unit=None, labels=moments.names, reading=(1.0, "rad/s³"))
        return Residuals(values * worth, by_acceleration=by, unit=None, labels=moments.names, reading=(1.0, "rad/s²"))
