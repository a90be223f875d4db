"""The joint tree as frozen arrays, and its kinematics for many frames at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import euler, quaternions, transforms
from inbetweener.rig import kernels
from inbetweener.rig.joint import ROOT, Joint

if TYPE_CHECKING:
    from inbetweener.rig.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """The end of every joint's bone (J, 3) in the joint's own frame; the start is the joint's origin.

    A bone ends at the child with the longest chain behind it. At the end of a chain it reaches to the farthest named
    point of its joint, else half as far as the bone before, in the same direction.
    `attachments` (J,) is where along its parent's bone, 0 to 1, each joint hangs; 1 for roots.
    """

    ends: Floats
    attachments: Floats

    @classmethod
    def of(cls, rig: "Rig") -> Self:
        """The bones of a rig in its rest pose."""
        world = rig.rest_world()
        starts, ends = world[..., 3], world[..., 3].copy()
        reach, leads = np.zeros(len(world)), np.zeros(len(world), np.bool_)
        for joint in range(len(world) - 1, -1, -1):
            parent = rig.joints[joint].parent
            if parent != ROOT:
                length = reach[joint] + float(np.linalg.norm(starts[joint] - starts[parent]))
                if not leads[parent] or length > reach[parent]:
                    reach[parent], leads[parent], ends[parent] = length, True, starts[joint]
        for leaf in np.flatnonzero(~leads):
            ends[leaf] = _tip(rig, int(leaf), world)
        inward = transforms.inverse(world)
        local = np.einsum("jrc,jc->jr", inward[..., :3], ends) + inward[..., 3]
        return cls(frozen(local), frozen(_attachments(rig, starts, ends)))

    def along(self, joint: int, offset: Floats) -> float:
        """Where along a joint's bone, 0 to 1, an offset in its frame projects to."""
        length = float(self.ends[joint] @ self.ends[joint])
        return float(np.clip(self.ends[joint] @ offset / length, 0.0, 1.0)) if length > 0.0 else 1.0


def _tip(rig: "Rig", joint: int, world: Floats) -> Floats:
    name, parent = rig.joints[joint].name, rig.joints[joint].parent
    offsets = [np.asarray(point.offset) for point in rig.points if point.joint == name and any(point.offset)]
    if offsets:
        farthest = max(offsets, key=lambda offset: float(np.linalg.norm(offset)))
        return world[joint, :, :3] @ farthest + world[joint, :, 3]
    if parent == ROOT:
        return world[joint, :, 3]
    return world[joint, :, 3] + 0.5 * (world[joint, :, 3] - world[parent, :, 3])


def _attachments(rig: "Rig", starts: Floats, ends: Floats) -> Floats:
    found = np.ones(len(starts))
    for joint, each in enumerate(rig.joints):
        if each.parent != ROOT:
            bone = ends[each.parent] - starts[each.parent]
            length = float(bone @ bone)
            if length > 0.0:
                found[joint] = np.clip(float(bone @ (starts[joint] - starts[each.parent])) / length, 0.0, 1.0)
    return found


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
