"""Compiled carrying: goal and pole as the joint above a chain sees them, and how that joint's own motion counts.

Goal and pole stand in the world. *Base space* is the frame of the joint above the chain, which all joints from the root
down carry along.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, record
from inbetweener.maths.kernels import carried, cross, dot
from inbetweener.rig.handles.bending_kernels import copy
from inbetweener.rig.kernels import Tree, forward_frame, times, turn


@record("const(i8[::1]), Tree, const(i8[::1]), const(i8[::1]), const(i8[::1])")
class Above(NamedTuple):
    """The joints above a chain from the root down: numbers, the tree of them alone; their rows of the channel map:
    where they start, the inputs that drive them and where these entries stand in the whole map."""

    joints: Ints
    tree: Tree
    starts: Ints
    inputs: Ints
    entries: Ints


class Rows(NamedTuple):
    """The channel map: where rows start, the input of every entry; those that are the handle's own (7,); and whether
    anybody wants to know what an input does (m,)."""

    starts: Ints
    inputs: Ints
    own: Ints
    wanted: Bools


class Base(NamedTuple):
    """The joint above: degrees of freedom (9P,), transforms (P, 3, 4) and orientations (P, 3, 3) of the path to it;
    the inverse of its linear part; goal and pole (3,) in its frame."""

    dofs: Floats
    world: Floats
    orientation: Floats
    from_world: Floats
    goal: Floats
    pole: Floats


@inlined
def inverted(m: Floats, result: Floats) -> bool:
    """result ← the inverse of the first three columns of m; false when a scale of zero leaves none."""
    cross(m[1], m[2], result[0])
    cross(m[2], m[0], result[1])
    cross(m[0], m[1], result[2])
    size = dot(m[0], result[0])
    if size == 0.0:
        return False
    for r in range(3):
        result[r, r] /= size
        for c in range(r):
            result[r, c], result[c, r] = result[c, r] / size, result[r, c] / size
    return True


@inlined
def see_base(above: Above, values: Floats, channels: Ints, dofs: Floats, base: Base) -> bool:
    """Goal and pole as the joint above sees them; false when a scale of zero hides them."""
    count = len(above.joints)
    frame, place, plain = np.eye(3, 4), np.empty((2, 3)), np.empty(count, np.bool_)
    if count > 0:
        for i in range(count):
            copy(dofs[9 * above.joints[i] : 9 * above.joints[i] + 9], base.dofs[9 * i : 9 * i + 9])
        # Handles come first: bends shape the bones after them.
        forward_frame(above.tree, np.empty((0, 3, 4)), base.dofs, base.world, base.orientation, plain)
        for r in range(3):
            copy(base.world[count - 1, r], frame[r])
    for r in range(3):
        place[0, r] = values[channels[r]] - frame[r, 3]
        place[1, r] = values[channels[3 + r]] - frame[r, 3]
    if not inverted(frame, base.from_world):
        return False
    carried(base.from_world, place[0], base.goal)
    carried(base.from_world, place[1], base.pole)
    return True


@inlined
def is_row_wanted(above: Above, rows: Rows, row: int) -> bool:
    """Whether a wanted input drives a degree of freedom of the path."""
    for e in range(above.starts[row], above.starts[row + 1]):  # noqa: SIM110
        if rows.wanted[above.inputs[e]]:
            return True
    return False


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
def add_own(base: Base, rows: Rows, rates: Floats, blend: float, result: Floats) -> None:
    """Spread the response to goal (0–2) and pole (3–5), given in base space, over the handle's own channels."""
    for number in range(6):
        own, first, axis = rows.own[number], number - number % 3, number % 3
        if rows.wanted[own]:
            for i in range(result.shape[0]):
                for r in range(3):
                    for c in range(3):
                        result[i, r, own] += blend * rates[first + c, i, r] * base.from_world[c, axis]


@inlined
def turned_back(axis: int, angle: float, points: Floats, result: Floats) -> None:
    """result ← R_axis(angle) · points (2, 3)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    b, c = (axis + 1) % 3, (axis + 2) % 3
    for which in range(2):
        result[which, axis] = points[which, axis]
        result[which, b] = cosine * points[which, b] - sine * points[which, c]
        result[which, c] = sine * points[which, b] + cosine * points[which, c]


@inlined
def spread(lead: Floats, columns: Floats, above: Above, rows: Rows, row: int, weights: Floats, result: Floats) -> None:
    """Add what moves goal and pole by columns (2, 3) to the inputs that drive a degree of freedom of the path."""
    for i in range(result.shape[0]):
        for r in range(3):
            response = dot(lead[i, r, 0], columns[0]) + dot(lead[i, r, 1], columns[1])
            for e in range(above.starts[row], above.starts[row + 1]):
                if rows.wanted[above.inputs[e]]:
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
    # By goal and pole in the world; how points move, of each; the points after scale and turns; maps before each turn.
    lead, columns = np.zeros((n, 3, 2, 3)), np.empty((2, 3))
    at, stages, unturned = np.empty((5, 2, 3)), np.empty((4, 3, 3)), np.eye(3)
    for i in range(n):
        for r in range(3):
            for which in range(2):
                for c in range(3):
                    for k in range(3):
                        lead[i, r, which, c] -= blend * rates[3 * which + k, i, r] * base.from_world[k, c]
    copy(base.goal, at[0, 0])
    copy(base.pole, at[0, 1])
    for j in range(len(above.joints) - 1, -1, -1):
        q, parent = base.dofs[9 * j : 9 * j + 9], base.world[j - 1] if j > 0 else unturned
        times(parent, above.tree.rest[j], stages[0])
        for m in range(3):
            for r in range(3):
                copy(stages[m, r], stages[m + 1, r])
            turn(above.tree.orders[j, m], q[3 + above.tree.orders[j, m]], stages[m + 1])
        for which in range(2):
            for r in range(3):
                at[1, which, r] = q[6 + r] * at[0, which, r]
        for m in range(3):
            turned_back(above.tree.orders[j, 2 - m], q[3 + above.tree.orders[j, 2 - m]], at[m + 1], at[m + 2])
        for d in range(9):
            if not is_row_wanted(above, rows, 9 * j + d):
                continue
            for which in range(2):
                for r in range(3):
                    if d < 3:
                        columns[which, r] = parent[r, d]
                    elif d >= 6:
                        columns[which, r] = stages[3, r, d - 6] * at[0, which, d - 6]
            if 3 <= d < 6:
                # e_axis × point, in the frame just before this turn.
                m = 0 if above.tree.orders[j, 0] == d - 3 else 1 if above.tree.orders[j, 1] == d - 3 else 2
                b, c = (d - 2) % 3, (d - 1) % 3
                for which in range(2):
                    y = at[4 - m, which]
                    for r in range(3):
                        columns[which, r] = stages[m, r, c] * y[b] - stages[m, r, b] * y[c]
            spread(lead, columns, above, rows, 9 * j + d, weights, result)
        # Into the parent's coordinates.
        for which in range(2):
            carried(above.tree.rest[j], at[4, which], at[0, which])
            for r in range(3):
                at[0, which, r] += q[r]
