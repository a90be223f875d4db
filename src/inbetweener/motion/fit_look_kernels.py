"""Compiled: where places are beside where they should be, and which channels move them."""

import math

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, Singles
from inbetweener.kernels import kernel


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


@kernel(
    "void(const(f8[:,:,::1]), const(f8[:,:,::1]), const(f8[:,:,:,::1]), const(f8[:,:,:,::1]), const(i8[::1]), f8,"
    "f4[:,:,::1], f8[:,::1], f8[:,::1])"
)
def compare(
    positions: Floats,
    should: Floats,
    turns: Floats,
    should_turn: Floats,
    at: Ints,
    reach: float,
    errors: Singles,
    far: Floats,
    twisted: Floats,
) -> None:
    """How far places (Q', P, 3), and flesh that reaches so far around joints, turned (Q', J, 3, 3), are from where they
    should be (Q, P, 3) and (Q, J, 3, 3) at steps `at` (Q',): errors, and the lengths of both parts (P, Q)."""
    for row in range(len(at)):
        q = at[row]
        for p in range(positions.shape[1]):
            total = 0.0
            for d in range(3):
                e = positions[row, p, d] - should[q, p, d]
                errors[p, d, q] = e
                total += e * e
            far[p, q] = math.sqrt(total)
        for j in range(turns.shape[1]):
            a, o = turns[row, j], should_turn[q, j]
            total = 0.0
            for d in range(3):
                e, f = (d + 1) % 3, (d + 2) % 3
                by = 0.0
                for n in range(3):
                    by += a[f, n] * o[e, n] - a[e, n] * o[f, n]
                by *= 0.5 * reach
                errors[j, 3 + d, q] = by
                total += by * by
            twisted[j, q] = math.sqrt(total)


@kernel("void(const(f8[:,:,::1]), const(i8[::1]), const(f4[::1]), f4[:,:,::1])")
def spread(by: Floats, node: Ints, share: Singles, made: Singles) -> None:
    """How places move at nodes (M, N, 6) told for steps (M, 6, H), each so far on the way from its node to the next."""
    last = by.shape[1] - 1
    row = np.empty((2, by.shape[1] + 1), np.float32)
    for m in range(len(by)):
        for d in range(6):
            for n in range(last + 1):
                row[0, n] = by[m, n, d]
                row[1, n] = by[m, min(n + 1, last), d] - by[m, n, d]
            for i in range(len(node)):
                made[m, d, i] = row[0, node[i]] + share[i] * row[1, node[i]]
