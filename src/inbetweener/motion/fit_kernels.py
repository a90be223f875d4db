"""Compiled: keys of many curves moved so that channels make up for each other's errors."""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Bytes, Floats, Ints
from inbetweener.curves.fitting.segment_kernels import LEFT, RIGHT, VALUE, Draft, Samples, solve_keys
from inbetweener.kernels import inlined, kernel, record


@record("const(f8[::1]), const(f8[:,::1]), const(f8[::1]), i8")
class Wish(NamedTuple):
    """What C channels should be: times (H,) in so many steps from sample to sample, values (C, H), and by how much that
    counts by itself (C,)."""

    times: Floats
    values: Floats
    faith: Floats
    steps: int


@record("const(i8[::1]), const(i8[::1]), const(u1[::1]), f8[:,::1]")
class AllKnots(NamedTuple):
    """The keys of all channels: where those of each begin (C + 1,); samples, marks (K,) and states (K, 3)."""

    starts: Ints
    keys: Ints
    marks: Bytes
    states: Floats


@record("const(i8[::1]), const(i8[::1]), const(f8[:,:,::1]), i8")
class Moves(NamedTuple):
    """Which places each channel moves, from starts (C + 1,) on in places (M,), and by how much (M, N, 6), in metres and
    turned metres a unit: the same over so many `samples`, N times."""

    starts: Ints
    places: Ints
    by: Floats
    samples: int


@kernel("void(const(f8[:,:,:,::1]), b1[:,::1])")
def find_moved(moves: Floats, moved: Bools) -> None:
    """Set which places each channel moves (C, P), by how they move at some times (N, P, 6, C)."""
    times, places, rows, channels = moves.shape
    for n in range(times):
        for p in range(places):
            for row in range(rows):
                for c in range(channels):
                    if moves[n, p, row, c] != 0.0:
                        moved[c, p] = True


@kernel("void(const(f8[:,:,:,::1]), const(i8[::1]), const(i8[::1]), f8[:,:,::1])")
def gather(moves: Floats, channels: Ints, places: Ints, by: Floats) -> None:
    """How each of these channels moves a place (M, N, 6), out of how all move all (N, P, 6, C)."""
    for n in range(len(moves)):
        for m in range(len(by)):
            for row in range(6):
                by[m, n, row] = moves[n, places[m], row, channels[m]]


@inlined
def follow(times: Floats, steps: int, keys: Ints, states: Floats, first: int, last: int, made: Floats) -> None:
    """Where a curve is at all steps from one key to another."""
    for k in range(first, last):
        i, j = keys[k], keys[k + 1]
        start = times[steps * i]
        h = times[steps * j] - start
        a0, a1 = states[i, VALUE], h * states[i, RIGHT]
        rise, end = states[j, VALUE] - a0, h * states[j, LEFT]
        a2, a3 = 3.0 * rise - 2.0 * a1 - end, a1 + end - 2.0 * rise
        for at in range(steps * i, steps * j + 1):
            s = (times[at] - start) / h
            made[at] = a0 + s * (a1 + s * (a2 + s * a3))


