"""Compiled: what errors of places cost, and what a channel does to them, along time.

Called for every place: arrays come one by one, as each that is taken out of a record costs a count. Every loop goes
along time, at places that cannot be negative, through arrays of which none overlaps another: so the processor takes
several steps at once.
"""

import math

import numpy as np

from inbetweener.arrays import Ints, Singles
from inbetweener.kernels import distinct, lent

EVEN = 0.1
"""What errors count where there is room, beside those where there is none."""

STRIDES = (0.0, 1.0, 0.4, 0.15)
"""How much of a change is tried, after none of it."""


@distinct
def want(
    e: Singles, p: int, strict: Singles, by: Singles, m: int, low: int, high: int, weight: Singles, pull: Singles
) -> None:
    """Add how much a place wants a channel to change, and in which direction.

    What is to become small is the sum of s⁸ + EVEN s² over the shares s of what is allowed, in which the largest
    decide: here are squares of the same slope. (a + b)² is at most a² (1 + b/a) + b² (1 + a/b).
    """
    even, four, quarter, tiny = np.float32(EVEN), np.float32(4.0), np.float32(0.25), np.float32(1e-6)
    for n in range(high - low):
        i = np.uint64(low + n)
        x, y, z = e[p, 0, i], e[p, 1, i], e[p, 2, i]
        u, v, w = e[p, 3, i], e[p, 4, i], e[p, 5, i]
        dx, dy, dz = by[m, 0, i], by[m, 1, i], by[m, 2, i]
        du, dv, dw = by[m, 3, i], by[m, 4, i], by[m, 5, i]
        f, g = strict[p, 0, i], strict[p, 1, i]
        a, b = math.sqrt(x * x + y * y + z * z) * f, math.sqrt(u * u + v * v + w * w) * g
        s = a + b
        ss = s * s
        all_in_all = (four * ss * ss * ss + even) * (s + tiny)
        one = all_in_all * f * f / (max(a, quarter * s) + tiny)
        two = all_in_all * g * g / (max(b, quarter * s) + tiny)
        weight[i] += one * (dx * dx + dy * dy + dz * dz) + two * (du * du + dv * dv + dw * dw)
        pull[i] -= one * (x * dx + y * dy + z * dz) + two * (u * du + v * dv + w * dw)


@distinct
def add_shares(
    e: Singles,
    p: int,
    strict: Singles,
    by: Singles,
    m: int,
    change: Singles,
    low: int,
    high: int,
    none: Singles,
    all_: Singles,
    some: Singles,
    little: Singles,
) -> None:
    """Add what is to become small of a place, once its channel has changed by each of STRIDES."""
    even, two, zero = np.float32(EVEN), np.float32(2.0), np.float32(0.0)
    for n in range(high - low):
        i = np.uint64(low + n)
        x, y, z = e[p, 0, i], e[p, 1, i], e[p, 2, i]
        u, v, w = e[p, 3, i], e[p, 4, i], e[p, 5, i]
        d = change[i]
        dx, dy, dz = d * by[m, 0, i], d * by[m, 1, i], d * by[m, 2, i]
        du, dv, dw = d * by[m, 3, i], d * by[m, 4, i], d * by[m, 5, i]
        f, g = strict[p, 0, i], strict[p, 1, i]
        a, b = x * x + y * y + z * z, u * u + v * v + w * w
        a1, b1 = two * (x * dx + y * dy + z * dz), two * (u * du + v * dv + w * dw)
        a2, b2 = dx * dx + dy * dy + dz * dz, du * du + dv * dv + dw * dw
        s = math.sqrt(a) * f + math.sqrt(b) * g
        ss = s * s
        none[i] += ss * ss * (ss * ss) + even * ss
        s = math.sqrt(max(a + a1 + a2, zero)) * f + math.sqrt(max(b + b1 + b2, zero)) * g
        ss = s * s
        all_[i] += ss * ss * (ss * ss) + even * ss
        t = np.float32(STRIDES[2])
        s = math.sqrt(max(a + t * (a1 + t * a2), zero)) * f + math.sqrt(max(b + t * (b1 + t * b2), zero)) * g
        ss = s * s
        some[i] += ss * ss * (ss * ss) + even * ss
        t = np.float32(STRIDES[3])
        s = math.sqrt(max(a + t * (a1 + t * a2), zero)) * f + math.sqrt(max(b + t * (b1 + t * b2), zero)) * g
        ss = s * s
        little[i] += ss * ss * (ss * ss) + even * ss


@distinct
def add_jerks(
    e: Singles,
    p: int,
    gentle: Singles,
    by: Singles,
    m: int,
    change: Singles,
    stride: int,
    low: int,
    high: int,
    none: Singles,
    all_: Singles,
    some: Singles,
    little: Singles,
) -> None:
    """Add what is to become small of jerks: squared second differences of a place's errors from frame to frame."""
    two, zero = np.float32(2.0), np.float32(0.0)
    for n in range(high - low):
        i, before, after = np.uint64(low + n), np.uint64(low - stride + n), np.uint64(low + stride + n)
        c, f, g = change[i], change[before], change[after]
        x = e[p, 0, before] - two * e[p, 0, i] + e[p, 0, after]
        y = e[p, 1, before] - two * e[p, 1, i] + e[p, 1, after]
        z = e[p, 2, before] - two * e[p, 2, i] + e[p, 2, after]
        dx = f * by[m, 0, before] - two * c * by[m, 0, i] + g * by[m, 0, after]
        dy = f * by[m, 1, before] - two * c * by[m, 1, i] + g * by[m, 1, after]
        dz = f * by[m, 2, before] - two * c * by[m, 2, i] + g * by[m, 2, after]
        much = gentle[p, i] * gentle[p, i]
        a, a1, a2 = x * x + y * y + z * z, two * (x * dx + y * dy + z * dz), dx * dx + dy * dy + dz * dz
        s = a * much
        none[i] += s * s * (s * s)
        s = max(a + a1 + a2, zero) * much
        all_[i] += s * s * (s * s)
        t = np.float32(STRIDES[2])
        s = max(a + t * (a1 + t * a2), zero) * much
        some[i] += s * s * (s * s)
        t = np.float32(STRIDES[3])
        s = max(a + t * (a1 + t * a2), zero) * much
        little[i] += s * s * (s * s)


