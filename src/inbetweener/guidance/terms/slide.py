"""Slide: points that should stand still but wander, as a cost. Hard contacts are constraints, not terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.motion import Constraint, Motion

NEAR = 0.01
"""A slide of this share of the character's height counts as one."""


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """How far the points of contacts are from where they were when the contact began."""

    contacts: tuple[Constraint, ...]
    places: Floats
    name: str = "slide"

    @classmethod
    def of(cls, motion: Motion, contacts: Sequence[Constraint]) -> Self:
        """Hold the points where they are when each contact begins."""
        places = [motion.states([each.start], each.point)[0][0] for each in contacts]
        return cls(tuple(contacts), np.array(places).reshape(-1, 3))

    def residuals(self, moments: Moments) -> Residuals:
        """Three for each contact, nought while it does not hold."""
        unit = NEAR * moments.height
        values = np.zeros((len(moments.times), len(self.contacts), 3))
        by = np.zeros((*values.shape, len(moments.names)))
        for i, (contact, place) in enumerate(zip(self.contacts, self.places, strict=True)):
            holds = (moments.times >= contact.start) & (moments.times <= contact.end)
            values[:, i] = np.where(holds[:, None], moments.posed.states(contact.point)[0] - place, 0.0)
            by[:, i] = moments.jacobian(contact.point)[:, :3] * holds[:, None, None]
        rows = 3 * len(self.contacts)
        return Residuals(
            values.reshape(-1, rows) / unit,
            by_value=by.reshape(len(values), rows, -1) / unit,
            labels=tuple(str(each.point) for each in self.contacts for _ in range(3)),
            always=True,
            reading=(unit, "m"),
        )
