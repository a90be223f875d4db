"""Balance: the centre of mass above the points that bear it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.errors import InbetweenerError
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.motion import Constraint
from inbetweener.rig import Character, Place, Point, Rig, characters
from inbetweener.rig.masses import MassModel

NEAR = 0.05
"""A centre of mass this share of the character's height beyond its support counts as one."""


class NothingBears(InbetweenerError):
    """No contact that could carry the body."""


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """How far the centre of mass is, seen from above, from the middle of the contacts that hold, beyond `reach` metres.

    While nothing touches the ground, nothing has to be balanced. Of several characters each is balanced by itself, and
    one that is off the ground while it is attached to another one, which `carries` tell, weighs on that.
    """

    masses: MassModel
    contacts: tuple[Constraint, ...]
    reach: float = 0.05
    carries: tuple[Constraint, ...] = ()
    name: str = "balance"

    def __post_init__(self) -> None:
        if not self.contacts:
            raise NothingBears("balance needs contacts that bear the body; name at least one")
        if self.masses.total <= 0.0:
            raise NothingBears("balance needs masses, and this body has none; give a mass to some joint")

    def residuals(self, moments: Moments) -> Residuals:
        """Two for each character that anything bears: along x and along z."""
        several = characters(moments.rig)
        bearing = [self._standing(several, number, moments) for number in range(len(several))]
        parts = []
        for number in range(len(several)):
            own = [rule for rule in self.contacts if _of(moments.rig, rule.point, several) == number]
            if own:
                parts.append(self._balanced(moments, own, self._borne(several, number, bearing, moments)))
        values, by = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
        return Residuals(
            values,
            by_value=by,
            labels=("balance",) * values.shape[1],
            always=True,
            reading=(NEAR * moments.height, "m"),
        )

    def _standing(self, several: Sequence[Character], number: int, moments: Moments) -> Bools:
        """(T,) whether something bears a character."""
        found = np.zeros(len(moments.times), np.bool_)
        for rule in self.contacts:
            if _of(moments.rig, rule.point, several) == number:
                found |= (moments.times >= rule.start) & (moments.times <= rule.end)
        return found

    def _borne(self, several: Sequence[Character], number: int, bearing: Sequence[Bools], moments: Moments) -> Floats:
        """(T, J) kg that a character bears at each time: its own, and that of those it holds off the ground."""
        kilograms = np.zeros((len(moments.times), len(moments.rig.joints)))
        kilograms[:, several[number].joints] = self.masses.masses[list(several[number].joints)]
        for rule in self.carries:
            ends = {_of(moments.rig, rule.point, several), _of(moments.rig, Point(str(rule.base)), several)}
            for other in ends - {number} if number in ends else ():
                holds = (moments.times >= rule.start) & (moments.times <= rule.end) & ~bearing[other]
                joints = np.array(several[other].joints)
                kilograms[np.ix_(holds, joints)] = self.masses.masses[joints]
        return kilograms

    def _balanced(self, moments: Moments, contacts: Sequence[Constraint], kilograms: Floats) -> tuple[Floats, Floats]:
        """Residuals (T, 2) and their derivatives (T, 2, C) of what weighs (T, J) so above the contacts that bear it."""
        model, unit = self.masses, NEAR * moments.height
        points = [
            Point(joint.name, tuple(centre)) for joint, centre in zip(moments.rig.joints, model.centres, strict=True)
        ]
        heavy = np.flatnonzero(kilograms.any(axis=0))
        shares = kilograms[:, heavy] / np.maximum(kilograms.sum(axis=1, keepdims=True), 1e-300)
        centre = np.einsum("tj,tjr->tr", shares, moments.posed.positions([points[j] for j in heavy]))[:, [0, 2]]
        moves = moments.jacobians([points[j] for j in heavy])[:, :, [0, 2]]
        centre_by = np.einsum("tj,tjrc->trc", shares, moves)
        middle, middle_by, bears = _support(moments, contacts)
        off, off_by = centre - middle, centre_by - middle_by
        distance = np.linalg.norm(off, axis=1)
        beyond = np.where(bears, np.maximum(distance - self.reach, 0.0), 0.0)
        # Shortened by its reach, the way keeps its direction: smooth wherever it is longer than nought.
        safe = np.maximum(distance, 1e-12)
        along = off / safe[:, None]
        share = beyond / safe
        rises = np.where(beyond > 0, self.reach / safe, 0.0)
        turn = share[:, None, None] * np.eye(2) + rises[:, None, None] * along[:, :, None] * along[:, None, :]
        return share[:, None] * off / unit, turn @ off_by / unit


def _of(rig: Rig, place: Place, several: Sequence[Character]) -> int:
    """Which character a place is on."""
    joint = rig.joint_index(place.parts[0][0].joint)
    return next(number for number, each in enumerate(several) if joint in each.joints)


def _support(moments: Moments, contacts: Sequence[Constraint]) -> tuple[Floats, Floats, Bools]:
    """The middle (T, 2) of the points that bear, its derivatives (T, 2, C), and whether any does (T,)."""
    middle, by = np.zeros((len(moments.times), 2)), np.zeros((len(moments.times), 2, len(moments.names)))
    count = np.zeros(len(moments.times))
    for contact in contacts:
        holds = (moments.times >= contact.start) & (moments.times <= contact.end)
        count += holds
        middle += holds[:, None] * moments.posed.states(contact.point)[0][:, [0, 2]]
        by += holds[:, None, None] * moments.jacobian(contact.point)[:, [0, 2]]
    shared = np.maximum(count, 1.0)
    return middle / shared[:, None], by / shared[:, None, None], count > 0
