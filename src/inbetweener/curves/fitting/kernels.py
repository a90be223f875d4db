"""Compiled fitting: which of many samples become keys of a few cubic segments, for one channel or several that share
key times. Whenever a key comes or goes, values and slopes are found anew in a small window around it.
"""

import math

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves.fitting.segment_kernels import (
    BAND,
    KEPT,
    PINNED,
    VALUE,
    Draft,
    Samples,
    inner_sample,
    segment_error,
    solve_keys,
)
from inbetweener.kernels import inlined, kernel, lent

WINDOW = 3
"""How many keys on either side of a change get new values and slopes; a change dies out by about a quarter from key to
key."""


@lent
def solve_window(samples: Samples, draft: Draft, count: int, k: int, stop: float) -> float:
    """New values and slopes around key k in all channels; the worst relative error there, or any one above `stop`."""
    keys, channels = draft.keys, len(draft.marks)
    first, last = max(k - WINDOW, 0), min(k + WINDOW, count - 1)
    worst = 0.0
    # Whoever objected last comes first: he is likely to object again.
    begin = draft.objecting[0]
    for n in range(channels):
        c = (begin + n) % channels
        solve_keys(samples, draft, c, count, first, last)
        # From the middle outwards: it is there that most goes wrong.
        for d in range(2 * WINDOW + 2):
            at = k + d // 2 if d % 2 == 0 else k - 1 - d // 2
            if max(first - 1, 0) <= at < min(last + 1, count - 1):
                error, _ = segment_error(samples, draft, c, keys[at], keys[at + 1])
                worst = max(worst, error)
                if worst > stop:
                    draft.objecting[0] = c
                    return worst
    return worst


@inlined
def insert_keys(samples: Samples, draft: Draft, count: int) -> int:
    """Keys at the worst sample of every segment that misses, until none does; returns their number."""
    keys, marks = draft.keys, draft.marks
    added = np.empty(marks.shape[1], np.int64)
    while True:
        for c in range(len(marks)):
            solve_keys(samples, draft, c, count, 0, count - 1)
        new, pinned = 0, 0
        for k in range(count - 1):
            i, j = keys[k], keys[k + 1]
            worst, where = 1.0, -1
            for c in range(len(marks)):
                error, step = segment_error(samples, draft, c, i, j)
                if error > worst and j > i + 1:
                    worst, where = error, inner_sample(samples, step, i, j)
                elif error > 1.0 and j == i + 1:
                    # No room for another key: the values at these two must be what they should be.
                    for end in (i, j):
                        pinned += 0 if marks[c, end] & PINNED else 1
                        marks[c, end] |= PINNED
                        draft.states[c, end, VALUE] = samples.values[c, samples.at[end]]
            if where >= 0:
                added[new] = where
                new += 1
        if new + pinned == 0:
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


@lent
def is_kept(marks: Bytes, i: int) -> bool:
    """Whether any channel needs a key at sample i."""
    kept = 0
    for c in range(len(marks)):
        kept |= marks[c, i] & KEPT
    return kept != 0


@lent
def copy_states(keys: Ints, first: int, last: int, source: Floats, target: Floats) -> None:
    """The states at some keys of all channels put aside or put back."""
    for c in range(len(source)):
        for k in range(first, last + 1):
            for d in range(3):
                target[c, keys[k], d] = source[c, keys[k], d]


@lent
def try_without(samples: Samples, draft: Draft, count: int, k: int, accept: float) -> float:
    """The worst relative error around key k were it gone, or any above 1. Gone for good when it is at most `accept`."""
    keys, ends, sums = draft.keys, draft.ends, draft.sums
    gone, before = keys[k], keys[k - 1]
    for n in range(k, count - 1):
        keys[n] = keys[n + 1]
    first, last = max(k - 1 - WINDOW, 0), min(k - 1 + WINDOW, count - 2)
    copy_states(keys, first, last, draft.states, draft.spare)
    for c in range(len(sums)):
        draft.aside[c, 14] = ends[c, before]
        for d in range(14):
            draft.aside[c, d] = sums[c, before, d]
    worst = solve_window(samples, draft, count - 1, k - 1, 1.0)
    if worst > accept:
        copy_states(keys, first, last, draft.spare, draft.states)
        for c in range(len(sums)):
            ends[c, before] = int(draft.aside[c, 14])
            for d in range(14):
                sums[c, before, d] = draft.aside[c, d]
        for n in range(count - 1, k, -1):
            keys[n] = keys[n - 1]
        keys[k] = gone
    return worst