@lent
def weigh(
    places: Ints,
    first: int,
    last: int,
    e: Singles,
    strict: Singles,
    by: Singles,
    low: int,
    high: int,
    weight: Singles,
    pull: Singles,
) -> None:
    """How much places want a channel to change, and in which direction."""
    for n in range(high - low):
        i = np.uint64(low + n)
        weight[i] = pull[i] = np.float32(0.0)
    for m in range(first, last):
        want(e, places[m], strict, by, m, low, high, weight, pull)


@lent
def count_up(
    places: Ints,
    first: int,
    last: int,
    e: Singles,
    strict: Singles,
    gentle: Singles,
    stride: int,
    by: Singles,
    change: Singles,
    low: int,
    high: int,
    none: Singles,
    all_: Singles,
    some: Singles,
    little: Singles,
) -> tuple[float, float, float, float]:
    """The sum that is to become small, over some places, once their channel has changed by each of STRIDES of `change`,
    which is nought for two frames around."""
    begin, end = max(low - stride, stride), min(high + stride, len(change) - stride)
    left, right = min(begin, low), max(end, high)
    for n in range(right - left):
        i = np.uint64(left + n)
        none[i] = all_[i] = some[i] = little[i] = np.float32(0.0)
    for m in range(first, last):
        p = places[m]
        add_shares(e, p, strict, by, m, change, low, high, none, all_, some, little)
        add_jerks(e, p, gentle, by, m, change, stride, begin, end, none, all_, some, little)
    sums = 0.0, 0.0, 0.0, 0.0
    for n in range(right - left):
        i = np.uint64(left + n)
        sums = sums[0] + none[i], sums[1] + all_[i], sums[2] + some[i], sums[3] + little[i]
    return sums


@distinct
def misses(
    e: Singles, p: int, strict: Singles, by: Singles, m: int, change: Singles, limit: float, low: int, high: int
) -> int:
    """At how many steps a place is farther off than `limit` of what is allowed, once its channel has changed."""
    found, most = 0, np.float32(limit)
    for n in range(high - low):
        i = np.uint64(low + n)
        d = change[i]
        x, y, z = e[p, 0, i] + d * by[m, 0, i], e[p, 1, i] + d * by[m, 1, i], e[p, 2, i] + d * by[m, 2, i]
        u, v, w = e[p, 3, i] + d * by[m, 3, i], e[p, 4, i] + d * by[m, 4, i], e[p, 5, i] + d * by[m, 5, i]
        s = math.sqrt(x * x + y * y + z * z) * strict[p, 0, i] + math.sqrt(u * u + v * v + w * w) * strict[p, 1, i]
        found += s > most
    return found


@distinct
def jerks(
    e: Singles, p: int, gentle: Singles, by: Singles, m: int, change: Singles, stride: int, low: int, high: int
) -> tuple[int, int]:
    """On how many frames a place is jerked, and would be once its channel has changed."""
    two, most = np.float32(2.0), np.float32(1.0)
    before_it, after_it = 0, 0
    for n in range(high - low):
        i, before, after = np.uint64(low + n), np.uint64(low - stride + n), np.uint64(low + stride + n)
        c, f, g = change[i], change[before], change[after]
        x = e[p, 0, before] - two * e[p, 0, i] + e[p, 0, after]
        y = e[p, 1, before] - two * e[p, 1, i] + e[p, 1, after]
        z = e[p, 2, before] - two * e[p, 2, i] + e[p, 2, after]
        much = gentle[p, i] * gentle[p, i]
        before_it += (x * x + y * y + z * z) * much > most
        x += f * by[m, 0, before] - two * c * by[m, 0, i] + g * by[m, 0, after]
        y += f * by[m, 1, before] - two * c * by[m, 1, i] + g * by[m, 1, after]
        z += f * by[m, 2, before] - two * c * by[m, 2, i] + g * by[m, 2, after]
        after_it += (x * x + y * y + z * z) * much > most
    return before_it, after_it


@distinct
def shift_place(e: Singles, p: int, by: Singles, m: int, change: Singles, low: int, high: int) -> None:
    """What a change of a channel does to a place."""
    for d in range(6):
        for n in range(high - low):
            i = np.uint64(low + n)
            e[p, d, i] = e[p, d, i] + change[i] * by[m, d, i]


@lent
def shift(places: Ints, first: int, last: int, by: Singles, change: Singles, low: int, high: int, e: Singles) -> None:
    """What a change of their channel (H,) does to places."""
    for m in range(first, last):
        shift_place(e, places[m], by, m, change, low, high)
