"""Compiled sweeps over loose branches of a body: out, how all moves with no acceleration of its own; in and out again,
Featherstone's articulated bodies, how torques accelerate it.

All is seen along the world's axes from one point, where inertias and forces only add up.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.dynamics.forward.articulated_kernels import WIDTH, add_body, body_of, felt, give_way, put_body, rigid
from inbetweener.dynamics.forward.turning_kernels import off_moving
from inbetweener.dynamics.kernels import Tree, mirrored, size_of, spot
from inbetweener.kernels import inlined, merged, record
from inbetweener.maths.vector_kernels import (
    NOTHING,
    carried,
    column,
    cross,
    dot,
    inverse,
    matrix,
    moved,
    plus,
    product,
    put,
    put_matrix,
    row_turned,
    scaled,
    square,
    turned,
    vector,
)

ROW = 25
"""How a joint moves: orientation (9), origin, ω, u, α, a (15), the size of what hangs on it (1)."""

HIGH, MIDDLE, LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
"""A quarter of a turn in parts of 33 bits, so that whole multiples of the first two are exact."""

S3, S5, S7, S9 = -1 / 6, 1 / 120, -1 / 5040, 1 / 362880
S11, S13, S15, S17 = -1 / 39916800, 1 / 6227020800, -1 / 1307674368000, 1 / 355687428096000
C4, C6, C8, C10 = 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800
C12, C14, C16 = 1 / 479001600, -1 / 87178291200, 1 / 20922789888000


@record(
    "const(i8[::1]), const(i8[::1]), const(i8[:,::1]), const(i8[::1]), const(i8[::1]), const(b1[::1]), const(i8[::1]),"
    " const(f8[:,::1]), const(f8[::1])"
)
class Plan(NamedTuple):
    """joints (K,) to sweep, parents first; above (K,) the place of each one's parent among those whose movement is
    known: stems first, then the joints; numbers (K, 6) of loose degrees of freedom, three shifts, then three turns,
    outermost first, or −1.

    Of R joints the three turns are one rotation, their numbers by axis: balls (K,) which of the R each joint is, or −1;
    rotating (R,) their places among the joints; turning (L,) whether a loose degree of freedom belongs to one of them;
    twisting (R,) the axis about which each twists; inertias (R, 3) what they turn about their axes

    air (K,) how much of its speed each joint's part would lose a second
    """

    joints: Ints
    above: Ints
    numbers: Ints
    balls: Ints
    rotating: Ints
    turning: Bools
    twisting: Ints
    inertias: Floats
    air: Floats


class Work(NamedTuple):
    """moving (P + K, 25) how stems and joints move; bodies (K, 27) what hangs on each joint; twists (L, 6); felt (L, 8)
    I S, 1/D and what is left to accelerate; gained (K, 6) spatial acceleration of each joint; turns (2, L) cosines and
    sines of loose places; solving (7, L) torques, what being implicit adds to inertias, accelerations, room, and last,
    of joints that rotate, how fast they would get off if they stood still.
    """

    moving: Floats
    bodies: Floats
    twists: Floats
    felt: Floats
    gained: Floats
    turns: Floats
    solving: Floats


@inlined
def work_for(stems: int, joints: int, loose: int) -> Work:
    """Room for that many of each."""
    return Work(
        np.empty((stems + joints, ROW)),
        np.empty((joints, WIDTH)),
        np.empty((loose, 6)),
        np.empty((loose, 8)),
        np.empty((joints, 6)),
        np.empty((2, loose)),
        np.empty((7, loose)),
    )


@inlined
def waves(angles: Floats, result: Floats) -> None:
    """result (2, L): cosines and sines of angles (L,), with no calls and no branches: processors do several together.

    An angle is brought within an eighth of a turn of a quarter, exactly, and Taylor's series do the rest: all is within
    a unit or two of the last digit of 1, up to 10⁶ radians.
    """
    cosines, sines = result[0], result[1]
    for n in range(len(angles)):
        x = angles[n]
        k = np.rint(x * (2 / math.pi))
        x = ((x - k * HIGH) - k * MIDDLE) - k * LOW
        y = x * x
        sine = y * (S3 + y * (S5 + y * (S7 + y * (S9 + y * (S11 + y * (S13 + y * (S15 + y * S17)))))))
        cosine = y * y * (C4 + y * (C6 + y * (C8 + y * (C10 + y * (C12 + y * (C14 + y * C16))))))
        sine, cosine = x + x * sine, 1.0 - (0.5 * y - cosine)
        # Which quarter: k mod 4 without leaving floating point.
        quarter = k - 4.0 * np.floor(0.25 * k)
        crossed = quarter == 1.0 or quarter == 3.0
        c, s = (sine, cosine) if crossed else (cosine, sine)
        cosines[n] = -c if quarter == 1.0 or quarter == 2.0 else c
        sines[n] = -s if quarter >= 2.0 else s


@merged
def advance_ball(
    numbers: Ints,
    axis: int,
    keyed: Floats,
    places: Floats,
    rates: Floats,
    dragged: Floats,
    twists: Floats,
    after: Floats,
) -> None:
    """Go on through three turns that are one rotation: as keyed (15,), and then off by what places and rates say.

    `after` has how the joint moves before these turns, and will have it after them; dragged (L,) gets how fast it would
    get off if it stood still while the keyed one turns.
    """
    n = numbers[3], numbers[4], numbers[5]
    c, cd = (places[n[0]], places[n[1]], places[n[2]]), (rates[n[0]], rates[n[1]], rates[n[2]])
    turn, at = product(matrix(after, 0), matrix(keyed, 0)), vector(after, 9)
    w, u, al, a = vector(after, 12), vector(after, 15), vector(after, 18), vector(after, 21)
    leads, ways, off, gain = off_moving(c, cd, axis)
    seen, spin = product(turn, ways), vector(keyed, 9)
    for k in range(3):
        s = column(seen, k)
        put(twists[n[k]], 0, s)
        put(twists[n[k]], 3, cross(at, s))
    s, gain = carried(turn, plus(spin, off)), carried(turn, plus(plus(vector(keyed, 12), gain), cross(spin, off)))
    t = cross(at, s)
    put(after, 18, plus(plus(al, gain), cross(w, s)))
    put(after, 21, plus(plus(a, cross(at, gain)), plus(cross(w, t), cross(u, s))))
    put(after, 12, plus(w, s))
    put(after, 15, plus(u, t))
    put_matrix(after, 0, product(turn, leads))
    dragged[n[0]], dragged[n[1]], dragged[n[2]] = carried(inverse(ways), spin)


@merged
def advance(
    tree: Tree,
    j: int,
    numbers: Ints,
    rotates: bool,
    before: Floats,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    places: Floats,
    rates: Floats,
    turns: Floats,
    after: Floats,
    twists: Floats,
) -> None:
    """How a joint moves, given how the one above does: as (9J,) prescribe, loose ones as places and rates (L,) say.

    turns (2, L): the cosines and sines of loose places. Turns of a joint that `rotates` are left to `advance_ball`.
    """
    turn, at, size = matrix(before, 0), vector(before, 9), before[24]
    w, u, al, a = vector(before, 12), vector(before, 15), vector(before, 18), vector(before, 21)
    above, first = tree.parents[j], 9 * j
    if above >= 0:
        turn = mirrored(turn, q, 9 * above + 6)
    for d in range(3):
        n, place, rate, push = numbers[d], q[first + d], qd[first + d], qdd[first + d]
        if n >= 0:
            place, rate, push = places[n], rates[n], 0.0
        t = scaled(size, column(turn, d))
        at = moved(at, place, t)
        if n >= 0:
            put(twists[n], 0, NOTHING)
            put(twists[n], 3, t)
        if rate != 0.0 or push != 0.0:
            a = moved(moved(a, push, t), rate, cross(w, t))
            u = moved(u, rate, t)
    if tree.rest[j, 0, 0] + tree.rest[j, 1, 1] + tree.rest[j, 2, 2] < 3.0:
        turn = product(turn, square(tree.rest[j]))
    after[24] = size * size_of(q, first + 6)
    put(after, 9, at)
    if rotates:
        # All that is left to do is `advance_ball`'s.
        put_matrix(after, 0, turn)
        put(after, 12, w)
        put(after, 15, u)
        put(after, 18, al)
        put(after, 21, a)
        return
    for i in range(3):
        axis = tree.orders[j, i]
        d, n = first + 3 + axis, numbers[3 + i]
        place, rate, push = q[d], qd[d], qdd[d]
        if n >= 0:
            place, rate, push = places[n], rates[n], 0.0
        elif place == 0.0 and rate == 0.0 and push == 0.0:
            continue
        s = column(turn, axis)
        t = cross(at, s)
        if n >= 0:
            put(twists[n], 0, s)
            put(twists[n], 3, t)
        al = moved(moved(al, push, s), rate, cross(w, s))
        a = moved(moved(a, push, t), rate, plus(cross(w, t), cross(u, s)))
        w = moved(w, rate, s)
        u = moved(u, rate, t)
        if n >= 0:
            c, k = turns[0, n], turns[1, n]
            x, y, z = turn
            turn = row_turned(x, axis, c, k), row_turned(y, axis, c, k), row_turned(z, axis, c, k)
        else:
            turn = turned(turn, axis, place)
    put_matrix(after, 0, turn)
    put(after, 12, w)
    put(after, 15, u)
    put(after, 18, al)
    put(after, 21, a)


@merged
def sweep_out(
    tree: Tree,
    plan: Plan,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    keyed: Floats,
    places: Floats,
    rates: Floats,
    work: Work,
) -> None:
    """How all that is loose or hangs on it moves, and what keeps each part so; stems are in `work.moving` already.

    keyed (R, 15): how joints that rotate are turned as prescribed.
    """
    stems = len(work.moving) - len(plan.joints)
    waves(places, work.turns)
    for k in range(len(plan.joints)):
        j = plan.joints[k]
        before, after, body = work.moving[plan.above[k]], work.moving[stems + k], work.bodies[k]
        numbers, ball = plan.numbers[k], plan.balls[k]
        advance(tree, j, numbers, ball >= 0, before, q, qd, qdd, places, rates, work.turns, after, work.twists)
        if ball >= 0:
            dragged, twists = work.solving[6], work.twists
            advance_ball(numbers, plan.twisting[ball], keyed[ball], places, rates, dragged, twists, after)
        if tree.masses[j] == 0.0:
            body[:] = 0.0
            continue
        turn = matrix(after, 0)
        at = spot(turn, vector(after, 9), before[24], q, j, tree.centres[j])
        w, u, al, a = vector(after, 12), vector(after, 15), vector(after, 18), vector(after, 21)
        put_body(body, rigid(tree.masses[j], square(tree.inertias[j]), turn, at, w, u, al, a, plan.air[k]))


@merged
def accelerate(plan: Plan, torques: Floats, inertias: Floats, work: Work, result: Floats) -> None:
    """result (L,): the accelerations that `torques` give, `inertias` being added at each degree of freedom."""
    stems = len(work.moving) - len(plan.joints)
    for k in range(len(plan.joints) - 1, -1, -1):
        body = body_of(work.bodies[k])
        for i in range(5, -1, -1):
            n = plan.numbers[k, i]
            if n < 0:
                continue
            s, t = vector(work.twists[n], 0), vector(work.twists[n], 3)
            moment, force = felt(body, s, t)
            share = 1.0 / (inertias[n] + (dot(s, moment) + dot(t, force)))
            left = torques[n] - (dot(s, body[3]) + dot(t, body[4]))
            row = work.felt[n]
            put(row, 0, moment)
            put(row, 3, force)
            row[6], row[7] = share, left
            body = give_way(body, moment, force, share, left)
        p = plan.above[k] - stems
        if p >= 0:
            add_body(work.bodies[p], body)
    for k in range(len(plan.joints)):
        p, gained = plan.above[k] - stems, work.gained[k]
        al, a = NOTHING, NOTHING
        if p >= 0:
            al, a = vector(work.gained[p], 0), vector(work.gained[p], 3)
        for i in range(6):
            n = plan.numbers[k, i]
            if n < 0:
                continue
            row, twist = work.felt[n], work.twists[n]
            push = row[6] * (row[7] - (dot(vector(row, 0), al) + dot(vector(row, 3), a)))
            result[n] = push
            al = moved(al, push, vector(twist, 0))
            a = moved(a, push, vector(twist, 3))
        put(gained, 0, al)
        put(gained, 3, a)
