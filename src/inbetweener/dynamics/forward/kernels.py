"""Compiled forward dynamics: loose degrees of freedom pulled along by springs while all others move as prescribed.

A step of time solves (M + h K_d + h² K_p) q̈ = τ − c for the loose degrees of freedom alone, with springs taken
implicitly: τ = K_p (r(t + h) − q − h q̇) − K_d (q̇ − (1 − drag) ṙ). One sweep of inverse dynamics, with no acceleration
at what is loose, gives all that does not depend on q̈; then Featherstone's articulated bodies solve for it in two
passes over the loose degrees of freedom. Seen along the world's axes from one point, inertias and forces only add up.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.dynamics.kernels import TREE, Room, Tree, room_for, sweep
from inbetweener.kernels import inlined, kernel

FASTEST = 1e4
"""Radians or metres a second: whatever moves faster has blown up."""

LOOSE = "const(i8[::1]), const(i8[::1]), const(i8[::1]), const(f8[:,::1])"


class Loose(NamedTuple):
    """dofs (L,) which of the 9J, parents first; above (L,) the next loose one towards the root, or −1; owners (J,)
    the last loose one at or above each joint, or −1; springs (L, 4) K_p, K_d and the limits.
    """

    dofs: Ints
    above: Ints
    owners: Ints
    springs: Floats


class Work(NamedTuple):
    """Per loose degree of freedom: inertia (6, 6) of what hangs on it, force (6,), I S (6,), D and what is left to
    accelerate it (2,), acceleration (6,).
    """

    inertia: Floats
    force: Floats
    carried: Floats
    solved: Floats
    moving: Floats


@inlined
def work_for(count: int) -> Work:
    """Room for `count` loose degrees of freedom."""
    return Work(
        np.empty((count, 6, 6)), np.empty((count, 6)), np.empty((count, 6)), np.empty((count, 2)), np.empty((count, 6))
    )


@inlined
def collect(loose: Loose, room: Room, work: Work) -> None:
    """What each loose degree of freedom carries directly: inertias and forces of the joints that it owns."""
    work.inertia[:] = 0.0
    work.force[:] = 0.0
    for j in range(len(loose.owners)):
        n = loose.owners[j]
        heavy = room.heavy[j]
        if n < 0 or heavy[0] == 0.0:
            continue
        into, wrench = work.inertia[n], room.wrench[j]
        for r in range(3):
            for c in range(3):
                into[r, c] += heavy[4 + 3 * r + c]
            into[3 + r, 3 + r] += heavy[0]
        x, y, z = heavy[1], heavy[2], heavy[3]
        # [h]× above, its transpose below.
        into[0, 4] -= z
        into[0, 5] += y
        into[1, 3] += z
        into[1, 5] -= x
        into[2, 3] -= y
        into[2, 4] += x
        into[4, 0] -= z
        into[5, 0] += y
        into[3, 1] += z
        into[5, 1] -= x
        into[3, 2] -= y
        into[4, 2] += x
        for k in range(6):
            work.force[n, k] += wrench[k]


@inlined
def link_of(dof: int) -> int:
    """The link that belongs to one of the 9J."""
    return 6 * (dof // 9) + dof % 9


@inlined
def accelerate(loose: Loose, room: Room, torques: Floats, inertias: Floats, work: Work, result: Floats) -> None:
    """result (L,): the accelerations that `torques` give, `inertias` being added at each degree of freedom."""
    for n in range(len(loose.dofs) - 1, -1, -1):
        s, inertia, carried = room.links[link_of(loose.dofs[n])], work.inertia[n], work.carried[n]
        size, left = inertias[n], torques[n]
        for r in range(6):
            total = 0.0
            for c in range(6):
                total += inertia[r, c] * s[c]
            carried[r] = total
            size += s[r] * total
            left -= s[r] * work.force[n, r]
        work.solved[n, 0], work.solved[n, 1] = size, left
        p = loose.above[n]
        if p >= 0:
            into, k = work.inertia[p], 1.0 / size
            for r in range(6):
                share = k * carried[r]
                for c in range(6):
                    into[r, c] += inertia[r, c] - share * carried[c]
                work.force[p, r] += work.force[n, r] + share * left
    for n in range(len(loose.dofs)):
        s, p, moving = room.links[link_of(loose.dofs[n])], loose.above[n], work.moving[n]
        left = work.solved[n, 1]
        for r in range(6):
            moving[r] = work.moving[p, r] if p >= 0 else 0.0
            left -= work.carried[n, r] * moving[r]
        result[n] = left / work.solved[n, 0]
        for r in range(6):
            moving[r] += s[r] * result[n]


@inlined
def pull(loose: Loose, h: float, drag: float, q: Floats, qd: Floats, rates: Floats, after: Floats, out: Floats) -> None:
    """out (2, L): the springs' torques, and what being implicit adds to inertias."""
    for n in range(len(loose.dofs)):
        d, kp, kd = loose.dofs[n], loose.springs[n, 0], loose.springs[n, 1]
        out[0, n] = kp * (after[d] - q[d] - h * qd[d]) - kd * (qd[d] - (1.0 - drag) * rates[d])
        out[1, n] = h * kd + h * h * kp


