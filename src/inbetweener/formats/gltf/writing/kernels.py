"""Compiled sampling of curves into glTF keys: all components of a track at the same times, no handle widths.

Between two keys the result is compared with the curves at a few samples, and halved until it fits.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves.kernels import Keys, bezier_parameter, cubic, moving_parameter, segment_at
from inbetweener.curves.key import CONSTANT, LINEAR
from inbetweener.formats.path_kernels import FINEST, SAMPLES, from_angles, path_at, spin_of
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.quaternion_kernels import (
    Quaternion,
    angle_between,
    hamilton,
    mixed,
    put_quaternion,
    quaternion,
    towards,
)
from inbetweener.maths.vector_kernels import scaled, vector


@inlined
def curve_at(keys: Keys, c: int, inside: float, t: float) -> tuple[float, float]:
    """Value and slope at t of the segment of curve c that holds the time `inside`: at a key, that picks the side."""
    starts, times, values, ins, outs, kinds = keys
    first, last = starts[c], starts[c + 1]
    if inside <= times[first]:
        return values[first], 0.0
    if inside >= times[last - 1]:
        return values[last - 1], 0.0
    k = segment_at(times, first, last, inside, first)
    if kinds[k] == CONSTANT:
        return values[k], 0.0
    h = times[k + 1] - times[k]
    s = (t - times[k]) / h
    rise = values[k + 1] - values[k]
    if kinds[k] == LINEAR:
        # From the nearer end, so that the far key is met exactly.
        return (values[k] + s * rise if s < 0.5 else values[k + 1] - (1.0 - s) * rise), rise / h
    a, b = outs[k, 0] / h, ins[k + 1, 0] / h
    u = bezier_parameter(a, b, s)
    value = cubic(values[k], values[k] + outs[k, 1], values[k + 1] - ins[k + 1, 1], values[k + 1], u)[0]
    u = moving_parameter(a, b, u)
    rate = cubic(values[k], values[k] + outs[k, 1], values[k + 1] - ins[k + 1, 1], values[k + 1], u)[1]
    pace = cubic(0.0, a, 1.0 - b, 1.0, u)[1]
    return value, rate / max(pace, 1e-9) / h


@record("const(f8[::1]), const(i8[::1]), const(i8[::1]), const(f8[::1])")
class Weighted(NamedTuple):
    """Of D numbers: bias (D,), and Σ weight · curve over entries starts[d] … starts[d+1]."""

    bias: Floats
    starts: Ints
    curves: Ints
    weights: Floats


@record("f8[::1], f8[:,::1], f8[:,::1], f8[:,::1]")
class Made(NamedTuple):
    """Room for keys: times (m,), values and their slopes in and out (m, width)."""

    times: Floats
    values: Floats
    ins: Floats
    outs: Floats


@inlined
def sums_at(keys: Keys, sums: Weighted, inside: float, t: float, result: Floats, slopes: Floats) -> None:
    """result[d] = bias[d] + Σ weight · curve(t) over the curves that move d; and the slopes."""
    for d in range(len(sums.bias)):
        result[d] = sums.bias[d]
        slopes[d] = 0.0
        for e in range(sums.starts[d], sums.starts[d + 1]):
            value, slope = curve_at(keys, sums.curves[e], inside, t)
            result[d] += sums.weights[e] * value
            slopes[d] += sums.weights[e] * slope


@kernel("i8(Keys, Weighted, const(f8[::1]), const(f8[::1]), f8, Made)")
def cubic_keys(keys: Keys, sums: Weighted, stops: Floats, before: Floats, tolerance: float, made: Made) -> int:
    """Cubic keys for sums of curves whose keys all lie on `stops`; exact where the sums are cubics in time.

    Handles of uneven width make other shapes: those segments are halved until the cubic through their ends leaves
    the curve by no more than `tolerance`. A jump becomes two keys, the first at the time `before` that stop. Returns
    the number of keys, −1 when they do not fit.
    """
    size = len(sums.bias)
    low, high, here = np.empty(size), np.empty(size), np.empty(size)
    low_slope, high_slope, slope = np.empty(size), np.empty(size), np.empty(size)
    count = 0
    for k in range(len(stops) - 1):
        start, h = stops[k], stops[k + 1] - stops[k]
        inside = start + 0.5 * h
        sums_at(keys, sums, inside, start, low, low_slope)
        jumps = False
        if count > 0:
            for d in range(size):
                if abs(low[d] - made.values[count - 1, d]) > 1e-9 * (1.0 + abs(low[d])):
                    jumps = True
        if count + 2 > len(made.times):
            return -1
        if jumps:
            made.times[count - 1] = before[k]
        if count == 0 or jumps:
            made.times[count] = start
            made.values[count] = low
            made.ins[count] = 0.0
            count += 1
        at, step = 0.0, 1.0
        while at < 1.0:
            if count >= len(made.times):
                return -1
            to = at + step
            end = stops[k + 1] if to == 1.0 else start + to * h
            sums_at(keys, sums, inside, end, high, high_slope)
            if step > FINEST:
                worst = 0.0
                for n in range(1, SAMPLES):
                    s = n / SAMPLES
                    sums_at(keys, sums, inside, start + (at + s * step) * h, here, slope)
                    ss = s * s
                    for d in range(size):
                        guess = (
                            low[d]
                            + (3.0 - 2.0 * s) * ss * (high[d] - low[d])
                            + step * h * (((s - 2.0) * ss + s) * low_slope[d] + (s - 1.0) * ss * high_slope[d])
                        )
                        worst = max(worst, abs(guess - here[d]))
                if worst > tolerance:
                    step *= 0.5
                    continue
            else:
                # Too steep for slopes to mean anything: straight on.
                for d in range(size):
                    low_slope[d] = high_slope[d] = (high[d] - low[d]) / (step * h)
            made.outs[count - 1] = low_slope
            made.times[count] = end
            made.values[count] = high
            made.ins[count] = high_slope
            made.outs[count] = 0.0
            count += 1
            low[:] = high
            low_slope[:] = high_slope
            at = to
            while step < 1.0 and at % (2.0 * step) == 0.0:
                step *= 2.0
    return count


@inlined
def turned(rest: Quaternion, angles: Floats, order: Ints, like: Quaternion) -> Quaternion:
    """rest · Euler(angles), with the sign that lies nearer to `like`."""
    return towards(hamilton(rest, from_angles(vector(angles), order)), like)


@inlined
def quaternion_rate(q: Quaternion, angles: Floats, rates: Floats, order: Ints) -> Quaternion:
    """dq/dt = ½ q·ω for rates of the Euler angles."""
    x, y, z = scaled(0.5, spin_of(vector(angles), vector(rates), order))
    return hamilton(q, (0.0, x, y, z))


@kernel("i8(Keys, Weighted, const(f8[::1]), const(f8[::1]), const(f8[::1]), const(i8[::1]), f8, b1, Made)")
def quaternion_keys(
    keys: Keys,
    sums: Weighted,
    stops: Floats,
    before: Floats,
    rest: Floats,
    order: Ints,
    tolerance: float,
    as_cubic: bool,
    made: Made,
) -> int:
    """Quaternion keys for Euler curves whose keys all lie on `stops`: slerp between them, or normalised cubics.

    Pieces are halved until they leave the true rotation by no more than `tolerance` radians and turn little enough
    that no sample can mistake a full turn for rest. Returns the number of keys, −1 when they do not fit.
    """
    low, high, here = np.empty(3), np.empty(3), np.empty(3)
    low_rate, high_rate, rate = np.empty(3), np.empty(3), np.empty(3)
    base = quaternion(rest)
    zero = (0.0, 0.0, 0.0, 0.0)
    last = (1.0, 0.0, 0.0, 0.0)
    count = 0
    for k in range(len(stops) - 1):
        start, h = stops[k], stops[k + 1] - stops[k]
        inside = start + 0.5 * h
        sums_at(keys, sums, inside, start, low, low_rate)
        a = turned(base, low, order, last)
        if count + 2 > len(made.times):
            return -1
        jumps = count > 0 and angle_between(a, last) > 1e-8
        if jumps:
            made.times[count - 1] = before[k]
        if count == 0 or jumps:
            made.times[count] = start
            put_quaternion(made.values[count], 0, a)
            made.ins[count] = 0.0
            count += 1
        at, step = 0.0, 1.0
        while at < 1.0:
            if count >= len(made.times):
                return -1
            to = at + step
            span = step * h
            end = stops[k + 1] if to == 1.0 else start + to * h
            sums_at(keys, sums, inside, end, high, high_rate)
            b = turned(base, high, order, a)
            ma, mb = zero, zero
            if as_cubic and step > FINEST:
                ma = quaternion_rate(a, low, low_rate, order)
                mb = quaternion_rate(b, high, high_rate, order)
            if step > FINEST:
                worst = 0.0
                x, y, z = low[0], low[1], low[2]
                for n in range(1, SAMPLES + 1):
                    s = n / SAMPLES
                    sums_at(keys, sums, inside, start + (at + s * step) * h, here, rate)
                    if max(abs(here[0] - x), abs(here[1] - y), abs(here[2] - z)) > 1.0:
                        worst = math.inf
                        break
                    x, y, z = here[0], here[1], here[2]
                    q, _ = path_at(a, mixed(ma, a, span, 0.0), b, mixed(mb, b, span, 0.0), as_cubic, s)
                    worst = max(worst, angle_between(q, turned(base, here, order, a)))
                if worst > tolerance:
                    step *= 0.5
                    continue
            elif as_cubic:
                ma = mb = mixed(b, a, 1.0 / span, -1.0 / span)
            put_quaternion(made.outs[count - 1], 0, ma)
            made.times[count] = end
            put_quaternion(made.values[count], 0, b)
            put_quaternion(made.ins[count], 0, mb)
            made.outs[count] = 0.0
            count += 1
            low[:] = high
            low_rate[:] = high_rate
            a = b
            at = to
            while step < 1.0 and at % (2.0 * step) == 0.0:
                step *= 2.0
        last = a
    return count
