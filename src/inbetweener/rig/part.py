"""The part of a rig that moves certain joints: fewer joints and channels, the same kinematics."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Ints, frozen, stacked_offsets
from inbetweener.rig.dof_map import DofMap, LinearMap
from inbetweener.rig.joint import Place, Point
from inbetweener.rig.rig import Rig
from inbetweener.rig.skeleton import Skeleton

T = TypeVar("T", np.float64, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RigPart:
    """Joints (j,) with all their ancestors and channels (c,), as indices into the whole rig; compiled on their own.

    Points that shapes move stand behind the joints, as joints of their own that shape channels translate.
    """

    joints: Ints
    channels: Ints
    skeleton: Skeleton
    dof_map: DofMap
    shaped: tuple[Point, ...] = ()

    def local_joint(self, joint: int) -> int:
        """Where a joint of the whole rig stands in the part."""
        return int(np.searchsorted(self.joints, joint))

    def carrier(self, rig: Rig, point: Point) -> tuple[int, tuple[float, float, float]]:
        """Which joint of the part carries a point, and where in its frame."""
        if point.shapes:
            return len(self.joints) + self.shaped.index(point), (0.0, 0.0, 0.0)
        return self.local_joint(rig.joint_index(point.joint)), point.offset

    def local_channel(self, channel: int) -> int:
        """Where a channel of the whole rig stands in the part."""
        return int(np.searchsorted(self.channels, channel))


def part_around(rig: Rig, places: Iterable[Place], joints: Iterable[str] = ()) -> RigPart:
    """The part of a rig that moves some places, and some joints besides."""
    points = [point for place in places for point, _ in place.parts]
    shaped = tuple(dict.fromkeys(point for point in points if point.shapes))
    return part_of(rig, map(rig.joint_index, (*(point.joint for point in points), *joints)), shaped)


def part_of(rig: Rig, joints: Iterable[int], shaped: tuple[Point, ...] = ()) -> RigPart:
    """The given joints, all joints above them, what must come along, and the channels that drive any of these."""
    mapping, linear, skeleton = rig.dof_map, rig.linear_map, rig.skeleton
    wanted: set[int] = set()
    asked = list(joints)
    while asked:
        for joint in asked:
            while joint >= 0 and joint not in wanted:
                wanted.add(joint)
                joint = rig.joints[joint].parent
        asked = sorted(mapping.companions(wanted) - wanted)
    kept = np.array(sorted(wanted), np.int64)
    rows = [9 * j + d for j in kept for d in range(9)]
    moves = [(rig.channel_index(name), move) for point in shaped for name, move in point.shapes]
    channels = np.unique(np.append(_entries(mapping.channels, mapping.starts, rows), [c for c, _ in moves]))
    channels = channels.astype(np.int64)
    bias, factors = [linear.bias[rows]], [_entries(linear.factors, linear.starts, rows)]
    driving = [_entries(linear.channels, linear.starts, rows)]
    counts = [linear.starts[row + 1] - linear.starts[row] for row in rows]
    for point in shaped:
        bias.append(np.array([*point.offset, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
        by = np.array([move for _, move in point.shapes]).T
        factors += list(by)
        driving += [np.array([rig.channel_index(name) for name, _ in point.shapes])] * 3
        counts += [len(point.shapes)] * 3 + [0] * 6
    part = LinearMap(
        frozen(np.concatenate(bias)),
        frozen(stacked_offsets(counts), np.int64),
        frozen(np.searchsorted(channels, np.concatenate(driving)), np.int64),
        frozen(np.concatenate(factors)),
        len(channels),
    )
    parents = np.append(skeleton.parents[kept], [rig.joint_index(point.joint) for point in shaped]).astype(np.int64)
    local = np.where(parents < 0, -1, np.searchsorted(kept, parents))
    upright, order = np.tile(np.eye(3), (len(shaped), 1, 1)), np.tile(np.arange(3), (len(shaped), 1))
    bones = Skeleton.made(
        local, np.concatenate([skeleton.rest[kept], upright]), np.concatenate([skeleton.orders[kept], order])
    )
    return RigPart(
        frozen(kept, np.int64), frozen(channels, np.int64), bones, mapping.within(part, bones, kept, channels), shaped
    )


def _entries(values: npt.NDArray[T], starts: Ints, rows: list[int]) -> npt.NDArray[T]:
    """The entries of some rows, end to end."""
    return np.concatenate([values[:0], *(values[starts[row] : starts[row + 1]] for row in rows)])
