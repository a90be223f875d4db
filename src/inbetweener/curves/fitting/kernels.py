"""Compiled fitting: which of many samples become keys of a few cubic segments, for one channel or several that share
key times. Whenever a key comes or goes, slopes are found anew in a small window around it.
"""

import math

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves.fitting.slope_kernels import KEPT, Draft, Samples, segment_error, solve_slopes
from inbetweener.kernels import inlined, kernel

WINDOW = 3
"""How many keys on either side of a change get new slopes; a change dies out by about a quarter from key to key."""


@inlined
def solve_window(samples: Samples, draft: Draft, count: int, first: int, last: int, stop: float) -> float:
    """New slopes at keys first … last in all channels; the worst relative error there, or any one above `stop`."""
    keys, left, right = draft.keys, draft.left, draft.right
    worst = 0.0
    for c in range(len(samples.values)):
        solve_slopes(samples, c, draft, count, first, last)
        for k in range(max(first - 1, 0), min(last + 1, count - 1)):
            i, j = keys[k], keys[k + 1]
            error, _ = segment_error(samples, c, i, j, right[c, i], left[c, j])
            worst = max(worst, error)
        if worst > stop:
            return worst
    return worst


@inlined
def insert_keys(samples: Samples, draft: Draft, count: int) -> int:
    """Keys at the worst sample of every segment that misses, until none does; returns their number."""
    keys, left, right = draft.keys, draft.left, draft.right
    added = np.empty(len(samples.times), np.int64)
    while True:
        for c in range(len(samples.values)):
            solve_slopes(samples, c, draft, count, 0, count - 1)
        new = 0
        for k in range(count - 1):
            i, j = keys[k], keys[k + 1]
            worst, where = 1.0, -1
            for c in range(len(samples.values)):
                error, at = segment_error(samples, c, i, j, right[c, i], left[c, j])
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
def try_without(samples: Samples, draft: Draft, count: int, k: int, accept: float) -> float:
    """The worst relative error around key k were it gone. Gone for good when that is at most `accept`."""
    keys, left, right, spare = draft.keys, draft.left, draft.right, draft.spare
    gone = keys[k]
    for n in range(k, count - 1):
        keys[n] = keys[n + 1]
    first, last = max(k - WINDOW, 0), min(k - 1 + WINDOW, count - 2)
    copy_slopes(keys, first, last, left, spare[0])
    copy_slopes(keys, first, last, right, spare[1])
    worst = solve_window(samples, draft, count - 1, first, last, 4.0)
    if worst > accept:
        copy_slopes(keys, first, last, spare[0], left)
        copy_slopes(keys, first, last, spare[1], right)
        for n in range(count - 1, k, -1):
            keys[n] = keys[n - 1]
        keys[k] = gone
    return worst


@inlined
def remove_keys(samples: Samples, draft: Draft, count: int) -> int:
    """Keys taken out, the least needed first, as long as the tolerance holds; returns how many remain."""
    keys, marks = draft.keys, samples.marks
    while True:
        needed = np.full(count, np.inf)
        for k in range(1, count - 1):
            if not is_kept(marks, keys[k]):
                needed[k] = try_without(samples, draft, count, k, -1.0)
        listed = keys[:count].copy()
        before = count
        for n in np.argsort(needed):
            if needed[n] > 1.0:
                break
            k = np.searchsorted(keys[:count], listed[n])
            error = try_without(samples, draft, count, k, 1.0)
            if error <= 1.0:
                count -= 1
        if count == before:
            return count


@inlined
def shift_keys(samples: Samples, draft: Draft, count: int) -> None:
    """Keys moved to nearby samples where the error around them is smaller: room to take others out."""
    keys, marks = draft.keys, samples.marks
    for k in range(1, count - 1):
        if is_kept(marks, keys[k]):
            continue
        first, last = max(k - WINDOW, 0), min(k + WINDOW, count - 1)
        home = keys[k]
        best = solve_window(samples, draft, count, first, last, math.inf)
        at = home
        reach = max(1, (keys[k + 1] - keys[k - 1]) // 8)
        for step in (-2 * reach, -reach, reach, 2 * reach):
            n = home + step
            if not keys[k - 1] < n < keys[k + 1]:
                continue
            keys[k] = n
            error = solve_window(samples, draft, count, first, last, best)
            if error < best:
                best, at = error, n
        keys[k] = at
        solve_window(samples, draft, count, first, last, math.inf)


@kernel(
    "i8(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(u1[:,::1]), b1, i8, i8[::1], f8[:,::1], f8[:,::1])"
)
def fit_keys(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    marks: Bytes,
    is_straight: bool,
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
    samples = Samples(times, values, tolerances, marks, is_straight)
    draft = Draft(keys, left, right, np.empty((2, len(values), n)), np.empty((3, 2 * n + 2)))
    # Both ends, and every sample that must be kept.
    count = 0
    for i in range(n):
        if i == 0 or i == n - 1 or is_kept(marks, i):
            keys[count] = i
            count += 1
    count = insert_keys(samples, draft, count)
    for round_ in range(rounds):
        if round_ > 0:
            shift_keys(samples, draft, count)
        fewer = remove_keys(samples, draft, count)
        if round_ > 0 and fewer == count:
            break
        count = fewer
    return count
