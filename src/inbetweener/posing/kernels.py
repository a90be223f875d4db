"""Compiled linearisation of one pose: states of points, how far off they are, how they move with the channels.

And the rows of the program that follows from it: small, but built at every step of a drag.
"""

import math

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.kernels import turn_between
from inbetweener.rig.kernels import add_point_jacobian, forward_frame, turn


@inlined
def find_axes(
    parents: Ints, rest: Floats, orders: Ints, dofs: Floats, orientation: Floats, stage: Floats, axes: Floats
) -> None:
    """World axes (J, 6, 3) of each joint's translations and turns, where nothing is scaled; stage (3, 3) is room."""
    for j in range(len(parents)):
        p = parents[j]
        for d in range(3):
            for r in range(3):
                axes[j, d, r] = orientation[p, r, d] if p >= 0 else (1.0 if r == d else 0.0)
        for r in range(3):
            for c in range(3):
                total = 0.0
                for k in range(3):
                    total += axes[j, k, r] * rest[j, k, c]
                stage[r, c] = total
        # Each turn's axis stands where the turns outside it have put it.
        for n in range(3):
            axis = orders[j, n]
            for r in range(3):
                axes[j, 3 + axis, r] = stage[r, axis]
            if n < 2:
                turn(axis, dofs[9 * j + 3 + axis], stage)


@inlined
def add_unscaled(
    parents: Ints,
    world_from_joint: Floats,
    axes: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
    joint: int,
    at: Floats,
    share: float,
    turns_too: bool,
    jacobian: Floats,
) -> None:
    """Add to jacobian (6, C) how a point that stands at `at` in the world, carried by a joint, moves; nothing scaled.

    [TSO] §3.2: a translation along the world axis v gives (v, 0), a turn about it (v × (p − r), v).
    """
    j = joint
    while j >= 0:
        x, y, z = (
            at[0] - world_from_joint[j, 0, 3],
            at[1] - world_from_joint[j, 1, 3],
            at[2] - world_from_joint[j, 2, 3],
        )
        for d in range(6):
            for e in range(starts[9 * j + d], starts[9 * j + d + 1]):
                a, b, c = weights[e] * axes[j, d, 0], weights[e] * axes[j, d, 1], weights[e] * axes[j, d, 2]
                channel = channels[e]
                if d < 3:
                    jacobian[0, channel] += share * a
                    jacobian[1, channel] += share * b
                    jacobian[2, channel] += share * c
                    continue
                jacobian[0, channel] += share * (b * z - c * y)
                jacobian[1, channel] += share * (c * x - a * z)
                jacobian[2, channel] += share * (a * y - b * x)
                if turns_too:
                    jacobian[3, channel] += a
                    jacobian[4, channel] += b
                    jacobian[5, channel] += c
        # A scale moves what the joint carries also where it is one: along the joint's own axis, as far as that reaches.
        for d in range(3):
            if starts[9 * j + 6 + d] < starts[9 * j + 7 + d]:
                a, b, c = world_from_joint[j, 0, d], world_from_joint[j, 1, d], world_from_joint[j, 2, d]
                reach = share * (a * x + b * y + c * z)
                for e in range(starts[9 * j + 6 + d], starts[9 * j + 7 + d]):
                    jacobian[0, channels[e]] += weights[e] * reach * a
                    jacobian[1, channels[e]] += weights[e] * reach * b
                    jacobian[2, channels[e]] += weights[e] * reach * c
        j = parents[j]


