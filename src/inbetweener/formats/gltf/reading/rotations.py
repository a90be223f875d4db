"""Quaternion tracks become Euler curves: exact at the file's keys, within a tolerance between them."""

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints, frozen, read_only
from inbetweener.curves import BEZIER, LINEAR, Curve
from inbetweener.formats.gltf.reading import kernels
from inbetweener.formats.gltf.reading.tracks import Track
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Quaternion

PIECES = 24
"""Keys made at most for each key of the file, on average: no file unfolds without bound."""


def best_order(rest: Quaternion, tracks: list[Track]) -> Order:
    """The rotation order that keeps all tracks of a joint farthest from the pole, halfway between keys too."""
    seen = []
    for track in tracks:
        q = quaternions.normalised(track.values)
        seen.append(q)
        if len(q) > 1:
            seen.append(quaternions.slerp(q[:-1], q[1:], np.full(len(q) - 1, 0.5)))
    relative = quaternions.product(quaternions.inverse(rest), np.concatenate(seen))
    return euler.best_order(quaternions.to_matrix(relative))


def angle_curves(
    track: Track, rest: Quaternion, order: Order, tolerance: float
) -> tuple[tuple[Curve, Curve, Curve], float]:
    """Curves of rx, ry, rz for a rotation track, and within how many radians they follow it.

    That is `tolerance`, unless the track is so wild that it would take more than PIECES keys for each of its own.
    """
    back = quaternions.inverse(rest)
    keys = ins = outs = np.ascontiguousarray(quaternions.product(back, track.values))
    if (track.kinds == BEZIER).any():
        ins, outs = (np.ascontiguousarray(quaternions.product(back, part)) for part in (track.ins, track.outs))
    slopes = read_only(ins), read_only(outs)
    given = kernels.Given(read_only(track.times), read_only(keys), *slopes, frozen(track.kinds, np.uint8))
    axes: Ints = np.array(euler.axes(order), np.int64)
    most = PIECES * (len(track.times) + 8)
    room = min(2 * len(track.times) + 64, most)
    while True:
        angles, before, after = (np.empty((room, 3)) for _ in range(3))
        made = kernels.Made(np.empty(room), angles, before, after, np.empty(room, np.uint8))
        count = kernels.fit_angles(given, axes, tolerance, made)
        if count >= 0:
            break
        if room == most:
            tolerance *= 8
        room = min(4 * room, most)
    times = track.times if count == len(track.times) else made.times[:count].copy()
    times.flags.writeable = False
    x, y, z = curves_of(times, angles[:count], before[:count], after[:count], made.kinds[:count].copy())
    return (x, y, z), tolerance


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
