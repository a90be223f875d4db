"""Compiled sweeps over loose branches of a body: out, how all moves with no acceleration of its own; in and out again,
Featherstone's articulated bodies, how torques accelerate it.

All is seen along the world's axes from one point, where inertias and forces only add up.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.forward.angle_kernels import waves
from inbetweener.dynamics.forward.articulated_kernels import WIDTH, add_body, body_of, felt, give_way, put_body, rigid
from inbetweener.dynamics.kernels import NOTHING, Tree, mirrored, size_of, spot
from inbetweener.dynamics.vector_kernels import (
    column,
    cross,
    dot,
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
from inbetweener.kernels import inlined, merged, record

ROW = 25
"""How a joint moves: orientation (9), origin, ω, u, α, a (15), the size of what hangs on it (1)."""


@record("const(i8[::1]), const(i8[::1]), const(i8[:,::1])")
class Plan(NamedTuple):
    """joints (K,) to sweep, parents first; above (K,) the place of each one's parent among those whose movement is
    known: stems first, then the joints; numbers (K, 6) of loose degrees of freedom, three shifts, then three turns,
    outermost first, or −1.
    """

    joints: Ints
    above: Ints
    numbers: Ints


class Work(NamedTuple):
    """moving (P + K, 25) how stems and joints move; bodies (K, 27) what hangs on each joint; twists (L, 6); felt (L, 8)
    I S, 1/D and what is left to accelerate; gained (K, 6) spatial acceleration of each joint; turns (2, L) cosines and
    sines of loose places; solving (3, L) torques, what being implicit adds to inertias, accelerations.
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
        np.empty((3, loose)),
    )


@merged
def advance(
    tree: Tree,
    j: int,
    numbers: Ints,
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

    turns (2, L): the cosines and sines of loose places.
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
    put(after, 9, at)
    put(after, 12, w)
    put(after, 15, u)
    put(after, 18, al)
    put(after, 21, a)
    after[24] = size * size_of(q, first + 6)


@merged
def sweep_out(
    tree: Tree, plan: Plan, q: Floats, qd: Floats, qdd: Floats, places: Floats, rates: Floats, work: Work
) -> None:
    """How all that is loose or hangs on it moves, and what keeps each part so; stems are in `work.moving` already."""
    stems = len(work.moving) - len(plan.joints)
    waves(places, work.turns)
    for k in range(len(plan.joints)):
        j = plan.joints[k]
        before, after, body = work.moving[plan.above[k]], work.moving[stems + k], work.bodies[k]
        advance(tree, j, plan.numbers[k], before, q, qd, qdd, places, rates, work.turns, after, work.twists)
        if tree.masses[j] == 0.0:
            body[:] = 0.0
            continue
        turn = matrix(after, 0)
        at = spot(turn, vector(after, 9), before[24], q, j, tree.centres[j])
        w, u, al, a = vector(after, 12), vector(after, 15), vector(after, 18), vector(after, 21)
        put_body(body, rigid(tree.masses[j], square(tree.inertias[j]), turn, at, w, u, al, a))


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
