"""Compiled soft parts. Every row is worked out alone and in one order, so that results repeat to the bit."""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import kernel
from inbetweener.maths.vector_kernels import (
    NOTHING,
    carried,
    cross,
    dot,
    inverse,
    moved,
    plus,
    scaled,
    square,
    vector,
)
from inbetweener.skinning.mesh import Indices, Singles


@kernel("void(const(f8[:,:,::1]), const(i8[:,::1]), f8, const(f8[::1]), const(f8[:,::1]), f8[:,::1])")
def settle(bone: Floats, triples: Ints, h: float, gravity: Floats, loads: Floats, result: Floats) -> None:
    """result (N, m): the modes that would hold a solid in balance under the movement of its bone at N moments.

    bone (M, 3, 4) is where it is; triples (3, N) which of these are h before each moment, then, and h after it; loads
    (m, 12) what the field of accelerations of the bone, seen along its own axes, does to each mode.
    """
    pull, field = np.empty(3), np.empty((3, 4))
    for n in range(triples.shape[1]):
        before, now, after = bone[triples[0, n]], bone[triples[1, n]], bone[triples[2, n]]
        back = inverse(square(now))
        for c in range(4):
            for k in range(3):
                pull[k] = (after[k, c] - 2.0 * now[k, c] + before[k, c]) / (h * h) - (gravity[k] if c == 3 else 0.0)
            field[0, c], field[1, c], field[2, c] = carried(back, vector(pull))
        for i in range(len(loads)):
            total = 0.0
            for r in range(3):
                for c in range(4):
                    total += loads[i, 4 * r + c] * field[r, c]
            result[n, i] = total


@kernel("void(const(f4[:,::1]), const(f4[::1]), const(f8[:,::1]), const(f8[::1]), f4[::1], f4[:,::1])")
def swing(shapes: Singles, modes: Singles, back: Floats, shares: Floats, room: Singles, result: Singles) -> None:
    """result (v, 3): how far modes (m,) put vertices off, times shares (v,), brought back (3, 3) to the mesh.

    shapes (m, 6v) are shifts of the vertices, and turns about them, which room (6v,) is for. Small shifts are made
    large by the turns that go with them.

    A place that has come to turn by w went around an arc, not straight on: each bit of its way was turned by as much as
    it had come to, and ∫ R(s w) u ds is u + (1 − cos θ)/θ² w × u + (θ − sin θ)/θ³ w × (w × u) with θ = |w|.
    """
    room[:] = 0.0
    for i in range(len(modes)):
        much, shape = modes[i], shapes[i]
        for k in range(len(room)):
            room[k] += much * shape[k]
    count, home = len(result), square(back)
    for v in range(count):
        i, j = 3 * v, 3 * (count + v)
        shift, turn = (room[i], room[i + 1], room[i + 2]), (room[j], room[j + 1], room[j + 2])
        whole = dot(turn, turn)
        angle = math.sqrt(whole)
        if angle < 1e-3:
            once, twice = 0.5 - whole / 24.0, 1.0 / 6.0 - whole / 120.0
        else:
            once, twice = (1.0 - math.cos(angle)) / whole, (angle - math.sin(angle)) / (whole * angle)
        across = cross(turn, shift)
        off = plus(shift, moved(scaled(once, across), twice, cross(turn, across)))
        result[v, 0], result[v, 1], result[v, 2] = scaled(shares[v], carried(home, off))


@kernel("void(const(f8[:,::1]), const(i8[:,::1]), const(f8[:,::1]), f8[:,::1])")
def weigh_windows(values: Floats, rows: Ints, weights: Floats, result: Floats) -> None:
    """result (T, m): the sum over the moments of each window of values (N, m) times weights (n, m) or (n, 1)."""
    alike = weights.shape[1] == 1
    for w in range(len(rows)):
        into = result[w]
        into[:] = 0.0
        for k in range(rows.shape[1]):
            row = values[rows[w, k]]
            for i in range(len(into)):
                into[i] += row[i] * weights[k, 0 if alike else i]


@kernel(
    "void(const(f8[:,:,::1]), const(f8[:,:,::1]), const(f8[:,::1]), const(i4[:,::1]), const(f4[:,::1]),"
    "const(f8[::1]), f4[:,::1])"
)
def pull_back(
    changes: Floats,
    linear: Floats,
    features: Floats,
    influences: Indices,
    weights: Singles,
    shares: Floats,
    result: Singles,
) -> None:
    """result (v, 3): how far vertices must be off in mesh space for joints to carry them where springs have them.

    changes (K, 3, F) is where springs have each joint's transform of the features (v, F) less where it is, linear
    (K, 3, 4) where it is; influences and weights (v, N) as skins have them.
    """
    change = np.empty(3)
    for v in range(len(features)):
        (a, b, c), apart = (NOTHING, NOTHING, NOTHING), NOTHING
        for n in range(influences.shape[1]):
            w = weights[v, n]
            if w == 0.0:
                continue
            now, springs = square(linear[influences[v, n]]), changes[influences[v, n]]
            a, b, c = moved(a, w, now[0]), moved(b, w, now[1]), moved(c, w, now[2])
            for r in range(3):
                change[r] = 0.0
                for i in range(features.shape[1]):
                    change[r] += springs[r, i] * features[v, i]
            apart = moved(apart, w, vector(change))
        result[v, 0], result[v, 1], result[v, 2] = scaled(shares[v], carried(inverse((a, b, c)), apart))
