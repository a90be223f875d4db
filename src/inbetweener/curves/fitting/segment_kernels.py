"""Compiled values and slopes of fitted keys, and how far a segment between two of them misses its samples.

With tangents a third of the segment wide, time is linear in u and a segment is the cubic of Hermite: linear in the
values and slopes at its two keys. Each of them meets only its neighbours: least squares is a narrow band. What a
segment adds to it depends on its samples alone, so it is summed up once.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.kernels import lent

BROKEN, LEVEL_LEFT, LEVEL_RIGHT, KEPT, PINNED = 1, 2, 4, 8, 16
FIXED = LEVEL_LEFT | LEVEL_RIGHT | PINNED
"""Who rests keeps the value of its sample."""

LEFT, VALUE, RIGHT = 0, 1, 2

BAND = 4
"""How far apart two unknowns that meet can be, with three to a key: a tied slope and the value of the next key."""

PULL = 1e-6
"""A breath of pull towards the straight line decides what samples leave open;"""

SINGLE = 0.3
"""and a strong one keeps a single frame from swinging where nobody looks."""


class Samples(NamedTuple):
    """What is to be met, at n samples and in steps between: times (H,), values and weights (C, H) of channels, and
    where the samples stand among them (n,). A weight is one over the tolerance. What is between samples counts alike:
    without it the slopes of a segment of one or two frames are anybody's guess, and the curve swings wildly where
    nobody looks.
    """

    times: Floats
    values: Floats
    weights: Floats
    at: Ints


class Draft(NamedTuple):
    """A fit so far.

    keys    (n,) samples that are keys
    marks   (C, n) what a key must keep at a sample. Bit 0: its two slopes may differ; bits 1 and 2: its left or right
            slope is zero; bit 3: there must be one; bit 4: its value is the sample's
    states  (C, n, 3) left slope, value and right slope of every key; the slopes of a tied one are equal. A value that
            is fixed is there from the start
    sums    (C, n, 14) normal equations of the segment that begins at a key, upper triangle and load, by its value and
            slope there and the slope and value at its end
    ends    (C, n) the end of the segment that they are of
    spare, aside, band, load  (C, n, 3), (C, 15), (3n + 8, 5), (3n + 8,): room
    objecting                 (1,) the channel that refused the last trial
    """

    keys: Ints
    marks: Bytes
    states: Floats
    sums: Floats
    ends: Ints
    spare: Floats
    aside: Floats
    band: Floats
    load: Floats
    objecting: Ints


@lent
def sum_up(samples: Samples, draft: Draft, c: int, i: int, j: int) -> None:
    """The normal equations of channel c between samples i and j; the last sample of all belongs to its segment too."""
    if draft.ends[c, i] == j:
        return
    draft.ends[c, i] = j
    times, values, weights = samples.times, samples.values, samples.weights
    low, high = samples.at[i], samples.at[j]
    start = times[low]
    h = times[high] - start
    scale = 1.0 / h
    a00, a01, a02, a03, a11, a12, a13, a22, a23, a33 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    for at in range(low, high + (high + 1 == len(times))):
        s = (times[at] - start) * scale
        v = 1.0 - s
        weight = weights[c, at]
        p3 = weight * s * s * (3.0 - 2.0 * s)
        p0 = weight - p3
        p1, p2 = weight * h * s * v * v, -weight * h * s * s * v
        r = weight * values[c, at]
        a00 += p0 * p0
        a01 += p0 * p1
        a02 += p0 * p2
        a03 += p0 * p3
        a11 += p1 * p1
        a12 += p1 * p2
        a13 += p1 * p3
        a22 += p2 * p2
        a23 += p2 * p3
        a33 += p3 * p3
        b0 += p0 * r
        b1 += p1 * r
        b2 += p2 * r
        b3 += p3 * r
    pull = (SINGLE if j == i + 1 else PULL) * (a11 + a22)
    straight = pull * (values[c, high] - values[c, low]) / h
    sums = draft.sums[c, i]
    sums[0], sums[1], sums[2], sums[3] = a00, a01, a02, a03
    sums[4], sums[5], sums[6] = a11 + pull, a12, a13
    sums[7], sums[8], sums[9] = a22 + pull, a23, a33
    sums[10], sums[11], sums[12], sums[13] = b0, b1 + straight, b2 + straight, b3


@lent
def segment_error(samples: Samples, draft: Draft, c: int, i: int, j: int) -> tuple[float, int]:
    """The largest error of channel c between samples i and j, in tolerances, and the step at which it is.

    A single frame is not looked at in its middle: no key could mend that.
    """
    times, values, weights, states = samples.times, samples.values, samples.weights, draft.states
    low, high = samples.at[i], samples.at[j]
    start = times[low]
    h = times[high] - start
    a0, a1 = states[c, i, VALUE], h * states[c, i, RIGHT]
    rise, end = states[c, j, VALUE] - a0, h * states[c, j, LEFT]
    a2, a3 = 3.0 * rise - 2.0 * a1 - end, a1 + end - 2.0 * rise
    scale = 1.0 / h
    worst, where = 0.0, low
    stride = high - low if j == i + 1 else 1
    for at in range(low, high + (high + 1 == len(times)), stride):
        s = (times[at] - start) * scale
        error = abs(a0 + s * (a1 + s * (a2 + s * a3)) - values[c, at]) * weights[c, at]
        if error > worst:
            worst, where = error, at
    return worst, where


@lent
def inner_sample(samples: Samples, where: int, i: int, j: int) -> int:
    """The sample between samples i and j that is nearest to a step, −1 where there is none."""
    if j == i + 1:
        return -1
    n = i + 1
    while n < j - 1 and samples.at[n] + samples.at[n + 1] <= 2 * where:
        n += 1
    return n


@lent
def add_up(
    draft: Draft, c: int, slots: tuple[int, int, int, int], known: tuple[float, float, float, float], i: int
) -> None:
    """Add the normal equations of the segment that begins at sample i to the band: by slot, or by what is known."""
    sums, band, load = draft.sums[c, i], draft.band, draft.load
    n = 0
    for a in range(4):
        for b in range(a, 4):
            value = sums[n]
            n += 1
            p, q = slots[a], slots[b]
            if p >= 0 and q >= 0:
                band[max(p, q), abs(p - q)] += value
            elif p >= 0:
                load[p] -= value * known[b]
            elif q >= 0:
                load[q] -= value * known[a]
    for a in range(4):
        if slots[a] >= 0:
            load[slots[a]] += sums[10 + a]


@lent
def factor(band: Floats, load: Floats, size: int) -> None:
    """Solve the band for the load, in place: L D Lᵀ, with one over D in column 0. Before and after its `size` rows
    there are BAND of nought, so that no row is special; those of slots that stay empty have nought on the diagonal."""
    for n in range(size):
        p = np.uint64(BAND + n)
        a, b, c, d = p - np.uint64(1), p - np.uint64(2), p - np.uint64(3), p - np.uint64(4)
        u4 = band[p, 4]
        u3 = band[p, 3] - u4 * band[c, 1]
        u2 = band[p, 2] - u4 * band[b, 2] - u3 * band[b, 1]
        u1 = band[p, 1] - u4 * band[a, 3] - u3 * band[a, 2] - u2 * band[a, 1]
        l1, l2, l3, l4 = u1 * band[a, 0], u2 * band[b, 0], u3 * band[c, 0], u4 * band[d, 0]
        left = band[p, 0] - u1 * l1 - u2 * l2 - u3 * l3 - u4 * l4
        load[p] = load[p] - l1 * load[a] - l2 * load[b] - l3 * load[c] - l4 * load[d]
        band[p, 0] = 1.0 / left if left > 0.0 else 0.0
        band[p, 1], band[p, 2], band[p, 3], band[p, 4] = l1, l2, l3, l4
    for n in range(size):
        p = np.uint64(BAND + size - 1 - n)
        a, b, c, d = p + np.uint64(1), p + np.uint64(2), p + np.uint64(3), p + np.uint64(4)
        after = band[a, 1] * load[a] + band[b, 2] * load[b] + band[c, 3] * load[c] + band[d, 4] * load[d]
        load[p] = load[p] * band[p, 0] - after


@lent
def solve_keys(samples: Samples, draft: Draft, c: int, count: int, first: int, last: int) -> None:
    """New values and slopes of channel c at keys first … last of `count`, those outside staying as they are."""
    keys, marks, states, band, load = draft.keys, draft.marks[c], draft.states[c], draft.band, draft.load
    size = 3 * (last - first + 1)
    for row in range(size + 2 * BAND):
        p = np.uint64(row)
        load[p] = band[p, 0] = band[p, 1] = band[p, 2] = band[p, 3] = band[p, 4] = 0.0
    for k in range(max(first - 1, 0), min(last + 1, count - 1)):
        i, j = keys[k], keys[k + 1]
        sum_up(samples, draft, c, i, j)
        at = BAND + 3 * (k - first)
        here, there = k >= first, k + 1 <= last
        value = at + VALUE if here and not marks[i] & FIXED else -1
        right = at + (RIGHT if marks[i] & BROKEN else LEFT) if here and not marks[i] & LEVEL_RIGHT else -1
        left = at + 3 + LEFT if there and not marks[j] & LEVEL_LEFT else -1
        following = at + 3 + VALUE if there and not marks[j] & FIXED else -1
        known = (
            states[i, VALUE],
            0.0 if here else states[i, RIGHT],
            0.0 if there else states[j, LEFT],
            states[j, VALUE],
        )
        add_up(draft, c, (value, right, left, following), known, i)
    factor(band, load, size)
    for k in range(first, last + 1):
        i, at = keys[k], BAND + 3 * (k - first)
        state, mark = states[i], marks[i]
        if not mark & FIXED:
            state[VALUE] = load[at + VALUE]
        state[LEFT] = 0.0 if mark & LEVEL_LEFT else load[at + LEFT]
        state[RIGHT] = 0.0 if mark & LEVEL_RIGHT else load[at + (RIGHT if mark & BROKEN else LEFT)]
