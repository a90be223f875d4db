"""The part of a rig that moves certain joints: fewer joints and channels, the same kinematics."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Ints, frozen, stacked_offsets
from inbetweener.rig.dof_map import LinearMap
from inbetweener.rig.rig import Rig
from inbetweener.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class RigPart:
    """Joints (j,) with all their ancestors and channels (c,), as indices into the whole rig; compiled on their own."""

    joints: Ints
    channels: Ints
    skeleton: Skeleton
    dof_map: LinearMap

    def local_joint(self, joint: int) -> int:
        """Where a joint of the whole rig stands in the part."""
        return int(np.searchsorted(self.joints, joint))

    def local_channel(self, channel: int) -> int:
        """Where a channel of the whole rig stands in the part."""
        return int(np.searchsorted(self.channels, channel))


def part_of(rig: Rig, joints: Iterable[int]) -> RigPart:
    """The given joints, all joints above them, and the channels that drive any of these."""
    wanted: set[int] = set()
    for joint in joints:
        while joint >= 0 and joint not in wanted:
            wanted.add(joint)
            joint = rig.joints[joint].parent
    kept = np.array(sorted(wanted), np.int64)
    whole = rig.dof_map
    entries = [np.arange(whole.starts[9 * j + d], whole.starts[9 * j + d + 1]) for j in kept for d in range(9)]
    picked = np.concatenate(entries) if entries else np.zeros(0, np.int64)
    channels = np.unique(whole.channels[picked])
    skeleton = rig.skeleton
    parents = skeleton.parents[kept]
    return RigPart(
        frozen(kept, np.int64),
        frozen(channels, np.int64),
        Skeleton(
            frozen(np.where(parents < 0, -1, np.searchsorted(kept, parents)), np.int64),
            frozen(skeleton.rest[kept]),
            frozen(skeleton.orders[kept], np.int64),
        ),
        LinearMap(
            frozen(whole.bias.reshape(-1, 9)[kept].ravel()),
            frozen(stacked_offsets(len(e) for e in entries), np.int64),
            frozen(np.searchsorted(channels, whole.channels[picked]), np.int64),
            frozen(whole.factors[picked]),
            len(channels),
        ),
    )
