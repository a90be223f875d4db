"""Squared torque: a motion that costs a body less effort ([OM] Eq. 5)."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools
from inbetweener.dynamics import EARTH, WEIGHTLESS, Body, InverseDynamics
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.rig import DOFS, Rig
from inbetweener.rig.characters import floating

NEWTON_METRES = (1.0, "N·m")


@dataclass(frozen=True, slots=True, eq=False)
class Torque:
    """The torques about the Euler axes of all joints that channels turn and that free channels can load.

    A root has no actuator and does not count; with `floating` off it is held by the world, and counts too. Weightless
    by default, as OptiMo's own code is: what it takes to move, not to hold up. With gravity, what holds a pose up
    outweighs the rest in most motions, and hardly changes between the keys.
    """

    body: Body
    gravity: npt.ArrayLike = WEIGHTLESS
    floating: bool = True
    name: str = "torque"
    _plans: dict[tuple[str, ...], InverseDynamics] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rig: Rig, *, gravity: npt.ArrayLike = WEIGHTLESS, floating: bool = True) -> Self:
        """With boxes of water for a body."""
        return cls(Body.of(rig), gravity, floating)

    @property
    def counted(self) -> str:
        """What is counted, in words: the same motion may cost much less by one convention and no less by another."""
        weight = "with gravity" if np.any(self.gravity) else "without gravity"
        return f"{weight}, root {'free' if self.floating else 'held'}, weighed by {self.body.source}"

    @property
    def otherwise(self) -> Self:
        """The same term with gravity where this one has none, and without where it has some."""
        return type(self)(self.body, WEIGHTLESS if np.any(self.gravity) else EARTH, self.floating, self.name)

    def residuals(self, moments: Moments) -> Residuals:
        """One for each axis, in newton metres, weighed against what the motion had at the start."""
        dynamics = self.planned(moments)
        labels = tuple(dof.rpartition(".")[0] for dof in dynamics.dofs)
        if not moments.differentiable:
            return Residuals(dynamics.forces(moments.movement), unit=None, labels=labels, reading=NEWTON_METRES)
        forces, by = dynamics.differentiate(moments.movement)
        return Residuals(forces, together=by, unit=None, labels=labels, reading=NEWTON_METRES)

    def planned(self, moments: Moments) -> InverseDynamics:
        """Which torques count, and their derivatives by the free channels; found once for these."""
        if (known := self._plans.get(moments.names)) is not None:
            return known
        rig, starts = self.body.rig, self.body.rig.carrying_map.starts
        self.body.require_mass(dict.fromkeys(rig.joints[dof // 9].name for dof in moments.wiring.driven))
        free = floating(rig)
        moved = np.unique(moments.wiring.driven // 9)
        hanging = self.body.hanging
        loaded: Bools = np.logical_or(hanging[:, moved].any(axis=1), hanging[moved].any(axis=0))
        turning = [
            f"{joint.name}.{DOFS[d]}"
            for j, joint in enumerate(rig.joints)
            for d in (3, 4, 5)
            if loaded[j]
            and self.body.carried[j] > 0
            and starts[9 * j + d] < starts[9 * j + d + 1]
            and not (self.floating and free[j])
        ]
        made = InverseDynamics.of(self.body, dofs=turning, channels=moments.names, gravity=self.gravity)
        self._plans[moments.names] = made
        return made