@inlined
def remove_keys(samples: Samples, draft: Draft, count: int) -> int:
    """Keys taken out, the least needed first, as long as the tolerance holds; returns how many remain."""
    keys, marks = draft.keys, draft.marks
    # Samples whose keys are needed as long as nothing changes around them.
    proven = np.zeros(marks.shape[1], np.bool_)
    while True:
        needed = np.full(count, np.inf)
        for k in range(1, count - 1):
            if not proven[keys[k]] and not is_kept(marks, keys[k]):
                needed[k] = try_without(samples, draft, count, k, -1.0)
                proven[keys[k]] = needed[k] > 1.0
        listed = keys[:count].copy()
        before = count
        for n in np.argsort(needed):
            if needed[n] > 1.0:
                break
            k = np.searchsorted(keys[:count], listed[n])
            if try_without(samples, draft, count, k, 1.0) <= 1.0:
                count -= 1
                for near in range(max(k - 2 * WINDOW, 0), min(k + 2 * WINDOW, count)):
                    proven[keys[near]] = False
            else:
                proven[listed[n]] = True
        if count == before:
            return count


@lent
def shift_keys(samples: Samples, draft: Draft, count: int) -> None:
    """Keys moved to nearby samples where the error around them is smaller: room to take others out."""
    keys, marks = draft.keys, draft.marks
    for k in range(1, count - 1):
        if is_kept(marks, keys[k]):
            continue
        home = keys[k]
        best = solve_window(samples, draft, count, k, math.inf)
        at = home
        reach = max(1, (keys[k + 1] - keys[k - 1]) // 8)
        for step in (-2 * reach, -reach, reach, 2 * reach):
            n = home + step
            if not keys[k - 1] < n < keys[k + 1]:
                continue
            keys[k] = n
            error = solve_window(samples, draft, count, k, best)
            if error < best:
                best, at = error, n
        keys[k] = at
        solve_window(samples, draft, count, k, math.inf)


@inlined
def choose_keys(samples: Samples, draft: Draft, count: int, rounds: int) -> int:
    """Keys that the draft begins with, added to and thinned out so many times; returns how many there are."""
    count = insert_keys(samples, draft, count)
    for round_ in range(rounds):
        if round_ > 0:
            shift_keys(samples, draft, count)
        fewer = remove_keys(samples, draft, count)
        if round_ > 0 and fewer == count:
            break
        count = fewer
    return count


@kernel("i8(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), u1[:,::1], i8, i8, i8[::1], f8[:,:,::1])")
def fit_keys(
    times: Floats,
    values: Floats,
    weights: Floats,
    marks: Bytes,
    count: int,
    rounds: int,
    keys: Ints,
    states: Floats,
) -> int:
    """Choose the samples that become keys, their values and slopes; returns how many, listed in keys.

    times (H,), values and weights (C, H) as in `Samples`; marks (C, n); the first `count` of keys (n,) are
    where to begin, both ends and all that are marked among them; states (C, n, 3), filled in at the keys: where a mark
    fixes values they are there before. Keys are thinned out `rounds` times; without any, keys are only added.
    """
    channels, n = marks.shape
    samples = Samples(times, values, weights, (len(times) - 1) // (n - 1) * np.arange(n))
    draft = Draft(
        keys,
        marks,
        states,
        np.empty((channels, n, 14)),
        np.full((channels, n), -1, np.int64),
        np.empty((channels, n, 3)),
        np.empty((channels, 15)),
        np.empty((3 * n + 2 * BAND, 5)),
        np.empty(3 * n + 2 * BAND),
        np.zeros(1, np.int64),
    )
    return choose_keys(samples, draft, count, rounds)


@kernel("void(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), u1[:,::1], i8, i8[:,::1], i8[::1], f8[:,:,::1])")
def fit_apart(
    times: Floats,
    values: Floats,
    weights: Floats,
    marks: Bytes,
    rounds: int,
    keys: Ints,
    counts: Ints,
    states: Floats,
) -> None:
    """The same for channels that share nothing: each has its own keys (C, n), as many as counts (C,) say."""
    channels, n = marks.shape
    sums, ends, spare, aside = np.empty((1, n, 14)), np.empty((1, n), np.int64), np.empty((1, n, 3)), np.empty((1, 15))
    band, load, objecting = np.empty((3 * n + 2 * BAND, 5)), np.empty(3 * n + 2 * BAND), np.zeros(1, np.int64)
    at = (len(times) - 1) // (n - 1) * np.arange(n)
    for c in range(channels):
        ends[:] = -1
        own = slice(c, c + 1)
        samples = Samples(times, values[own], weights[own], at)
        draft = Draft(keys[c], marks[own], states[own], sums, ends, spare, aside, band, load, objecting)
        counts[c] = choose_keys(samples, draft, counts[c], rounds)
