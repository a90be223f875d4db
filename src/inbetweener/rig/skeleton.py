"""The joint tree as frozen arrays, and its kinematics for many frames at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import euler, quaternions
from inbetweener.rig import kernels
from inbetweener.rig.dof_map import DofMap
from inbetweener.rig.joint import Joint


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """parents (J,), rest rotations (J, 3, 3), Euler axes outermost first (J, 3)."""

    parents: Ints
    rest: Floats
    orders: Ints

    @classmethod
    def of(cls, joints: Sequence[Joint]) -> Self:
        """Flat arrays of the joints."""
        rotations = np.array([joint.rest.rotation for joint in joints]).reshape(-1, 4)
        return cls(
            frozen([joint.parent for joint in joints], np.int64),
            # Files give unit quaternions to seven digits; the kinematics wants all sixteen.
            frozen(quaternions.to_matrix(quaternions.normalised(rotations))),
            frozen(np.array([euler.axes(joint.order) for joint in joints]).reshape(-1, 3), np.int64),
        )

    def __len__(self) -> int:
        return len(self.parents)

    def forward(self, dofs: Floats) -> tuple[Floats, Floats]:
        """world_from_joint (T, J, 3, 4) and orientations (T, J, 3, 3) for degrees of freedom (T, 9J)."""
        world = np.empty((len(dofs), len(self), 3, 4))
        orientation = np.empty((len(dofs), len(self), 3, 3))
        kernels.forward(self.parents, self.rest, self.orders, dofs, world, orientation)
        return world, orientation

    def world(self, dofs: Floats) -> Floats:
        """world_from_joint (T, J, 3, 4) alone, for degrees of freedom (T, 9J)."""
        world = np.empty((len(dofs), len(self), 3, 4))
        kernels.place(self.parents, self.rest, self.orders, dofs, world)
        return world

    def jacobians(self, dofs: Floats, mapping: DofMap, weights: Floats, joints: Ints, offsets: Floats) -> Floats:
        """(T, P, 6, C): derivative of position (3) and orientation (3) of P points by each channel.

        weights (T or 1, E) are the mapping's at the poses that the degrees of freedom (T, 9J) belong to.
        """
        world, orientation = self.forward(dofs)
        result = np.empty((len(dofs), len(joints), 6, mapping.channel_count))
        kernels.jacobians(
            self.parents, self.rest, self.orders, dofs, world, orientation,
            mapping.starts, mapping.channels, weights,
            np.ascontiguousarray(joints, np.int64), np.ascontiguousarray(offsets, np.float64), result,
        )  # fmt: skip
        return result
