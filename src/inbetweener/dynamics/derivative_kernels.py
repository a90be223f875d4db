"""Compiled derivatives of the generalised forces; see the kernels of inverse dynamics for the letters.

With I, Q, p, and the wrench (n, f) of all that hangs on link j, and row i at or below column j:

    ∂τᵢ/∂qⱼ = Sᵢ·I Ψ̈ⱼ + 2 Sᵢ·B Ψ̇ⱼ      ∂τᵢ/∂q̇ⱼ = 2 Sᵢ·(I Ψ̇ⱼ + B Sⱼ)      ∂τᵢ/∂q̈ⱼ = Sᵢ·I Sⱼ    (I, B of i)

and for rows above column j the same with I, B of j, and Sᵢ·(Sⱼ ×* (n, f)) more in the first. An outer force that keeps
its direction gives −sⱼ·((tᵢ + sᵢ × x) × F) below and −sᵢ·((tⱼ + sⱼ × x) × F) above.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.kernels import (
    Moving,
    Pushing,
    Room,
    Tree,
    gather,
    load,
    moment_of,
    pushed,
    room_for,
    sweep,
)
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.vector_kernels import (
    Vector,
    carried,
    combined,
    cross,
    dot,
    matrix,
    minus,
    moved,
    plus,
    put,
    scaled,
    vector,
)


@record(
    "const(i8[::1]), const(i8[::1]), const(i8[::1]), const(i8[::1]),"
    "const(i8[::1]), const(i8[::1]), const(i8[::1]), const(i8[::1])"
)
class Pairs(NamedTuple):
    """Rows are forces on links, six a joint; columns are channels.

    rows (R,) links; column a owns starts[a] … starts[a+1] of links and entries (N,) of the channel map; each of these
    has its own stretch of rows below, the link itself included, and above.
    """

    rows: Ints
    starts: Ints
    links: Ints
    entries: Ints
    below_starts: Ints
    below: Ints
    above_starts: Ints
    above: Ints


@inlined
def leverage(loads: Floats, s: Vector, t: Vector) -> Vector:
    """Σ (t + s × x) × F of outer forces."""
    spread = matrix(loads, 0)
    trace = loads[0] + loads[4] + loads[8]
    return moved(plus(cross(t, vector(loads, 9)), carried(spread, s)), -trace, s)


@inlined
def prepare_rows(rows: Ints, room: Room, prepared: Floats) -> None:
    """prepared (R, 18) of each row: S, I S, the turning part of Bᵀ S (its shifting part is nothing), leverage."""
    for r in range(len(rows)):
        row, into, heavy = room.links[rows[r]], prepared[r], room.heavy[rows[r] // 6]
        s, t = vector(row, 0), vector(row, 3)
        moment, force = pushed(heavy, s, t)
        put(into, 0, s)
        put(into, 3, t)
        put(into, 6, moment)
        put(into, 9, force)
        put(into, 12, plus(combined(matrix(heavy, 13), s), cross(vector(heavy, 22), t)))
        put(into, 15, leverage(room.loads[rows[r] // 6], s, t))


@inlined
def add_link(
    number: int, room: Room, prepared: Floats, below: Ints, above: Ints, j: float, jd: float, jdd: float, block: Floats
) -> None:
    """Add to block (3, R) the derivatives by a channel's value, velocity and acceleration through one link.

    The link follows the channel by the factor j, with the rates jd and jdd along the motion: ∂q̇/∂c = J̇, ∂q̈/∂c = J̈,
    ∂q̈/∂ċ = 2 J̇.
    """
    row, heavy, wrench = room.links[number], room.heavy[number // 6], room.wrench[number // 6]
    s, t = vector(row, 0), vector(row, 3)
    s1, t1 = vector(row, 6), vector(row, 9)
    s2, t2 = vector(row, 12), vector(row, 15)
    for r in below:
        i = prepared[r]
        moment, force, back = vector(i, 6), vector(i, 9), vector(i, 12)
        x = dot(moment, s2) + dot(force, t2) + 2.0 * dot(back, s1) - dot(vector(i, 15), s)
        y = 2.0 * (dot(moment, s1) + dot(force, t1) + dot(back, s))
        z = dot(moment, s) + dot(force, t)
        block[0, r] += j * x + jd * y + jdd * z
        block[1, r] += j * y + 2.0 * jd * z
        block[2, r] += j * z
    if len(above) == 0:
        return
    q, p = matrix(heavy, 13), vector(heavy, 22)
    n, f = vector(wrench, 0), vector(wrench, 3)
    moment2, force2 = pushed(heavy, s2, t2)
    moment2 = moved(plus(moment2, plus(cross(s, n), cross(t, f))), 2.0, carried(q, s1))
    moment2 = minus(moment2, leverage(room.loads[number // 6], s, t))
    force2 = moved(plus(force2, cross(s, f)), 2.0, cross(s1, p))
    moment1, force1 = pushed(heavy, s1, t1)
    moment1 = scaled(2.0, plus(moment1, carried(q, s)))
    force1 = scaled(2.0, plus(force1, cross(s, p)))
    moment0, force0 = pushed(heavy, s, t)
    for r in above:
        si, ti = vector(prepared[r], 0), vector(prepared[r], 3)
        x = dot(si, moment2) + dot(ti, force2)
        y = dot(si, moment1) + dot(ti, force1)
        z = dot(si, moment0) + dot(ti, force0)
        block[0, r] += j * x + jd * y + jdd * z
        block[1, r] += j * y + 2.0 * jd * z
        block[2, r] += j * z


@kernel("void(Tree, Moving, Pushing, Pairs, const(f8[:,:,::1]), const(f8[:,:,:,::1]), f8[:,::1], f8[:,:,:,::1])")
def differentiate(
    tree: Tree,
    moving: Moving,
    outer: Pushing,
    pairs: Pairs,
    weights: Floats,
    slopes: Floats,
    forces: Floats,
    result: Floats,
) -> None:
    """forces (T, R), and result (T, A, K, R): the derivative of force r by parameter k of channel a.

    slopes (T, A, 3, K) say how the channel's value, velocity and acceleration follow its K parameters; with no slopes
    (T = 0), result (T, A, 3, R) has the derivatives by these three themselves. weights (3, T or 1, E) are the channel
    map's derivative and its two rates.
    """
    parents, room = tree.parents, room_for(len(tree.parents))
    rows, starts, links, entries, below_starts, below, above_starts, above = pairs
    prepared, block = np.empty((len(rows), 18)), np.empty((3, len(rows)))
    room.loads[:] = 0.0
    for f in range(len(moving.q)):
        sweep(tree, moving, f, True, room)
        gather(parents, room.wrench)
        gather(parents, room.heavy)
        if len(outer.joints) > 0:
            load(tree, moving.q[f], outer, f, room)
            gather(parents, room.loads)
        prepare_rows(rows, room, prepared)
        for r in range(len(rows)):
            row, joint = prepared[r], rows[r] // 6
            moment = minus(vector(room.wrench[joint], 0), moment_of(room.loads[joint]))
            force = minus(vector(room.wrench[joint], 3), vector(room.loads[joint], 9))
            forces[f, r] = dot(vector(row, 0), moment) + dot(vector(row, 3), force)
        which = f if weights.shape[1] > 1 else 0
        for a in range(len(starts) - 1):
            into = result[f, a] if len(slopes) == 0 else block
            into[:] = 0.0
            for n in range(starts[a], starts[a + 1]):
                e = entries[n]
                add_link(
                    links[n], room, prepared,
                    below[below_starts[n] : below_starts[n + 1]], above[above_starts[n] : above_starts[n + 1]],
                    weights[0, which, e], weights[1, which, e], weights[2, which, e], into,
                )  # fmt: skip
            if len(slopes) > 0:
                for k in range(slopes.shape[3]):
                    k0, k1, k2 = slopes[f, a, 0, k], slopes[f, a, 1, k], slopes[f, a, 2, k]
                    for r in range(len(rows)):
                        result[f, a, k, r] = k0 * block[0, r] + k1 * block[1, r] + k2 * block[2, r]
