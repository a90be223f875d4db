"""The part of a rig that moves certain joints: fewer joints and channels, the same kinematics."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Ints, frozen, stacked_offsets
from inbetweener.rig.dof_map import DofMap, LinearMap
from inbetweener.rig.handles.handled_map import HandledMap
from inbetweener.rig.rig import Rig
from inbetweener.rig.skeleton import Skeleton

T = TypeVar("T", np.float64, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RigPart:
    """Joints (j,) with all their ancestors and channels (c,), as indices into the whole rig; compiled on their own."""

    joints: Ints
    channels: Ints
    skeleton: Skeleton
    dof_map: DofMap

    def local_joint(self, joint: int) -> int:
        """Where a joint of the whole rig stands in the part."""
        return int(np.searchsorted(self.joints, joint))

    def local_channel(self, channel: int) -> int:
        """Where a channel of the whole rig stands in the part."""
        return int(np.searchsorted(self.channels, channel))


def part_of(rig: Rig, joints: Iterable[int]) -> RigPart:
    """The given joints, all joints above them, whole chains of handles, and the channels that drive any of these."""
    mapping, linear, skeleton = rig.dof_map, rig.linear_map, rig.skeleton
    limbs = mapping.limbs if isinstance(mapping, HandledMap) else ()
    wanted: set[int] = set()
    asked = list(joints)
    while asked:
        for joint in asked:
            while joint >= 0 and joint not in wanted:
                wanted.add(joint)
                joint = rig.joints[joint].parent
        # The upper arm depends on the forearm where a handle turns both.
        chains = [{*limb.joints.tolist(), limb.tip_joint} for limb in limbs if wanted & set(limb.joints.tolist())]
        asked = sorted(set().union(*chains) - wanted)
    kept = np.array(sorted(wanted), np.int64)
    rows = [9 * j + d for j in kept for d in range(9)]
    channels = np.unique(_entries(mapping.channels, mapping.starts, rows))
    part = LinearMap(
        frozen(linear.bias[rows]),
        frozen(stacked_offsets(linear.starts[row + 1] - linear.starts[row] for row in rows), np.int64),
        frozen(np.searchsorted(channels, _entries(linear.channels, linear.starts, rows)), np.int64),
        frozen(_entries(linear.factors, linear.starts, rows)),
        len(channels),
    )
    parents = skeleton.parents[kept]
    local = np.where(parents < 0, -1, np.searchsorted(kept, parents))
    bones = Skeleton.made(local, skeleton.rest[kept], skeleton.orders[kept])
    carried = [limb.within(kept, channels) for limb in limbs if wanted >= set(limb.joints.tolist())]
    return RigPart(
        frozen(kept, np.int64),
        frozen(channels, np.int64),
        bones,
        HandledMap.of(part, bones, carried) if carried else part,
    )


def _entries(values: npt.NDArray[T], starts: Ints, rows: list[int]) -> npt.NDArray[T]:
    """The entries of some rows, end to end."""
    return np.concatenate([values[:0], *(values[starts[row] : starts[row + 1]] for row in rows)])
