# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of an F-curve as plain arrays, to our curves and back; Blender is not needed here.

Blender's frames are our seconds times the rate. Its handles are points, ours are ways from the key. How Blender reads
handles that do not fit their segment is done here as it does it, so that what we hold is what it shows.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FREE, AUTO, VECTOR, ALIGNED, AUTO_CLAMPED = range(5)
"""Handle types by the numbers that Blender's bulk access takes."""
INTERPOLATIONS = {0: CONSTANT, 1: LINEAR, 2: BEZIER}
"""Ours by Blender's numbers; all others are easings, which no handle shapes."""
NARROWEST = 0.001
"""Frames: as wide as Blender makes a handle that has no width, or points the wrong way."""


@dataclass(frozen=True, eq=False)
class Keys:
    """n keys: points, left and right handles (n, 2) in frames and values; types (n, 2) and interpolations (n,)."""

    points: Floats
    left: Floats
    right: Floats
    types: Ints
    interpolations: Ints

    @cached_property
    def is_ours(self) -> bool:
        """Whether every segment is constant, linear or Bezier."""
        return set(self.interpolations[:-1].tolist()) <= INTERPOLATIONS.keys() and bool(
            (np.diff(self.points[:, 0]) > 0.0).all()
        )


def curve_of(keys: Keys, rate: float) -> Curve:
    """The same curve of ours, in seconds."""
    points = keys.points
    tied = ((keys.types != FREE) & (keys.types != VECTOR)).all(axis=1)
    gaps = np.diff(points[:, 0])
    before, after = np.append(gaps[:1], gaps), np.append(gaps, gaps[-1:])
    ins, outs = _fitted(points - keys.left, before), _fitted(keys.right - points, after)
    kinds = np.array([INTERPOLATIONS.get(int(each), LINEAR) for each in keys.interpolations], np.uint8)
    seconds = np.array([1.0 / rate, 1.0])
    return Curve(points[:, 0] / rate, points[:, 1], ins * seconds, outs * seconds, kinds, tied)


def _fitted(ways: Floats, gaps: Floats) -> Floats:
    """Handles (n, 2) as Blender uses them in segments of some lengths: none wider, and none without width."""
    if not len(gaps):
        return np.zeros_like(ways)
    long = ways[:, 0] > gaps
    ways = np.where(
        long[:, None], ways * np.divide(gaps, ways[:, 0], where=long, out=np.ones_like(gaps))[:, None], ways
    )
    ways[:, 0] = np.maximum(ways[:, 0], NARROWEST)
    return ways


def frozen_types(types: Ints) -> Ints:
    """The types (n, 2) of keys whose handles are to stay where they are put.

    All automatic keys of a curve at once: where one is frozen, Blender moves the handles of automatic neighbours.
    """
    automatic = (types == AUTO) | (types == AUTO_CLAMPED)
    return np.where(automatic, ALIGNED, np.where(types == VECTOR, FREE, types))


class Tangents(NamedTuple):
    """In and out tangents (n, 2), as a curve has them."""

    ins: Floats
    outs: Floats


def with_handles(keys: Keys, before: Curve | Tangents, after: Curve | Tangents, rate: float) -> Keys:
    """The keys with the handles of tangents that were made of those `before`; what these left alone stays to the bit.

    Where only one handle of an aligned key has a say, as at the ends of a curve, the other one is aligned to it:
    Blender would do it the other way round.
    """
    frames = np.array([rate, 1.0])
    types = frozen_types(keys.types)
    aligned = (types == ALIGNED).all(axis=1)
    sides = [keys.points - keys.left, keys.right - keys.points]
    touched = [(old != new).any(axis=1) for old, new in ((before.ins, after.ins), (before.outs, after.outs))]
    for side, new, mine in zip(sides, (after.ins, after.outs), touched, strict=True):
        side[mine] = new[mine] * frames
    for side, other, mine, others in (
        (sides[0], sides[1], touched[0], touched[1]),
        (sides[1], sides[0], touched[1], touched[0]),
    ):
        follows = aligned & others & ~mine
        width = np.maximum(side[follows, 0], NARROWEST)
        side[follows] = np.stack([width, width * other[follows, 1] / other[follows, 0]], axis=1)
    changed = touched[0] | touched[1]
    left = np.where((touched[0] | aligned & changed)[:, None], keys.points - sides[0], keys.left)
    right = np.where((touched[1] | aligned & changed)[:, None], keys.points + sides[1], keys.right)
    return Keys(keys.points, left, right, types, keys.interpolations)
