"""Compiled soft parts. Every row is worked out alone and in one order, so that results repeat to the bit."""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.skinning.mesh import Indices, Singles


@inlined
def inverse_of(m: Floats, out: Floats) -> None:
    """The inverse of the linear part of m (3, 4); nothing where it is flat."""
    a, b, c = m[0, 0], m[0, 1], m[0, 2]
    d, e, f = m[1, 0], m[1, 1], m[1, 2]
    g, h, i = m[2, 0], m[2, 1], m[2, 2]
    x, y, z = e * i - f * h, f * g - d * i, d * h - e * g
    volume = a * x + b * y + c * z
    scale = 0.0 if volume == 0.0 else 1.0 / volume
    out[0, 0], out[0, 1], out[0, 2] = x * scale, (c * h - b * i) * scale, (b * f - c * e) * scale
    out[1, 0], out[1, 1], out[1, 2] = y * scale, (a * i - c * g) * scale, (c * d - a * f) * scale
    out[2, 0], out[2, 1], out[2, 2] = z * scale, (b * g - a * h) * scale, (a * e - b * d) * scale


@kernel("void(const(f8[:,:,::1]), const(i8[:,::1]), f8, const(f8[::1]), const(f8[:,::1]), f8[:,::1])")
def settle(bone: Floats, triples: Ints, h: float, gravity: Floats, loads: Floats, result: Floats) -> None:
    """result (N, m): the modes that would hold a solid in balance under the movement of its bone at N moments.

    bone (M, 3, 4) is where it is; triples (3, N) which of these are h before each moment, then, and h after it; loads
    (m, 12) what the field of accelerations of the bone, seen along its own axes, does to each mode.
    """
    back, field = np.empty((3, 3)), np.empty((3, 4))
    for n in range(triples.shape[1]):
        before, now, after = bone[triples[0, n]], bone[triples[1, n]], bone[triples[2, n]]
        inverse_of(now, back)
        field[:] = 0.0
        for c in range(4):
            for k in range(3):
                pull = (after[k, c] - 2.0 * now[k, c] + before[k, c]) / (h * h)
                if c == 3:
                    pull -= gravity[k]
                for r in range(3):
                    field[r, c] += back[r, k] * pull
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
    count = len(result)
    for v in range(count):
        ux, uy, uz = room[3 * v], room[3 * v + 1], room[3 * v + 2]
        x, y, z = room[3 * (count + v)], room[3 * (count + v) + 1], room[3 * (count + v) + 2]
        square = x * x + y * y + z * z
        angle = math.sqrt(square)
        if angle < 1e-3:
            once, twice = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
        else:
            once, twice = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
        cx, cy, cz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
        ux += once * cx + twice * (y * cz - z * cy)
        uy += once * cy + twice * (z * cx - x * cz)
        uz += once * cz + twice * (x * cy - y * cx)
        for r in range(3):
            result[v, r] = shares[v] * (back[r, 0] * ux + back[r, 1] * uy + back[r, 2] * uz)


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
    whole, back, apart = np.empty((3, 4)), np.empty((3, 3)), np.empty(3)
    for v in range(len(features)):
        whole[:] = 0.0
        apart[:] = 0.0
        for n in range(influences.shape[1]):
            w = weights[v, n]
            if w == 0.0:
                continue
            change, now = changes[influences[v, n]], linear[influences[v, n]]
            for r in range(3):
                for c in range(3):
                    whole[r, c] += w * now[r, c]
                total = 0.0
                for c in range(features.shape[1]):
                    total += change[r, c] * features[v, c]
                apart[r] += w * total
        inverse_of(whole, back)
        for r in range(3):
            moved = back[r, 0] * apart[0] + back[r, 1] * apart[1] + back[r, 2] * apart[2]
            result[v, r] = shares[v] * moved
