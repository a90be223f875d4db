"""Compiled fitting: a few cubic segments through dense samples, for one channel or several that share key times.

With tangents a third of the segment wide, time is linear in u and a segment is the cubic of Hermite: linear in the
slopes at its two keys. Key values sit on samples, so the slopes alone are unknown, and each of them meets only its
neighbours: least squares is a tridiagonal system, solved again in a small window whenever a key comes or goes.

`left` and `right` hold the slopes on either side of every sample that is a key; at a tied key both are equal. `marks`
say what a key must keep at a sample: bit 0 its two slopes may differ, bits 1 and 2 its left or right slope is zero.
"""

import math

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.kernels import inlined, kernel

BROKEN, LEVEL_LEFT, LEVEL_RIGHT, KEPT = 1, 2, 4, 8
WINDOW = 3
"""How many keys on either side of a change get new slopes; a change dies out by about a quarter from key to key."""


@inlined
def halfway_allowance(values: Floats, n: int) -> float:
    """How far smooth motion through samples n and n + 1 may lie from the middle of their chord.

    A parabola bows by an eighth of its second difference; twice the mean of the two nearest ones is allowed.
    """
    last = len(values) - 1
    a, b = max(n - 1, 0), min(n + 2, last)
    return (abs(values[a] - 2.0 * values[n] + values[n + 1]) + abs(values[n] - 2.0 * values[n + 1] + values[b])) / 8.0


@inlined
def normal_equations(
    times: Floats, values: Floats, tolerances: Floats, i: int, j: int
) -> tuple[float, float, float, float, float]:
    """Sums a00, a01, a11, b0, b1 for the slopes at samples i and j from the samples between them.

    The middle between two samples counts as one more, on their chord: without it the slopes of a segment of one or two
    frames are anybody's guess, and the curve swings wildly where nobody looks.
    """
    h = times[j] - times[i]
    rise = values[j] - values[i]
    a00, a01, a11, b0, b1 = 0.0, 0.0, 0.0, 0.0, 0.0
    for half in range(2 * i + 1, 2 * j):
        n = half // 2
        if half % 2 == 0:
            t, value, tolerance = times[n], values[n], tolerances[n]
        else:
            t, value = 0.5 * (times[n] + times[n + 1]), 0.5 * (values[n] + values[n + 1])
            tolerance = tolerances[n] + halfway_allowance(values, n)
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
def segment_error(
    times: Floats, values: Floats, tolerances: Floats, i: int, j: int, right: float, left: float
) -> tuple[float, int]:
    """The largest error relative to the tolerance between samples i and j, and the inner sample nearest to it.

    Looked at on samples and halfway between them. A single frame has no inner sample, and no error that a key could
    mend.
    """
    h = times[j] - times[i]
    rise = values[j] - values[i]
    worst, where = 0.0, i
    for half in range(2 * i + 1, 2 * j if j > i + 1 else 0):
        n = half // 2
        if half % 2 == 0:
            t, value, tolerance = times[n], values[n], tolerances[n]
        else:
            t, value = 0.5 * (times[n] + times[n + 1]), 0.5 * (values[n] + values[n + 1])
            tolerance = tolerances[n] + halfway_allowance(values, n)
        s = (t - times[i]) / h
        v = 1.0 - s
        made = values[i] + rise * s * s * (3.0 - 2.0 * s) + h * s * v * (v * right - s * left)
        error = abs(made - value) / tolerance
        if error > worst:
            worst, where = error, max(n, i + 1)
    return worst, where


@inlined
def solve_slopes(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    first: int,
    last: int,
    left: Floats,
    right: Floats,
    work: Floats,
) -> None:
    """New slopes of one channel at keys first … last, those outside staying as they are."""
    diagonal, upper, load = work[0], work[1], work[2]
    # Unknowns in time order: one a tied key, two a broken one. Slot 2k is the left, 2k + 1 the right slope of key k;
    # a tied key leaves its right slot empty.
    low, high = 2 * first, 2 * last + 1
    for slot in range(low, high + 1):
        diagonal[slot], upper[slot], load[slot] = 0.0, 0.0, 0.0
    for k in range(max(first - 1, 0), min(last + 1, count - 1)):
        i, j = keys[k], keys[k + 1]
        a00, a01, a11, b0, b1 = normal_equations(times, values, tolerances, i, j)
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


@inlined
def solve_window(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    first: int,
    last: int,
    left: Floats,
    right: Floats,
    work: Floats,
    stop: float,
) -> float:
    """New slopes at keys first … last in all channels; the worst relative error there, or any one above `stop`."""
    worst = 0.0
    for c in range(len(values)):
        solve_slopes(times, values[c], tolerances[c], marks[c], keys, count, first, last, left[c], right[c], work)
        for k in range(max(first - 1, 0), min(last + 1, count - 1)):
            i, j = keys[k], keys[k + 1]
            error, _ = segment_error(times, values[c], tolerances[c], i, j, right[c, i], left[c, j])
            worst = max(worst, error)
        if worst > stop:
            return worst
    return worst


