"""Compiled rotations: quaternions as tuples (w, x, y, z), Euler angles as tuples by axis (x, y, z).

An order is three axis numbers, outermost first, and its sign: +1 when they are cyclic.
"""

import math

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined

Quad = tuple[float, float, float, float]
Triple = tuple[float, float, float]

FINEST = 2.0**-12
"""The shortest piece that a segment is cut into."""
SAMPLES = 8
"""Pieces are compared with the true path at SAMPLES − 1 places between their ends."""


@inlined
def product(a: Quad, b: Quad) -> Quad:
    """Hamilton product."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inlined
def dot(a: Quad, b: Quad) -> float:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@inlined
def mixed(a: Quad, b: Quad, wa: float, wb: float) -> Quad:
    """wa·a + wb·b."""
    return (wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3])


@inlined
def unit(q: Quad) -> Quad:
    """q at length 1; zero becomes the identity."""
    length = math.sqrt(dot(q, q))
    if not length > 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


@inlined
def angle_between(a: Quad, b: Quad) -> float:
    """The angle of the rotation from a to b, by half chords: exact for small ones."""
    sign = -1.0 if dot(a, b) < 0.0 else 1.0
    apart, along = mixed(a, b, 1.0, -sign), mixed(a, b, 1.0, sign)
    return 4.0 * math.atan2(math.sqrt(dot(apart, apart)), math.sqrt(dot(along, along)))


@inlined
def row(array: Floats, n: int) -> Quad:
    """A row of four."""
    return (array[n, 0], array[n, 1], array[n, 2], array[n, 3])


@inlined
def element(q: Quad, r: int, c: int) -> float:
    """Element (r, c) of the rotation matrix of q."""
    if r == c:
        other, third = (r + 1) % 3, (r + 2) % 3
        return 1.0 - 2.0 * (q[1 + other] * q[1 + other] + q[1 + third] * q[1 + third])
    sign = 1.0 if (r + 1) % 3 == c else -1.0
    return 2.0 * (q[1 + r] * q[1 + c] - sign * q[0] * q[1 + 3 - r - c])


@inlined
def by_axis(order: Ints, first: float, middle: float, last: float) -> Triple:
    """Angles given outermost first, sorted by axis."""
    x = first if order[0] == 0 else (middle if order[1] == 0 else last)
    y = first if order[0] == 1 else (middle if order[1] == 1 else last)
    z = first if order[0] == 2 else (middle if order[1] == 2 else last)
    return x, y, z


@inlined
def from_angles(angles: Triple, order: Ints) -> Quad:
    """The quaternion of Euler angles."""
    q = (1.0, 0.0, 0.0, 0.0)
    for n in range(3):
        axis = order[n]
        half = 0.5 * angles[axis]
        s = math.sin(half)
        turn = (math.cos(half), s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
        q = product(q, turn)
    return q


@inlined
def nearest_angles(q: Quad, order: Ints, sign: float, near: Triple) -> Triple:
    """The Euler angles of q that lie nearest to `near`: both families, any number of turns."""
    i, j, k = order[0], order[1], order[2]
    sine = sign * element(q, i, k)
    across = math.hypot(element(q, i, i), element(q, i, j))
    middle = math.atan2(sine, across)
    if across > 1e-9:
        first = math.atan2(-sign * element(q, j, k), element(q, k, k))
        last = math.atan2(-sign * element(q, i, j), element(q, i, i))
    else:
        # At the pole only the sum or difference of the outer turns is known: the last one stays where it was.
        last = near[k]
        first = math.atan2(sign * element(q, k, j), element(q, j, j)) - sign * math.copysign(1.0, sine) * last
    turn = 2.0 * math.pi
    best = math.inf
    chosen = near
    for family in range(2):
        if family == 1:
            first, middle, last = first + math.pi, math.pi - middle, last + math.pi
        a = first - turn * round((first - near[i]) / turn)
        b = middle - turn * round((middle - near[j]) / turn)
        c = last - turn * round((last - near[k]) / turn)
        cost = abs(a - near[i]) + abs(b - near[j]) + abs(c - near[k])
        if cost < best:
            best = cost
            chosen = by_axis(order, a, b, c)
    return chosen


@inlined
def angle_rates(angles: Triple, spin: Triple, order: Ints, sign: float) -> tuple[Triple, bool]:
    """Rates of the Euler angles for a spin in the body's own frame; False near the pole, where they blow up.

    With a, b, c the turns about axes i, j, k and σ the sign of the order: ȧ = (ω_i cos c − σ ω_j sin c)/cos b,
    ḃ = ω_j cos c + σ ω_i sin c, ċ = ω_k − σ ȧ sin b.
    """
    i, j, k = order[0], order[1], order[2]
    cosine = math.cos(angles[j])
    if abs(cosine) < 1e-6:
        return (0.0, 0.0, 0.0), False
    cc, sc = math.cos(angles[k]), sign * math.sin(angles[k])
    a = (spin[i] * cc - spin[j] * sc) / cosine
    return by_axis(order, a, spin[j] * cc + spin[i] * sc, spin[k] - sign * math.sin(angles[j]) * a), True


@inlined
def spin_of(angles: Triple, rates: Triple, order: Ints, sign: float) -> Triple:
    """The spin in the body's own frame for rates of the Euler angles: `angle_rates` turned round."""
    i, j, k = order[0], order[1], order[2]
    cb, sb = math.cos(angles[j]), sign * math.sin(angles[j])
    cc, sc = math.cos(angles[k]), sign * math.sin(angles[k])
    a, b, c = rates[i], rates[j], rates[k]
    return by_axis(order, a * cb * cc + b * sc, b * cc - a * cb * sc, c + sb * a)


@inlined
def hermite(a: Quad, ma: Quad, b: Quad, mb: Quad, s: float) -> tuple[Quad, Quad]:
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
def path_at(a: Quad, ma: Quad, b: Quad, mb: Quad, is_cubic: bool, s: float) -> tuple[Quad, Triple]:
    """Rotation and body spin (per s) between two keys: normalised cubic, or slerp the shorter way."""
    if is_cubic:
        p, slope = hermite(a, ma, b, mb, s)
        length = math.sqrt(dot(p, p))
        q = unit(p)
        rate = mixed(slope, q, 1.0, -dot(slope, q))
        back = product((q[0], -q[1], -q[2], -q[3]), rate)
        scale = 2.0 / length if length > 0.0 else 0.0
        return q, (scale * back[1], scale * back[2], scale * back[3])
    if dot(a, b) < 0.0:
        b = (-b[0], -b[1], -b[2], -b[3])
    half = 0.5 * angle_between(a, b)
    sine = math.sin(half)
    wa, wb = 1.0 - s, s
    if sine > 1e-9:
        wa, wb = math.sin((1.0 - s) * half) / sine, math.sin(s * half) / sine
    back = product((a[0], -a[1], -a[2], -a[3]), b)
    scale = 2.0 * half / sine if sine > 1e-9 else 2.0
    return unit(mixed(a, b, wa, wb)), (scale * back[1], scale * back[2], scale * back[3])
