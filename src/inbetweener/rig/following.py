"""Joints that follow others: a share of one joint's twist is added to an angle of another, as in twist bones."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, stacked_offsets
from inbetweener.maths import euler, quaternions
from inbetweener.rig.dof_map import DofMap, Followed, LinearMap
from inbetweener.rig.joint import Joint
from inbetweener.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class Follower:
    """A joint that follows, by numbers: which angle of which joint follows what twist of which other."""

    joint: int
    row: int
    source: int
    order: str
    axis: Floats
    share: float

    @classmethod
    def all_of(cls, joints: Sequence[Joint]) -> list["Follower"]:
        """Those of a rig's joints that follow."""
        index = {joint.name: j for j, joint in enumerate(joints)}
        return [
            cls(
                j,
                9 * j + 3 + "xyz".index(joint.follows.about),
                index[joint.follows.joint],
                joints[index[joint.follows.joint]].order,
                frozen(joint.follows.axis),
                joint.follows.share,
            )
            for j, joint in enumerate(joints)
            if joint.follows is not None
        ]

    def twist(self, dofs: Floats) -> tuple[Floats, Floats]:
        """What is followed, in radians (T,) within half a turn, and how it moves with the three angles (T, 3)."""
        angles = dofs[:, 9 * self.source + 3 : 9 * self.source + 6]
        axes = euler.axes(self.order)
        halves = [0.5 * angles[:, axis] for axis in axes]
        turns = [_about(axis, np.cos(half), np.sin(half)) for axis, half in zip(axes, halves, strict=True)]
        slopes = [
            _about(axis, -0.5 * np.sin(half), 0.5 * np.cos(half)) for axis, half in zip(axes, halves, strict=True)
        ]
        cosine, sine = self._part(turns)
        size = np.maximum(cosine**2 + sine**2, 1e-12)
        moved = np.empty((len(dofs), 3))
        for n, axis in enumerate(axes):
            by_cosine, by_sine = self._part([*turns[:n], slopes[n], *turns[n + 1 :]])
            moved[:, axis] = 2.0 * (cosine * by_sine - sine * by_cosine) / size
        angle = 2.0 * np.arctan2(sine, cosine)
        return angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)), moved

    def _part(self, turns: Sequence[Floats]) -> tuple[Floats, Floats]:
        """What of a product of quaternions is about the axis: cosine and sine of half of it, times the same number."""
        q = quaternions.product(quaternions.product(turns[0], turns[1]), turns[2])
        return q[:, 0], q[:, 1:] @ self.axis


def _about(axis: int, first: Floats, other: Floats) -> Floats:
    made = np.zeros((len(first), 4))
    made[:, 0], made[:, 1 + axis] = first, other
    return made


@dataclass(frozen=True, slots=True, eq=False)
class FollowingMap:
    """Another map, after which joints follow.

    `kept` (E,) says of each entry where it stands in the other map, and `by` (E,) of those that are new which angle it
    is that they come through: nought to two, times the follower's share.
    """

    base: DofMap
    followers: tuple[Follower, ...]
    starts: Ints
    channels: Ints
    _kept: Ints
    _new: tuple[Ints, ...]
    _through: tuple[Ints, ...]

    @classmethod
    def of(cls, base: DofMap, followers: Sequence[Follower]) -> Self:
        """The rows of angles that follow get the entries of the angles they follow."""
        rows = [list(range(base.starts[d], base.starts[d + 1])) for d in range(len(base.starts) - 1)]
        own = [len(row) for row in rows]
        through: list[Ints] = []
        for each in followers:
            angles = [9 * each.source + 3 + d for d in range(3)]
            found = [(d, e) for d, row in enumerate(angles) for e in range(base.starts[row], base.starts[row + 1])]
            rows[each.row] += [e for _, e in found]
            through.append(frozen([d for d, _ in found], np.int64))
        starts = stacked_offsets(map(len, rows))
        new = tuple(
            frozen(np.arange(starts[each.row] + own[each.row], starts[each.row + 1]), np.int64) for each in followers
        )
        kept = frozen([e for row in rows for e in row], np.int64)
        return cls(
            base, tuple(followers), frozen(starts, np.int64), frozen(base.channels[kept], np.int64), kept, new,
            tuple(through),
        )  # fmt: skip

    @property
    def channel_count(self) -> int:
        """How many channels there are."""
        return self.base.channel_count

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        dofs = self.base.dofs(channels)
        for each in self.followers:
            dofs[:, each.row] += each.share * each.twist(dofs)[0]
        return dofs

    def weights(self, channels: Floats) -> Floats:
        """The derivative's entries (T, E) at channel values (T, C)."""
        return self.solved(channels)[1]

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Degrees of freedom (T, D) and the derivative's entries (T, E), both at once."""
        dofs, under = self.base.solved(channels, wanted)
        weights = np.tile(under[:, self._kept], (len(dofs) // len(under), 1))
        for each, new, through in zip(self.followers, self._new, self._through, strict=True):
            twist, moved = each.twist(dofs)
            dofs[:, each.row] += each.share * twist
            weights[:, new] *= each.share * moved[:, through]
        return dofs, weights

    def followed(self, channels: Floats, wanted: Bools | None = None) -> Followed:
        """What `solved` finds of channels that change in their place."""
        return Followed.by(lambda: self.solved(channels, wanted))

    def companions(self, joints: AbstractSet[int]) -> AbstractSet[int]:
        """What is followed, and what else the map under it needs."""
        followed = {each.source for each in self.followers if each.joint in joints}
        return followed | self.base.companions(joints | followed)

    def within(self, linear: LinearMap, skeleton: Skeleton, joints: Ints, channels: Ints) -> DofMap:
        """The followers that a part has."""
        base = self.base.within(linear, skeleton, joints, channels)
        place = {int(j): n for n, j in enumerate(joints)}
        kept = [
            Follower(
                place[each.joint],
                9 * place[each.joint] + each.row % 9,
                place[each.source],
                each.order,
                each.axis,
                each.share,
            )
            for each in self.followers
            if each.joint in place
        ]
        return FollowingMap.of(base, kept) if kept else base
