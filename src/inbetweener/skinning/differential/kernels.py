"""Compiled differential blending."""

import math

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel

Entries = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]


@inlined
def multiply(a: Floats, b: Floats, result: Floats) -> None:
    """result ← a·b of dual quaternions; result must be neither."""
    for part in range(2):
        # The dual part is real·dual + dual·real; the real part real·real alone.
        result[4 * part] = a[0] * b[4 * part] - a[1] * b[4 * part + 1] - a[2] * b[4 * part + 2] - a[3] * b[4 * part + 3]
        result[4 * part + 1] = (
            a[0] * b[4 * part + 1] + a[1] * b[4 * part] + a[2] * b[4 * part + 3] - a[3] * b[4 * part + 2]
        )
        result[4 * part + 2] = (
            a[0] * b[4 * part + 2] - a[1] * b[4 * part + 3] + a[2] * b[4 * part] + a[3] * b[4 * part + 1]
        )
        result[4 * part + 3] = (
            a[0] * b[4 * part + 3] + a[1] * b[4 * part + 2] - a[2] * b[4 * part + 1] + a[3] * b[4 * part]
        )
    result[4] += a[4] * b[0] - a[5] * b[1] - a[6] * b[2] - a[7] * b[3]
    result[5] += a[4] * b[1] + a[5] * b[0] + a[6] * b[3] - a[7] * b[2]
    result[6] += a[4] * b[2] - a[5] * b[3] + a[6] * b[0] + a[7] * b[1]
    result[7] += a[4] * b[3] + a[5] * b[2] - a[6] * b[1] + a[7] * b[0]


@kernel("void(const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def compose(parents: Ints, differentials: Floats, result: Floats) -> None:
    """result[n] = result[parent] · differentials[n]; parents come first."""
    for n in range(len(parents)):
        if parents[n] < 0:
            result[n] = differentials[n]
        else:
            multiply(result[parents[n]], differentials[n], result[n])


@kernel("void(i8[::1], const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def products(starts: Ints, ends: Ints, differentials: Floats, result: Floats) -> None:
    """result[j] = differentials[starts[j]] · … · differentials[ends[j] − 1]; the identity where there are none."""
    work = np.empty(8)
    for j in range(len(starts)):
        result[j] = 0.0
        result[j, 0] = 1.0
        for n in range(starts[j], ends[j]):
            multiply(result[j], differentials[n], work)
            result[j] = work


@inlined
def move(q: Floats, x: float, y: float, z: float, shifts: bool, result: Singles) -> None:
    """result ← the point moved by q, which need not be of length one; without the shift for directions."""
    w, a, b, c = q[0], q[1], q[2], q[3]
    size = 1.0 / (w * w + a * a + b * b + c * c)
    # Twice the cross product, twice: v + 2w(u×v) + 2u×(u×v), for a unit quaternion.
    s = 2.0 * size
    tx, ty, tz = b * z - c * y, c * x - a * z, a * y - b * x
    rx = x + s * (w * tx + b * tz - c * ty)
    ry = y + s * (w * ty + c * tx - a * tz)
    rz = z + s * (w * tz + a * ty - b * tx)
    if shifts:
        rx += s * (w * q[5] - a * q[4] + b * q[7] - c * q[6])
        ry += s * (w * q[6] - b * q[4] + c * q[5] - a * q[7])
        rz += s * (w * q[7] - c * q[4] + a * q[6] - b * q[5])
    result[0], result[1], result[2] = rx, ry, rz


@kernel("void(const(i8[::1]), const(i8[::1]), const(i4[::1]), const(f4[::1]), f8[:,::1], f8[:,::1], b1, f8[:,::1])")
def blend(
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    weights: Singles,
    differentials: Floats,
    composed: Floats,
    local: bool,
    result: Floats,
) -> None:
    """result[v] = the blended transform (8,), not normalised: prefix · Π (I + Σ w(Δ − I)), [DB] Eq. 1.

    A vertex's entries run from starts[v] to starts[v + 1]; a negative weight is the last of its step. In the literal
    world form the newest step stands on the left.
    """
    step, made = np.empty(8), np.empty(8)
    for v in range(len(prefixes)):
        a = result[v]
        if prefixes[v] >= 0:
            a[:] = composed[prefixes[v]]
        else:
            a[:] = 0.0
            a[0] = 1.0
        step[:] = 0.0
        rest = 1.0
        for e in range(starts[v], starts[v + 1]):
            w = abs(weights[e])
            d = differentials[nodes[e]]
            rest -= w
            for i in range(8):
                step[i] += w * d[i]
            if weights[e] < 0.0:
                step[0] += rest
                if local:
                    multiply(a, step, made)
                else:
                    multiply(step, a, made)
                a[:] = made
                step[:] = 0.0
                rest = 1.0


@kernel("void(const(f4[:,::1]), const(f8[:,::1]), b1, f4[:,::1])")
def move_all(vectors: Singles, transforms: Floats, shifts: bool, result: Singles) -> None:
    """result[v] = vectors[v] moved by transforms[v]; directions without the shift."""
    for v in range(len(vectors)):
        move(transforms[v], vectors[v, 0], vectors[v, 1], vectors[v, 2], shifts, result[v])


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), f8[:,::1], f8[:,::1])")
def blend_dual(influences: Entries, weights: Singles, joints: Floats, result: Floats) -> None:
    """result[v] = Σ ±w·q, each q with the sign that brings it nearest to the heaviest one (Kavan et al. 2008)."""
    for v in range(len(influences)):
        heaviest = 0
        for n in range(1, influences.shape[1]):
            if weights[v, n] > weights[v, heaviest]:
                heaviest = n
        pivot = joints[influences[v, heaviest]]
        a = result[v]
        a[:] = 0.0
        for n in range(influences.shape[1]):
            w = weights[v, n]
            if w != 0.0:
                q = joints[influences[v, n]]
                if pivot[0] * q[0] + pivot[1] * q[1] + pivot[2] * q[2] + pivot[3] * q[3] < 0.0:
                    w = -w
                for i in range(8):
                    a[i] += w * q[i]
        # Perpendicular parts, so that the length of the real part is all that is left to divide by.
        size = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]
        if size > 0.0 and math.isfinite(size):
            along = (a[0] * a[4] + a[1] * a[5] + a[2] * a[6] + a[3] * a[7]) / size
            for i in range(4):
                a[4 + i] -= along * a[i]


