"""Compiled inverse dynamics: Newton–Euler over a joint tree for many moments, with exact derivatives.

Every degree of freedom of a joint is a link of its own: three translations, then three turns, outermost first. All is
seen along the world's axes from a point that does not move and where the first joint is now. There a link's freedom is
a twist S = (s, t), turn and shift; velocity v = (ω, u) and acceleration a = (α, a) grow by S from link to link. With
those of the link before, Ψ̇ = v × S and Ψ̈ = a × S + v × Ψ̇.

The derivatives follow Singh, Russell and Wensing, "Efficient analytical derivatives of rigid-body dynamics using
spatial vector algebra" (2022). Their matrix B is, seen from the world, as small as an inertia: B(ω, u) = (Q ω, ω × p)
with Q = Σ m ((x·ẋ) 1 − ẋ xᵀ) and p = Σ m ẋ.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.vector_kernels import (
    NOTHING,
    UPRIGHT,
    Matrix,
    Vector,
    carried,
    column,
    cross,
    dot,
    matrix,
    minus,
    moved,
    plus,
    product,
    put,
    put_matrix,
    scaled,
    square,
    stretched,
    turned,
    vector,
)


@record(
    "const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[::1]), const(f8[:,::1]), const(f8[:,:,::1]),"
    "const(f8[::1])"
)
class Tree(NamedTuple):
    """parents (J,), rest (J, 3, 3), orders (J, 3), masses (J,), centres (J, 3), inertias (J, 3, 3), gravity (3,)."""

    parents: Ints
    rest: Floats
    orders: Ints
    masses: Floats
    centres: Floats
    inertias: Floats
    gravity: Floats


@record("const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1])")
class Moving(NamedTuple):
    """Degrees of freedom q, q̇, q̈ (T, 9J)."""

    q: Floats
    qd: Floats
    qdd: Floats


@record("const(i8[::1]), const(f8[:,::1]), const(f8[:,:,::1])")
class Pushing(NamedTuple):
    """Outer forces (T, K, 3) at points: joints (K,), offsets (K, 3)."""

    joints: Ints
    offsets: Floats
    forces: Floats


class Room(NamedTuple):
    """What sweeps over one moment leave behind.

    links  (6J, 18) S, Ψ̇ and Ψ̈ of each degree of freedom
    joints (J, 25)  orientation (9), origin, ω, u, α, a (15), size of what hangs on it (1)
    wrench (J, 6)   moment and force that move the joint, and after `gather` all below it
    heavy  (J, 25)  mass (1), Σ m x (3), inertia (9), Q (9), p (3), likewise
    loads  (J, 12)  Σ x Fᵀ (9) and Σ F (3) of outer forces, likewise
    """

    links: Floats
    joints: Floats
    wrench: Floats
    heavy: Floats
    loads: Floats


@inlined
def room_for(count: int) -> Room:
    """Room for a tree of `count` joints."""
    return Room(
        np.empty((6 * count, 18)),
        np.empty((count, 25)),
        np.empty((count, 6)),
        np.empty((count, 25)),
        np.empty((count, 12)),
    )


@inlined
def note_rates(
    row: Floats, s: Vector, t: Vector, turning: Vector, shifting: Vector, w: Vector, u: Vector, al: Vector, a: Vector
) -> None:
    """Ψ̇ and Ψ̈ of a link, given the former."""
    put(row, 6, turning)
    put(row, 9, shifting)
    put(row, 12, plus(cross(al, s), cross(w, turning)))
    put(row, 15, plus(plus(cross(al, t), cross(a, s)), plus(cross(w, shifting), cross(u, turning))))


@inlined
def weigh(m: float, inertia: Matrix, turn: Matrix, at: Vector, w: Vector, u: Vector, row: Floats) -> None:
    """Mass, Σ m x, inertia, Q and p of one joint whose centre of mass is `at`."""
    velocity = plus(u, cross(w, at))
    h, p = scaled(m, at), scaled(m, velocity)
    half = product(turn, inertia)
    # R I Rᵀ: symmetric, so its rows are R (R I)ᵀ's columns.
    i0, i1, i2 = carried(turn, half[0]), carried(turn, half[1]), carried(turn, half[2])
    trace = 0.5 * (i0[0] + i1[1] + i2[2])
    far, rate = dot(h, at), dot(h, velocity)
    row[0] = m
    put(row, 1, h)
    put(row, 4, moved((i0[0] + far, i0[1], i0[2]), -h[0], at))
    put(row, 7, moved((i1[0], i1[1] + far, i1[2]), -h[1], at))
    put(row, 10, moved((i2[0], i2[1], i2[2] + far), -h[2], at))
    # Q = m ((c·ċ) 1 − ċ cᵀ) − ω × E with the second moment E = ½ tr(I) 1 − I, which is symmetric.
    e0 = cross((trace - i0[0], -i0[1], -i0[2]), w)
    e1 = cross((-i1[0], trace - i1[1], -i1[2]), w)
    e2 = cross((-i2[0], -i2[1], trace - i2[2]), w)
    put(row, 13, moved((e0[0] + rate, e1[0], e2[0]), -p[0], at))
    put(row, 16, moved((e0[1], e1[1] + rate, e2[1]), -p[1], at))
    put(row, 19, moved((e0[2], e1[2], e2[2] + rate), -p[2], at))
    put(row, 22, p)


@inlined
def sweep(tree: Tree, moving: Moving, f: int, rates: bool, room: Room) -> None:
    """From the roots out: how every joint moves at moment f, and what moves it; with the links' Ψ̇ and Ψ̈ if asked."""
    q, qd, qdd = moving.q[f], moving.qd[f], moving.qdd[f]
    view = vector(q)
    for j in range(len(tree.parents)):
        above, row = tree.parents[j], room.joints[j]
        turn, at, size = UPRIGHT, scaled(-1.0, view), 1.0
        w, u, al = NOTHING, NOTHING, NOTHING
        # What falls freely needs no force: as if all were pushed against gravity.
        a = scaled(-1.0, vector(tree.gravity, 0))
        if above >= 0:
            before = room.joints[above]
            turn, at, size = mirrored(matrix(before, 0), q, 9 * above + 6), vector(before, 9), before[24]
            w, u, al, a = vector(before, 12), vector(before, 15), vector(before, 18), vector(before, 21)
        first = 9 * j
        for d in range(3):
            t = scaled(size, column(turn, d))
            shifting = cross(w, t)
            link = room.links[6 * j + d]
            put(link, 0, NOTHING)
            put(link, 3, t)
            if rates:
                note_rates(link, NOTHING, t, NOTHING, shifting, w, u, al, a)
            at = moved(at, q[first + d], t)
            if qd[first + d] != 0.0 or qdd[first + d] != 0.0:
                a = moved(moved(a, qdd[first + d], t), qd[first + d], shifting)
                u = moved(u, qd[first + d], t)
        turn = product(turn, square(tree.rest[j]))
        for i in range(3):
            axis = tree.orders[j, i]
            d = first + 3 + axis
            s = column(turn, axis)
            t = cross(at, s)
            link = room.links[6 * j + 3 + axis]
            put(link, 0, s)
            put(link, 3, t)
            if rates or qd[d] != 0.0 or qdd[d] != 0.0:
                turning, shifting = cross(w, s), plus(cross(w, t), cross(u, s))
                if rates:
                    note_rates(link, s, t, turning, shifting, w, u, al, a)
                al = moved(moved(al, qdd[d], s), qd[d], turning)
                a = moved(moved(a, qdd[d], t), qd[d], shifting)
                w = moved(w, qd[d], s)
                u = moved(u, qd[d], t)
            turn = turned(turn, axis, q[d])
        put_matrix(row, 0, turn)
        put(row, 9, at)
        put(row, 12, w)
        put(row, 15, u)
        put(row, 18, al)
        put(row, 21, a)
        row[24] = size * size_of(q, first + 6)
        heavy, wrench = room.heavy[j], room.wrench[j]
        if tree.masses[j] == 0.0:
            heavy[:] = 0.0
            wrench[:] = 0.0
            continue
        weigh(tree.masses[j], square(tree.inertias[j]), turn, spot(turn, at, size, q, j, tree.centres[j]), w, u, heavy)
        p = vector(heavy, 22)
        moment, force = pushed(heavy, al, a)
        put(wrench, 0, plus(moment, carried(matrix(heavy, 13), w)))
        put(wrench, 3, plus(force, cross(w, p)))


