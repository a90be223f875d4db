"""The joint tree as frozen arrays, and its kinematics for many frames at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import euler, quaternions
from inbetweener.rig import kernels
from inbetweener.rig.joint import Joint

STRAIGHT = frozen(np.zeros((1, 0, 3, 4)))
"""What carries joints where no bone is bent: nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """parents (J,), rest rotations (J, 3, 3), Euler axes outermost first (J, 3), all in one record for kernels.

    Where bones are bent, `carriers` (T or 1, J, 3, 4) stand between each joint and its parent.
    """

    tree: kernels.Tree

    @classmethod
    def of(cls, joints: Sequence[Joint]) -> Self:
        """Flat arrays of the joints."""
        rotations = np.array([joint.rest.rotation for joint in joints]).reshape(-1, 4)
        return cls.made(
            np.array([joint.parent for joint in joints], np.int64),
            # Files give unit quaternions to seven digits; the kinematics wants all sixteen.
            quaternions.to_matrix(quaternions.normalised(rotations)),
            np.array([euler.axes(joint.order) for joint in joints]),
        )

    @classmethod
    def made(cls, parents: Ints, rest: Floats, orders: Ints) -> Self:
        """Of arrays, frozen."""
        return cls(
            kernels.Tree(
                frozen(parents, np.int64), frozen(rest.reshape(-1, 3, 3)), frozen(orders.reshape(-1, 3), np.int64)
            )
        )

    def __len__(self) -> int:
        return len(self.tree.parents)

    @property
    def parents(self) -> Ints:
        """(J,) where each joint's parent stands, −1 for roots."""
        return self.tree.parents

    @property
    def rest(self) -> Floats:
        """(J, 3, 3) rest rotations."""
        return self.tree.rest

    @property
    def orders(self) -> Ints:
        """(J, 3) Euler axes, outermost first."""
        return self.tree.orders

    def forward(self, dofs: Floats, carriers: Floats = STRAIGHT) -> tuple[Floats, Floats]:
        """world_from_joint (T, J, 3, 4) and orientations (T, J, 3, 3) for degrees of freedom (T, 9J)."""
        world = np.empty((len(dofs), len(self), 3, 4))
        orientation = np.empty((len(dofs), len(self), 3, 3))
        kernels.forward(self.tree, carriers, dofs, world, orientation)
        return world, orientation

    def world(self, dofs: Floats, carriers: Floats = STRAIGHT) -> Floats:
        """world_from_joint (T, J, 3, 4) alone, for degrees of freedom (T, 9J)."""
        world = np.empty((len(dofs), len(self), 3, 4))
        kernels.place(self.tree, carriers, dofs, world)
        return world
