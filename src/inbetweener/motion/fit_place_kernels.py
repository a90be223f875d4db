"""Compiled: what errors of places cost, and what a channel does to them, along time.

Called for every place: arrays come one by one, as each that is taken out of a record costs a count. Every innermost
loop has one array to write and few to read, at places that cannot be negative: so the processor takes several steps at
once.
"""

import math

import numpy as np

from inbetweener.arrays import Ints, Singles
from inbetweener.kernels import merged

EVEN = 0.1
"""What errors count where there is room, beside those where there is none."""


@merged
def square(e: Singles, p: int, row: int, low: int, high: int, made: Singles) -> None:
    """Squared lengths of three rows of a place."""
    for n in range(high - low):
        i = np.uint64(low + n)
        x, y, z = e[p, row, i], e[p, row + 1, i], e[p, row + 2, i]
        made[i] = x * x + y * y + z * z


@merged
def square_moved(
    e: Singles, p: int, by: Singles, m: int, row: int, change: Singles, much: float, low: int, high: int, made: Singles
) -> None:
    """The same once a channel has changed, or so much of that."""
    share = np.float32(much)
    for n in range(high - low):
        i = np.uint64(low + n)
        d = share * change[i]
        x = e[p, row, i] + d * by[m, row, i]
        y = e[p, row + 1, i] + d * by[m, row + 1, i]
        z = e[p, row + 2, i] + d * by[m, row + 2, i]
        made[i] = x * x + y * y + z * z


@merged
def along(e: Singles, p: int, by: Singles, m: int, row: int, low: int, high: int, made: Singles) -> None:
    """How far three rows of errors lie in the direction in which a channel moves them."""
    for n in range(high - low):
        i = np.uint64(low + n)
        x, y, z = (
            e[p, row, i] * by[m, row, i],
            e[p, row + 1, i] * by[m, row + 1, i],
            e[p, row + 2, i] * by[m, row + 2, i],
        )
        made[i] = x + y + z


@merged
def price(strict: Singles, p: int, part: int, low: int, high: int, one: Singles, two: Singles, made: Singles) -> None:
    """What squares of one part of the errors cost, by the squares of both.

    What is to become small is the sum of s⁸ + EVEN s² over the shares s of what is allowed, in which the largest
    decide: here are squares of the same slope. (a + b)² is at most a² (1 + b/a) + b² (1 + a/b).
    """
    even, four, quarter, tiny = np.float32(EVEN), np.float32(4.0), np.float32(0.25), np.float32(1e-6)
    for n in range(high - low):
        i = np.uint64(low + n)
        a, b = math.sqrt(one[i]) * strict[p, 0, i], math.sqrt(two[i]) * strict[p, 1, i]
        s = a + b
        own = a if part == 0 else b
        own = own if own > quarter * s else quarter * s
        scale = strict[p, part, i]
        ss = s * s
        made[i] = (four * ss * ss * ss + even) * scale * scale * ((s + tiny) / (own + tiny))


@merged
def add_product(one: Singles, two: Singles, sign: float, low: int, high: int, made: Singles) -> None:
    """Add products, times a sign."""
    by = np.float32(sign)
    for n in range(high - low):
        i = np.uint64(low + n)
        made[i] = made[i] + by * one[i] * two[i]


@merged
def add_shares(one: Singles, two: Singles, strict: Singles, p: int, low: int, high: int, made: Singles) -> None:
    """Add what is to become small of a place, by the squares of both parts of its error."""
    even = np.float32(EVEN)
    for n in range(high - low):
        i = np.uint64(low + n)
        s = math.sqrt(one[i]) * strict[p, 0, i] + math.sqrt(two[i]) * strict[p, 1, i]
        ss = s * s
        four = ss * ss
        made[i] = made[i] + (four * four + even * ss)


@merged
def square_jerks(
    e: Singles,
    p: int,
    by: Singles,
    m: int,
    change: Singles,
    much: float,
    stride: int,
    low: int,
    high: int,
    row: Singles,
    made: Singles,
) -> None:
    """Squared second differences of a place's errors from frame to frame, once a channel has changed."""
    share, two = np.float32(much), np.float32(2.0)
    begin, size = low - stride, high - low + 2 * stride
    for d in range(3):
        for n in range(size):
            i = np.uint64(begin + n)
            row[i] = e[p, d, i] + share * change[i] * by[m, d, i]
        for n in range(high - low):
            i, before, after = np.uint64(low + n), np.uint64(low - stride + n), np.uint64(low + stride + n)
            by_frame = row[before] - two * row[i] + row[after]
            made[i] = by_frame * by_frame + (made[i] if d > 0 else np.float32(0.0))


@merged
def add_jerks(squares: Singles, gentle: Singles, p: int, low: int, high: int, made: Singles) -> None:
    """Add what is to become small of jerks."""
    for n in range(high - low):
        i = np.uint64(low + n)
        s = squares[i] * gentle[p, i] * gentle[p, i]
        four = s * s
        made[i] = made[i] + four * four


@merged
def weigh(
    places: Ints,
    first: int,
    last: int,
    e: Singles,
    strict: Singles,
    by: Singles,
    low: int,
    high: int,
    one: Singles,
    two: Singles,
    three: Singles,
    four: Singles,
    weight: Singles,
    pull: Singles,
) -> None:
    """How much places want a channel to change, and in which direction."""
    for n in range(high - low):
        i = np.uint64(low + n)
        weight[i] = pull[i] = np.float32(0.0)
    for m in range(first, last):
        p = places[m]
        square(e, p, 0, low, high, one)
        square(e, p, 3, low, high, two)
        for part in range(2):
            price(strict, p, part, low, high, one, two, three)
            square(by, m, 3 * part, low, high, four)
            add_product(three, four, 1.0, low, high, weight)
            along(e, p, by, m, 3 * part, low, high, four)
            add_product(three, four, -1.0, low, high, pull)


@merged
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
    much: float,
    low: int,
    high: int,
    one: Singles,
    two: Singles,
    three: Singles,
) -> float:
    """The sum that is to become small, over some places, once their channel has changed so much of `change`, which is
    nought for two frames around."""
    begin, end = max(low - stride, stride), min(high + stride, len(change) - stride)
    left, right = min(begin, low), max(end, high)
    for n in range(right - left):
        three[np.uint64(left + n)] = np.float32(0.0)
    for m in range(first, last):
        p = places[m]
        square_moved(e, p, by, m, 0, change, much, low, high, one)
        square_moved(e, p, by, m, 3, change, much, low, high, two)
        add_shares(one, two, strict, p, low, high, three)
        square_jerks(e, p, by, m, change, much, stride, begin, end, one, two)
        add_jerks(two, gentle, p, begin, end, three)
    total = 0.0
    for n in range(right - left):
        total += three[np.uint64(left + n)]
    return total


@merged
def shift(places: Ints, first: int, last: int, by: Singles, change: Singles, low: int, high: int, e: Singles) -> None:
    """What a change of their channel (H,) does to places."""
    for m in range(first, last):
        p = places[m]
        for d in range(6):
            for n in range(high - low):
                i = np.uint64(low + n)
                e[p, d, i] = e[p, d, i] + change[i] * by[m, d, i]