@inlined
def size_of(q: Floats, scale: int) -> float:
    """The one factor of an even scale; negative for one that turns things inside out."""
    x, y, z = q[scale], q[scale + 1], q[scale + 2]
    size = (abs(x) + abs(y) + abs(z)) / 3.0
    return size if x * y * z >= 0.0 else -size


@inlined
def mirrored(turn: Matrix, q: Floats, scale: int) -> Matrix:
    """The turn of what lies under a scale whose factors differ in sign: with `size_of`, half turns do the same."""
    x, y, z = q[scale], q[scale + 1], q[scale + 2]
    if (x > 0.0 and y > 0.0 and z > 0.0) or (x < 0.0 and y < 0.0 and z < 0.0):
        return turn
    whole = 1.0 if x * y * z >= 0.0 else -1.0
    i = whole if x >= 0.0 else -whole
    j = whole if y >= 0.0 else -whole
    k = whole if z >= 0.0 else -whole
    a, b, c = turn
    return (i * a[0], j * a[1], k * a[2]), (i * b[0], j * b[1], k * b[2]), (i * c[0], j * c[1], k * c[2])


@inlined
def spot(turn: Matrix, at: Vector, size: float, q: Floats, j: int, offset: Floats) -> Vector:
    """Where an offset in a joint's own frame is; `size` is that of the joint above."""
    return moved(at, size, carried(turn, stretched(vector(q, 9 * j + 6), vector(offset))))