@kernel(
    # skeleton and degrees of freedom
    "UniTuple(f8, 4)(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[::1]),"
    # channel map by degree of freedom
    "const(i8[::1]), const(i8[::1]), const(f8[::1]), i8,"
    # states: first row, wants (position, orientation); parts: start, joint, offset, weight
    "const(i8[::1]), const(b1[:,::1]), const(i8[::1]), const(i8[::1]), const(f8[:,::1]), const(f8[::1]),"
    # targets; free channels; scales of variables and rows; weights of pulls
    "const(f8[:,::1]), const(f8[:,:,::1]), const(i8[::1]), const(f8[::1]), const(f8[::1]), const(f8[::1]),"
    # with derivatives?; results
    "b1, f8[:,:,::1], f8[:,:,::1], f8[:,::1], f8[:,:,::1], f8[::1], f8[:,::1], f8[:,::1])"
)
def linearise(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    dofs: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
    channel_count: int,
    rows: Ints,
    wants: Bools,
    part_starts: Ints,
    part_joints: Ints,
    part_offsets: Floats,
    part_weights: Floats,
    target_positions: Floats,
    target_turns: Floats,
    columns: Ints,
    variable_scale: Floats,
    row_scale: Floats,
    pull_weights: Floats,
    with_derivatives: bool,
    world_from_joint: Floats,
    orientation: Floats,
    positions: Floats,
    turns: Floats,
    errors: Floats,
    derivatives: Floats,
    lengths: Floats,
) -> tuple[float, float, float, float]:
    """States of all watched places, errors target − state (R,), derivatives of states (R, n) by scaled variables.

    lengths (I, 2): how long the errors of position and orientation are, zero where not wanted. Returns the longest of
    the pulls, the longest of the pins, the weighted length of all pulls together, and the longest of the pulls when a
    radian counts as far as a quarter of the height.

    [TSO] Eq. 14: the geometric Jacobian, with lengths in heights and channels in units of their stiffness.
    """
    plain = np.empty(len(parents), np.bool_)
    forward_frame(parents, rest, orders, dofs, world_from_joint, orientation, plain)
    axes = np.empty((len(parents), 6, 3))
    geometric = np.empty((6, channel_count))
    at, stages, spins, gap = np.empty((5, 3)), np.empty((5, 3, 3)), np.empty((5, 3, 3)), np.empty(3)
    if with_derivatives:
        find_axes(parents, rest, orders, dofs, orientation, stages[0], axes)
    for i in range(len(rows)):
        row = rows[i]
        # The state: a blend of parts in position, the first part's joint in orientation.
        for r in range(3):
            positions[i, r] = 0.0
        if with_derivatives:
            geometric[:] = 0.0
        for e in range(part_starts[i], part_starts[i + 1]):
            joint, w, first = part_joints[e], part_weights[e], e == part_starts[i]
            world = world_from_joint[joint]
            x, y, z = part_offsets[e, 0], part_offsets[e, 1], part_offsets[e, 2]
            for r in range(3):
                gap[r] = world[r, 0] * x + world[r, 1] * y + world[r, 2] * z + world[r, 3]
                positions[i, r] += w * gap[r]
            if with_derivatives and plain[joint]:
                add_unscaled(
                    parents, world_from_joint, axes, starts, channels, weights, joint, gap, w, first, geometric
                )
            elif with_derivatives:
                part = np.zeros((6, channel_count))
                at[0, 0], at[0, 1], at[0, 2] = x, y, z
                add_point_jacobian(
                    parents, rest, orders, dofs, world_from_joint, orientation,
                    starts, channels, weights, joint, at, stages, spins, part,
                )  # fmt: skip
                geometric[:3] += w * part[:3]
                if first:
                    geometric[3:] = part[3:]
        for r in range(3):
            for c in range(3):
                turns[i, r, c] = orientation[part_joints[part_starts[i]], r, c]
        for half in range(2):
            lengths[i, half] = 0.0
            if not wants[i, half]:
                continue
            if half == 0:
                for r in range(3):
                    gap[r] = target_positions[i, r] - positions[i, r]
            else:
                turn_between(turns[i], target_turns[i], gap)
            lengths[i, half] = math.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2) * row_scale[row]
            for r in range(3):
                errors[row + r] = gap[r] * row_scale[row + r]
                if with_derivatives:
                    for v in range(len(columns)):
                        moved = geometric[3 * half + r, columns[v]] * row_scale[row + r]
                        derivatives[row + r, v] = moved * variable_scale[v]
            row += 3
    pulled = pinned = total = farthest = 0.0
    for i in range(len(rows)):
        longest = max(lengths[i, 0], lengths[i, 1])
        if i < len(pull_weights):
            pulled = max(pulled, longest)
            total += pull_weights[i] * (lengths[i, 0] ** 2 + lengths[i, 1] ** 2)
            farthest = max(farthest, lengths[i, 0], 0.25 * lengths[i, 1])
        else:
            pinned = max(pinned, longest)
    return pulled, pinned, math.sqrt(total), farthest


@kernel(
    "void(const(f8[::1]), const(f8[::1]), const(f8[:,::1]), const(f8[::1]), const(f8[::1]), const(f8[::1]),"
    "const(f8[::1]), f8, f8, f8, const(f8[::1]), f8, f8[::1], f8[:,::1], f8[::1], f8[::1])"
)
def compose(
    z: Floats,
    errors: Floats,
    derivatives: Floats,
    row_weights: Floats,
    lowest: Floats,
    highest: Floats,
    step: Floats,
    pull: float,
    damped: float,
    advance: float,
    slack: Floats,
    leniency: float,
    origin: Floats,
    matrix: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Rows and bounds of the least-distance program around z: pulled states first, then pins.

    `advance` is the share of the pulled errors to go for, `slack` (pins' rows,) how far pins may be off, `leniency` the
    share of a pin's error that may stay.
    """
    n, m = len(z), len(row_weights)
    first = n + m
    share = 1.0 / (1.0 + damped)
    for v in range(n):
        origin[v] = z[v] * (1.0 - share)
        lower[v] = max(lowest[v], z[v] - step[v]) - origin[v]
        upper[v] = min(highest[v], z[v] + step[v]) - origin[v]
    for r in range(len(errors)):
        weight = row_weights[r] * math.sqrt(pull * share) if r < m else 1.0
        moved = 0.0
        for v in range(n):
            matrix[r, v] = weight * derivatives[r, v]
            moved += derivatives[r, v] * z[v]
        moved *= share
        if r < m:
            lower[first + r] = upper[first + r] = weight * (advance * errors[r] + moved)
        else:
            room = max(slack[r - m], leniency * abs(errors[r]))
            lower[first + r] = errors[r] + moved - room
            upper[first + r] = errors[r] + moved + room
