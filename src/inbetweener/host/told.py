"""Joints that are told where they are and how they move, rather than driven by angles.

No three angles describe every turn and its derivative: at a gimbal lock the latter is lost. So a told joint is two:
its *base* is placed by whatever angles make the turn, and says nothing of its derivative; the joint itself, its only
child, stays at nought, where the three angles are the three axes of its frame, and carries the derivative alone. The
kernels need not know. What differentiates twice, such as dynamics, would: told rigs are for drags and poses.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen, stacked_offsets
from inbetweener.maths import euler
from inbetweener.rig import Joint
from inbetweener.rig.dof_map import LinearMap

BASE = " (base)"
"""What the name of a told joint's base ends with."""


def pair(joint: Joint) -> tuple[Joint, Joint]:
    """A joint that is told where it is: its base with the same rest, and the joint itself, whose parent that must be.

    The second joint's parent is left to whoever numbers them.
    """
    scale = joint.rest.scale
    if scale != (1.0, 1.0, 1.0):
        raise ValueError(f"joint {joint.name!r}: a told joint cannot have a rest scale of {scale}")
    return Joint(joint.name + BASE, joint.parent, joint.rest, joint.order), Joint(joint.name)


@dataclass(frozen=True, slots=True, eq=False)
class Telling:
    """A linear map with entries for K told joints: joints (K,), each right behind its base, told by inputs (K, m).

    starts, channels and factors are those of the linear map with more entries: for every told joint `turning` (K, 3,
    m) says where the rates of its three angles stand, and `moving` (K or 0, 3, m) those of its base's three
    translations, where these are told too.
    """

    linear: LinearMap
    joints: Ints
    inputs: Ints
    starts: Ints
    channels: Ints
    factors: Floats
    turning: Ints
    moving: Ints

    @classmethod
    def of(cls, linear: LinearMap, joints: Sequence[int], inputs: Ints, places: bool) -> Self:
        """Make room for what is told: turns, and `places` too."""
        ends = zip(linear.starts, linear.starts[1:], strict=False)
        rows = [list(zip(linear.channels[a:b].tolist(), linear.factors[a:b].tolist(), strict=True)) for a, b in ends]
        own = [len(row) for row in rows]
        turning = np.array([[9 * j + d for d in (3, 4, 5)] for j in joints], np.int64).reshape(-1, 3)
        moving = np.array([[9 * (j - 1) + d for d in range(3)] for j in joints if places], np.int64).reshape(-1, 3)
        for dofs in (turning, moving):
            for triple, mine in zip(dofs, inputs, strict=False):
                for dof in triple:
                    rows[dof] += [(c, 0.0) for c in mine.tolist()]
        starts = np.array(stacked_offsets(map(len, rows)), np.int64)
        entries = [entry for row in rows for entry in row]
        room = np.arange(inputs.shape[1])
        first = starts[:-1] + np.array(own, np.int64)
        return cls(
            linear,
            frozen(joints, np.int64),
            frozen(inputs, np.int64),
            frozen(starts, np.int64),
            frozen([c for c, _ in entries], np.int64),
            frozen([f for _, f in entries]),
            frozen(first[turning][..., None] + room, np.int64),
            frozen(first[moving][..., None] + room, np.int64),
        )

    def place(self, dofs: Floats, turns: Floats, positions: Floats | None = None) -> None:
        """Write where told joints are into dofs (T, D): turns (T, K, 3, 3) and, where told, positions (T, K, 3)."""
        base = self.joints - 1
        view = dofs.reshape(len(dofs), -1, 9)
        view[:, base, 3:6] = euler.from_matrix(turns, "ZYX")
        if positions is not None:
            view[:, base, :3] = positions

    def put(self, weights: Floats, rates: Floats) -> None:
        """Write rates (T, K, 3 or 6, m) into weights (T, E): of turns about a joint's own axes; of places before."""
        weights[:, self.turning] = rates[:, :, -3:]
        if len(self.moving):
            weights[:, self.moving] = rates[:, :, :3]

    def kept(self, joints: Ints) -> Ints:
        """Which told joints are among some joints."""
        return np.flatnonzero(np.isin(self.joints, joints))


@dataclass(frozen=True, slots=True, eq=False)
class ToldMap:
    """What maps to degrees of freedom have in common that tell joints where they are."""

    telling: Telling

    @property
    def starts(self) -> Ints:
        """(D + 1,) where the entries of each degree of freedom start."""
        return self.telling.starts

    @property
    def channels(self) -> Ints:
        """(E,) the channel of each entry."""
        return self.telling.channels

    @property
    def channel_count(self) -> int:
        """How many channels there are."""
        return self.telling.linear.channel_count

    def companions(self, joints: AbstractSet[int]) -> AbstractSet[int]:
        """None besides those above: a told joint's base is one."""
        return frozenset()