@kernel(
    f"void({TREE}, {LOOSE}, f8, f8, const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(i8[:,::1]),"
    "const(i8[::1]), i8, i8, f8[:,::1], f8[:,::1], u1[::1])"
)
def simulate(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    dofs: Ints,
    above: Ints,
    owners: Ints,
    springs: Floats,
    h: float,
    drag: float,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    rows: Ints,
    counts: Ints,
    first: int,
    last: int,
    places: Floats,
    rates: Floats,
    failed: Bytes,
) -> None:
    """Windows `first` to `last` of W, each from where it keeps to the reference until now, `counts` (W,) steps of h.

    q, qd, qdd (N, 9J) are the reference; rows (W, n + 1) say where each window finds it, its last steps at the end.
    places, rates (W, L): the loose degrees of freedom at the end, and how fast the simulation moves them there.
    failed (W,): 1 + the loose degree of freedom that blew up, at most 255; 0 where none did.
    """
    tree = Tree(parents, rest, orders, masses, centres, inertias, gravity)
    loose = Loose(dofs, above, owners, springs)
    room, work = room_for(len(parents)), work_for(len(dofs))
    here, speed, push = np.empty(q.shape[1]), np.empty(q.shape[1]), np.empty(q.shape[1])
    pulls, gained = np.empty((2, len(dofs))), np.empty(len(dofs))
    for w in range(first, last):
        begin = rows.shape[1] - 1 - counts[w]
        start = rows[w, begin]
        failed[w] = 0
        for n in range(len(dofs)):
            places[w, n], rates[w, n] = q[start, dofs[n]], qd[start, dofs[n]]
        for k in range(begin, rows.shape[1] - 1):
            now, after = rows[w, k], rows[w, k + 1]
            here[:] = q[now]
            speed[:] = qd[now]
            push[:] = qdd[now]
            for n in range(len(dofs)):
                d = dofs[n]
                here[d], speed[d], push[d] = places[w, n], rates[w, n], 0.0
            sweep(tree, here, speed, push, False, room)
            collect(loose, room, work)
            pull(loose, h, drag, here, speed, qd[now], q[after], pulls)
            accelerate(loose, room, pulls[0], pulls[1], work, gained)
            for n in range(len(dofs)):
                speed_after = rates[w, n] + h * gained[n]
                if not math.fabs(speed_after) < FASTEST:
                    failed[w] = min(n + 1, 255)
                    break
                reference = q[after, dofs[n]]
                # A stop takes all speed; keys beyond a limit, as captured motion has them, are let be.
                lower, upper = min(springs[n, 2], reference), max(springs[n, 3], reference)
                place = min(max(places[w, n] + h * speed_after, lower), upper)
                rates[w, n] = (place - places[w, n]) / h
                places[w, n] = place
            if failed[w]:
                break


@kernel(
    f"void({TREE}, {LOOSE}, const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), f8[:,::1],"
    "f8[:,::1])"
)
def accelerations(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    masses: Floats,
    centres: Floats,
    inertias: Floats,
    gravity: Floats,
    dofs: Ints,
    above: Ints,
    owners: Ints,
    springs: Floats,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    torques: Floats,
    added: Floats,
    result: Floats,
) -> None:
    """result (T, L): how torques (T, L) accelerate loose degrees of freedom, `added` (1, L) to their inertia."""
    tree = Tree(parents, rest, orders, masses, centres, inertias, gravity)
    loose = Loose(dofs, above, owners, springs)
    room, work = room_for(len(parents)), work_for(len(dofs))
    for f in range(len(q)):
        sweep(tree, q[f], qd[f], qdd[f], False, room)
        collect(loose, room, work)
        accelerate(loose, room, torques[f], added[0], work, result[f])
