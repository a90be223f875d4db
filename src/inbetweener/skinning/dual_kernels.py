"""Compiled dual quaternions as tuples of eight numbers, which stay in registers, and their shortest-path blends."""

import math

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined, kernel

Entries = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]
Dual = tuple[float, float, float, float, float, float, float, float]


@inlined
def row(array: Floats, n: int) -> Dual:
    """array[n] as a tuple."""
    return array[n, 0], array[n, 1], array[n, 2], array[n, 3], array[n, 4], array[n, 5], array[n, 6], array[n, 7]


@inlined
def put(array: Floats, n: int, q: Dual) -> None:
    """array[n] ← q."""
    array[n, 0], array[n, 1], array[n, 2], array[n, 3] = q[0], q[1], q[2], q[3]
    array[n, 4], array[n, 5], array[n, 6], array[n, 7] = q[4], q[5], q[6], q[7]


@inlined
def times(a: Dual, b: Dual) -> Dual:
    """First b, then a. Sums in pairs: one long sum would keep the processor waiting for itself."""
    return (
        (a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]),
        (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
        (a[0] * b[2] - a[1] * b[3]) + (a[2] * b[0] + a[3] * b[1]),
        (a[0] * b[3] + a[1] * b[2]) - (a[2] * b[1] - a[3] * b[0]),
        ((a[0] * b[4] - a[1] * b[5]) - (a[2] * b[6] + a[3] * b[7]))
        + ((a[4] * b[0] - a[5] * b[1]) - (a[6] * b[2] + a[7] * b[3])),
        ((a[0] * b[5] + a[1] * b[4]) + (a[2] * b[7] - a[3] * b[6]))
        + ((a[4] * b[1] + a[5] * b[0]) + (a[6] * b[3] - a[7] * b[2])),
        ((a[0] * b[6] - a[1] * b[7]) + (a[2] * b[4] + a[3] * b[5]))
        + ((a[4] * b[2] - a[5] * b[3]) + (a[6] * b[0] + a[7] * b[1])),
        ((a[0] * b[7] + a[1] * b[6]) - (a[2] * b[5] - a[3] * b[4]))
        + ((a[4] * b[3] + a[5] * b[2]) - (a[6] * b[1] - a[7] * b[0])),
    )


@inlined
def back(q: Dual) -> Dual:
    """The inverse of a unit dual quaternion."""
    return q[0], -q[1], -q[2], -q[3], q[4], -q[5], -q[6], -q[7]


@inlined
def unit(q: Dual) -> Dual:
    """The nearest unit dual quaternion; what has no length stays as it is."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if not length > 0.0:
        return q
    s = 1.0 / length
    along = (q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7]) * s * s * s
    return (
        s * q[0], s * q[1], s * q[2], s * q[3],
        s * q[4] - along * q[0], s * q[5] - along * q[1], s * q[6] - along * q[2], s * q[7] - along * q[3],
    )  # fmt: skip


@inlined
def to_screw(q: Dual, result: Floats) -> None:
    """result (6,) ← the screw of a unit dual quaternion, the shorter way."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    w, dw = sign * q[0], sign * q[4]
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if sine < 1e-9:
        result[0], result[1], result[2] = 2.0 * sign * q[1], 2.0 * sign * q[2], 2.0 * sign * q[3]
        result[3], result[4], result[5] = 2.0 * sign * q[5], 2.0 * sign * q[6], 2.0 * sign * q[7]
        return
    half, shift = math.atan2(sine, w), -dw / sine
    for i in range(3):
        turn, move = (q[1], q[5]) if i == 0 else (q[2], q[6]) if i == 1 else (q[3], q[7])
        axis = sign * turn / sine
        moment = (sign * move - axis * shift * w) / sine
        result[i], result[3 + i] = 2.0 * half * axis, 2.0 * (shift * axis + half * moment)


@inlined
def from_screw(screw: Floats) -> Dual:
    """The unit dual quaternion of a screw (6,)."""
    half = 0.5 * math.sqrt(screw[0] ** 2 + screw[1] ** 2 + screw[2] ** 2)
    along = 0.25 * (screw[0] * screw[3] + screw[1] * screw[4] + screw[2] * screw[5])
    cosine = math.cos(half)
    sinc = math.sin(half) / half if half > 1e-9 else 1.0
    bend = (cosine - sinc) / (half * half) * along if half > 1e-9 else 0.0
    return (
        cosine, 0.5 * sinc * screw[0], 0.5 * sinc * screw[1], 0.5 * sinc * screw[2],
        -sinc * along,
        0.5 * (sinc * screw[3] + bend * screw[0]),
        0.5 * (sinc * screw[4] + bend * screw[1]),
        0.5 * (sinc * screw[5] + bend * screw[2]),
    )  # fmt: skip


