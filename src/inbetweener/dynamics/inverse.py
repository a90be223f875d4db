"""Inverse dynamics: the forces that a movement takes, and how they change with the channels."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.dynamics import kernels
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.derivatives import kernels as derivative_kernels
from inbetweener.dynamics.derivatives.plan import LINKS, Plan, driven_links, link_numbers
from inbetweener.dynamics.loads import Loads, Wrench
from inbetweener.dynamics.movement import Movement

EARTH = (0.0, -9.81, 0.0)
"""Gravity in m/s²."""

WEIGHTLESS = (0.0, 0.0, 0.0)

_NO_SLOPES = frozen(np.empty((0, 0, 3, 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Forces:
    """Generalised forces (T, 9J) of all degrees of freedom, newtons and newton metres; and the residual.

    A joint's force is what an actuator there must do, Euler axis by Euler axis. Those of the root, taken together, are
    the residual: what the world must exert on the whole, since nothing else holds a body up.
    """

    values: Floats
    residual: Wrench


def generalised_forces(
    body: Body, movement: Movement, *, gravity: npt.ArrayLike = EARTH, loads: Loads | None = None
) -> Forces:
    """What a movement takes at every degree of freedom, after outer forces have done their part."""
    outer = loads or Loads.none(len(movement))
    values, residual = np.empty_like(movement.dofs), np.empty((len(movement), 6))
    kernels.forces(
        body.tree(frozen(gravity)), movement.dofs, movement.velocities, movement.accelerations,
        outer.joints, outer.offsets, outer.forces, values, residual,
    )  # fmt: skip
    return Forces(values, Wrench(movement.dofs[:, :3], residual[:, :3].copy(), residual[:, 3:].copy()))


@dataclass(frozen=True, slots=True, eq=False)
class InverseDynamics:
    """Chosen forces of a body, R of them, and their derivatives by A chosen channels; made once for many movements."""

    body: Body
    plan: Plan
    gravity: Floats

    @classmethod
    def of(
        cls,
        body: Body,
        *,
        dofs: Iterable[str] | None = None,
        channels: Iterable[str] | None = None,
        gravity: npt.ArrayLike = EARTH,
        floating: bool = True,
    ) -> Self:
        """Forces on `dofs`, written "joint.rx": all that channels move by default, but for those of a floating root.

        A root that floats has no actuator: contacts must carry its residual. One that is held, by a hand or a wall,
        has forces as any joint. `channels` are by default all.
        """
        rig = body.rig
        rows = driven_links(body, floating=floating) if dofs is None else link_numbers(body, dofs)
        columns = range(len(rig.channels)) if channels is None else [rig.channel_index(name) for name in channels]
        return cls(body, Plan.of(body, rows, list(columns)), frozen(gravity))

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, in the order of every (…, R) array."""
        joints = self.body.rig.joints
        return tuple(f"{joints[link // 6].name}.{LINKS[link % 6]}" for link in self.plan.rows)

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels, in the order of every (T, A, …) array."""
        return tuple(self.body.rig.channels[c].name for c in self.plan.channels)

    def forces(self, movement: Movement, loads: Loads | None = None) -> Floats:
        """The forces (T, R)."""
        whole = generalised_forces(self.body, movement, gravity=self.gravity, loads=loads)
        return np.ascontiguousarray(whole.values[:, self.plan.dofs])

    def differentiate(
        self,
        movement: Movement,
        slopes: npt.ArrayLike | None = None,
        *,
        loads: Loads | None = None,
        out: Floats | None = None,
    ) -> tuple[Floats, Floats]:
        """The forces (T, R), and their derivatives by each channel's value, velocity and acceleration (T, A, 3, R).

        With slopes (T, A, 3, K), how these three follow K parameters of each channel, the derivatives are by those
        parameters, (T, A, K, R): Bundle.differentiate gives the slopes for the four components of the tangents at
        hand. `out` is memory of that shape for the derivatives, for those who ask often.
        """
        outer, plan = loads or Loads.none(len(movement)), self.plan
        given = _NO_SLOPES if slopes is None else np.ascontiguousarray(slopes, np.float64)
        expected = (len(movement), len(plan.channels), 3)
        if slopes is not None and (given.ndim != 4 or given.shape[:3] != expected):
            raise ValueError(f"slopes of shape {given.shape} given, expected {(*expected, 'K')}")
        shape = (*expected[:2], 3 if slopes is None else given.shape[3], len(plan.rows))
        result = np.empty(shape) if out is None else out
        if result.shape != shape:
            raise ValueError(f"memory of shape {result.shape} given, expected {shape}")
        forces = np.empty((len(movement), len(plan.rows)))
        derivative_kernels.differentiate(
            self.body.tree(self.gravity), movement.dofs, movement.velocities, movement.accelerations,
            outer.joints, outer.offsets, outer.forces, movement.weights_by(plan.channels),
            plan.rows, plan.starts, plan.links, plan.entries,
            plan.below_starts, plan.below, plan.above_starts, plan.above, given, forces, result,
        )  # fmt: skip
        return forces, result
