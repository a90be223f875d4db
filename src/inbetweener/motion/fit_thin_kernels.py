"""Compiled: keys of many curves taken out, as long as all that they move stays near enough."""

import numpy as np

from inbetweener.arrays import Bools
from inbetweener.curves.fitting.segment_kernels import Samples, solve_keys
from inbetweener.kernels import kernel
from inbetweener.motion.fit_kernels import (
    AllKnots,
    Moves,
    Places,
    Wish,
    aim,
    begin_with,
    change_by,
    follow,
    room_for,
    sum_powers,
)
from inbetweener.motion.fit_place_kernels import jerks, misses, shift

REACH = 2
"""How many keys on either side of one that goes get new values and slopes."""


@kernel("void(Wish, AllKnots, Moves, Places, f8, b1[::1])")
def thin(wish: Wish, knots: AllKnots, moves: Moves, places: Places, limit: float, gone: Bools) -> None:
    """Which keys (K,) go: those without which nothing is farther off than `limit` of what is allowed."""
    channels, fine = wish.values.shape
    room = room_for(len(wish.at), fine)
    draft, values, weights = room.draft, room.values, room.weights
    samples = Samples(wish.times, values, weights, wish.at)
    keys, states, before, after, by = draft.keys, draft.states[0], room.before, room.after, room.by
    starts, places_of, moving = moves
    e, strict, _, gentle, stride = places
    spare, aside = np.empty((2 * REACH + 2, 3)), np.empty(14)
    objecting = 0
    for c in range(channels):
        base, count = knots.starts[c], knots.starts[c + 1] - knots.starts[c]
        moved = starts[c + 1] - starts[c]
        if count < 3 or moved == 0:
            continue
        begin_with(wish, knots, c, room)
        follow(wish.times, wish.at, keys, states, 0, count - 1, before)
        # What the curve should meet does not change with the curve itself.
        aim(wish, moves, places, c, 0, fine, room)
        source = wish.values[c]
        for k in range(count - 1):
            sum_powers(wish, room, places.stiff, source, keys[k], keys[k + 1])
        left_over, k = count, 1
        for own in range(1, count - 1):
            i, j = keys[k - 1], keys[k]
            if draft.marks[0, j] != 0:
                k += 1
                continue
            # Without it:
            for q in range(k, left_over - 1):
                keys[q] = keys[q + 1]
            less = left_over - 1
            first, last = max(k - REACH, 0), min(k - 1 + REACH, less - 1)
            for q in range(first, last + 1):
                for d in range(3):
                    spare[q - first, d] = states[keys[q], d]
            for d in range(14):
                aside[d] = draft.sums[0, i, d]
            sum_powers(wish, room, places.stiff, source, i, keys[k])
            solve_keys(samples, draft, 0, less, first, last)
            left, right = max(first - 1, 0), min(last + 1, less - 1)
            follow(wish.times, wish.at, keys, states, left, right, after)
            low, high = wish.at[keys[left]], wish.at[keys[right]] + 1
            change_by(after, before, low, high, stride, by)
            missed = 0
            for step in range(moved):
                m = starts[c] + (objecting + step) % moved
                missed = misses(e, places_of[m], strict, moving, m, by, limit, low, high)
                if missed > 0:
                    objecting = (objecting + step) % moved
                    break
            begin, end = max(low - stride, stride), min(high + stride, fine - stride)
            for m in range(starts[c], starts[c + 1] if missed == 0 else starts[c]):
                p = places_of[m]
                jolted, jolts = jerks(e, p, gentle, moving, m, by, stride, begin, end)
                if jolts > jolted:
                    missed = jolts
                    break
            if missed > 0:
                for q in range(first, last + 1):
                    for d in range(3):
                        states[keys[q], d] = spare[q - first, d]
                for q in range(left_over - 1, k, -1):
                    keys[q] = keys[q - 1]
                keys[k] = j
                for d in range(14):
                    draft.sums[0, i, d] = aside[d]
                draft.ends[0, i] = j
                k += 1
                continue
            shift(places_of, starts[c], starts[c + 1], moving, by, low, high, e)
            for at in range(low, high):
                before[at] = after[at]
            gone[base + own] = True
            left_over = less
        for k in range(count):
            if not gone[base + k]:
                for d in range(3):
                    knots.states[base + k, d] = states[knots.keys[base + k], d]
