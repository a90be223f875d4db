"""Compiled linearisation of one pose: states of points, how far off they are, how they move with the channels."""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import kernel
from inbetweener.maths.kernels import turn_between
from inbetweener.rig.kernels import add_point_jacobian, forward_frame


@kernel(
    # skeleton and degrees of freedom
    "void(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[::1]),"
    # channel map by degree of freedom
    "const(i8[::1]), const(i8[::1]), const(f8[::1]),"
    # states: first row, wants (position, orientation); parts: start, joint, offset, weight
    "const(i8[::1]), const(b1[:,::1]), const(i8[::1]), const(i8[::1]), const(f8[:,::1]), const(f8[::1]),"
    # targets; free channels; scales of variables and rows
    "const(f8[:,::1]), const(f8[:,:,::1]), const(i8[::1]), const(f8[::1]), const(f8[::1]),"
    # with derivatives?; results
    "b1, f8[:,:,::1], f8[:,:,::1], f8[:,::1], f8[:,:,::1], f8[::1], f8[:,::1])"
)
def linearise(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    dofs: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
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
    with_derivatives: bool,
    world_from_joint: Floats,
    orientation: Floats,
    positions: Floats,
    turns: Floats,
    errors: Floats,
    derivatives: Floats,
) -> None:
    """States of all watched places, errors target − state (R,), derivatives of states (R, n) by scaled variables.

    [TSO] Eq. 14: the geometric Jacobian, with lengths in heights and channels in units of their stiffness.
    """
    plain = np.empty(len(parents), np.bool_)
    forward_frame(parents, rest, orders, dofs, world_from_joint, orientation, plain)
    channel_count = 0
    for e in range(len(channels)):
        channel_count = max(channel_count, channels[e] + 1)
    geometric, part = np.empty((6, channel_count)), np.empty((6, channel_count))
    at, stages, spins, gap = np.empty((5, 3)), np.empty((5, 3, 3)), np.empty((5, 3, 3)), np.empty(3)
    for i in range(len(rows)):
        row = rows[i]
        # The state: a blend of parts in position, the first part's joint in orientation.
        positions[i] = 0.0
        geometric[:] = 0.0
        for e in range(part_starts[i], part_starts[i + 1]):
            joint, w = part_joints[e], part_weights[e]
            world = world_from_joint[joint]
            x, y, z = part_offsets[e, 0], part_offsets[e, 1], part_offsets[e, 2]
            for r in range(3):
                positions[i, r] += w * (world[r, 0] * x + world[r, 1] * y + world[r, 2] * z + world[r, 3])
            if with_derivatives:
                part[:] = 0.0
                at[0, 0], at[0, 1], at[0, 2] = x, y, z
                add_point_jacobian(
                    parents, rest, orders, dofs, world_from_joint, orientation,
                    starts, channels, weights, joint, at, stages, spins, part,
                )  # fmt: skip
                first = e == part_starts[i]
                for c in range(channel_count):
                    for r in range(3):
                        geometric[r, c] += w * part[r, c]
                        if first:
                            geometric[3 + r, c] = part[3 + r, c]
        turns[i] = orientation[part_joints[part_starts[i]]]
        for half in range(2):
            if not wants[i, half]:
                continue
            if half == 0:
                for r in range(3):
                    gap[r] = target_positions[i, r] - positions[i, r]
            else:
                turn_between(turns[i], target_turns[i], gap)
            for r in range(3):
                errors[row + r] = gap[r] * row_scale[row + r]
                if with_derivatives:
                    for v in range(len(columns)):
                        moved = geometric[3 * half + r, columns[v]] * row_scale[row + r]
                        derivatives[row + r, v] = moved * variable_scale[v]
            row += 3
