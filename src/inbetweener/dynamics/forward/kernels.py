"""Compiled forward dynamics: loose degrees of freedom pulled along by springs while all others move as prescribed.

A step of time solves (M + h K_d + h² K_p) q̈ = τ − c for the loose degrees of freedom alone, with springs taken
implicitly: τ = K_p (r(t + h) − q − h q̇) − K_d (q̇ − (1 − drag) ṙ). A sweep out over what is loose, or hangs on it, tells
how it moves with no acceleration of its own; Featherstone's articulated bodies, one sweep in and one out, solve for
that. All is seen along the world's axes from one point, where inertias and forces only add up. What the loose branches
hang on moves as prescribed whatever they do, so it is worked out once for each moment, not for each window.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.forward.angles.kernels import waves
from inbetweener.dynamics.forward.articulated.kernels import WIDTH, add_body, body_of, felt, give_way, put_body, rigid
from inbetweener.dynamics.kernels import NOTHING, TREE, UPRIGHT, Tree, mirrored, size_of, spot
from inbetweener.dynamics.vectors.kernels import (
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
from inbetweener.kernels import inlined, kernel

FASTEST = 1e4
"""Radians or metres a second: whatever moves faster has blown up."""

ROW = 25
"""How a joint moves: orientation (9), origin, ω, u, α, a (15), the size of what hangs on it (1)."""

PLAN = "const(i8[::1]), const(i8[::1]), const(i8[:,::1])"
REFERENCE = "const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,::1])"


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


@inlined
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


@inlined
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


@inlined
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


@kernel(f"void({TREE}, const(i8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), f8[:,:,::1])")
def carry(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    stems: Ints,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    result: Floats,
) -> None:
    """result (N, P, 25): how the joints `stems` (P,), of which the first is the world, move as prescribed.

    Each stem comes after the one above it: the list holds all between the world and what is loose.
    """
    tree = Tree(parents, rest, orders, masses, centres, inertias, gravity)
    where = np.zeros(len(parents), np.int64)
    tight, nothing = np.full(6, -1), np.empty(0)
    no_turns, no_twists = np.empty((2, 0)), np.empty((0, 6))
    for f in range(len(q)):
        world = result[f, 0]
        world[:] = 0.0
        put_matrix(world, 0, UPRIGHT)
        # Seen from where the first joint is now: far from the world's own origin digits would be lost.
        put(world, 9, scaled(-1.0, vector(q[f], 0)))
        # What falls freely needs no force: as if all were pushed against gravity.
        put(world, 21, scaled(-1.0, vector(gravity, 0)))
        world[24] = 1.0
        for p in range(1, len(stems)):
            j = stems[p]
            where[j] = p
            above = where[parents[j]] if parents[j] >= 0 else 0
            before, after = result[f, above], result[f, p]
            advance(tree, j, tight, before, q[f], qd[f], qdd[f], nothing, nothing, no_turns, after, no_twists)


class Springs(NamedTuple):
    """dofs (L,) which of the 9J are loose; springs (L, 4) their K_p, K_d and limits; h the step; drag."""

    dofs: Ints
    springs: Floats
    h: float
    drag: float


class Reference(NamedTuple):
    """q, q̇, q̈ (N, 9J) as prescribed, and what `carry` makes of them: stems (N, P, 25)."""

    q: Floats
    qd: Floats
    qdd: Floats
    stems: Floats


@inlined
def step_on(
    tree: Tree, plan: Plan, by: Springs, along: Reference, now: int, after: int, place: Floats, rate: Floats, work: Work
) -> int:
    """One step of loose places and rates (L,); 0, or 1 + the loose degree of freedom that blew up."""
    h, springs = by.h, by.springs
    torques, added, gained = work.solving[0], work.solving[1], work.solving[2]
    work.moving[: along.stems.shape[1]] = along.stems[now]
    for n in range(len(by.dofs)):
        kp, kd, d = springs[n, 0], springs[n, 1], by.dofs[n]
        torques[n] = kp * (along.q[after, d] - place[n] - h * rate[n])
        torques[n] -= kd * (rate[n] - (1.0 - by.drag) * along.qd[now, d])
        added[n] = h * kd + h * h * kp
    sweep_out(tree, plan, along.q[now], along.qd[now], along.qdd[now], place, rate, work)
    accelerate(plan, torques, added, work, gained)
    for n in range(len(by.dofs)):
        speed = rate[n] + h * gained[n]
        if not math.fabs(speed) < FASTEST:
            return n + 1
        reference = along.q[after, by.dofs[n]]
        # A stop takes all speed; keys beyond a limit, as captured motion has them, are let be.
        lower, upper = min(springs[n, 2], reference), max(springs[n, 3], reference)
        moved_to = min(max(place[n] + h * speed, lower), upper)
        rate[n] = (moved_to - place[n]) / h
        place[n] = moved_to
    return 0


@kernel(
    f"void({TREE}, {PLAN}, const(i8[::1]), const(f8[:,::1]), f8, f8, {REFERENCE}, const(i8[:,::1]), const(i8[::1]),"
    "i8, i8, f8[:,::1], f8[:,::1], i8[::1])"
)
def simulate(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    joints: Ints,
    above: Ints,
    numbers: Ints,
    dofs: Ints,
    springs: Floats,
    h: float,
    drag: float,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    stems: Floats,
    rows: Ints,
    counts: Ints,
    first: int,
    last: int,
    places: Floats,
    rates: Floats,
    failed: Ints,
) -> None:
    """Windows `first` to `last` of W, each from where it keeps to the reference until now, `counts` (W,) steps of h.

    rows (W, n + 1) say where each window finds the reference, its last steps at the end. places, rates (W, L): the
    loose degrees of freedom at the end, and how fast the simulation moves them there. failed (W,): 1 + the loose
    degree of freedom that blew up; 0 where none did.
    """
    tree, plan = Tree(parents, rest, orders, masses, centres, inertias, gravity), Plan(joints, above, numbers)
    by, along = Springs(dofs, springs, h, drag), Reference(q, qd, qdd, stems)
    work = work_for(stems.shape[1], len(joints), len(dofs))
    for w in range(first, last):
        begin = rows.shape[1] - 1 - counts[w]
        start, place, rate = rows[w, begin], places[w], rates[w]
        failed[w] = 0
        for n in range(len(dofs)):
            place[n], rate[n] = q[start, dofs[n]], qd[start, dofs[n]]
        for k in range(begin, rows.shape[1] - 1):
            failed[w] = step_on(tree, plan, by, along, rows[w, k], rows[w, k + 1], place, rate, work)
            if failed[w]:
                break


@kernel(
    f"void({TREE}, {PLAN}, const(i8[::1]), const(f8[:,::1]), f8, f8, {REFERENCE}, const(i8[::1]), f8[:,::1], f8[:,::1],"
    "i8[::1])"
)
def trace(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    joints: Ints,
    above: Ints,
    numbers: Ints,
    dofs: Ints,
    springs: Floats,
    h: float,
    drag: float,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    stems: Floats,
    row: Ints,
    places: Floats,
    rates: Floats,
    failed: Ints,
) -> None:
    """places, rates (n + 1, L): one simulation over moments row (n + 1,) of the reference, all of it; failed (1,)."""
    tree, plan = Tree(parents, rest, orders, masses, centres, inertias, gravity), Plan(joints, above, numbers)
    by, along = Springs(dofs, springs, h, drag), Reference(q, qd, qdd, stems)
    work = work_for(stems.shape[1], len(joints), len(dofs))
    failed[0] = 0
    for n in range(len(dofs)):
        places[0, n], rates[0, n] = q[row[0], dofs[n]], qd[row[0], dofs[n]]
    for k in range(len(row) - 1):
        places[k + 1], rates[k + 1] = places[k], rates[k]
        failed[0] = step_on(tree, plan, by, along, row[k], row[k + 1], places[k + 1], rates[k + 1], work)
        if failed[0]:
            break


@kernel(
    f"void({TREE}, {PLAN}, const(i8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,::1]),"
    "const(f8[:,::1]), const(f8[::1]), f8[:,::1])"
)
def accelerations(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    joints: Ints,
    above: Ints,
    numbers: Ints,
    dofs: Ints,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    stems: Floats,
    torques: Floats,
    added: Floats,
    result: Floats,
) -> None:
    """result (T, L): how torques (T, L) accelerate loose degrees of freedom, `added` (L,) to their inertia."""
    tree = Tree(parents, rest, orders, masses, centres, inertias, gravity)
    plan, count = Plan(joints, above, numbers), len(dofs)
    work = work_for(stems.shape[1], len(joints), count)
    place, rate = np.empty(count), np.empty(count)
    for f in range(len(q)):
        work.moving[: stems.shape[1]] = stems[f]
        for n in range(count):
            place[n], rate[n] = q[f, dofs[n]], qd[f, dofs[n]]
        sweep_out(tree, plan, q[f], qd[f], qdd[f], place, rate, work)
        accelerate(plan, torques[f], added, work, result[f])
