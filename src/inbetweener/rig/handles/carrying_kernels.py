"""Compiled carrying: goal and pole as the joint above a chain sees them, and how that joint's own motion counts.

Goal and pole stand in the world. *Base space* is the frame of the joint above the chain, which all joints from the root
down carry along.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, record
from inbetweener.maths.vector_kernels import (
    NOTHING,
    UPRIGHT,
    Matrix,
    Vector,
    carried,
    cofactors,
    column,
    combined,
    cross,
    dot,
    inverse,
    minus,
    plus,
    product,
    put,
    row_turned,
    scaled,
    square,
    stretched,
    turned,
    vector,
)
from inbetweener.rig.handles.bending_kernels import copy
from inbetweener.rig.kernels import Tree, forward_frame


@record("const(i8[::1]), Tree, const(i8[::1]), const(i8[::1]), const(i8[::1])")
class Above(NamedTuple):
    """The joints above a chain from the root down: numbers, the tree of them alone; their rows of the channel map:
    where they start, the inputs that drive them and where these entries stand in the whole map."""

    joints: Ints
    tree: Tree
    starts: Ints
    inputs: Ints
    entries: Ints


@record("const(i8[::1]), const(i8[::1]), const(i8[::1]), const(i8[::1]), b1[::1]")
class Rows(NamedTuple):
    """The channel map: where rows start, the input of every entry; the handle's own seven channels, target, pole and
    blend, and the same as inputs; and whether anybody wants to know what an input does (m,)."""

    starts: Ints
    inputs: Ints
    channels: Ints
    own: Ints
    wanted: Bools


class Base(NamedTuple):
    """The joint above: degrees of freedom (9P,) and transforms (P, 3, 4) of the path to it; the inverse of its linear
    part; goal and pole in its frame, which a scale of zero hides."""

    dofs: Floats
    world: Floats
    from_world: Matrix
    goal: Vector
    pole: Vector
    hidden: bool


@inlined
def see_base(above: Above, rows: Rows, values: Floats, dofs: Floats) -> Base:
    """Goal and pole as the joint above sees them."""
    count = len(above.joints)
    path, world = np.empty(9 * count), np.empty((count, 3, 4))
    frame, origin = UPRIGHT, NOTHING
    if count > 0:
        for i in range(count):
            copy(dofs[9 * above.joints[i] : 9 * above.joints[i] + 9], path[9 * i : 9 * i + 9])
        orientation, plain = np.empty((count, 3, 3)), np.empty(count, np.bool_)
        # Handles come first: bends shape the bones after them.
        forward_frame(above.tree, np.empty((0, 3, 4)), path, world, orientation, plain)
        last = world[count - 1]
        frame, origin = square(last), (last[0, 3], last[1, 3], last[2, 3])
    own, from_world = rows.channels, inverse(frame)
    goal, pole = (values[own[0]], values[own[1]], values[own[2]]), (values[own[3]], values[own[4]], values[own[5]])
    goal, pole = carried(from_world, minus(goal, origin)), carried(from_world, minus(pole, origin))
    return Base(path, world, from_world, goal, pole, dot(frame[0], cofactors(frame)[0]) == 0.0)


@inlined
def is_wanted(dof: int, rows: Rows, weights: Floats) -> bool:
    """Whether a wanted input drives a degree of freedom."""
    for e in range(rows.starts[dof], rows.starts[dof + 1]):  # noqa: SIM110  # numba knows no any()
        if rows.wanted[rows.inputs[e]] and weights[e] != 0.0:
            return True
    return False


@inlined
def are_carriers_wanted(above: Above, rows: Rows, first: int, weights: Floats) -> bool:
    """Whether a wanted input moves the start of a chain, whose first joint is given."""
    for e in range(len(above.inputs)):
        if rows.wanted[above.inputs[e]]:
            return True
    for c in range(3):  # noqa: SIM110
        if is_wanted(9 * first + c, rows, weights):
            return True
    return False


@inlined
def is_own_wanted(rows: Rows, which: int) -> bool:
    """Whether a channel of the goal (0) or of the pole (1) is wanted."""
    own, wanted = rows.own[3 * which : 3 * which + 3], rows.wanted
    return wanted[own[0]] or wanted[own[1]] or wanted[own[2]]


@inlined
def by_world(base: Base, rates: Floats, i: int, r: int, which: int) -> Vector:
    """How an angle responds to the goal (0) or the pole (1) in the world, given responses in base space."""
    first = 3 * which
    return combined(base.from_world, (rates[first, i, r], rates[first + 1, i, r], rates[first + 2, i, r]))


@inlined
def add_own(base: Base, rows: Rows, rates: Floats, blend: float, result: Floats) -> None:
    """Spread the response to goal (0–2) and pole (3–5), given in base space, over the handle's own channels."""
    for which in range(2):
        for i in range(result.shape[0]):
            for r in range(3):
                lead = by_world(base, rates, i, r, which)
                for axis in range(3):
                    own = rows.own[3 * which + axis]
                    if rows.wanted[own]:
                        result[i, r, own] += blend * lead[axis]


@inlined
def spread(lead: Floats, change: Vector, above: Above, rows: Rows, row: int, weights: Floats, result: Floats) -> None:
    """Add what moves a point, to which angles respond by lead (n, 3, 3), to the inputs that drive a row of the path."""
    for e in range(above.starts[row], above.starts[row + 1]):
        if rows.wanted[above.inputs[e]]:
            for i in range(result.shape[0]):
                for r in range(3):
                    response = dot(vector(lead[i, r]), change)
                    result[i, r, above.inputs[e]] += response * weights[above.entries[e]]


@inlined
def add_carriers(
    above: Above, base: Base, rows: Rows, rates: Floats, blend: float, weights: Floats, result: Floats
) -> None:
    """Spread the response to goal (0–2) and pole (3–5) over all that moves the joint above.

    A point fixed in the world moves, seen from a joint, as the joint's own points move in the world, the other way.
    Both points are carried up the path in local coordinates, as in rig.kernels.add_point_jacobian: no scale is
    inverted.
    """
    n = result.shape[0]
    lead = np.empty((n, 3, 3))
    for which in range(2):
        for i in range(n):
            for r in range(3):
                put(lead[i, r], 0, scaled(-blend, by_world(base, rates, i, r, which)))
        at = base.goal if which == 0 else base.pole
        for j in range(len(above.joints) - 1, -1, -1):
            q, order, rest = base.dofs[9 * j : 9 * j + 9], above.tree.orders[j], square(above.tree.rest[j])
            parent = square(base.world[j - 1]) if j > 0 else UPRIGHT
            # Maps before each of the three turns and after the last.
            first = product(parent, rest)
            second = turned(first, order[0], q[3 + order[0]])
            third = turned(second, order[1], q[3 + order[1]])
            last = turned(third, order[2], q[3 + order[2]])
            for d in range(3):
                spread(lead, column(parent, d), above, rows, 9 * j + d, weights, result)
                spread(lead, scaled(at[d], column(last, d)), above, rows, 9 * j + 6 + d, weights, result)
            # The point after the scale, then after each turn from the innermost out.
            at = stretched(vector(q, 6), at)
            for m in range(2, -1, -1):
                axis = order[m]
                at = row_turned(at, axis, math.cos(q[3 + axis]), -math.sin(q[3 + axis]))
                before = first if m == 0 else second if m == 1 else third
                change = carried(before, cross(column(UPRIGHT, axis), at))
                spread(lead, change, above, rows, 9 * j + 3 + axis, weights, result)
            # Into the parent's coordinates.
            at = plus(vector(q), carried(rest, at))
