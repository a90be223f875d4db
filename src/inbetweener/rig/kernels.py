"""Compiled kinematics: many frames of a joint tree at once.

A joint's local transform is T(t) · rest rotation · Euler · S(s); degrees of freedom lie nine a joint. Parents come
before children, so one sweep over the joints suffices.
"""

import math

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, kernel


@inlined
def turn(axis: int, angle: float, m: Floats) -> None:
    """m ← m · R_axis(angle), in place on a 3×3 matrix."""
    c, s = math.cos(angle), math.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    for r in range(3):
        mj, mk = m[r, j], m[r, k]
        m[r, j] = c * mj + s * mk
        m[r, k] = c * mk - s * mj


@inlined
def times(a: Floats, b: Floats, result: Floats) -> None:
    """result ← a · b for 3×3 matrices."""
    for r in range(3):
        for c in range(3):
            result[r, c] = a[r, 0] * b[0, c] + a[r, 1] * b[1, c] + a[r, 2] * b[2, c]


@kernel("void(const(f8[::1]), const(i8[::1]), const(i8[::1]), const(f8[::1]), const(f8[:,::1]), f8[:,::1])")
def spread(bias: Floats, starts: Ints, channels: Ints, weights: Floats, values: Floats, dofs: Floats) -> None:
    """dofs (T, D) = bias + weights · values (T, C); row d of the sparse weights is starts[d] … starts[d+1]."""
    for f in range(len(values)):
        for d in range(len(bias)):
            total = bias[d]
            for e in range(starts[d], starts[d + 1]):
                total += weights[e] * values[f, channels[e]]
            dofs[f, d] = total


@inlined
def forward_frame(
    parents: Ints, rest: Floats, orders: Ints, dofs: Floats, world_from_joint: Floats, orientation: Floats, plain: Bools
) -> None:
    """One pose: degrees of freedom (9J,) to world (J, 3, 4) and orientation (J, 3, 3); plain (J,) is a workspace."""
    local = np.empty((3, 3))
    for j in range(len(parents)):
        q = dofs[9 * j : 9 * j + 9]
        world, turned = world_from_joint[j], orientation[j]
        for r in range(3):
            for c in range(3):
                local[r, c] = rest[j, r, c]
        for n in range(3):
            axis = orders[j, n]
            if q[3 + axis] != 0.0:
                turn(axis, q[3 + axis], local)
        p = parents[j]
        unscaled = q[6] == 1.0 and q[7] == 1.0 and q[8] == 1.0
        if p < 0:
            plain[j] = unscaled
            for r in range(3):
                world[r, 3] = q[r]
                for c in range(3):
                    turned[r, c] = local[r, c]
                    world[r, c] = local[r, c] * q[6 + c]
            continue
        above = world_from_joint[p]
        plain[j] = unscaled and plain[p]
        times(orientation[p], local, turned)
        for r in range(3):
            world[r, 3] = above[r, 0] * q[0] + above[r, 1] * q[1] + above[r, 2] * q[2] + above[r, 3]
        if plain[j]:
            # No scale so far: the transform turns as the orientation does.
            for r in range(3):
                for c in range(3):
                    world[r, c] = turned[r, c]
        else:
            times(above, local, world)
            for r in range(3):
                for c in range(3):
                    world[r, c] *= q[6 + c]


@kernel("void(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[:,::1]), f8[:,:,:,::1], f8[:,:,:,::1])")
def forward(
    parents: Ints, rest: Floats, orders: Ints, dofs: Floats, world_from_joint: Floats, orientation: Floats
) -> None:
    """World transforms (T, J, 3, 4) and orientations (T, J, 3, 3), the latter without any scale."""
    plain = np.empty(len(parents), np.bool_)
    for f in range(len(dofs)):
        forward_frame(parents, rest, orders, dofs[f], world_from_joint[f], orientation[f], plain)


@kernel("void(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[:,::1]), f8[:,:,:,::1])")
def place(parents: Ints, rest: Floats, orders: Ints, dofs: Floats, world_from_joint: Floats) -> None:
    """World transforms (T, J, 3, 4) alone: a third of the time goes into memory, so none is spent on orientations."""
    plain = np.empty(len(parents), np.bool_)
    orientation = np.empty((len(parents), 3, 3))
    for f in range(len(dofs)):
        forward_frame(parents, rest, orders, dofs[f], world_from_joint[f], orientation, plain)


@inlined
def add_column(
    jacobian: Floats, row: int, column: Floats, dof: int, starts: Ints, channels: Ints, weights: Floats
) -> None:
    """Spread a dof's column over the channels that drive it."""
    for e in range(starts[dof], starts[dof + 1]):
        for r in range(3):
            jacobian[row + r, channels[e]] += weights[e] * column[r]


