"""Compiled rotations: what other kernels need, and what depends on the frame before."""

import math

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel


@inlined
def turn_between(orientation: Floats, target: Floats, result: Floats) -> None:
    """The rotation vector, in world axes, that takes an orientation to its target: log(target · orientationᵀ)."""
    xx, yy, zz = 0.0, 0.0, 0.0
    result[0] = result[1] = result[2] = 0.0
    for c in range(3):
        t0, t1, t2 = target[0, c], target[1, c], target[2, c]
        o0, o1, o2 = orientation[0, c], orientation[1, c], orientation[2, c]
        xx += t0 * o0
        yy += t1 * o1
        zz += t2 * o2
        result[0] += 0.5 * (t2 * o1 - t1 * o2)
        result[1] += 0.5 * (t0 * o2 - t2 * o0)
        result[2] += 0.5 * (t1 * o0 - t0 * o1)
    sine = math.sqrt(result[0] ** 2 + result[1] ** 2 + result[2] ** 2)
    cosine = 0.5 * (xx + yy + zz - 1.0)
    if sine > 1e-9:
        factor = math.atan2(sine, cosine) / sine
        for r in range(3):
            result[r] *= factor
    elif cosine < 0.0:
        # Half a turn: either way round will do, but not "no turn". M = 2aaᵀ − 1, so the largest column gives the axis.
        k = 0 if xx >= yy and xx >= zz else (1 if yy >= zz else 2)
        length = 0.0
        for r in range(3):
            result[r] = 1.0 if r == k else 0.0
            for c in range(3):
                result[r] += target[r, c] * orientation[k, c]
            length += result[r] ** 2
        for r in range(3):
            result[r] *= math.pi / math.sqrt(length)


@inlined
def cross(a: Floats, b: Floats, result: Floats) -> None:
    """result ← a × b."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    result[2] = a[0] * b[1] - a[1] * b[0]
    result[0], result[1] = x, y


@inlined
def dot(a: Floats, b: Floats) -> float:
    """a · b of vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def carried(m: Floats, v: Floats, result: Floats) -> None:
    """result ← m · v for a 3×3 matrix."""
    for r in range(3):
        result[r] = m[r, 0] * v[0] + m[r, 1] * v[1] + m[r, 2] * v[2]


@inlined
def angles_near(matrix: Floats, order: Ints, near: Floats, result: Floats) -> None:
    """Euler angles (3,) by axis of a rotation matrix: of all that give it, those nearest to `near`."""
    i, j, k = order[0], order[1], order[2]
    sign = 1.0 if (i + 1) % 3 == j else -1.0
    whole = 2.0 * math.pi
    across = math.hypot(matrix[i, i], matrix[i, j])
    middle = math.atan2(sign * matrix[i, k], across)
    if across > 1e-9:
        first = math.atan2(-sign * matrix[j, k], matrix[k, k])
        last = math.atan2(-sign * matrix[i, j], matrix[i, i])
    else:
        # Where the outer axes are parallel, the last angle keeps its value and the first does the rest.
        side = sign if middle > 0.0 else -sign
        last = near[k]
        first = math.atan2(sign * matrix[k, j], matrix[j, j]) - side * last
    best = math.inf
    for family in range(2):
        a, b, c = (first, middle, last) if family == 0 else (first + math.pi, math.pi - middle, last + math.pi)
        a -= whole * math.floor((a - near[i]) / whole + 0.5)
        b -= whole * math.floor((b - near[j]) / whole + 0.5)
        c -= whole * math.floor((c - near[k]) / whole + 0.5)
        way = abs(a - near[i]) + abs(b - near[j]) + abs(c - near[k])
        if way < best - 1e-12:
            best = way
            result[i], result[j], result[k] = a, b, c


@inlined
def add_angle_rates(angles: Floats, order: Ints, spin: Floats, result: Floats) -> None:
    """Add to result (3,) by axis how the angles change when the frame turns by `spin`, seen from before all turns.

    At the gimbal pole, where they would be infinite, rates are damped.
    """
    i, j, k = order[0], order[1], order[2]
    sign = 1.0 if (i + 1) % 3 == j else -1.0
    # Into the frame after the first turn: there the axes are e_i, e_j and cos b · e_k ± sin b · e_i.
    cosine, sine = math.cos(angles[i]), math.sin(angles[i])
    b, c = (i + 1) % 3, (i + 2) % 3
    turned_b, turned_c = cosine * spin[b] + sine * spin[c], cosine * spin[c] - sine * spin[b]
    about_j, about_k = (turned_b, turned_c) if b == j else (turned_c, turned_b)
    slant = math.cos(angles[j])
    last = about_k * slant / (slant * slant + 1e-12)
    result[i] += spin[i] - sign * math.sin(angles[j]) * last
    result[j] += about_j
    result[k] += last


@kernel("void(f8[:,:,::1], const(i8[:,::1]))")
def continue_angles(angles: Floats, orders: Ints) -> None:
    """angles (n, J, 3) in place: each row rewritten as the nearest equal rotation to the row before.

    orders (J, 3) holds each column's axes, outermost first.
    """
    turn = 2.0 * math.pi
    for joint in range(angles.shape[1]):
        i, j, k = orders[joint, 0], orders[joint, 1], orders[joint, 2]
        # +1 for an even order of axes, where R depends only on first + last when the middle turn is +π/2.
        parity = 1.0 if (i + 1) % 3 == j else -1.0
        for f in range(1, angles.shape[0]):
            before, now = angles[f - 1, joint], angles[f, joint]
            a, b, c = now[i], now[j], now[k]
            if abs(math.cos(b)) < 1e-9:
                # At the pole only one sum of first and last counts: keep it, and share the change evenly.
                sign = parity if math.sin(b) > 0.0 else -parity
                change = (a + sign * c) - (before[i] + sign * before[k])
                change -= turn * math.floor(change / turn + 0.5)
                a, c = before[i] + 0.5 * change, before[k] + 0.5 * sign * change
            # The two families of equal angles, each up to full turns.
            a1 = a - turn * math.floor((a - before[i]) / turn + 0.5)
            b1 = b - turn * math.floor((b - before[j]) / turn + 0.5)
            c1 = c - turn * math.floor((c - before[k]) / turn + 0.5)
            a2, b2, c2 = a + math.pi, math.pi - b, c + math.pi
            a2 -= turn * math.floor((a2 - before[i]) / turn + 0.5)
            b2 -= turn * math.floor((b2 - before[j]) / turn + 0.5)
            c2 -= turn * math.floor((c2 - before[k]) / turn + 0.5)
            way1 = abs(a1 - before[i]) + abs(b1 - before[j]) + abs(c1 - before[k])
            way2 = abs(a2 - before[i]) + abs(b2 - before[j]) + abs(c2 - before[k])
            if way1 <= way2:
                now[i], now[j], now[k] = a1, b1, c1
            else:
                now[i], now[j], now[k] = a2, b2, c2
