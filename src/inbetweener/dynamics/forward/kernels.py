"""Compiled forward dynamics: loose degrees of freedom pulled along by springs while all others move as prescribed.

A step of time solves (M + h K_d + h² K_p) q̈ = τ − c for the loose degrees of freedom alone, with springs taken
implicitly: τ = K_p (r(t + h) − q − h q̇) − K_d (q̇ − (1 − drag) ṙ). What the loose branches hang on moves as prescribed
whatever they do, so it is worked out once for each moment, not for each window.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.forward.sweep_kernels import Plan, Work, accelerate, advance, sweep_out, work_for
from inbetweener.dynamics.kernels import Moving, Tree
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.vector_kernels import UPRIGHT, put, put_matrix, scaled, vector

FASTEST = 1e4
"""Radians or metres a second: whatever moves faster has blown up."""


@record("const(i8[::1]), const(f8[:,::1]), f8, f8")
class Springs(NamedTuple):
    """dofs (L,) which of the 9J are loose; springs (L, 4) their K_p, K_d and limits; h the step; drag."""

    dofs: Ints
    springs: Floats
    h: float
    drag: float


@record("const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,::1])")
class Reference(NamedTuple):
    """q, q̇, q̈ (N, 9J) as prescribed, and what `carry` makes of them: stems (N, P, 25)."""

    q: Floats
    qd: Floats
    qdd: Floats
    stems: Floats


@kernel("void(Tree, const(i8[::1]), Moving, f8[:,:,::1])")
def carry(tree: Tree, stems: Ints, moving: Moving, result: Floats) -> None:
    """result (N, P, 25): how the joints `stems` (P,), of which the first is the world, move as prescribed.

    Each stem comes after the one above it: the list holds all between the world and what is loose.
    """
    where = np.zeros(len(tree.parents), np.int64)
    tight, nothing = np.full(6, -1), np.empty(0)
    no_turns, no_twists = np.empty((2, 0)), np.empty((0, 6))
    for f in range(len(moving.q)):
        q, qd, qdd = moving.q[f], moving.qd[f], moving.qdd[f]
        world = result[f, 0]
        world[:] = 0.0
        put_matrix(world, 0, UPRIGHT)
        # Seen from where the first joint is now: far from the world's own origin digits would be lost.
        put(world, 9, scaled(-1.0, vector(q)))
        # What falls freely needs no force: as if all were pushed against gravity.
        put(world, 21, scaled(-1.0, vector(tree.gravity, 0)))
        world[24] = 1.0
        for p in range(1, len(stems)):
            j = stems[p]
            where[j] = p
            above = where[tree.parents[j]] if tree.parents[j] >= 0 else 0
            before, after = result[f, above], result[f, p]
            advance(tree, j, tight, before, q, qd, qdd, nothing, nothing, no_turns, after, no_twists)


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
    "void(Tree, Plan, Springs, Reference, const(i8[:,::1]), const(i8[::1]), i8, i8, f8[:,:,::1], f8[:,:,::1], i8[::1])"
)
def simulate(
    tree: Tree,
    plan: Plan,
    by: Springs,
    along: Reference,
    rows: Ints,
    counts: Ints,
    first: int,
    last: int,
    places: Floats,
    rates: Floats,
    failed: Ints,
) -> None:
    """Windows `first` to `last` of W, each from where it keeps to the reference until now, `counts` (W,) steps of h.

    rows (W, n + 1) say where each window finds the reference, its last steps at the end. places, rates (W, S, L): the
    loose degrees of freedom at the last S of these moments, and how fast the simulation moves them there. failed (W,):
    1 + the loose degree of freedom that blew up; 0 where none did.
    """
    work, count = work_for(along.stems.shape[1], len(plan.joints), len(by.dofs)), len(by.dofs)
    place, rate = np.empty(count), np.empty(count)
    dropped = rows.shape[1] - places.shape[1]
    for w in range(first, last):
        begin = rows.shape[1] - 1 - counts[w]
        failed[w] = 0
        for n in range(count):
            place[n], rate[n] = along.q[rows[w, begin], by.dofs[n]], along.qd[rows[w, begin], by.dofs[n]]
        for k in range(begin, rows.shape[1]):
            if k > begin:
                failed[w] = step_on(tree, plan, by, along, rows[w, k - 1], rows[w, k], place, rate, work)
            if failed[w]:
                break
            if k >= dropped:
                places[w, k - dropped], rates[w, k - dropped] = place, rate


@kernel("void(Tree, Plan, const(i8[::1]), Reference, const(f8[:,::1]), const(f8[::1]), f8[:,::1])")
def accelerations(
    tree: Tree, plan: Plan, dofs: Ints, along: Reference, torques: Floats, added: Floats, result: Floats
) -> None:
    """result (T, L): how torques (T, L) accelerate loose degrees of freedom, `added` (L,) to their inertia."""
    count, stems = len(dofs), along.stems.shape[1]
    work = work_for(stems, len(plan.joints), count)
    place, rate = np.empty(count), np.empty(count)
    for f in range(len(along.q)):
        work.moving[:stems] = along.stems[f]
        for n in range(count):
            place[n], rate[n] = along.q[f, dofs[n]], along.qd[f, dofs[n]]
        sweep_out(tree, plan, along.q[f], along.qd[f], along.qdd[f], place, rate, work)
        accelerate(plan, torques[f], added, work, result[f])
