"""Compiled paths between quaternion keys, and Euler angles along them.

An order is three axis numbers, outermost first.
"""

import math

from inbetweener.arrays import Ints
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import by_axis, parity
from inbetweener.maths.quaternion_kernels import (
    Quaternion,
    angle_between,
    conjugate,
    hamilton,
    inner,
    mixed,
    towards,
    unit,
)
from inbetweener.maths.vector_kernels import NOTHING, Vector

FINEST = 2.0**-12
"""The shortest piece that a segment is cut into."""
SAMPLES = 8
"""Pieces are compared with the true path at SAMPLES − 1 places between their ends."""


@inlined
def from_angles(angles: Vector, order: Ints) -> Quaternion:
    """The quaternion of Euler angles."""
    q = (1.0, 0.0, 0.0, 0.0)
    for n in range(3):
        axis = order[n]
        half = 0.5 * angles[axis]
        s = math.sin(half)
        turn = (math.cos(half), s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
        q = hamilton(q, turn)
    return q


@inlined
def angle_rates(angles: Vector, spin: Vector, order: Ints) -> tuple[Vector, bool]:
    """Rates of the Euler angles for a spin in the body's own frame; False near the pole, where they blow up.

    With a, b, c the turns about axes i, j, k and σ the sign of the order: ȧ = (ω_i cos c − σ ω_j sin c)/cos b,
    ḃ = ω_j cos c + σ ω_i sin c, ċ = ω_k − σ ȧ sin b.
    """
    i, j, k, sign = order[0], order[1], order[2], parity(order)
    cosine = math.cos(angles[j])
    if abs(cosine) < 1e-6:
        return NOTHING, False
    cc, sc = math.cos(angles[k]), sign * math.sin(angles[k])
    a = (spin[i] * cc - spin[j] * sc) / cosine
    return by_axis(order, a, spin[j] * cc + spin[i] * sc, spin[k] - sign * math.sin(angles[j]) * a), True


@inlined
def spin_of(angles: Vector, rates: Vector, order: Ints) -> Vector:
    """The spin in the body's own frame for rates of the Euler angles: `angle_rates` turned round."""
    i, j, k, sign = order[0], order[1], order[2], parity(order)
    cb, sb = math.cos(angles[j]), sign * math.sin(angles[j])
    cc, sc = math.cos(angles[k]), sign * math.sin(angles[k])
    a, b, c = rates[i], rates[j], rates[k]
    return by_axis(order, a * cb * cc + b * sc, b * cc - a * cb * sc, c + sb * a)


@inlined
def hermite(a: Quaternion, ma: Quaternion, b: Quaternion, mb: Quaternion, s: float) -> tuple[Quaternion, Quaternion]:
    """The cubic with ends a, b and end derivatives ma, mb by s; and its derivative."""
    ss = s * s
    value = mixed(
        mixed(a, b, (2.0 * s - 3.0) * ss + 1.0, (3.0 - 2.0 * s) * ss),
        mixed(ma, mb, (s - 2.0) * ss + s, (s - 1.0) * ss),
        1.0,
        1.0,
    )
    slope = mixed(
        mixed(a, b, 6.0 * (ss - s), 6.0 * (s - ss)),
        mixed(ma, mb, 3.0 * ss - 4.0 * s + 1.0, 3.0 * ss - 2.0 * s),
        1.0,
        1.0,
    )
    return value, slope


@inlined
def path_at(
    a: Quaternion, ma: Quaternion, b: Quaternion, mb: Quaternion, is_cubic: bool, s: float
) -> tuple[Quaternion, Vector]:
    """Rotation and body spin (per s) between two keys: normalised cubic, or slerp the shorter way."""
    if is_cubic:
        p, slope = hermite(a, ma, b, mb, s)
        length = math.sqrt(inner(p, p))
        q = unit(p)
        rate = mixed(slope, q, 1.0, -inner(slope, q))
        back = hamilton(conjugate(q), rate)
        scale = 2.0 / length if length > 0.0 else 0.0
        return q, (scale * back[1], scale * back[2], scale * back[3])
    b = towards(b, a)
    half = 0.5 * angle_between(a, b)
    sine = math.sin(half)
    wa, wb = 1.0 - s, s
    if sine > 1e-9:
        wa, wb = math.sin((1.0 - s) * half) / sine, math.sin(s * half) / sine
    back = hamilton(conjugate(a), b)
    scale = 2.0 * half / sine if sine > 1e-9 else 2.0
    return unit(mixed(a, b, wa, wb)), (scale * back[1], scale * back[2], scale * back[3])
