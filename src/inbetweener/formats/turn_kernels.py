"""Compiled fit of Euler curves to quaternion keys.

Between two keys the curve is compared with the true path at a few samples, and halved until it fits. Fractions of a
segment are dyadic, so they add up exactly.
"""

import math
from typing import NamedTuple

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR
from inbetweener.formats.path_kernels import FINEST, SAMPLES, angle_rates, from_angles, hermite, path_at
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.kernels import nearest_angles
from inbetweener.maths.quaternion_kernels import (
    Quaternion,
    angle_between,
    conjugate,
    hamilton,
    matrix_of,
    mixed,
    quaternion,
)
from inbetweener.maths.vector_kernels import NOTHING, Vector, divided, minus, moved, put, vector

MIDDLE_FIRST = 3
"""Steps from sample to sample: with SAMPLES it has no divisor in common."""


@record("const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(u1[::1])")
class Turns(NamedTuple):
    """Quaternion keys: times (n,), values (n, 4) and, where a segment is BEZIER, a glTF cubic, their slopes in and out
    (n, 4); kinds (n,)."""

    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes


@record("f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], u1[::1]")
class Made(NamedTuple):
    """Room for Euler keys: times (m,), angles and their slopes in and out (m, 3), kinds (m,)."""

    times: Floats
    angles: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes


class Segment(NamedTuple):
    """Two quaternion keys and the slopes between them by s, from nought to one; a cubic or the shorter arc."""

    a: Quaternion
    ma: Quaternion
    b: Quaternion
    mb: Quaternion
    is_cubic: bool


@inlined
def along(path: Segment, s: float) -> tuple[Quaternion, Vector]:
    """Rotation and body spin (per s) on a segment."""
    return path_at(path.a, path.ma, path.b, path.mb, path.is_cubic, s)


@inlined
def follows(
    path: Segment,
    s0: float,
    s1: float,
    e0: Vector,
    d0: Vector,
    e1: Vector,
    d1: Vector,
    order: Ints,
    straight: bool,
    tolerance: float,
) -> bool:
    """Whether the Euler angles interpolated from e0 to e1 (slopes d0, d1 by s) stay that near to the path."""
    h = s1 - s0
    for n in range(1, SAMPLES):
        # Every sample once, first those near the middle: there most of what is off is off farthest.
        f = (MIDDLE_FIRST * n % SAMPLES) / SAMPLES
        if straight:
            angles = moved(e0, f, minus(e1, e0))
        else:
            mixture, _ = hermite(
                (e0[0], e0[1], e0[2], 0.0),
                (h * d0[0], h * d0[1], h * d0[2], 0.0),
                (e1[0], e1[1], e1[2], 0.0),
                (h * d1[0], h * d1[1], h * d1[2], 0.0),
                f,
            )
            angles = mixture[0], mixture[1], mixture[2]
        q, _ = along(path, s0 + f * h)
        if angle_between(q, from_angles(angles, order)) > tolerance:
            return False
    return True


@inlined
def surely_off(e0: Vector, e1: Vector) -> float:
    """No angles that change evenly from e0 to e1 leave the shorter arc by more radians than this.

    Their spin turns by at most the products of their rates; what turns evenly faster bows out by an eighth of that,
    and as much again is for turns that are not small.
    """
    x, y, z = abs(e1[0] - e0[0]), abs(e1[1] - e0[1]), abs(e1[2] - e0[2])
    return 0.25 * (x * y + y * z + z * x) if x + y + z < 1.0 else math.inf


@inlined
def chord(a: Quaternion, b: Quaternion) -> float:
    """Twice the vector of the turn from a to b: its angle, as long as that is small."""
    _, x, y, z = hamilton(conjugate(a), b)
    return 2.0 * math.sqrt(x * x + y * y + z * z)


