"""From channels to degrees of freedom in a rig with handles: the linear map first, then each handle in turn."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, stacked_offsets
from inbetweener.rig.dof_map import DofMap, Followed, LinearMap
from inbetweener.rig.handles import kernels
from inbetweener.rig.handles.bending_kernels import Chain
from inbetweener.rig.handles.carrying_kernels import Above, Rows
from inbetweener.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A handle by numbers: joints (n,) of its chain with hinges (n, 3) in their frames, the tip's joint and offset.

    channels (7,) are target, pole and blend; soft and back are shares of its reach.
    """

    joints: Ints
    hinges: Floats
    tip_joint: int
    offset: Floats
    channels: Ints
    soft: float
    back: float

    def within(self, joints: Ints, channels: Ints) -> "Limb":
        """The same in a part of the rig that keeps these joints and channels, in order."""
        return Limb(
            frozen(np.searchsorted(joints, self.joints), np.int64),
            self.hinges,
            int(np.searchsorted(joints, self.tip_joint)),
            self.offset,
            frozen(np.searchsorted(channels, self.channels), np.int64),
            self.soft,
            self.back,
        )

    @property
    def rows(self) -> list[int]:
        """The degrees of freedom that it sets: three angles a joint."""
        return [9 * int(j) + d for j in self.joints for d in (3, 4, 5)]


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """A limb ready for the kernel: what it depends on, and where that stands in the map.

    inputs (m,) are the channels that matter, by whose numbers the joints above and the rows of the map know them.
    """

    above: Above
    chain: Chain
    inputs: Ints
    rows: Rows


@dataclass(frozen=True, slots=True, eq=False)
class HandledMap:
    """A linear map whose chains are then turned by handles, those nearest to the root first."""

    linear: LinearMap
    skeleton: Skeleton
    limbs: tuple[Limb, ...]
    starts: Ints
    channels: Ints
    _factors: Floats
    _plans: tuple[_Plan, ...] = field(repr=False)

    @classmethod
    def of(cls, linear: LinearMap, skeleton: Skeleton, limbs: Sequence[Limb]) -> Self:
        """Find out what every handle depends on: its chain and tip, and all that carries its start."""
        limbs = tuple(sorted(limbs, key=lambda limb: int(limb.joints[0])))
        ends = zip(linear.starts, linear.starts[1:], strict=False)
        rows = [list(zip(linear.channels[a:b].tolist(), linear.factors[a:b].tolist(), strict=True)) for a, b in ends]
        for limb in limbs:
            inputs = sorted({*limb.channels.tolist(), *(c for d in _sources(limb, skeleton) for c, _ in rows[d])})
            for d in limb.rows:
                # An entry for every input, the linear ones with their factor: what a handle blends with.
                sums = dict.fromkeys(inputs, 0.0)
                for c, factor in rows[d]:
                    sums[c] += factor
                rows[d] = list(sums.items())
        entries = [entry for row in rows for entry in row]
        starts = frozen(stacked_offsets(map(len, rows)), np.int64)
        channels = frozen([c for c, _ in entries], np.int64)
        plans = tuple(_plan(limb, skeleton, starts, channels) for limb in limbs)
        return cls(linear, skeleton, limbs, starts, channels, frozen([f for _, f in entries]), plans)

    @property
    def channel_count(self) -> int:
        """How many channels there are."""
        return self.linear.channel_count

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        return self._filled(channels, np.empty((0, len(self.channels))), None)

    def weights(self, channels: Floats) -> Floats:
        """The derivative's entries (T, E) at channel values (T, C)."""
        return self.solved(channels)[1]

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Degrees of freedom (T, D) and the derivative's entries (T, E), both at once.

        With `wanted` (C,), what handles make of the other channels counts as nought: sooner found where few are free.
        """
        weights = np.tile(self._factors, (len(channels), 1))
        return self._filled(channels, weights, wanted), weights

    def followed(self, channels: Floats, wanted: Bools | None = None) -> Followed:
        """What `solved` finds of channels that change in their place."""
        return Followed.by(lambda: self.solved(channels, wanted))

    def companions(self, joints: AbstractSet[int]) -> AbstractSet[int]:
        """Whole chains: the upper arm depends on the forearm where a handle turns both."""
        chains = [{*limb.joints.tolist(), limb.tip_joint} for limb in self.limbs if joints & set(limb.joints.tolist())]
        return frozenset().union(*chains)

    def within(self, linear: LinearMap, skeleton: Skeleton, joints: Ints, channels: Ints) -> DofMap:
        """The handles whose chains a part has."""
        kept = set(joints.tolist())
        carried = [limb.within(joints, channels) for limb in self.limbs if kept >= set(limb.joints.tolist())]
        return HandledMap.of(linear, skeleton, carried) if carried else linear

    def _filled(self, channels: Floats, weights: Floats, wanted: Bools | None) -> Floats:
        all_wanted = np.ones(self.channel_count, np.bool_) if wanted is None else wanted
        dofs = self.linear.dofs(channels)
        values = np.ascontiguousarray(channels, np.float64)
        for plan in self._plans:
            rows = plan.rows._replace(wanted=all_wanted[plan.inputs])
            kernels.solve(plan.above, plan.chain, rows, values, dofs, weights)
        return dofs


def _path(limb: Limb, skeleton: Skeleton) -> list[int]:
    """The joints above a chain, from the root down."""
    path = []
    joint = int(skeleton.parents[limb.joints[0]])
    while joint >= 0:
        path.append(joint)
        joint = int(skeleton.parents[joint])
    return path[::-1]


def _sources(limb: Limb, skeleton: Skeleton) -> list[int]:
    """All degrees of freedom on which a chain's angles depend."""
    joints = sorted({*_path(limb, skeleton), *limb.joints.tolist(), limb.tip_joint})
    return [9 * j + d for j in joints for d in range(9)]


def _plan(limb: Limb, skeleton: Skeleton, starts: Ints, channels: Ints) -> _Plan:
    row = limb.rows[0]
    inputs = channels[starts[row] : starts[row + 1]]
    number = np.full(int(channels.max(initial=-1)) + 1, -1)
    number[inputs] = np.arange(len(inputs))
    path = _path(limb, skeleton)
    entries = [np.arange(starts[9 * j + d], starts[9 * j + d + 1]) for j in path for d in range(9)]
    path_entries = np.concatenate(entries) if entries else np.zeros(0, np.int64)
    above = Above(
        frozen(path, np.int64),
        Skeleton.made(np.arange(len(path)) - 1, skeleton.rest[path], skeleton.orders[path]).tree,
        frozen(stacked_offsets(map(len, entries)), np.int64),
        frozen(number[channels[path_entries]], np.int64),
        frozen(path_entries, np.int64),
    )
    chain = Chain(
        skeleton.rest, skeleton.orders, limb.joints, limb.hinges, limb.tip_joint, limb.offset, limb.soft, limb.back
    )
    by_entry, own = frozen(number[channels], np.int64), frozen(number[limb.channels], np.int64)
    rows = Rows(starts, by_entry, limb.channels, own, np.ones(len(inputs), np.bool_))
    return _Plan(above, chain, frozen(inputs, np.int64), rows)
