"""From channels to joint degrees of freedom: every solver sees only this map and its derivative."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, stacked_offsets
from inbetweener.errors import InvalidRig
from inbetweener.rig import kernels
from inbetweener.rig.channel import Channel
from inbetweener.rig.joint import DOFS, Joint

if TYPE_CHECKING:
    from scipy import sparse

    from inbetweener.rig.skeleton import Skeleton


class DofMap(Protocol):
    """Channels (T, C) to degrees of freedom (T, D), D = nine a joint, and the derivative at every pose.

    The derivative is sparse, its pattern the same at all poses: only the channels[starts[d] : starts[d+1]] can move
    degree of freedom d.
    """

    @property
    def starts(self) -> Ints:
        """(D + 1,) where the entries of each degree of freedom start."""
        ...

    @property
    def channels(self) -> Ints:
        """(E,) the channel of each entry."""
        ...

    @property
    def channel_count(self) -> int:
        """C."""
        ...

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        ...

    def weights(self, channels: Floats) -> Floats:
        """The derivative's entries (T, E) at channel values (T, C); (1, E) where all poses have the same."""
        ...

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Both at once, which is sooner than one by one; with `wanted` (C,), other channels' entries may be nought."""
        ...

    def followed(self, channels: Floats, wanted: Bools | None = None) -> "Followed":
        """What `solved` finds, and how to find it again in the same arrays after `channels` have been written to."""
        ...

    def companions(self, joints: AbstractSet[int]) -> AbstractSet[int]:
        """The joints without which some joints cannot be placed, besides those above them."""
        ...

    def within(self, linear: "LinearMap", skeleton: "Skeleton", joints: Ints, channels: Ints) -> "DofMap":
        """The same on a part of the rig: some joints and channels, in order, and what is linear of them."""
        ...


class Followed(NamedTuple):
    """Degrees of freedom (T, D) and the derivative's entries (T or 1, E) of channel values; `renew` fills them anew."""

    dofs: Floats
    weights: Floats
    renew: Callable[[], None]

    @classmethod
    def by(cls, solved: Callable[[], tuple[Floats, Floats]]) -> "Followed":
        """What is solved now, and again in the same arrays whenever it is renewed."""
        dofs, weights = solved()

        def renew() -> None:
            dofs[:], weights[:] = solved()

        return cls(dofs, weights, renew)


def derivative(mapping: DofMap, pose: Floats) -> "sparse.csr_array":
    """How each degree of freedom moves with each channel at one pose (C,): a sparse (D, C) matrix."""
    # Slow to import, and only few ask for the matrix.
    from scipy import sparse

    return sparse.csr_array(
        (mapping.weights(pose[None])[0], mapping.channels, mapping.starts),
        shape=(len(mapping.starts) - 1, mapping.channel_count),
        dtype=np.float64,
    )


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """dof = bias + factors · channels, sparse: row d owns entries starts[d] … starts[d+1] of channels and factors."""

    bias: Floats
    starts: Ints
    channels: Ints
    factors: Floats
    channel_count: int

    @classmethod
    def of(cls, joints: Sequence[Joint], channels: Sequence[Channel]) -> Self:
        """The map that the channels' drives describe; at all defaults it gives the rest pose."""
        index = {f"{joint.name}.{dof}": 9 * j + d for j, joint in enumerate(joints) for d, dof in enumerate(DOFS)}
        bias = np.array([joint.rest_dof(dof) for joint in joints for dof in DOFS])
        rows: list[list[tuple[int, float]]] = [[] for _ in bias]
        for c, channel in enumerate(channels):
            for drive in channel.drives:
                if drive.dof not in index:
                    raise InvalidRig(f"channel {channel.name!r} drives {drive.dof!r}, which no joint has")
                rows[index[drive.dof]].append((c, drive.weight))
                bias[index[drive.dof]] -= drive.weight * channel.default
        entries = [entry for row in rows for entry in row]
        return cls(
            frozen(bias),
            frozen(stacked_offsets(len(row) for row in rows), np.int64),
            frozen([c for c, _ in entries], np.int64),
            frozen([w for _, w in entries]),
            len(channels),
        )

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        if channels.ndim != 2 or channels.shape[1] != self.channel_count:
            raise ValueError(f"channel values of shape {channels.shape} given, expected (T, {self.channel_count})")
        result = np.empty((len(channels), len(self.bias)))
        values = np.ascontiguousarray(channels, np.float64)
        kernels.spread(self.bias, self.starts, self.channels, self.factors, values, result)
        return result

    def weights(self, channels: Floats) -> Floats:
        """(1, E): the same factors at every pose."""
        return self.factors[None]

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Degrees of freedom and factors."""
        return self.dofs(channels), self.factors[None]

    def followed(self, channels: Floats, wanted: Bools | None = None) -> Followed:
        """Degrees of freedom of channels that change in their place, and factors."""
        dofs = self.dofs(channels)
        renew = kernels.spread.bound(self.bias, self.starts, self.channels, self.factors, channels, dofs)
        return Followed(dofs, self.factors[None], renew)

    def companions(self, joints: AbstractSet[int]) -> AbstractSet[int]:
        """None."""
        return frozenset()

    def within(self, linear: "LinearMap", skeleton: "Skeleton", joints: Ints, channels: Ints) -> "DofMap":
        """What is linear of a part is all of it."""
        return linear
