"""Balance: the centre of mass above the points that bear it."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.motion import Constraint
from inbetweener.rig import Point
from inbetweener.rig.masses import MassModel

NEAR = 0.05
"""A centre of mass this share of the character's height beyond its support counts as one."""


class NothingBears(InbetweenerError):
    """No contact that could carry the body."""


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """How far the centre of mass is, seen from above, from the middle of the contacts that hold, beyond `reach` metres.

    While nothing touches the ground, nothing has to be balanced.
    """

    masses: MassModel
    contacts: tuple[Constraint, ...]
    reach: float = 0.05
    name: str = "balance"

    def __post_init__(self) -> None:
        if not self.contacts:
            raise NothingBears("balance needs contacts that bear the body; name at least one")
        if self.masses.total <= 0.0:
            raise NothingBears("balance needs masses, and this body has none; give a mass to some joint")

    def residuals(self, moments: Moments) -> Residuals:
        """Two: along x and along z."""
        model, unit = self.masses, NEAR * moments.height
        points = [
            Point(joint.name, tuple(centre)) for joint, centre in zip(moments.rig.joints, model.centres, strict=True)
        ]
        heavy = np.flatnonzero(model.masses > 0)
        shares = model.masses[heavy] / model.total
        centre = np.einsum("j,tjr->tr", shares, moments.posed.positions([points[j] for j in heavy]))[:, [0, 2]]
        moves = moments.jacobians([points[j] for j in heavy])[:, :, [0, 2]]
        centre_by = np.einsum("j,tjrc->trc", shares, moves)
        middle, middle_by, bears = self._support(moments)
        off, off_by = centre - middle, centre_by - middle_by
        distance = np.linalg.norm(off, axis=1)
        beyond = np.where(bears, np.maximum(distance - self.reach, 0.0), 0.0)
        # Shortened by its reach, the way keeps its direction: smooth wherever it is longer than nought.
        safe = np.maximum(distance, 1e-12)
        along = off / safe[:, None]
        share = beyond / safe
        rises = np.where(beyond > 0, self.reach / safe, 0.0)
        turn = share[:, None, None] * np.eye(2) + rises[:, None, None] * along[:, :, None] * along[:, None, :]
        return Residuals(
            share[:, None] * off / unit,
            by_value=turn @ off_by / unit,
            labels=("balance", "balance"),
            always=True,
            reading=(unit, "m"),
        )

    def _support(self, moments: Moments) -> tuple[Floats, Floats, np.ndarray]:
        """The middle (T, 2) of the points that bear, its derivatives (T, 2, C), and whether any does (T,)."""
        middle, by = np.zeros((len(moments.times), 2)), np.zeros((len(moments.times), 2, len(moments.names)))
        count = np.zeros(len(moments.times))
        for contact in self.contacts:
            holds = (moments.times >= contact.start) & (moments.times <= contact.end)
            count += holds
            middle += holds[:, None] * moments.posed.states(contact.point)[0][:, [0, 2]]
            by += holds[:, None, None] * moments.jacobian(contact.point)[:, [0, 2]]
        shared = np.maximum(count, 1.0)
        return middle / shared[:, None], by / shared[:, None, None], count > 0
