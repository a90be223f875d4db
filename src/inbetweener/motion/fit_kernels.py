"""Compiled: keys of many curves moved so that channels make up for each other's errors.

Errors and what channels do to them lie side by side in time. Single precision is enough for them: what they come to is
measured anew, in double.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints, Singles
from inbetweener.curves.fitting.segment_kernels import (
    BAND,
    LEFT,
    PULL,
    RIGHT,
    SINGLE,
    VALUE,
    Draft,
    Samples,
    solve_keys,
)
from inbetweener.kernels import inlined, kernel, lent, record
from inbetweener.motion.fit_place_kernels import STRIDES, count_up, shift, weigh

TOGETHER = 6
"""Keys of a channel that are changed at once."""

WORTH = 0.9999
"""What a change must leave of the sum that is to become small."""


@record("const(f8[::1]), const(f8[:,::1]), const(f8[::1]), const(i8[::1])")
class Wish(NamedTuple):
    """What C channels should be: times (H,), values (C, H), by how much that counts by itself (C,), and where among the
    times the samples are (n,)."""

    times: Floats
    values: Floats
    faith: Floats
    at: Ints


@record("const(i8[::1]), const(i8[::1]), const(u1[::1]), f8[:,::1]")
class AllKnots(NamedTuple):
    """The keys of all channels: where those of each begin (C + 1,); samples, marks (K,) and states (K, 3)."""

    starts: Ints
    keys: Ints
    marks: Bytes
    states: Floats


@record("const(i8[::1]), const(i8[::1]), const(f4[:,:,::1])")
class Moves(NamedTuple):
    """Which places each channel moves, from starts (C + 1,) on in places (M,), and by how much (M, 6, H), in metres and
    turned metres a unit."""

    starts: Ints
    places: Ints
    by: Singles


@record("f4[:,:,::1], const(f4[:,:,::1]), const(f8[::1]), const(f4[:,::1]), i8")
class Places(NamedTuple):
    """How P places are: errors (P, 6, H), in metres and turned metres; what one over the error that is allowed is
    (P, 2, H); how much bending counts from sample to sample (n,); what one over the second difference of errors that is
    allowed is (P, H), nought where there is no frame; and how many steps there are from frame to frame."""

    errors: Singles
    strict: Singles
    stiff: Floats
    gentle: Singles
    stride: int


@lent
def follow(times: Floats, at_of: Ints, keys: Ints, states: Floats, first: int, last: int, made: Floats) -> None:
    """Where a curve is at all steps from one key to another."""
    for k in range(first, last):
        i, j = keys[k], keys[k + 1]
        start = times[at_of[i]]
        h = times[at_of[j]] - start
        scale = 1.0 / h
        a0, a1 = states[i, VALUE], h * states[i, RIGHT]
        rise, end = states[j, VALUE] - a0, h * states[j, LEFT]
        a2, a3 = 3.0 * rise - 2.0 * a1 - end, a1 + end - 2.0 * rise
        for at in range(at_of[i], at_of[j] + 1):
            s = (times[at] - start) * scale
            made[at] = a0 + s * (a1 + s * (a2 + s * a3))


@kernel("void(Wish, AllKnots, f8[:,::1])")
def evaluate(wish: Wish, knots: AllKnots, made: Floats) -> None:
    """Where the curves of all channels are (C, H); rows of those without keys stay as they are."""
    states = np.empty((len(wish.at), 3))
    for c in range(len(made)):
        base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
        keys = knots.keys[base : base + count]
        for k in range(count):
            for d in range(3):
                states[keys[k], d] = knots.states[base + k, d]
        if count == 1:
            made[c] = knots.states[base, VALUE]
        elif count > 1:
            follow(wish.times, wish.at, keys, states, 0, count - 1, made[c])


class Room(NamedTuple):
    """Where one channel is worked on: the keys' draft; weights (1, H) and what values it should meet times those; where
    it was and is (H,); how much it should change, where, and how it did (H,); and
    sheets for sums (H,), one for each of STRIDES."""

    draft: Draft
    values: Floats
    weights: Floats
    before: Floats
    after: Floats
    weight: Singles
    pull: Singles
    by: Singles
    one: Singles
    two: Singles
    three: Singles
    four: Singles


@lent
def change_by(after: Floats, before: Floats, low: int, high: int, stride: int, by: Singles) -> None:
    """How a channel changed from step `low` to before step `high`, nought for two frames around."""
    for i in range(max(low - 2 * stride, 0), low):
        by[i] = 0.0
    for i in range(low, high):
        by[i] = after[i] - before[i]
    for i in range(high, min(high + 2 * stride, len(by))):
        by[i] = 0.0


@lent
def sum_powers(wish: Wish, room: Room, stiff: Floats, source: Floats, i: int, j: int) -> None:
    """The normal equations of the segment between samples i and j, as `sum_up` has them, from sums of powers of time.

    Added is that the curve should bend as its samples do: of ∫ (f″ − c″)², for cubics 4/h (α² + αβ + β²) with the
    slopes α, β at both ends relative to the chord's. It counts like errors of the same size as second differences on
    samples: where keys are many samples apart that is next to nothing, where they are few it keeps curves from being
    jerked.
    """
    draft, weight, load, times = room.draft, room.weights, room.values, wish.times
    low, high = wish.at[i], wish.at[j]
    start = times[low]
    h = times[high] - start
    scale = 1.0 / h
    m0, m1, m2, m3, m4, m5, m6 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    r0, r1, r2, r3 = 0.0, 0.0, 0.0, 0.0
    for at in range(low, high + (high + 1 == len(times))):
        s = (times[at] - start) * scale
        ss = s * s
        w, r = weight[0, at], load[0, at]
        ws, wss, wsss = w * s, w * ss, w * s * ss
        rs = r * s
        m0 += w
        m1 += ws
        m2 += wss
        m3 += wsss
        m4 += wss * ss
        m5 += wsss * ss
        m6 += wsss * s * ss
        r0 += r
        r1 += rs
        r2 += r * ss
        r3 += rs * ss
    # By value, slope, slope and value: 1 − 3s² + 2s³, h (s − 2s² + s³), h (s³ − s²), 3s² − 2s³.
    a33 = 9.0 * m4 - 12.0 * m5 + 4.0 * m6
    up = 3.0 * m2 - 2.0 * m3
    a03 = up - a33
    a13 = h * (3.0 * m3 - 8.0 * m4 + 7.0 * m5 - 2.0 * m6)
    a23 = h * (5.0 * m5 - 3.0 * m4 - 2.0 * m6)
    a11 = h * h * (m2 - 4.0 * m3 + 6.0 * m4 - 4.0 * m5 + m6)
    a12 = h * h * (-m3 + 3.0 * m4 - 3.0 * m5 + m6)
    a22 = h * h * (m4 - 2.0 * m5 + m6)
    b1, b2, b3 = h * (r1 - 2.0 * r2 + r3), h * (r3 - r2), 3.0 * r2 - 2.0 * r3
    pull = (SINGLE if j == i + 1 else PULL) * (a11 + a22)
    chord = (source[high] - source[low]) * scale
    most = 0.0
    for n in range(i, j + 1):
        most = max(most, stiff[n])
    dt = h / (j - i)
    much = 4.0 * most * m0 * dt**4 * scale * scale
    second, last = wish.at[i + 1], wish.at[j - 1]
    a = (source[second] - source[low]) / (times[second] - times[low]) - chord
    b = (source[high] - source[last]) / (times[high] - times[last]) - chord
    sums, g = draft.sums, scale
    sums[0, i, 0] = m0 - 2.0 * up + a33 + much * 3.0 * g * g
    sums[0, i, 1] = h * (m1 - 2.0 * m2 + m3) - a13 + much * 1.5 * g
    sums[0, i, 2] = h * (m3 - m2) - a23 + much * 1.5 * g
    sums[0, i, 3] = a03 - much * 3.0 * g * g
    sums[0, i, 4] = a11 + pull + much
    sums[0, i, 5] = a12 + 0.5 * much
    sums[0, i, 6] = a13 - much * 1.5 * g
    sums[0, i, 7] = a22 + pull + much
    sums[0, i, 8] = a23 - much * 1.5 * g
    sums[0, i, 9] = a33 + much * 3.0 * g * g
    sums[0, i, 10] = r0 - b3 + much * 1.5 * g * (a + b)
    sums[0, i, 11] = b1 + pull * chord + much * (a + 0.5 * b)
    sums[0, i, 12] = b2 + pull * chord + much * (b + 0.5 * a)
    sums[0, i, 13] = b3 - much * 1.5 * g * (a + b)
    draft.ends[0, i] = j


@lent
def begin_with(wish: Wish, knots: AllKnots, c: int, room: Room) -> int:
    """Channel c made ready to be worked on: its keys in the draft, and where it is; returns how many keys it has."""
    draft = room.draft
    base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
    for k in range(count):
        i = knots.keys[base + k]
        draft.keys[k] = i
        draft.marks[0, i] = knots.marks[base + k]
        draft.ends[0, i] = -1
        for d in range(3):
            draft.states[0, i, d] = knots.states[base + k, d]
    return int(count)


@lent
def aim(wish: Wish, moves: Moves, places: Places, c: int, low: int, high: int, room: Room) -> None:
    """What channel c should meet from step `low` to before step `high`, and how much that counts."""
    values, weights, before, weight, pull = room.values, room.weights, room.before, room.weight, room.pull
    starts, moved, by = moves
    weigh(moved, starts[c], starts[c + 1], places.errors, places.strict, by, low, high, weight, pull)
    faith, source = wish.faith[c], wish.values[c]
    for n in range(high - low):
        i = np.uint64(low + n)
        weights[0, i] = faith + weight[i]
        values[0, i] = weight[i] * before[i] + faith * source[i] + pull[i]


@lent
def ease(wish: Wish, moves: Moves, places: Places, c: int, count: int, first: int, last: int, room: Room) -> None:
    """Keys first … last of channel c get values and slopes that bring all that it moves nearer to where it should be,
    as far as that pays."""
    draft, _, _, before, after, _, _, by, one, two, three, four = room
    starts, moved, moving = moves
    e, strict, _, gentle, stride = places
    begin, end = starts[c], starts[c + 1]
    keys, states, was = draft.keys, draft.states[0], draft.spare[0]
    samples = Samples(wish.times, room.values, room.weights, wish.at)
    left, right = max(first - 1, 0), min(last + 1, count - 1)
    low, high = wish.at[keys[left]], wish.at[keys[right]] + 1
    follow(wish.times, wish.at, keys, states, left, right, before)
    aim(wish, moves, places, c, low, high, room)
    for k in range(left, right):
        sum_powers(wish, room, places.stiff, wish.values[c], keys[k], keys[k + 1])
    for k in range(first, last + 1):
        for d in range(3):
            was[keys[k], d] = states[keys[k], d]
    solve_keys(samples, draft, 0, count, first, last)
    follow(wish.times, wish.at, keys, states, left, right, after)
    change_by(after, before, low, high, stride, by)
    totals = count_up(moved, begin, end, e, strict, gentle, stride, moving, by, low, high, one, two, three, four)
    least, much = WORTH * totals[0], 0.0
    for n in range(1, len(STRIDES)):
        if totals[n] < least:
            least, much = totals[n], STRIDES[n]
        elif much > 0.0:
            break
    for k in range(first, last + 1):
        i = keys[k]
        for d in range(3):
            states[i, d] = was[i, d] + much * (states[i, d] - was[i, d])
    if much > 0.0:
        for n in range(high - low):
            i = np.uint64(low + n)
            by[i] *= np.float32(much)
        shift(moved, begin, end, moving, by, low, high, e)


@inlined
def room_for(n: int, fine: int) -> Room:
    """Room for one channel of n samples, looked at in so many steps."""
    draft = Draft(
        np.empty(n, np.int64),
        np.zeros((1, n), np.uint8),
        np.zeros((1, n, 3)),
        np.empty((1, n, 14)),
        np.empty((1, n), np.int64),
        np.empty((1, n, 3)),
        np.empty((1, 15)),
        np.empty((3 * n + 2 * BAND, 5)),
        np.empty(3 * n + 2 * BAND),
        np.empty(0, np.int64),
    )
    values, weights = np.empty((1, fine)), np.empty((1, fine))
    weight, pull, by = np.zeros(fine, np.float32), np.zeros(fine, np.float32), np.zeros(fine, np.float32)
    one, two = np.zeros(fine, np.float32), np.zeros(fine, np.float32)
    three, four = np.zeros(fine, np.float32), np.zeros(fine, np.float32)
    before, after = np.empty(fine), np.empty(fine)
    return Room(draft, values, weights, before, after, weight, pull, by, one, two, three, four)


@kernel("void(Wish, AllKnots, Moves, Places, i8, i8, i8)")
def make_up(wish: Wish, knots: AllKnots, moves: Moves, places: Places, begin: int, end: int, sweeps: int) -> None:
    """Values and slopes of all keys from sample `begin` to sample `end` changed, in so many sweeps, so that channels
    make up for each other's errors, the largest first."""
    room = room_for(len(wish.at), len(wish.times))
    for n in range(sweeps):
        for c in range(len(wish.values)):
            if knots.starts[c + 1] - knots.starts[c] < 2:
                continue
            base = knots.starts[c]
            own = knots.keys[base : knots.starts[c + 1]]
            first, last = int(np.searchsorted(own, begin)), int(np.searchsorted(own, end + 1)) - 1
            if first > last:
                continue
            count = begin_with(wish, knots, c, room)
            # Blocks of keys, elsewhere in every second sweep.
            k = first
            size = TOGETHER // 2 if n % 2 else TOGETHER
            while k <= last:
                stop = min(k + size - 1, last)
                ease(wish, moves, places, c, count, k, stop, room)
                k, size = stop + 1, TOGETHER
            for k in range(first, last + 1):
                for d in range(3):
                    knots.states[base + k, d] = room.draft.states[0, own[k], d]
