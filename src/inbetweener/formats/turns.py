"""Rotations as three Euler curves: their own keys, and more wherever angles would leave the way between two of them.

Angles are no straight way between two rotations, least of all near the pole of their order, where two of them turn
about the same axis and spin round for nothing.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves import BEZIER, LINEAR, Curve
from inbetweener.formats import turn_kernels
from inbetweener.formats.turn_kernels import Turns
from inbetweener.maths import euler
from inbetweener.maths.euler import Order

PIECES = 24
"""Keys made at most for each that is given, on average: no file unfolds without bound."""


@dataclass(frozen=True, slots=True, eq=False)
class Angles:
    """Euler keys: times (n,), angles by axis and their slopes in and out (n, 3), kinds (n,)."""

    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes

    def curves(self) -> list[Curve]:
        """Curves of rx, ry, rz."""
        return curves_of(self.times, self.values, self.ins, self.outs, self.kinds)


def along_turns(turns: Turns, order: Order, tolerance: float, *, straight: bool = False) -> tuple[Angles, float]:
    """Euler keys along rotations, and within how many radians they follow them.

    That is `tolerance`, unless they are so wild that it would take more than PIECES keys for each of their own.
    """
    most = most_keys(turns)
    room = min(2 * len(turns.times) + 64, most)
    while (angles := within(room, turns, order, tolerance, straight=straight)) is None:
        if room == most:
            tolerance *= 8
        room = min(4 * room, most)
    return angles, tolerance


def most_keys(turns: Turns) -> int:
    """How many keys are made along rotations at most."""
    return PIECES * (len(turns.times) + 8)


def within(room: int, turns: Turns, order: Order, tolerance: float, *, straight: bool = False) -> Angles | None:
    """Euler keys along rotations that follow them within `tolerance` radians; None if that takes more keys than room.

    With `straight`, all keys are linear.
    """
    axes: Ints = np.array(euler.axes(order), np.int64)
    angles, before, after = (np.empty((room, 3)) for _ in range(3))
    made = turn_kernels.Made(np.empty(room), angles, before, after, np.empty(room, np.uint8))
    count = turn_kernels.fit_angles(turns, axes, tolerance, straight, made)
    if count < 0:
        return None
    times = turns.times if count == len(turns.times) else made.times[:count].copy()
    times.flags.writeable = False
    return Angles(times, angles[:count], before[:count], after[:count], made.kinds[:count].copy())


def curves_of(times: Floats, values: Floats, ins: Floats, outs: Floats, kinds: Bytes) -> list[Curve]:
    """One curve a column: cubics in time are Beziers whose handles are a third of the segment wide, exactly."""
    bezier = kinds == BEZIER
    if not bezier.any() and (kinds == LINEAR).all():
        return [Curve.sampled(times, column) for column in np.ascontiguousarray(values.T)]
    third = np.diff(times) / 3 * bezier[:-1]
    before, after = np.concatenate([[0.0], third]), np.concatenate([third, [0.0]])
    smooth = np.abs(ins - outs) <= 1e-6 + 1e-5 * (np.abs(ins) + np.abs(outs))
    # Tied where both sides carry on; a handle against a straight or held side stands alone.
    inner = (before > 0) & (after > 0)
    alone = (before > 0) != (after > 0)
    alone[[0, -1]] = False
    curves = []
    for c, column in enumerate(np.ascontiguousarray(values.T)):
        curves.append(
            Curve(
                times,
                column,
                np.stack([before, before * ins[:, c]], axis=1),
                np.stack([after, after * outs[:, c]], axis=1),
                kinds,
                np.where(inner, smooth[:, c], ~alone),
            )
        )
    return curves