@kernel("void(Wish, AllKnots, f8[:,::1])")
def evaluate(wish: Wish, knots: AllKnots, made: Floats) -> None:
    """Where the curves of all channels are (C, H); rows of those without keys stay as they are."""
    steps = wish.steps
    states = np.empty(((len(wish.times) - 1) // steps + 1, 3))
    for c in range(len(made)):
        base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
        keys = knots.keys[base : base + count]
        for k in range(count):
            for d in range(3):
                states[keys[k], d] = knots.states[base + k, d]
        if count == 1:
            made[c] = knots.states[base, VALUE]
        elif count > 1:
            follow(wish.times, steps, keys, states, 0, count - 1, made[c])


@kernel("void(const(f8[:,:,:,::1]), const(f8[:,:,:,::1]), f8, f8[:,:,::1])")
def turned(is_turned: Floats, should_be: Floats, reach: float, errors: Floats) -> None:
    """How far flesh that reaches so far around joints, turned (Q, J, 3, 3), is off: rows 3–5 of errors (P, 6, Q)."""
    for q in range(len(is_turned)):
        for j in range(is_turned.shape[1]):
            a, b = is_turned[q, j], should_be[q, j]
            for d in range(3):
                e, f = (d + 1) % 3, (d + 2) % 3
                by = 0.0
                for n in range(3):
                    by += a[f, n] * b[e, n] - a[e, n] * b[f, n]
                errors[j, 3 + d, q] = 0.5 * reach * by


@kernel("void(const(f8[:,:,:]), const(f8[:,:]), f8, f8[:,::1])")
def relative(errors: Floats, allowed: Floats, turned: float, shares: Floats) -> None:
    """Errors (P, 6, Q) of places and of what turns with them, as shares (P, Q) of what is allowed each."""
    for p in range(len(errors)):
        x, y, z, u, v, w = errors[p, 0], errors[p, 1], errors[p, 2], errors[p, 3], errors[p, 4], errors[p, 5]
        for q in range(shares.shape[1]):
            shares[p, q] = (
                math.sqrt(x[q] * x[q] + y[q] * y[q] + z[q] * z[q]) / allowed[p, q]
                + math.sqrt(u[q] * u[q] + v[q] * v[q] + w[q] * w[q]) / turned
            )


@inlined
def weigh(
    moves: Moves, m: int, block: int, prices: Floats, errors: Floats, low: int, high: int, weight: Floats, pull: Floats
) -> None:
    """Add how much a place wants a channel to change, weight (H,), and in which direction, pull (H,)."""
    p = moves.places[m]
    for node in range(low // block, (high - 1) // block + 1):
        x, y, z, u, v, w = moves.by[m, node]
        straight, turned = x * x + y * y + z * z, u * u + v * v + w * w
        for at in range(max(low, node * block), min(high, (node + 1) * block)):
            e = errors[p]
            weight[at] += prices[p, 0, at] * straight + prices[p, 1, at] * turned
            pull[at] -= prices[p, 0, at] * (x * e[0, at] + y * e[1, at] + z * e[2, at])
            pull[at] -= prices[p, 1, at] * (u * e[3, at] + v * e[4, at] + w * e[5, at])


@inlined
def shift(moves: Moves, m: int, block: int, by: Floats, low: int, high: int, errors: Floats) -> None:
    """What a change of its channel by (H,) does to a place."""
    p = moves.places[m]
    for d in range(6):
        row = errors[p, d]
        for node in range(low // block, (high - 1) // block + 1):
            move = moves.by[m, node, d]
            for at in range(max(low, node * block), min(high, (node + 1) * block)):
                row[at] += by[at] * move


@kernel("void(Wish, AllKnots, Moves, const(f8[:,:,::1]), f8[:,:,::1], i8, i8)")
def make_up(wish: Wish, knots: AllKnots, moves: Moves, prices: Floats, errors: Floats, begin: int, end: int) -> None:
    """One channel after the other gets the values and slopes that bring all places nearest to where they should be.

    prices (P, 2, H) how much an error counts, in place and by turning; errors (P, 6, H) of the places, which change
    as the channels do. Only keys from sample `begin` to sample `end` change.
    """
    channels, fine = wish.values.shape
    steps = wish.steps
    n = (fine - 1) // steps + 1
    keys = np.empty(n, np.int64)
    marks = np.zeros((1, n), np.uint8)
    states = np.zeros((1, n, 3))
    values, weights = np.empty((2, 1, fine))
    before, after, pull, weight = np.empty((4, fine))
    samples = Samples(wish.times, values, weights, steps)
    ends = np.empty((1, n), np.int64)
    draft = Draft(
        keys,
        marks,
        states,
        np.empty((1, n, 14)),
        ends,
        np.empty((0, 0, 3)),
        np.empty((0, 15)),
        np.empty((3 * n, 5)),
        np.empty(3 * n),
        np.empty(0, np.int64),
    )
    for c in range(channels):
        base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
        own = knots.keys[base : base + count]
        first, last = int(np.searchsorted(own, begin)), int(np.searchsorted(own, end + 1)) - 1
        if count < 2 or first > last:
            continue
        left, right = max(first - 1, 0), min(last + 1, count - 1)
        for k in range(left, right + 1):
            i = own[k]
            keys[k] = i
            marks[0, i] = knots.marks[base + k]
            ends[0, i] = -1
            for d in range(3):
                states[0, i, d] = knots.states[base + k, d]
        low, high = steps * own[left], steps * own[right] + 1
        follow(wish.times, steps, keys, states[0], left, right, before)
        for at in range(low, high):
            weight[at] = wish.faith[c]
            pull[at] = wish.faith[c] * (wish.values[c, at] - before[at])
        for m in range(moves.starts[c], moves.starts[c + 1]):
            weigh(moves, m, steps * moves.samples, prices, errors, low, high, weight, pull)
        for at in range(low, high):
            values[0, at] = before[at] + pull[at] / weight[at]
            weights[0, at] = np.sqrt(weight[at])
        solve_keys(samples, draft, 0, count, first, last)
        follow(wish.times, steps, keys, states[0], left, right, after)
        for at in range(low, high):
            after[at] -= before[at]
        for m in range(moves.starts[c], moves.starts[c + 1]):
            shift(moves, m, steps * moves.samples, after, low, high, errors)
        for k in range(first, last + 1):
            for d in range(3):
                knots.states[base + k, d] = states[0, own[k], d]
