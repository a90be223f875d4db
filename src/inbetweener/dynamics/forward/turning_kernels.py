"""Compiled turns as rotations: how far a joint with all three turns loose is off its keyed orientation.

What is off is a swing and a twist, as if a joint of its own hung on the keyed one: D = exp [e] R(τ), with R about the
axis that turns least mass, the bone's own as a rule, and e a rotation vector across it. The swing turns at J(e) ė with
J = 1 + a [e] + b [e]², a = (1 − cos θ)/θ², b = (θ − sin θ)/θ³, θ = |e|. No way to swing is unlike another, and nothing
locks before half a turn. One rotation vector for all three would go farther, but a thin bone that is bent off would
feel its strong springs as a twist, and explicit steps could not follow that.

The three numbers (e and τ) are kept by axis, as angles are.
"""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import turn_of
from inbetweener.maths.quaternion_kernels import quaternion_of
from inbetweener.maths.vector_kernels import (
    UPRIGHT,
    Matrix,
    Vector,
    carried,
    column,
    cross,
    dot,
    inverse,
    moved,
    put_matrix,
    scaled,
    transposed,
    turned,
)

TURNED = 15
"""Numbers of a keyed turn: its matrix (9), how fast it turns and how that changes (6), seen from itself."""

FARTHEST = 0.85 * math.pi
"""Radians off: no swing goes farther, short of the half turn where swings and twists become one."""

# Power series in θ² of a and b to rounding, up to a radian: no case apart where nothing is off.
A0, A1, A2, A3, A4, A5, A6, A7, A8, A9 = ((-1.0) ** k / math.factorial(2 * k + 2) for k in range(10))
B0, B1, B2, B3, B4, B5, B6, B7, B8, B9 = ((-1.0) ** k / math.factorial(2 * k + 3) for k in range(10))


@inlined
def bends(e: Vector) -> tuple[float, float]:
    """a and b."""
    x = dot(e, e)
    if x < 1.0:
        a = A0 + x * (A1 + x * (A2 + x * (A3 + x * (A4 + x * (A5 + x * (A6 + x * (A7 + x * A8)))))))
        b = B0 + x * (B1 + x * (B2 + x * (B3 + x * (B4 + x * (B5 + x * (B6 + x * (B7 + x * B8)))))))
        return a, b
    size = math.sqrt(x)
    return (1.0 - math.cos(size)) / x, (1.0 - math.sin(size) / size) / x


@inlined
def bend_rates(e: Vector, ed: Vector, a: float, b: float) -> tuple[float, float]:
    """ȧ and ḃ, given a and b."""
    x, along = dot(e, e), 2.0 * dot(e, ed)
    if x < 1.0:
        a = A1 + x * (2 * A2 + x * (3 * A3 + x * (4 * A4 + x * (5 * A5 + x * (6 * A6 + x * (7 * A7 + x * 8 * A8))))))
        b = B1 + x * (2 * B2 + x * (3 * B3 + x * (4 * B4 + x * (5 * B5 + x * (6 * B6 + x * (7 * B7 + x * 8 * B8))))))
        return a * along, b * along
    return (0.5 * (1.0 - x * b) - a) / x * along, (0.5 * a - 1.5 * b) / x * along


@inlined
def lean(e: Vector, k: float, m: float) -> Matrix:
    """1 + k [e] + m [e]², where [e]² = e eᵀ − θ² 1."""
    x, y, z = e
    rest = 1.0 - m * dot(e, e)
    return (
        (rest + m * x * x, m * x * y - k * z, m * x * z + k * y),
        (m * x * y + k * z, rest + m * y * y, m * y * z - k * x),
        (m * x * z - k * y, m * y * z + k * x, rest + m * z * z),
    )


@inlined
def turn_by(e: Vector, a: float, b: float) -> Matrix:
    """exp [e]: its sine over θ is 1 − θ² b."""
    return lean(e, 1.0 - dot(e, e) * b, a)


@inlined
def without(c: Vector, axis: int) -> Vector:
    """The swing of what is off: all but what is about the axis."""
    return 0.0 if axis == 0 else c[0], 0.0 if axis == 1 else c[1], 0.0 if axis == 2 else c[2]


@inlined
def with_column(m: Matrix, axis: int, v: Vector) -> Matrix:
    """A matrix with one of its columns replaced."""
    return transposed(
        (
            v if axis == 0 else column(m, 0),
            v if axis == 1 else column(m, 1),
            v if axis == 2 else column(m, 2),
        )
    )


@inlined
def off_turn(c: Vector, axis: int) -> Matrix:
    """D, as which what is off turns the joint."""
    e = without(c, axis)
    a, b = bends(e)
    return turned(turn_by(e, a, b), axis, c[axis])


@inlined
def off_ways(c: Vector, axis: int) -> Matrix:
    """What a unit of each number turns it by, seen from the keyed joint: J(e), and the twist's axis as it is swung."""
    e = without(c, axis)
    a, b = bends(e)
    return with_column(lean(e, a, b), axis, column(turn_by(e, a, b), axis))


@inlined
def off_rates(c: Vector, axis: int, spin: Vector) -> Vector:
    """How what is off changes when it turns at `spin`, seen from the keyed joint."""
    return carried(inverse(off_ways(c, axis)), spin)


@inlined
def off_of(turn: Matrix, axis: int, like: float) -> Vector:
    """What is off where it turns the joint so, its twist the nearest to one that it is like."""
    q = quaternion_of(turn)
    twist = 2.0 * math.atan2(q[1 + axis], q[0])
    e = turn_of(turned(turn, axis, -twist))
    twist += 2.0 * math.pi * np.rint((like - twist) / (2.0 * math.pi))
    return twist if axis == 0 else e[0], twist if axis == 1 else e[1], twist if axis == 2 else e[2]


@inlined
def off_moving(c: Vector, cd: Vector, axis: int) -> tuple[Matrix, Matrix, Vector, Vector]:
    """D, what units of what is off turn it by, how fast it turns, and what speeds add to how that changes.

    J ė = ė + a e × ė + b e × (e × ė), and J̇ ė = ȧ e × ė + ḃ e × (e × ė) + b ė × (e × ė); what twists is swung along.
    """
    e, ed, faster = without(c, axis), without(cd, axis), cd[axis]
    a, b = bends(e)
    ad, bd = bend_rates(e, ed, a, b)
    once = cross(e, ed)
    twice = cross(e, once)
    swing = moved(moved(ed, a, once), b, twice)
    turn = turn_by(e, a, b)
    along = column(turn, axis)
    gain = moved(moved(scaled(ad, once), bd, twice), b, cross(ed, once))
    ways = with_column(lean(e, a, b), axis, along)
    return turned(turn, axis, c[axis]), ways, moved(swing, faster, along), moved(gain, faster, cross(swing, along))


@inlined
def keyed_turn(order: Ints, q: Floats, qd: Floats, qdd: Floats, first: int, row: Floats) -> None:
    """A row (15) of how a joint is turned as prescribed: three turns in its order become one."""
    turn, spin, gain = UPRIGHT, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(3):
        d, s = first + 3 + order[i], column(turn, order[i])
        gain = moved(moved(gain, qdd[d], s), qd[d], cross(spin, s))
        spin = moved(spin, qd[d], s)
        turn = turned(turn, order[i], q[d])
    put_matrix(row, 0, turn)
    # Seen from itself: Eᵀ v.
    for n in range(3):
        s = column(turn, n)
        row[9 + n], row[12 + n] = dot(s, spin), dot(s, gain)
