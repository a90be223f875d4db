"""Compiled algebra on articulated bodies: symmetric inertias of six by six, and the force that keeps them moving.

A body is (A, B, C, moment, force): A takes turns to moments, B shifts to moments, its transpose turns to forces, C
shifts to forces. Of A and C only the upper halves are kept: six numbers, row by row.
"""

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined
from inbetweener.maths.vector_kernels import (
    Matrix,
    Vector,
    carried,
    combined,
    cross,
    dot,
    matrix,
    moved,
    plus,
    put,
    put_matrix,
    scaled,
    vector,
)

Half = tuple[float, float, float, float, float, float]
Articulated = tuple[Half, Matrix, Half, Vector, Vector]

WIDTH = 27
"""Numbers in a row that holds a body."""


@inlined
def rigid(
    m: float, inertia: Matrix, turn: Matrix, at: Vector, w: Vector, u: Vector, al: Vector, a: Vector, air: float
) -> Articulated:
    """A rigid body whose centre of mass is `at`, and the wrench that gives it this acceleration at this velocity.

    In air, also what makes up for its speed, of which it would lose the share `air` a second.
    """
    h = scaled(m, at)
    # R I Rᵀ, moved to where all is seen from.
    i0, i1, i2 = combined(inertia, turn[0]), combined(inertia, turn[1]), combined(inertia, turn[2])
    turning = (
        dot(i0, turn[0]) + h[1] * at[1] + h[2] * at[2],
        dot(i0, turn[1]) - h[0] * at[1],
        dot(i0, turn[2]) - h[0] * at[2],
        dot(i1, turn[1]) + h[0] * at[0] + h[2] * at[2],
        dot(i1, turn[2]) - h[1] * at[2],
        dot(i2, turn[2]) + h[0] * at[0] + h[1] * at[1],
    )
    mixed = (0.0, -h[2], h[1]), (h[2], 0.0, -h[0]), (-h[1], h[0], 0.0)
    # f = I a + v × (I v), with spatial vectors.
    spin, drift = plus(halved(turning, w), cross(h, u)), plus(scaled(m, u), cross(w, h))
    moment, force = plus(halved(turning, al), cross(h, a)), plus(scaled(m, a), cross(al, h))
    moment = plus(moment, plus(cross(w, spin), cross(u, drift)))
    if air > 0.0:
        moment, force = moved(moment, air, spin), moved(force, air, drift)
    return turning, mixed, (m, 0.0, 0.0, m, 0.0, m), moment, plus(force, cross(w, drift))


@inlined
def halved(m: Half, v: Vector) -> Vector:
    """M v, given the upper half of M."""
    x, y, z = v
    return m[0] * x + m[1] * y + m[2] * z, m[1] * x + m[3] * y + m[4] * z, m[2] * x + m[4] * y + m[5] * z


@inlined
def felt(body: Articulated, s: Vector, t: Vector) -> tuple[Vector, Vector]:
    """I S: the wrench that a twist takes."""
    turning, mixed, shifting, _, _ = body
    return plus(halved(turning, s), carried(mixed, t)), plus(combined(mixed, s), halved(shifting, t))


@inlined
def less(m: Half, k: float, v: Vector) -> Half:
    """M − k v vᵀ."""
    x, y, z = v
    i, j, l = k * x, k * y, k * z
    return m[0] - i * x, m[1] - i * y, m[2] - i * z, m[3] - j * y, m[4] - j * z, m[5] - l * z


@inlined
def give_way(body: Articulated, moment: Vector, force: Vector, share: float, left: float) -> Articulated:
    """What is left of a body for the one before when it can move along a twist: I − I S (I S)ᵀ / D, and its force.

    (moment, force) is I S, `share` 1/D, and `left` what accelerates it.
    """
    turning, mixed, shifting, moment_left, force_left = body
    x, y, z = scaled(-share, moment)
    mixed = moved(mixed[0], x, force), moved(mixed[1], y, force), moved(mixed[2], z, force)
    push = share * left
    return (
        less(turning, share, moment),
        mixed,
        less(shifting, share, force),
        moved(moment_left, push, moment),
        moved(force_left, push, force),
    )


@inlined
def body_of(row: Floats) -> Articulated:
    """The body that a row holds."""
    turning = row[0], row[1], row[2], row[3], row[4], row[5]
    shifting = row[15], row[16], row[17], row[18], row[19], row[20]
    return turning, matrix(row, 6), shifting, vector(row, 21), vector(row, 24)


@inlined
def put_body(row: Floats, body: Articulated) -> None:
    """A body, into a row."""
    turning, mixed, shifting, moment, force = body
    row[0], row[1], row[2], row[3], row[4], row[5] = turning
    put_matrix(row, 6, mixed)
    row[15], row[16], row[17], row[18], row[19], row[20] = shifting
    put(row, 21, moment)
    put(row, 24, force)


@inlined
def add_body(row: Floats, body: Articulated) -> None:
    """A body, to the one that a row holds."""
    turning, mixed, shifting, moment, force = body
    for n in range(6):
        row[n] += turning[n]
        row[15 + n] += shifting[n]
    for n in range(3):
        put(row, 6 + 3 * n, plus(vector(row, 6 + 3 * n), mixed[n]))
    put(row, 21, plus(vector(row, 21), moment))
    put(row, 24, plus(vector(row, 24), force))
