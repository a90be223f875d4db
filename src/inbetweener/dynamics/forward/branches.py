"""Which joints a simulation must sweep: those that are loose or hang on what is, and weigh something."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Ints, frozen
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.forward.sweep_kernels import Plan


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """All other joints move as prescribed; only those on which branches hang, the stems, are worth knowing.

    stems   (P,) joints from the world, −1, out to where branches begin, parents first
    joints  (K,) joints of the branches, parents first
    above   (K,) where the parent of each is, among the stems and, after these, the joints
    numbers (K, 6) which loose degree of freedom each shift and turn is, turns outermost first; −1 where none
    """

    stems: Ints
    joints: Ints
    above: Ints
    numbers: Ints

    @classmethod
    def of(cls, body: Body, dofs: Sequence[int], owners: Sequence[int]) -> Self:
        """From the loose degrees of freedom, and the last of them at or above each joint."""
        loose = {dof: number for number, dof in enumerate(dofs)}
        moving = {dof // 9 for dof in dofs}
        joints, stems = [], {-1}
        for j, joint in enumerate(body.rig.joints):
            # Nothing that weighs nothing, all below it included, is felt by what it hangs on.
            if owners[j] >= 0 and (body.carried[j] > 0 or moving.intersection(np.flatnonzero(body.hanging[j]))):
                joints.append(j)
                above = joint.parent
                while above not in stems and owners[above] < 0:
                    stems.add(above)
                    above = body.rig.joints[above].parent
        ordered = sorted(stems)
        where = {j: place for place, j in enumerate([*ordered, *joints])}
        orders = body.rig.skeleton.orders
        rows = [[9 * j, 9 * j + 1, 9 * j + 2, *(9 * j + 3 + int(axis) for axis in orders[j])] for j in joints]
        return cls(
            frozen(ordered, np.int64),
            frozen(joints, np.int64),
            frozen([where[body.rig.joints[j].parent] for j in joints], np.int64),
            frozen(np.reshape([[loose.get(dof, -1) for dof in row] for row in rows], (-1, 6)), np.int64),
        )

    @property
    def plan(self) -> Plan:
        """What kernels read."""
        return Plan(self.joints, self.above, self.numbers)
