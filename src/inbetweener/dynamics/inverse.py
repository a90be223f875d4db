"""Inverse dynamics: the forces that a movement takes, and how they change with the channels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen, stacked_offsets
from inbetweener.dynamics import derivative_kernels, kernels
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.derivative_kernels import Pairs
from inbetweener.dynamics.loads import Loads, Wrench
from inbetweener.dynamics.movement import Movement
from inbetweener.errors import UnknownName
from inbetweener.rig import DOFS
from inbetweener.rig.characters import floating as unheld

EARTH = (0.0, -9.81, 0.0)
"""Gravity in m/s²."""

WEIGHTLESS = (0.0, 0.0, 0.0)

LINKS = DOFS[:6]
"""The degrees of freedom that carry forces."""

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
    kernels.forces(body.tree(frozen(gravity)), movement.record, outer.record, values, residual)
    return Forces(values, Wrench(movement.dofs[:, :3], residual[:, :3].copy(), residual[:, 3:].copy()))


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Which forces, on rows (R,) of links, six a joint, are differentiated by which channels (A,).

    pairs are those of both that can matter, found once, as kernels read them.
    """

    channels: Ints
    pairs: Pairs

    @classmethod
    def of(cls, body: Body, rows: Sequence[int], channels: Sequence[int]) -> Self:
        """The plan for these links and channels."""
        rig, mapping = body.rig, body.rig.carrying_map
        row_numbers = np.asarray(rows, np.int64)
        depth = _depths(body)
        driven: dict[int, list[tuple[int, int]]] = {c: [] for c in channels}
        for link in range(6 * len(rig.joints)):
            dof = 9 * (link // 6) + link % 6
            for entry in range(mapping.starts[dof], mapping.starts[dof + 1]):
                if (found := driven.get(int(mapping.channels[entry]))) is not None:
                    found.append((link, entry))
        pairs = [pair for c in channels for pair in driven[c]]
        below, above = [], []
        for link, _ in pairs:
            joint = link // 6
            same = row_numbers // 6 == joint
            deeper = depth[row_numbers] >= depth[link]
            below.append(np.flatnonzero(np.where(same, deeper, body.hanging[joint, row_numbers // 6])))
            above.append(np.flatnonzero(np.where(same, ~deeper, body.hanging[row_numbers // 6, joint])))
        made = Pairs(
            frozen(row_numbers, np.int64),
            frozen(stacked_offsets(len(driven[c]) for c in channels), np.int64),
            frozen([link for link, _ in pairs], np.int64),
            frozen([entry for _, entry in pairs], np.int64),
            *_stacked(below),
            *_stacked(above),
        )
        return cls(frozen(channels, np.int64), made)

    @property
    def rows(self) -> Ints:
        """(R,) the links whose forces are told."""
        return self.pairs.rows

    @property
    def dofs(self) -> Ints:
        """(R,) the rows as numbers among nine a joint."""
        return 9 * (self.rows // 6) + self.rows % 6


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
        rows = _driven_links(body, floating=floating) if dofs is None else _link_numbers(body, dofs)
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
        weights = movement.weights_by(plan.channels)
        derivative_kernels.differentiate(
            self.body.tree(self.gravity), movement.record, outer.record, plan.pairs, weights, given, forces, result
        )
        return forces, result


def _link_numbers(body: Body, dofs: Iterable[str]) -> list[int]:
    """Links of degrees of freedom written "joint.rx"."""
    numbers = []
    for name in dofs:
        joint, _, axis = name.rpartition(".")
        if axis not in LINKS:
            raise UnknownName("degree of freedom that carries a force", axis, LINKS)
        numbers.append(6 * body.rig.joint_index(joint) + LINKS.index(axis))
    return numbers


def _driven_links(body: Body, *, floating: bool) -> list[int]:
    """All links that some channel can move; without those of root joints when they float."""
    starts, free = body.rig.carrying_map.starts, unheld(body.rig)
    return [
        6 * j + d
        for j in range(len(body.rig.joints))
        for d in range(6)
        if starts[9 * j + d] < starts[9 * j + d + 1] and not (floating and free[j])
    ]


def _depths(body: Body) -> Ints:
    """(6J,) the place of each link in its joint: translations first, then turns, outermost first."""
    depths = np.tile(np.arange(6), len(body.rig.joints)).reshape(-1, 6)
    for j, order in enumerate(body.rig.skeleton.orders):
        depths[j, 3 + order] = (3, 4, 5)
    return depths.ravel()


def _stacked(lists: list[Ints]) -> tuple[Ints, Ints]:
    together = np.concatenate([np.empty(0, np.int64), *lists])
    return frozen(stacked_offsets(map(len, lists)), np.int64), frozen(together, np.int64)