@inlined
def pushed(heavy: Floats, turning: Vector, shifting: Vector) -> tuple[Vector, Vector]:
    """Inertia times a twist: moment and force."""
    h = vector(heavy, 1)
    moment = plus(carried(matrix(heavy, 4), turning), cross(h, shifting))
    return moment, moved(cross(turning, h), heavy[0], shifting)


@inlined
def load(tree: Tree, q: Floats, outer: Pushing, f: int, room: Room) -> None:
    """Outer forces at moment f: Σ x Fᵀ and Σ F of each joint."""
    room.loads[:] = 0.0
    for k in range(len(outer.joints)):
        j = outer.joints[k]
        above, row = tree.parents[j], room.joints[j]
        size = room.joints[above, 24] if above >= 0 else 1.0
        x = spot(matrix(row, 0), vector(row, 9), size, q, j, outer.offsets[k])
        force = vector(outer.forces[f, k])
        into = room.loads[j]
        for r in range(3):
            put(into, 3 * r, moved(vector(into, 3 * r), x[r], force))
        put(into, 9, plus(vector(into, 9), force))


@inlined
def gather(parents: Ints, room_part: Floats) -> None:
    """From the leaves in: add to each joint what hangs below it."""
    for j in range(len(parents) - 1, 0, -1):
        above = parents[j]
        if above >= 0:
            for n in range(room_part.shape[1]):
                room_part[above, n] += room_part[j, n]


@inlined
def moment_of(row: Floats) -> Vector:
    """Σ x × F from Σ x Fᵀ."""
    return row[5] - row[7], row[6] - row[2], row[1] - row[3]


@kernel("void(Tree, Moving, Pushing, f8[:,::1], f8[:,::1])")
def forces(tree: Tree, moving: Moving, outer: Pushing, result: Floats, residual: Floats) -> None:
    """result (T, 9J): the force along every degree of freedom; none for scales, which do not count as freedoms here.

    residual (T, 6): moment about the first joint's place, and force, that the world must exert on the whole.
    """
    parents, room = tree.parents, room_for(len(tree.parents))
    for f in range(len(moving.q)):
        sweep(tree, moving, f, False, room)
        if len(outer.joints) > 0:
            load(tree, moving.q[f], outer, f, room)
            for j in range(len(parents)):
                row, pushes = room.wrench[j], room.loads[j]
                put(row, 0, minus(vector(row, 0), moment_of(pushes)))
                put(row, 3, minus(vector(row, 3), vector(pushes, 9)))
        gather(parents, room.wrench)
        residual[f] = 0.0
        for j in range(len(parents)):
            moment, force = vector(room.wrench[j], 0), vector(room.wrench[j], 3)
            if parents[j] < 0:
                put(residual[f], 0, plus(vector(residual[f], 0), moment))
                put(residual[f], 3, plus(vector(residual[f], 3), force))
            for d in range(6):
                row = room.links[6 * j + d]
                result[f, 9 * j + d] = dot(vector(row, 0), moment) + dot(vector(row, 3), force)
            for d in range(6, 9):
                result[f, 9 * j + d] = 0.0


@kernel("void(const(i8[::1]), const(i8[::1]), const(f8[:,::1]), const(f8[:,::1]), f8[:,::1])")
def follow(starts: Ints, channels: Ints, weights: Floats, rates: Floats, result: Floats) -> None:
    """result (T, D) ← weights (T or 1, E) · rates (T, C)."""
    for f in range(len(rates)):
        mapped = weights[f if len(weights) > 1 else 0]
        for d in range(len(starts) - 1):
            total = 0.0
            for e in range(starts[d], starts[d + 1]):
                total += mapped[e] * rates[f, channels[e]]
            result[f, d] = total


@kernel("void(Tree, Moving, f8[:,::1])")
def momenta(tree: Tree, moving: Moving, result: Floats) -> None:
    """result (T, 14): centre of mass, its velocity and acceleration, angular momentum about it; kinetic and
    potential energy.
    """
    parents, room = tree.parents, room_for(len(tree.parents))
    for f in range(len(moving.q)):
        sweep(tree, moving, f, False, room)
        mass, kinetic = 0.0, 0.0
        first, linear, angular, force = NOTHING, NOTHING, NOTHING, NOTHING
        for j in range(len(parents)):
            heavy, row = room.heavy[j], room.joints[j]
            w, u = vector(row, 12), vector(row, 15)
            turning, shifting = pushed(heavy, w, u)
            kinetic += 0.5 * (dot(w, turning) + dot(u, shifting))
            mass += heavy[0]
            first = plus(first, vector(heavy, 1))
            linear = plus(linear, shifting)
            angular = plus(angular, turning)
            force = plus(force, vector(room.wrench[j], 3))
        pull, into = vector(tree.gravity, 0), result[f]
        centre = scaled(1.0 / mass, first)
        place = plus(centre, vector(moving.q[f]))
        put(into, 0, place)
        put(into, 3, scaled(1.0 / mass, linear))
        put(into, 6, moved(pull, 1.0 / mass, force))
        put(into, 9, minus(angular, cross(centre, linear)))
        into[12] = kinetic
        into[13] = -mass * dot(pull, place)
