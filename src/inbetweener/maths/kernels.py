"""Compiled rotations: from one to another, and as Euler angles by axis (x, y, z).

An order is three axis numbers, outermost first.
"""

import math

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.vector_kernels import (
    UPRIGHT,
    Matrix,
    Vector,
    column,
    length,
    plus,
    product,
    put,
    scaled,
    square,
    transposed,
)

TURN = 2.0 * math.pi


@inlined
def turn_of(m: Matrix) -> Vector:
    """The rotation vector of a matrix, up to half a turn."""
    turn = 0.5 * (m[2][1] - m[1][2]), 0.5 * (m[0][2] - m[2][0]), 0.5 * (m[1][0] - m[0][1])
    sine, cosine = length(turn), 0.5 * (m[0][0] + m[1][1] + m[2][2] - 1.0)
    if sine > 1e-9:
        turn = scaled(math.atan2(sine, cosine) / sine, turn)
    elif cosine < 0.0:
        # Half a turn: either way round will do, but not "no turn". M = 2aaᵀ − 1, so the largest column gives the axis.
        k = 0 if m[0][0] >= m[1][1] and m[0][0] >= m[2][2] else (1 if m[1][1] >= m[2][2] else 2)
        axis = plus(column(UPRIGHT, k), column(m, k))
        turn = scaled(math.pi / length(axis), axis)
    return turn


@inlined
def turn_between(orientation: Floats, target: Floats, result: Floats) -> None:
    """The rotation vector, in world axes, that takes an orientation to its target: log(target · orientationᵀ)."""
    put(result, 0, turn_of(product(square(target), transposed(square(orientation)))))


@inlined
def parity(order: Ints) -> float:
    """+1 for an order of axes that is cyclic, −1 for others."""
    return 1.0 if (order[0] + 1) % 3 == order[1] else -1.0


@inlined
def by_axis(order: Ints, a: float, b: float, c: float) -> Vector:
    """Numbers given outermost first, sorted by axis."""
    x = a if order[0] == 0 else (b if order[1] == 0 else c)
    y = a if order[0] == 1 else (b if order[1] == 1 else c)
    z = a if order[0] == 2 else (b if order[1] == 2 else c)
    return x, y, z


@inlined
def nearest_turns(a: float, b: float, c: float, near: Vector) -> Vector:
    """Angles outermost first: of all that give the same rotation, two families up to whole turns, those nearest."""
    best, chosen = math.inf, near
    for _ in range(2):
        i = a - TURN * math.floor((a - near[0]) / TURN + 0.5)
        j = b - TURN * math.floor((b - near[1]) / TURN + 0.5)
        k = c - TURN * math.floor((c - near[2]) / TURN + 0.5)
        way = abs(i - near[0]) + abs(j - near[1]) + abs(k - near[2])
        if way < best - 1e-12:
            best, chosen = way, (i, j, k)
        a, b, c = a + math.pi, math.pi - b, c + math.pi
    return chosen


@inlined
def nearest_angles(m: Matrix, order: Ints, near: Vector) -> Vector:
    """Euler angles of a rotation matrix: of all that give it, those nearest to `near`."""
    i, j, k = order[0], order[1], order[2]
    sign = parity(order)
    across = math.hypot(m[i][i], m[i][j])
    middle = math.atan2(sign * m[i][k], across)
    if across > 1e-9:
        first = math.atan2(-sign * m[j][k], m[k][k])
        last = math.atan2(-sign * m[i][j], m[i][i])
    else:
        # Where the outer axes are parallel, the last angle keeps its value and the first does the rest.
        side = sign if middle > 0.0 else -sign
        last = near[k]
        first = math.atan2(sign * m[k][j], m[j][j]) - side * last
    a, b, c = nearest_turns(first, middle, last, (near[i], near[j], near[k]))
    return by_axis(order, a, b, c)


@inlined
def damped_rates(angles: Vector, order: Ints, spin: Vector) -> Vector:
    """How Euler angles change when the frame turns by `spin`, seen from before all turns.

    At the gimbal pole, where they would be infinite, rates are damped.
    """
    i, j = order[0], order[1]
    # Into the frame after the first turn: there the axes are e_i, e_j and cos b · e_k ± sin b · e_i.
    cosine, sine = math.cos(angles[i]), math.sin(angles[i])
    b, c = (i + 1) % 3, (i + 2) % 3
    turned_b, turned_c = cosine * spin[b] + sine * spin[c], cosine * spin[c] - sine * spin[b]
    about_j, about_k = (turned_b, turned_c) if b == j else (turned_c, turned_b)
    slant = math.cos(angles[j])
    last = about_k * slant / (slant * slant + 1e-12)
    return by_axis(order, spin[i] - parity(order) * math.sin(angles[j]) * last, about_j, last)


@kernel("void(f8[:,:,::1], const(i8[:,::1]))")
def continue_angles(angles: Floats, orders: Ints) -> None:
    """angles (n, J, 3) in place: each row rewritten as the nearest equal rotation to the row before.

    orders (J, 3) holds each column's axes, outermost first.
    """
    for joint in range(angles.shape[1]):
        i, j, k = orders[joint, 0], orders[joint, 1], orders[joint, 2]
        for f in range(1, angles.shape[0]):
            before, now = angles[f - 1, joint], angles[f, joint]
            a, b, c = now[i], now[j], now[k]
            if abs(math.cos(b)) < 1e-9:
                # At the pole only one sum of first and last counts: keep it, and share the change evenly.
                sign = parity(orders[joint]) if math.sin(b) > 0.0 else -parity(orders[joint])
                change = (a + sign * c) - (before[i] + sign * before[k])
                change -= TURN * math.floor(change / TURN + 0.5)
                a, c = before[i] + 0.5 * change, before[k] + 0.5 * sign * change
            now[i], now[j], now[k] = nearest_turns(a, b, c, (before[i], before[j], before[k]))