@inlined
def doubles(vector: Singles) -> tuple[float, float, float]:
    """Three numbers in double precision."""
    return np.float64(vector[0]), np.float64(vector[1]), np.float64(vector[2])


@inlined
def moved(q: Dual, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point p moved by q = (w, u) + ε(d, v), of any length: p + 2(w·m + u×m − d·u) / |q|² with m = u×p + v."""
    w, a, b, c = q[0], q[1], q[2], q[3]
    s = 2.0 / ((w * w + a * a) + (b * b + c * c))
    mx, my, mz = (b * z - c * y) + q[5], (c * x - a * z) + q[6], (a * y - b * x) + q[7]
    return (
        x + s * ((w * mx - q[4] * a) + (b * mz - c * my)),
        y + s * ((w * my - q[4] * b) + (c * mx - a * mz)),
        z + s * ((w * mz - q[4] * c) + (a * my - b * mx)),
    )


@inlined
def move(q: Dual, vector: Singles, shifts: bool, result: Singles) -> None:
    """result ← the vector moved by q; without the shift for directions."""
    if not shifts:
        q = (q[0], q[1], q[2], q[3], 0.0, 0.0, 0.0, 0.0)
    x, y, z = doubles(vector)
    result[0], result[1], result[2] = moved(q, x, y, z)


@kernel("void(const(f4[:,::1]), const(f8[:,::1]), b1, f4[:,::1])")
def move_all(vectors: Singles, transforms: Floats, shifts: bool, result: Singles) -> None:
    """result[v] = vectors[v] moved by transforms[v]; directions without the shift."""
    for v in range(len(vectors)):
        move(row(transforms, v), vectors[v], shifts, result[v])


@inlined
def mean(influences: Entries, weights: Singles, joints: Floats, v: int) -> Dual:
    """Σ ±w·q for vertex v, each q with the sign that brings it nearest to the heaviest one (Kavan et al. 2008)."""
    heaviest = 0
    for n in range(1, influences.shape[1]):
        if weights[v, n] > weights[v, heaviest]:
            heaviest = n
    p = joints[influences[v, heaviest]]
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
    for n in range(influences.shape[1]):
        w = np.float64(weights[v, n])
        if w != 0.0:
            q = joints[influences[v, n]]
            if p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0:
                w = -w
            a0 += w * q[0]
            a1 += w * q[1]
            a2 += w * q[2]
            a3 += w * q[3]
            a4 += w * q[4]
            a5 += w * q[5]
            a6 += w * q[6]
            a7 += w * q[7]
    return a0, a1, a2, a3, a4, a5, a6, a7


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), f8[:,::1])")
def blend(influences: Entries, weights: Singles, joints: Floats, result: Floats) -> None:
    """result[v] = the unit dual quaternion linear blend (LB) of the joints' transforms (K, 8)."""
    for v in range(len(influences)):
        put(result, v, unit(mean(influences, weights, joints, v)))


@kernel(
    "void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(f4[:,::1]), f4[:,::1],"
    " f4[:,::1])"
)
def pose(
    influences: Entries,
    weights: Singles,
    joints: Floats,
    vertices: Singles,
    normals: Singles,
    result: Singles,
    turned: Singles,
) -> None:
    """Vertices and normals (V or 0, 3) moved by the linear blend (LB) at once."""
    for v in range(len(influences)):
        # What the dual part has along the real one drops out of the move.
        q = mean(influences, weights, joints, v)
        move(q, vertices[v], True, result[v])
        if len(normals):
            move(q, normals[v], False, turned[v])


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), i8, f8[:,::1])")
def refine(influences: Entries, weights: Singles, joints: Floats, rounds: int, result: Floats) -> None:
    """result[v], a first guess, moves to where the weighted screws to all q cancel: SB (Govindu 2004)."""
    screw, step = np.empty(6), np.empty(6)
    for v in range(len(influences)):
        a = unit(row(result, v))
        for _ in range(rounds):
            step[:] = 0.0
            for n in range(influences.shape[1]):
                w = np.float64(weights[v, n])
                if w != 0.0:
                    to_screw(times(back(a), row(joints, influences[v, n])), screw)
                    for i in range(6):
                        step[i] += w * screw[i]
            a = unit(times(a, from_screw(step)))
            size = 0.0
            for i in range(6):
                size += abs(step[i])
            if size < 1e-12:
                break
        put(result, v, a)
