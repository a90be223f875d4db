"""Compiled: keys of many curves moved so that channels make up for each other's errors.

Errors lie in tiles of TILE steps, the six of a place side by side: the innermost loops have as many turns as a tile has
steps, all in one piece of memory, so that the processor takes several at once. Single precision is enough for them:
what they come to is measured anew, in double.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints, Singles
from inbetweener.curves.fitting.segment_kernels import LEFT, PULL, RIGHT, SINGLE, VALUE, Draft, Samples, solve_keys
from inbetweener.kernels import inlined, kernel, record

TILE = 8
LEAST_PRICE = 0.03
"""What an error counts where there is room, beside one where there is none."""


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
    """Which places each channel moves, from starts (C + 1,) on in places (M,), and by how much (M, T, 6), in metres and
    turned metres a unit, in each of T tiles."""

    starts: Ints
    places: Ints
    by: Singles


@record("f4[:,:,:,::1], const(f4[:,:,:,::1]), f4[:,:,:,::1], f4[:,:,::1], const(f8[::1])")
class Places(NamedTuple):
    """How P places are: errors (P, T, 6, TILE), in metres and turned metres; what one over the error that is allowed is
    (P, T, 2, TILE), nought beyond the end; what the squares of errors cost (P, T, 2, TILE); prices (P, T, TILE), what
    errors that are as large as is allowed count; and how much bending counts from sample to sample (n,)."""

    errors: Singles
    strict: Singles
    costs: Singles
    prices: Singles
    stiff: Floats


@inlined
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


@inlined
def judge(places: Places, low: int, high: int, shares: Singles) -> float:
    """Errors in some tiles as shares (P, T, TILE) of what is allowed; returns the sum of their sixteenth powers, in
    which the largest decide."""
    total = 0.0
    e, strict = places.errors, places.strict
    for p in range(len(e)):
        for t in range(low, high):
            for b in range(TILE):
                x, y, z = e[p, t, 0, b], e[p, t, 1, b], e[p, t, 2, b]
                u, v, w = e[p, t, 3, b], e[p, t, 4, b], e[p, t, 5, b]
                shares[p, t, b] = (
                    math.sqrt(x * x + y * y + z * z) * strict[p, t, 0, b]
                    + math.sqrt(u * u + v * v + w * w) * strict[p, t, 1, b]
                )
            for b in range(TILE):
                off = min(float(shares[p, t, b]), 1e3)
                off *= off
                off *= off
                off *= off
                total += off * off
    return total


@inlined
def charge(places: Places, low: int, high: int, shares: Singles, nearby: Singles) -> None:
    """Lawson: what is off in some tiles counts more from time to time, until the largest errors are equal."""
    most, lowest, highest, least = np.float32(1e-9), np.float32(0.2), np.float32(3.0), np.float32(LEAST_PRICE)
    prices, costs, strict = places.prices, places.costs, places.strict
    for p in range(len(prices)):
        row, most_near = shares[p].ravel(), nearby[p].ravel()
        for at in range(TILE * low, TILE * high):
            most_near[at] = row[at]
        for by in range(1, TILE + 1):
            for at in range(TILE * low + by, TILE * high):
                most_near[at] = max(most_near[at], row[at - by])
            for at in range(TILE * low, TILE * high - by):
                most_near[at] = max(most_near[at], row[at + by])
        for t in range(low, high):
            for b in range(TILE):
                prices[p, t, b] *= min(max(nearby[p, t, b], lowest), highest)
                most = max(most, prices[p, t, b])
    scale = np.float32(1.0) / most
    for p in range(len(prices)):
        for t in range(low, high):
            for b in range(TILE):
                price = max(prices[p, t, b] * scale, least)
                prices[p, t, b] = price
                costs[p, t, 0, b] = price * strict[p, t, 0, b] * strict[p, t, 0, b]
                costs[p, t, 1, b] = price * strict[p, t, 1, b] * strict[p, t, 1, b]


@inlined
def weigh(moves: Moves, m: int, places: Places, low: int, high: int, weight: Singles, pull: Singles) -> None:
    """Add how much a place wants a channel to change, weight (T, TILE), and in which direction, pull (T, TILE)."""
    p, by, errors, costs = moves.places[m], moves.by, places.errors, places.costs
    for t in range(low, high):
        x, y, z, u, v, w = by[m, t, 0], by[m, t, 1], by[m, t, 2], by[m, t, 3], by[m, t, 4], by[m, t, 5]
        straight, turned = x * x + y * y + z * z, u * u + v * v + w * w
        for b in range(TILE):
            c, d = costs[p, t, 0, b], costs[p, t, 1, b]
            along = x * errors[p, t, 0, b] + y * errors[p, t, 1, b] + z * errors[p, t, 2, b]
            around = u * errors[p, t, 3, b] + v * errors[p, t, 4, b] + w * errors[p, t, 5, b]
            weight[t, b] += c * straight + d * turned
            pull[t, b] -= c * along + d * around


@inlined
def shift(moves: Moves, m: int, change: Singles, low: int, high: int, errors: Singles) -> None:
    """What a change of its channel (T, TILE) does to a place."""
    p, by = moves.places[m], moves.by
    for t in range(low, high):
        for d in range(6):
            move = by[m, t, d]
            for b in range(TILE):
                errors[p, t, d, b] += change[t, b] * move


class Room(NamedTuple):
    """Where one channel is worked on: the keys' draft; weights (1, H) and what values it should meet times those; where
    it was and is (H,); and, by tile, how much it should change, where, and how it did (T, TILE)."""

    draft: Draft
    values: Floats
    weights: Floats
    before: Floats
    after: Floats
    weight: Singles
    pull: Singles
    by: Singles


@inlined
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


@inlined
def sweep(wish: Wish, knots: AllKnots, moves: Moves, places: Places, begin: int, end: int, room: Room) -> None:
    """One channel after the other gets the values and slopes that bring all places nearest to where they should be;
    only keys from sample `begin` to sample `end` change."""
    draft, before, after = room.draft, room.before, room.after
    samples = Samples(wish.times, room.values, room.weights, wish.at)
    for c in range(len(wish.values)):
        base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
        own = knots.keys[base : base + count]
        first, last = int(np.searchsorted(own, begin)), int(np.searchsorted(own, end + 1)) - 1
        if count < 2 or first > last:
            continue
        left, right = max(first - 1, 0), min(last + 1, count - 1)
        for k in range(left, right + 1):
            i = own[k]
            draft.keys[k] = i
            draft.marks[0, i] = knots.marks[base + k]
            draft.ends[0, i] = -1
            for d in range(3):
                draft.states[0, i, d] = knots.states[base + k, d]
        low, high = wish.at[own[left]], wish.at[own[right]] + 1
        t0, t1 = low // TILE, (high - 1) // TILE + 1
        follow(wish.times, wish.at, draft.keys, draft.states[0], left, right, before)
        for t in range(t0, t1):
            for b in range(TILE):
                room.weight[t, b] = room.pull[t, b] = room.by[t, b] = 0.0
        for m in range(moves.starts[c], moves.starts[c + 1]):
            weigh(moves, m, places, t0, t1, room.weight, room.pull)
        much, way, by = room.weight.ravel(), room.pull.ravel(), room.by.ravel()
        faith, source = wish.faith[c], wish.values[c]
        for at in range(low, high):
            room.weights[0, at] = faith + much[at]
            room.values[0, at] = much[at] * before[at] + faith * source[at] + way[at]
        for k in range(left, right):
            sum_powers(wish, room, places.stiff, source, own[k], own[k + 1])
        solve_keys(samples, draft, 0, count, first, last)
        follow(wish.times, wish.at, draft.keys, draft.states[0], left, right, after)
        for at in range(low, high):
            by[at] = after[at] - before[at]
        for m in range(moves.starts[c], moves.starts[c + 1]):
            shift(moves, m, room.by, t0, t1, places.errors)
        for k in range(first, last + 1):
            for d in range(3):
                knots.states[base + k, d] = draft.states[0, own[k], d]


@inlined
def copy_tiles(source: Singles, target: Singles, low: int, high: int) -> None:
    """Errors in some tiles put aside or put back."""
    for p in range(len(source)):
        for t in range(low, high):
            for d in range(6):
                for b in range(TILE):
                    target[p, t, d, b] = source[p, t, d, b]


@kernel("void(Wish, AllKnots, Moves, Places, i8, i8, i8)")
def make_up(wish: Wish, knots: AllKnots, moves: Moves, places: Places, begin: int, end: int, sweeps: int) -> None:
    """Values and slopes of all keys from sample `begin` to sample `end` changed, in so many sweeps, so that channels
    make up for each other's errors, the largest first; the best of them stays."""
    channels, fine = wish.values.shape
    n, tiles = len(wish.at), places.errors.shape[1]
    draft = Draft(
        np.empty(n, np.int64),
        np.zeros((1, n), np.uint8),
        np.zeros((1, n, 3)),
        np.empty((1, n, 14)),
        np.empty((1, n), np.int64),
        np.empty((0, 0, 3)),
        np.empty((0, 15)),
        np.empty((3 * n, 5)),
        np.empty(3 * n),
        np.empty(0, np.int64),
    )
    values, weights = np.empty((1, fine)), np.empty((1, fine))
    by_tile = np.empty((3, tiles, TILE), np.float32)
    room = Room(draft, values, weights, np.empty(fine), np.empty(fine), by_tile[0], by_tile[1], by_tile[2])
    # Keys change the curve from the key before to the one after.
    low, high = begin, end
    for c in range(channels):
        own = knots.keys[knots.starts[c] : knots.starts[c + 1]]
        first, last = int(np.searchsorted(own, begin)), int(np.searchsorted(own, end + 1)) - 1
        if len(own) > 1 and first <= last:
            low, high = min(low, own[max(first - 1, 0)]), max(high, own[min(last + 1, len(own) - 1)])
    low, high = wish.at[low] // TILE, wish.at[high] // TILE + 1
    inner_low, inner_high = wish.at[begin] // TILE, wish.at[end] // TILE + 1
    shares, nearby = np.empty((len(places.errors), tiles, TILE), np.float32), np.empty_like(places.prices)
    least = judge(places, low, high, shares)
    best, rest = knots.states.copy(), np.empty_like(places.errors)
    copy_tiles(places.errors, rest, low, high)
    for _ in range(sweeps):
        charge(places, inner_low, inner_high, shares, nearby)
        sweep(wish, knots, moves, places, begin, end, room)
        left = judge(places, low, high, shares)
        if left < least:
            least = left
            best[:] = knots.states
            copy_tiles(places.errors, rest, low, high)
    knots.states[:] = best
    copy_tiles(rest, places.errors, low, high)
