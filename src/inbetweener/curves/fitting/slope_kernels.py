"""Compiled slopes of fitted keys, and how far a segment between two of them misses its samples.

With tangents a third of the segment wide, time is linear in u and a segment is the cubic of Hermite: linear in the
slopes at its two keys. Key values sit on samples, so the slopes alone are unknown, and each of them meets only its
neighbours: least squares is a tridiagonal system.
"""

from typing import NamedTuple

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.kernels import inlined

BROKEN, LEVEL_LEFT, LEVEL_RIGHT, KEPT = 1, 2, 4, 8


class Samples(NamedTuple):
    """times (n,); values and tolerances (C, n) of channels; marks (C, n), what a key must keep at a sample.

    Bit 0: its two slopes may differ; bits 1 and 2: its left or right slope is zero; bit 3: there must be one. Between
    samples the way is straight, or smooth and unknown.
    """

    times: Floats
    values: Floats
    tolerances: Floats
    marks: Bytes
    is_straight: bool


class Draft(NamedTuple):
    """keys (n,): samples that are keys so far; left and right (C, n): slopes on either side of every one of them.

    At a tied key both are equal. spare (2, C, n) and work (3, 2n + 2) are room.
    """

    keys: Ints
    left: Floats
    right: Floats
    spare: Floats
    work: Floats


@inlined
def halfway_allowance(values: Floats, n: int) -> float:
    """How far smooth motion through samples n and n + 1 may lie from the middle of their chord.

    A parabola bows by an eighth of its second difference; twice the mean of the two nearest ones is allowed.
    """
    last = len(values) - 1
    a, b = max(n - 1, 0), min(n + 2, last)
    return (abs(values[a] - 2.0 * values[n] + values[n + 1]) + abs(values[n] - 2.0 * values[n + 1] + values[b])) / 8.0


@inlined
def looked_at(samples: Samples, c: int, half: int) -> tuple[float, float, float]:
    """When, where and how closely a channel is looked at: on sample half / 2, or on the chord halfway to the next."""
    times, values, tolerances = samples.times, samples.values[c], samples.tolerances[c]
    n = half // 2
    if half % 2 == 0:
        return times[n], values[n], tolerances[n]
    allowed = max(tolerances[n], tolerances[n + 1])
    if not samples.is_straight:
        allowed += halfway_allowance(values, n)
    return 0.5 * (times[n] + times[n + 1]), 0.5 * (values[n] + values[n + 1]), allowed


@inlined
def normal_equations(samples: Samples, c: int, i: int, j: int) -> tuple[float, float, float, float, float]:
    """Sums a00, a01, a11, b0, b1 for the slopes of channel c at samples i and j from the samples between them.

    The middle between two samples counts as one more, on their chord: without it the slopes of a segment of one or two
    frames are anybody's guess, and the curve swings wildly where nobody looks.
    """
    times, values = samples.times, samples.values[c]
    h = times[j] - times[i]
    rise = values[j] - values[i]
    a00, a01, a11, b0, b1 = 0.0, 0.0, 0.0, 0.0, 0.0
    for half in range(2 * i + 1, 2 * j):
        t, value, tolerance = looked_at(samples, c, half)
        s = (t - times[i]) / h
        v = 1.0 - s
        weight = 1.0 / tolerance
        p, q = weight * h * s * v * v, -weight * h * s * s * v
        r = weight * (value - values[i] - rise * s * s * (3.0 - 2.0 * s))
        a00 += p * p
        a01 += p * q
        a11 += q * q
        b0 += p * r
        b1 += q * r
    # A breath of pull towards the straight line decides what is left open: the two slopes of a single frame.
    pull = 1e-6 * (a00 + a11)
    return a00 + pull, a01, a11 + pull, b0 + pull * rise / h, b1 + pull * rise / h


@inlined
def segment_error(samples: Samples, c: int, i: int, j: int, right: float, left: float) -> tuple[float, int]:
    """The largest error of channel c between samples i and j, in tolerances, and the inner sample nearest to it.

    Looked at on samples and halfway between them. A single frame has no inner sample, and no error that a key could
    mend.
    """
    times, values = samples.times, samples.values[c]
    h = times[j] - times[i]
    rise = values[j] - values[i]
    worst, where = 0.0, i
    for half in range(2 * i + 1, 2 * j if j > i + 1 else 0):
        t, value, tolerance = looked_at(samples, c, half)
        s = (t - times[i]) / h
        v = 1.0 - s
        made = values[i] + rise * s * s * (3.0 - 2.0 * s) + h * s * v * (v * right - s * left)
        error = abs(made - value) / tolerance
        if error > worst:
            worst, where = error, max(half // 2, i + 1)
    return worst, where


@inlined
def solve_slopes(samples: Samples, c: int, draft: Draft, count: int, first: int, last: int) -> None:
    """New slopes of channel c at keys first … last of `count`, those outside staying as they are."""
    marks, keys, left, right = samples.marks[c], draft.keys, draft.left[c], draft.right[c]
    diagonal, upper, load = draft.work[0], draft.work[1], draft.work[2]
    # Unknowns in time order: one a tied key, two a broken one. Slot 2k is the left, 2k + 1 the right slope of key k;
    # a tied key leaves its right slot empty.
    low, high = 2 * first, 2 * last + 1
    for slot in range(low, high + 1):
        diagonal[slot], upper[slot], load[slot] = 0.0, 0.0, 0.0
    for k in range(max(first - 1, 0), min(last + 1, count - 1)):
        i, j = keys[k], keys[k + 1]
        a00, a01, a11, b0, b1 = normal_equations(samples, c, i, j)
        a = 2 * k + 1 if marks[i] & BROKEN else 2 * k
        b = 2 * k + 2
        inside_a, inside_b = k >= first, k + 1 <= last
        free_a = inside_a and not marks[i] & LEVEL_RIGHT
        free_b = inside_b and not marks[j] & LEVEL_LEFT
        if free_a:
            diagonal[a] += a00
            load[a] += b0
            if inside_b:
                upper[a] = a01 if free_b else 0.0
            else:
                load[a] -= a01 * left[j]
        if free_b:
            diagonal[b] += a11
            load[b] += b1
            if not inside_a:
                load[b] -= a01 * right[i]
    # Thomas' elimination over the occupied slots; a level slope or an empty slot has a zero row and stays zero.
    previous = -1
    for slot in range(low, high + 1):
        if diagonal[slot] == 0.0:
            continue
        if previous >= 0 and upper[previous] != 0.0:
            factor = upper[previous] / diagonal[previous]
            diagonal[slot] -= factor * upper[previous]
            load[slot] -= factor * load[previous]
        previous = slot
    following = -1
    for slot in range(high, low - 1, -1):
        if diagonal[slot] == 0.0:
            load[slot] = 0.0
            continue
        known = upper[slot] * load[following] if following >= 0 else 0.0
        load[slot] = (load[slot] - known) / diagonal[slot]
        following = slot
    for k in range(first, last + 1):
        i = keys[k]
        left[i] = load[2 * k]
        right[i] = load[2 * k + 1] if marks[i] & BROKEN else load[2 * k]
        if marks[i] & LEVEL_LEFT:
            left[i] = 0.0
        if marks[i] & LEVEL_RIGHT:
            right[i] = 0.0