@inlined
def add_point_jacobian(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    dofs: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
    joint: int,
    at: Floats,
    stages: Floats,
    turns: Floats,
    jacobian: Floats,
) -> None:
    """Add to jacobian (6, C) how the point at[0], given in the joint's frame, moves with each channel at one pose.

    [TSO] §3.2: a translation along world axis v gives (v, 0), a rotation (v × (p − r), v). Written without the
    inverse of any scale: the point is carried up its path in local coordinates and each derivative is carried to the
    world from where it arises. at (5, 3), stages (5, 3, 3) and turns (5, 3, 3) are room to work in.
    """
    column = stages[4, 0]
    j = joint
    while j >= 0:
        q = dofs[9 * j : 9 * j + 9]
        p = parents[j]
        linear, turned = stages[3], turns[3]
        for r in range(3):
            for c in range(3):
                unit = 1.0 if r == c else 0.0
                linear[r, c] = world_from_joint[p, r, c] if p >= 0 else unit
                turned[r, c] = orientation[p, r, c] if p >= 0 else unit
        for d in range(3):
            for r in range(3):
                column[r] = linear[r, d]
            add_column(jacobian, 0, column, 9 * j + d, starts, channels, weights)
        # World linear maps before each of the three turns and after the last; with and without scale.
        times(linear, rest[j], stages[0])
        times(turned, rest[j], turns[0])
        for i in range(3):
            axis = orders[j, i]
            for r in range(3):
                for c in range(3):
                    stages[i + 1, r, c], turns[i + 1, r, c] = stages[i, r, c], turns[i, r, c]
            turn(axis, q[3 + axis], stages[i + 1])
            turn(axis, q[3 + axis], turns[i + 1])
        # The point in coordinates after the scale, then after each turn from the innermost out.
        for r in range(3):
            at[1, r] = q[6 + r] * at[0, r]
        for i in range(3):
            axis = orders[j, 2 - i]
            cosine, sine = math.cos(q[3 + axis]), math.sin(q[3 + axis])
            b, c = (axis + 1) % 3, (axis + 2) % 3
            at[i + 2, axis] = at[i + 1, axis]
            at[i + 2, b] = cosine * at[i + 1, b] - sine * at[i + 1, c]
            at[i + 2, c] = sine * at[i + 1, b] + cosine * at[i + 1, c]
        for i in range(3):
            # e_axis × point, in the frame just before this turn.
            axis = orders[j, i]
            b, c = (axis + 1) % 3, (axis + 2) % 3
            y = at[4 - i]
            for r in range(3):
                column[r] = stages[i, r, c] * y[b] - stages[i, r, b] * y[c]
            add_column(jacobian, 0, column, 9 * j + 3 + axis, starts, channels, weights)
            for r in range(3):
                column[r] = turns[i, r, axis]
            add_column(jacobian, 3, column, 9 * j + 3 + axis, starts, channels, weights)
        for d in range(3):
            for r in range(3):
                column[r] = stages[3, r, d] * at[0, d]
            add_column(jacobian, 0, column, 9 * j + 6 + d, starts, channels, weights)
        # Into the parent's coordinates.
        for r in range(3):
            at[0, r] = q[r] + rest[j, r, 0] * at[4, 0] + rest[j, r, 1] * at[4, 1] + rest[j, r, 2] * at[4, 2]
        j = p


@kernel(
    "void(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[:,::1]),"
    "const(f8[:,:,:,::1]), const(f8[:,:,:,::1]),"
    "const(i8[::1]), const(i8[::1]), const(f8[:,::1]), const(i8[::1]), const(f8[:,::1]), f8[:,:,:,::1])"
)
def jacobians(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    dofs: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
    point_joints: Ints,
    point_offsets: Floats,
    result: Floats,
) -> None:
    """result (T, P, 6, C): rows 0–2 the position's, rows 3–5 the orientation's derivative by each channel.

    weights (T, E) of the channel map, or (1, E) when they are the same at all poses.
    """
    at, stages, turns = np.empty((5, 3)), np.empty((5, 3, 3)), np.empty((5, 3, 3))
    for f in range(len(dofs)):
        mapped = weights[f if len(weights) > 1 else 0]
        for n in range(len(point_joints)):
            result[f, n] = 0.0
            for r in range(3):
                at[0, r] = point_offsets[n, r]
            add_point_jacobian(
                parents, rest, orders, dofs[f], world_from_joint[f], orientation[f],
                starts, channels, mapped, point_joints[n], at, stages, turns, result[f, n],
            )  # fmt: skip