@inlined
def insert_keys(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    left: Floats,
    right: Floats,
    work: Floats,
) -> int:
    """Keys at the worst sample of every segment that misses, until none does; returns their number."""
    added = np.empty(len(times), np.int64)
    while True:
        for c in range(len(values)):
            solve_slopes(times, values[c], tolerances[c], marks[c], keys, count, 0, count - 1, left[c], right[c], work)
        new = 0
        for k in range(count - 1):
            i, j = keys[k], keys[k + 1]
            worst, where = 1.0, -1
            for c in range(len(values)):
                error, at = segment_error(times, values[c], tolerances[c], i, j, right[c, i], left[c, j])
                if error > worst:
                    worst, where = error, at
            if where >= 0:
                added[new] = where
                new += 1
        if new == 0:
            return count
        # Merge from the back; both lists are in time order.
        k, n = count - 1, new - 1
        for slot in range(count + new - 1, -1, -1):
            if n >= 0 and (k < 0 or added[n] > keys[k]):
                keys[slot] = added[n]
                n -= 1
            else:
                keys[slot] = keys[k]
                k -= 1
        count += new


@inlined
def is_kept(marks: Bytes, i: int) -> bool:
    """Whether any channel needs a key at sample i."""
    kept = 0
    for c in range(len(marks)):
        kept |= marks[c, i] & KEPT
    return kept != 0


@inlined
def copy_slopes(keys: Ints, first: int, last: int, source: Floats, target: Floats) -> None:
    """The slopes at some keys of all channels put aside or put back."""
    for c in range(len(source)):
        for k in range(first, last + 1):
            target[c, keys[k]] = source[c, keys[k]]


@inlined
def try_without(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    k: int,
    left: Floats,
    right: Floats,
    spare: Floats,
    work: Floats,
    accept: float,
) -> float:
    """The worst relative error around key k were it gone. Gone for good when that is at most `accept`."""
    gone = keys[k]
    for n in range(k, count - 1):
        keys[n] = keys[n + 1]
    first, last = max(k - WINDOW, 0), min(k - 1 + WINDOW, count - 2)
    copy_slopes(keys, first, last, left, spare[0])
    copy_slopes(keys, first, last, right, spare[1])
    worst = solve_window(times, values, tolerances, marks, keys, count - 1, first, last, left, right, work, 4.0)
    if worst > accept:
        copy_slopes(keys, first, last, spare[0], left)
        copy_slopes(keys, first, last, spare[1], right)
        for n in range(count - 1, k, -1):
            keys[n] = keys[n - 1]
        keys[k] = gone
    return worst


@inlined
def remove_keys(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    left: Floats,
    right: Floats,
    spare: Floats,
    work: Floats,
) -> int:
    """Keys taken out, the least needed first, as long as the tolerance holds; returns how many remain."""
    while True:
        needed = np.full(count, np.inf)
        for k in range(1, count - 1):
            if not is_kept(marks, keys[k]):
                needed[k] = try_without(
                    times, values, tolerances, marks, keys, count, k, left, right, spare, work, -1.0
                )
        samples = keys[:count].copy()
        before = count
        for n in np.argsort(needed):
            if needed[n] > 1.0:
                break
            k = np.searchsorted(keys[:count], samples[n])
            error = try_without(times, values, tolerances, marks, keys, count, k, left, right, spare, work, 1.0)
            if error <= 1.0:
                count -= 1
        if count == before:
            return count


@inlined
def shift_keys(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    keys: Ints,
    count: int,
    left: Floats,
    right: Floats,
    spare: Floats,
    work: Floats,
) -> None:
    """Keys moved to nearby samples where the error around them is smaller: room to take others out."""
    for k in range(1, count - 1):
        if is_kept(marks, keys[k]):
            continue
        first, last = max(k - WINDOW, 0), min(k + WINDOW, count - 1)
        home = keys[k]
        best = solve_window(times, values, tolerances, marks, keys, count, first, last, left, right, work, math.inf)
        at = home
        reach = max(1, (keys[k + 1] - keys[k - 1]) // 8)
        for step in (-2 * reach, -reach, reach, 2 * reach):
            n = home + step
            if not keys[k - 1] < n < keys[k + 1]:
                continue
            keys[k] = n
            error = solve_window(times, values, tolerances, marks, keys, count, first, last, left, right, work, best)
            if error < best:
                best, at = error, n
        keys[k] = at
        solve_window(times, values, tolerances, marks, keys, count, first, last, left, right, work, math.inf)


@kernel("i8(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(u1[:,::1]), i8, i8[::1], f8[:,::1], f8[:,::1])")
def fit_keys(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    rounds: int,
    keys: Ints,
    left: Floats,
    right: Floats,
) -> int:
    """Choose the samples that become keys and their slopes; returns how many, listed in keys.

    values, tolerances, marks (C, n); keys (n,); left and right (C, n), filled in at the keys. Keys are thinned out
    `rounds` times; none are in round zero, which only adds keys to those that are marked.
    """
    n = len(times)
    work = np.empty((3, 2 * n + 2))
    spare = np.empty((2, len(values), n))
    # Both ends, and every sample that must be kept.
    count = 0
    for i in range(n):
        if i == 0 or i == n - 1 or is_kept(marks, i):
            keys[count] = i
            count += 1
    count = insert_keys(times, values, tolerances, marks, keys, count, left, right, work)
    for round_ in range(rounds):
        if round_ > 0:
            shift_keys(times, values, tolerances, marks, keys, count, left, right, spare, work)
        fewer = remove_keys(times, values, tolerances, marks, keys, count, left, right, spare, work)
        if round_ > 0 and fewer == count:
            break
        count = fewer
    return count
