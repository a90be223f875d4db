"""Follow-through: joints give way to what they carry, so that what hangs further out comes later, in every sweep."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics import WEIGHTLESS, Body, InverseDynamics, Movement, generalised_forces
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.terms.term import Residuals
from inbetweener.guidance.terms.torque import Torque
from inbetweener.motion import Motion

VISCOUS = 40.0
"""How viscous joints are: one alone with what hangs on it would slow down within a fortieth of the time between two
keys. From 30 on the tip of a tail comes late in every sweep; beyond 100 hardly anything gives way any more."""


@dataclass(frozen=True, slots=True, eq=False)
class FollowThrough:
    """How much faster or slower joints turn than a limp, viscous joint would, which gives way to its load: q̇ + D⁻¹ τ.

    Squared torque is the same of a motion and of its reverse, so that it cannot tell following from leading. Between
    two rests its terms in q̇ᵀ D⁻¹ M q̈ would cancel if D⁻¹ M were symmetric; with D in proportion to the inertia that
    each joint carries it is not, and what is left is less where outer joints come later.

    effort  the torques, without gravity: a tail that hung down would want to hang on
    tempo   seconds from one key to the next, which viscosity goes by: slow and fast motions lag by the same share
    """

    effort: Torque
    tempo: float
    name: str = "follow-through"
    _gives: dict[tuple[str, ...], Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, body: Body, motion: Motion) -> Self:
        """With the tempo of a motion's keys."""
        steps = [np.diff(curve.times) for curve in motion.clip.curves.values() if len(curve) > 1]
        return cls(Torque(body), float(np.concatenate([[], *steps]).mean()) if steps else 1.0)

    def residuals(self, moments: Moments) -> Residuals:
        """One for each axis, in radians a second, weighed against what the motion had at the start."""
        dynamics, movement = self.effort.planned(moments), moments.movement
        if (gives := self._gives.get(moments.names)) is None:
            gives = self._gives[moments.names] = self._giving(dynamics)
        rows = dynamics.plan.dofs
        labels, speeds = tuple(dof.rpartition(".")[0] for dof in dynamics.dofs), movement.velocities[:, rows]
        if not moments.differentiable:
            values = speeds + gives * dynamics.forces(movement)
            return Residuals(values, unit=None, labels=labels, reading=(1.0, "rad/s"))
        forces, by = dynamics.differentiate(movement)
        by_value, by_velocity, by_acceleration = (np.swapaxes(gives * by[:, :, n], 1, 2) for n in range(3))
        weights = movement.weights_by(dynamics.plan.channels)
        by_velocity += _turning(moments, weights[0], rows)
        if weights[1].any():
            by_value += _turning(moments, weights[1], rows)
        return Residuals(
            speeds + gives * forces, by_value, by_velocity, by_acceleration,
            unit=None, labels=labels, reading=(1.0, "rad/s"),
        )  # fmt: skip

    def _giving(self, dynamics: InverseDynamics) -> Floats:
        """(R,) how fast each joint gives way to a newton metre: 1 / D, nothing where nothing hangs on it."""
        body, dofs = self.effort.body, dynamics.plan.dofs
        every, count = np.arange(len(dofs)), 9 * len(body.rig.joints)
        pushed = np.zeros((len(dofs), count))
        pushed[every, dofs] = 1.0
        still = Movement(np.tile(body.rig.rest_dofs, (len(dofs), 1)), np.zeros_like(pushed), pushed, None)
        carried = generalised_forces(body, still, gravity=WEIGHTLESS).values[every, dofs]
        heavy = carried > 1e-9 * carried.max(initial=0.0)
        return np.where(heavy, self.tempo / VISCOUS / np.where(heavy, carried, 1.0), 0.0)


def _turning(moments: Moments, weights: Floats, rows: Ints) -> Floats:
    """(T or 1, R, C) how fast degrees of freedom turn with each free channel; nothing where none drives them."""
    wiring, shares = moments.wiring, moments.wiring.shares(weights)
    at = np.minimum(np.searchsorted(wiring.driven, rows), len(wiring.driven) - 1)
    return np.where((wiring.driven[at] == rows)[:, None], shares[:, at], 0.0)
