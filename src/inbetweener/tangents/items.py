"""The states that a drag watches: the dragged one, and every constraint at every time it is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.motion import Motion
from inbetweener.rig import Place, Point
from inbetweener.rig.freedom import Wanted
from inbetweener.rig.part import RigPart
from inbetweener.rig.watching import Look, View, view


@dataclass(frozen=True, slots=True)
class Watch:
    """One state to watch: whose (−1 the dragged one, else the index of a rule), where, when, which half.

    With a `base`, where that joint should have it.
    """

    owner: int
    place: Place
    time: float
    wanted: Wanted
    base: Point | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Watched states as arrays, in time order. The dragged state has the first rows.

    moments (T,) all times; times (I,) index into them; owners (I,); view is what kernels see of them.
    """

    moments: Floats
    times: Ints
    owners: Ints
    view: View

    @property
    def rows(self) -> Ints:
        """(I,) the first row of each."""
        return self.view.watched.rows

    @property
    def wants(self) -> Bools:
        """(I, 2) whether position and orientation are wanted."""
        return self.view.watched.wants

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
        return len(self.view.owners)

    def row_owners(self) -> Ints:
        """(R,) whose row each is."""
        return self.owners[self.view.owners]


def watched_items(motion: Motion, part: RigPart, watches: Sequence[Watch], height: float) -> Items:
    """Lay the watched states out in time order; lengths count as shares of `height`."""
    listed = sorted(watches, key=lambda each: (each.time, each.owner))
    moments = np.unique([each.time for each in listed])
    times = np.searchsorted(moments, [each.time for each in listed])
    looks = [Look(each.place, int(n), each.wanted, each.base) for each, n in zip(listed, times, strict=True)]
    owners = np.array([each.owner for each in listed])
    sizes = np.array([3 * sum(look.wants) for look in looks])
    behind = np.where(owners < 0, 0, sizes)
    rows = np.where(owners < 0, 0, int(sizes[owners < 0].sum()) + np.cumsum(behind) - behind)
    return Items(
        frozen(moments),
        frozen(times, np.int64),
        frozen(owners, np.int64),
        view(motion.rig, part, motion.channels(moments), looks, height, rows.tolist()),
    )
