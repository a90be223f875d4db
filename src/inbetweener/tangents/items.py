"""The states that a drag watches: the dragged one, and every constraint at every time it is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, stacked_offsets
from inbetweener.rig import Place, Rig
from inbetweener.rig.freedom import Wanted
from inbetweener.rig.part import RigPart


@dataclass(frozen=True, slots=True)
class Watch:
    """One state to watch: whose (−1 the dragged one, else the index of a constraint), where, when, which half."""

    owner: int
    place: Place
    time: float
    wanted: Wanted


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Watched states as arrays, in time order. The dragged state has the first rows.

    moments (T,) all times; times (I,) index into them; rows (I,) first row; wants (I, 2) position and orientation;
    owners (I,); parts of item i: joints, offsets, weights from starts[i] to starts[i+1], joints local to a rig part.
    """

    moments: Floats
    times: Ints
    rows: Ints
    wants: Bools
    owners: Ints
    starts: Ints
    joints: Ints
    offsets: Floats
    weights: Floats

    @property
    def dragged(self) -> int:
        """Which item is the dragged state."""
        return int(np.argmin(self.owners))

    @property
    def dragged_rows(self) -> int:
        """How many rows the dragged state has: 3 or 6."""
        return int(3 * self.wants[self.dragged].sum())

    @property
    def row_count(self) -> int:
        """How many rows there are in all."""
        return int(3 * self.wants.sum())

    def row_owners(self) -> Ints:
        """(R,) whose row each is."""
        owners = np.empty(self.row_count, np.int64)
        for row, wants, owner in zip(self.rows, self.wants, self.owners, strict=True):
            owners[row : row + 3 * int(wants.sum())] = owner
        return owners

    def row_is_turn(self) -> Bools:
        """(R,) true where a row is a turn in radians rather than a length."""
        turns = np.zeros(self.row_count, np.bool_)
        for row, (position, orientation) in zip(self.rows, self.wants, strict=True):
            if orientation:
                turns[row + 3 * int(position) : row + 3 * int(position) + 3] = True
        return turns


def watched_items(rig: Rig, part: RigPart, watches: Sequence[Watch]) -> Items:
    """Lay the watched states out in time order."""
    listed = sorted(watches, key=lambda each: (each.time, each.owner))
    moments = np.unique([each.time for each in listed])
    wants = np.array([(each.wanted != "orientation", each.wanted != "position") for each in listed])
    owners = np.array([each.owner for each in listed])
    sizes = 3 * wants.sum(axis=1)
    first = int(sizes[owners < 0].sum())
    behind = np.where(owners < 0, 0, sizes)
    parts = [
        (part.local_joint(rig.joint_index(point.joint)), point.offset, weight)
        for each in listed
        for point, weight in each.place.parts
    ]
    return Items(
        moments=frozen(moments),
        times=frozen(np.searchsorted(moments, [each.time for each in listed]), np.int64),
        rows=frozen(np.where(owners < 0, 0, first + np.cumsum(behind) - behind), np.int64),
        wants=frozen(wants, np.bool_),
        owners=frozen(owners, np.int64),
        starts=frozen(stacked_offsets(len(each.place.parts) for each in listed), np.int64),
        joints=frozen([joint for joint, _, _ in parts], np.int64),
        offsets=frozen(np.array([offset for _, offset, _ in parts], np.float64).reshape(-1, 3)),
        weights=frozen([weight for _, _, weight in parts]),
    )