@kernel("b1(const(f8[:,::1]), const(f8[:,::1]), const(i8[::1]), f8, f8, f8)")
def lead_straight(
    angles: Floats, rotations: Floats, order: Ints, tolerance: float, bend: float, longest: float
) -> bool:
    """Whether angles (F, 3) that change evenly lead from each rotation (F, 4) to the next near the shorter arc.

    They may leave it by `tolerance` radians, or by `bend` of how far an even turn, at most `longest`, leaves its chord.
    """
    for k in range(len(angles) - 1):
        a, b = quaternion(rotations[k]), quaternion(rotations[k + 1])
        path = Segment(a, a, b, b, False)
        allowed = max(tolerance, bend * min(chord(a, b), longest) ** 2 / 8.0)
        start, end = vector(angles[k]), vector(angles[k + 1])
        for n in range(1, 4):
            q, _ = along(path, 0.25 * n)
            if chord(from_angles(moved(start, 0.25 * n, minus(end, start)), order), q) > allowed:
                return False
    return True


@kernel("i8(Turns, const(i8[::1]), f8, b1, Made)")
def fit_angles(given: Turns, order: Ints, tolerance: float, is_straight: bool, made: Made) -> int:
    """Euler keys along quaternion keys.

    Every given key is kept, with the exact slopes of the path on either side; more keys come only where the angles
    would leave the path by more than `tolerance` radians. All are linear if `is_straight`. Returns the number of keys
    made, −1 when they do not fit.
    """
    times, kinds = given.times, given.kinds
    angles = nearest_angles(matrix_of(quaternion(given.values[0])), order, NOTHING)
    made.times[0], made.kinds[0] = times[0], kinds[0]
    put(made.angles[0], 0, angles)
    put(made.ins[0], 0, NOTHING)
    put(made.outs[0], 0, NOTHING)
    count = 1
    for k in range(len(times) - 1):
        h = times[k + 1] - times[k]
        a, b = quaternion(given.values[k]), quaternion(given.values[k + 1])
        is_cubic = kinds[k] == BEZIER
        ma, mb = mixed(quaternion(given.outs[k]), a, h, 0.0), mixed(quaternion(given.ins[k + 1]), a, h, 0.0)
        path = Segment(a, ma, b, mb, is_cubic)
        # How far the path turns in all, to follow the angles in small steps.
        travel = 0.0
        if is_cubic:
            before = a
            for n in range(1, 17):
                q, _ = along(path, n / 16.0)
                travel += angle_between(before, q)
                before = q
        elif kinds[k] == LINEAR:
            travel = angle_between(a, b)
        at, step = 0.0, 1.0
        while at < 1.0:
            if count >= len(made.times):
                return -1
            to = at + step
            # The angles at the far end, by continuity; a held segment jumps there instead.
            end = angles
            hops = 1 + int(travel * step / 0.15) if kinds[k] != CONSTANT else 1
            for n in range(1, hops + 1):
                q, spin = along(path, at + step * (n / hops))
                end = nearest_angles(matrix_of(q), order, end)
            d0 = d1 = NOTHING
            kind = CONSTANT if kinds[k] == CONSTANT else LINEAR
            # Two keys a rounding apart stand for a jump: nothing between them is worth a key.
            looked_at = kind == LINEAR and step > FINEST and h > 1e-6 * (1.0 + abs(times[k]))
            if looked_at and (is_cubic or surely_off(angles, end) > tolerance):
                _, start_spin = along(path, at)
                d0, ok0 = angle_rates(angles, start_spin, order)
                d1, ok1 = angle_rates(end, spin, order)
                smooth = ok0 and ok1 and not is_straight
                fits = (not is_cubic or not smooth) and follows(
                    path, at, to, angles, d0, end, d1, order, True, tolerance
                )
                if smooth and not fits:
                    kind = BEZIER
                    fits = follows(path, at, to, angles, d0, end, d1, order, False, tolerance)
                if not fits:
                    step *= 0.5
                    continue
            made.kinds[count - 1] = made.kinds[count] = kind
            made.times[count] = times[k + 1] if to == 1.0 else times[k] + to * h
            put(made.angles[count], 0, end)
            put(made.ins[count], 0, divided(d1, h))
            put(made.outs[count - 1], 0, divided(d0, h))
            put(made.outs[count], 0, NOTHING)
            angles = end
            at = to
            count += 1
            # Coarser again as soon as the coarser grid is met.
            while step < 1.0 and at % (2.0 * step) == 0.0:
                step *= 2.0
    return count