@inlined
def screw_to(q: Floats, result: Floats) -> None:
    """result (6,) ← the screw of a unit dual quaternion, the shorter way."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    w, dw = sign * q[0], sign * q[4]
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if sine < 1e-9:
        for i in range(3):
            result[i], result[3 + i] = 2.0 * sign * q[1 + i], 2.0 * sign * q[5 + i]
        return
    half, shift = math.atan2(sine, w), -dw / sine
    for i in range(3):
        axis = sign * q[1 + i] / sine
        moment = (sign * q[5 + i] - axis * shift * w) / sine
        result[i], result[3 + i] = 2.0 * half * axis, 2.0 * (shift * axis + half * moment)


@inlined
def from_screw(screw: Floats, result: Floats) -> None:
    """result (8,) ← the unit dual quaternion of a screw."""
    half = 0.5 * math.sqrt(screw[0] ** 2 + screw[1] ** 2 + screw[2] ** 2)
    along = 0.25 * (screw[0] * screw[3] + screw[1] * screw[4] + screw[2] * screw[5])
    cosine = math.cos(half)
    sinc = math.sin(half) / half if half > 1e-9 else 1.0
    bend = (cosine - sinc) / (half * half) if half > 1e-9 else 0.0
    result[0], result[4] = cosine, -sinc * along
    for i in range(3):
        result[1 + i] = 0.5 * sinc * screw[i]
        result[5 + i] = 0.5 * (sinc * screw[3 + i] + bend * along * screw[i])


@inlined
def unit(q: Floats) -> None:
    """q ← the nearest unit dual quaternion."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length > 0.0:
        for i in range(8):
            q[i] /= length
        along = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7]
        for i in range(4):
            q[4 + i] -= along * q[i]


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), f8[:,::1], i8, f8[:,::1])")
def refine_screw(influences: Entries, weights: Singles, joints: Floats, rounds: int, result: Floats) -> None:
    """result[v], a first guess, moves to where the weighted screws to all q cancel (Govindu 2004)."""
    back, away, screw, step, turn = np.empty(8), np.empty(8), np.empty(6), np.empty(6), np.empty(8)
    for v in range(len(influences)):
        a = result[v]
        unit(a)
        for _ in range(rounds):
            for i in range(8):
                back[i] = a[i] if i == 0 or i == 4 else -a[i]
            step[:] = 0.0
            for n in range(influences.shape[1]):
                w = weights[v, n]
                if w != 0.0:
                    multiply(back, joints[influences[v, n]], away)
                    screw_to(away, screw)
                    for i in range(6):
                        step[i] += w * screw[i]
            from_screw(step, turn)
            multiply(a, turn, back)
            a[:] = back
            unit(a)
            size = 0.0
            for i in range(6):
                size += abs(step[i])
            if size < 1e-12:
                break
