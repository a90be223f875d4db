"""States that a solver watches, laid out for its kernels: places on bones as they are bent at each look."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen, stacked_offsets
from inbetweener.rig.bent import Bent
from inbetweener.rig.freedom import Wanted
from inbetweener.rig.joint import Place, Point
from inbetweener.rig.kernels import Bending, Watched
from inbetweener.rig.part import RigPart
from inbetweener.rig.rig import Rig


@dataclass(frozen=True, slots=True)
class Look:
    """At a place, in the pose of number `pose`, and at which half of its state.

    With a `base`, the state is seen from that joint's frame, where it should be at the base's offset.
    """

    place: Place
    pose: int
    wanted: Wanted
    base: Point | None = None

    @property
    def wants(self) -> tuple[bool, bool]:
        """Whether position and orientation are looked at."""
        return self.wanted != "orientation", self.wanted != "position"


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Looks, laid out one after another: their record for kernels, what bends do, and whose row each is.

    owners (R,) number the looks; turns (R,) is true where a row is a turn in radians rather than a length.
    """

    watched: Watched
    bending: Bending
    owners: Ints
    turns: Bools


def view(
    rig: Rig, part: RigPart, channels: Floats, looks: Sequence[Look], height: float, rows: Sequence[int] | None = None
) -> View:
    """What kernels need to see `looks` on a part of the rig in the poses of channel values (T, C).

    Lengths count as shares of `height`. Rows follow one another, or begin where `rows` says.
    """
    bent = Bent(rig, channels, {rig.joints[j].name for j in part.joints})
    places = [p for look in looks for p, _ in look.place.parts]
    # What shapes move has a joint of its own, which the bend carries.
    own = {p: bend for p in places if not p.shapes and (bend := bent.at(p)) is not None}
    joints, offsets, weights = [], [], []
    turns = np.tile(np.eye(3), (len(looks) if own else 0, 1, 1))
    for number, look in enumerate(looks):
        for point, weight in look.place.parts:
            joint, offset = part.carrier(rig, point)
            bend = own.get(point)
            offsets.append(np.array(offset) if bend is None else bend[look.pose] @ np.append(offset, 1.0))
            joints.append(joint)
            weights.append(weight)
        if (bend := own.get(look.place.parts[0][0])) is not None:
            turns[number] = bend[look.pose, :, :3]
        if look.base is not None:
            joints.append(part.local_joint(rig.joint_index(look.base.joint)))
            offsets.append(np.asarray(look.base.offset, np.float64))
            weights.append(-1.0)
    wants = np.array([look.wants for look in looks], np.bool_).reshape(-1, 2)
    sizes = 3 * wants.sum(axis=1)
    first = np.asarray(stacked_offsets(sizes)[:-1] if rows is None else rows, np.int64)
    owners, turning = np.zeros(int(sizes.sum()), np.int64), np.zeros(int(sizes.sum()), np.bool_)
    for number, (row, size) in enumerate(zip(first, sizes, strict=True)):
        owners[row : row + size] = number
        turning[row + 3 * int(wants[number, 0]) : row + size] = True
    counts = [len(look.place.parts) for look in looks]
    starts = stacked_offsets(count + (look.base is not None) for count, look in zip(counts, looks, strict=True))
    watched = Watched(
        rows=frozen(first, np.int64),
        wants=frozen(wants, np.bool_),
        starts=frozen(starts, np.int64),
        bases=frozen(starts[:-1] + np.array(counts, np.int64), np.int64),
        joints=frozen(joints, np.int64),
        offsets=frozen(np.array(offsets, np.float64).reshape(-1, 3)),
        weights=frozen(weights),
        turns=frozen(turns),
        row_scale=frozen(np.where(turning, 1.0, 1.0 / height)),
    )
    return View(watched, still(bent, part), frozen(owners, np.int64), frozen(turning, np.bool_))


def still(bent: Bent, part: RigPart) -> Bending:
    """What bends do on a part of the rig while nobody turns their dials: sketches stay as drawn."""
    carriers = bent.carriers
    if carriers.size:
        straight = np.tile(np.eye(3, 4), (len(carriers), 1, 1))
        own = [bent.at(point) for point in part.shaped]
        carriers = np.concatenate(
            [carriers[:, part.joints], *((straight if each is None else each)[:, None] for each in own)], axis=1
        )
    return Bending(frozen(carriers), frozen(np.zeros(0), np.int64), frozen(np.zeros((len(carriers), 0, 0, 6))))
