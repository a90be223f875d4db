"""Compiled linearisation: curves by their tangents, constrained states by the curves.

A free curve has four variables: width and height of the out tangent at the left end of its free segment, width and
height of the in tangent at the right end. A tied key turns its other tangent along, so the segments next to the free
one move too.
"""

import math

import numpy as np

from inbetweener.arrays import Bools, Bytes, Floats, Ints
from inbetweener.curves.kernels import bezier_parameter, segment_at
from inbetweener.curves.key import BEZIER, CONSTANT
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.kernels import turn_between
from inbetweener.rig.kernels import add_point_jacobian, forward_frame


@inlined
def curve_at(
    times: Floats,
    values: Floats,
    ins: Floats,
    outs: Floats,
    kinds: Bytes,
    first: int,
    last: int,
    t: float,
    free: int,
    tied_left: bool,
    tied_right: bool,
    partials: Floats,
) -> float:
    """The value of one curve at t, and its partials (4,) by the variables of the segment after key `free`."""
    partials[:] = 0.0
    if t <= times[first]:
        return values[first]
    if t >= times[last - 1]:
        return values[last - 1]
    k = segment_at(times, first, last, t, free)
    h = times[k + 1] - times[k]
    s = (t - times[k]) / h
    if kinds[k] == CONSTANT:
        return values[k]
    rise = values[k + 1] - values[k]
    if kinds[k] != BEZIER:
        return values[k] + s * rise
    a, b = outs[k, 0] / h, ins[k + 1, 0] / h
    u = bezier_parameter(a, b, s)
    v = 1.0 - u
    by_out, by_in = 3.0 * u * v * v, -3.0 * u * u * v
    value = values[k] + u * u * (u + 3.0 * v) * rise + by_out * outs[k, 1] + by_in * ins[k + 1, 1]
    if k == free:
        # c is linear in the heights, and ∂c/∂x = −ċ · ∂c/∂y.
        d1, d3 = outs[k, 1], ins[k + 1, 1]
        value_u = v * v * d1 + 2.0 * u * v * (rise - d1 - d3) + u * u * d3
        time_u = h * (v * v * a + 2.0 * u * v * (1.0 - a - b) + u * u * b)
        speed = value_u / time_u if time_u > 1e-12 * h else 0.0
        partials[0], partials[1] = -speed * by_out, by_out
        partials[2], partials[3] = -speed * by_in, by_in
    elif k == free - 1 and tied_left:
        # The in tangent of the left key keeps its width and takes the slope y/x of the out tangent.
        x, y = outs[free, 0], outs[free, 1]
        lever = by_in * ins[free, 0] / x
        partials[0], partials[1] = -lever * y / x, lever
    elif k == free + 1 and tied_right:
        x, y = ins[free + 1, 0], ins[free + 1, 1]
        lever = by_out * outs[free + 1, 0] / x
        partials[2], partials[3] = -lever * y / x, lever
    return value


@inlined
def write_tangents(
    start: Floats, scale: Floats, segments: Ints, ties: Bools, z: Floats, ins: Floats, outs: Floats
) -> None:
    """Tangents start + scale · z of every free segment; tied ones beyond it keep their width and take its slopes."""
    for i in range(len(segments)):
        k = segments[i]
        outs[k, 0], outs[k, 1] = (
            start[4 * i] + scale[4 * i] * z[4 * i],
            start[4 * i + 1] + scale[4 * i + 1] * z[4 * i + 1],
        )
        ins[k + 1, 0] = start[4 * i + 2] + scale[4 * i + 2] * z[4 * i + 2]
        ins[k + 1, 1] = start[4 * i + 3] + scale[4 * i + 3] * z[4 * i + 3]
        if ties[i, 0]:
            ins[k, 1] = ins[k, 0] * (outs[k, 1] / outs[k, 0])
        if ties[i, 1]:
            outs[k + 1, 1] = outs[k + 1, 0] * (ins[k + 1, 1] / ins[k + 1, 0])


@kernel("void(const(f8[::1]), const(f8[::1]), const(i8[::1]), const(b1[:,::1]), const(f8[::1]), f8[:,::1], f8[:,::1])")
def set_tangents(
    start: Floats, scale: Floats, segments: Ints, ties: Bools, z: Floats, ins: Floats, outs: Floats
) -> None:
    """See write_tangents."""
    write_tangents(start, scale, segments, ties, z, ins, outs)


@kernel(
    # the window of curves; tangents are overwritten
    "void(const(i8[::1]), const(f8[::1]), const(f8[::1]), f8[:,::1], f8[:,::1], const(u1[::1]),"
    # variables
    "const(i8[::1]), const(b1[:,::1]), const(f8[::1]), const(f8[::1]), const(f8[::1]),"
    # moments; where the curves' values go, with what is added and by which weight; derivatives
    "const(f8[::1]), const(i8[::1]), const(f8[:,::1]), f8, f8[:,::1], f8[:,:,::1])"
)
def shape_curves(
    starts: Ints,
    times: Floats,
    values: Floats,
    ins: Floats,
    outs: Floats,
    kinds: Bytes,
    segments: Ints,
    ties: Bools,
    start: Floats,
    scale: Floats,
    z: Floats,
    at: Floats,
    columns: Ints,
    offsets: Floats,
    weight: float,
    channels: Floats,
    partials: Floats,
) -> None:
    """Write the tangents that z describes; then all channels (T, c) that the free curves are part of.

    partials (T, F, 4): how the free curves' channels change with z.
    """
    write_tangents(start, scale, segments, ties, z, ins, outs)
    for n in range(len(at)):
        for i in range(len(segments)):
            value = curve_at(
                times, values, ins, outs, kinds, starts[i], starts[i + 1], at[n],
                segments[i], ties[i, 0], ties[i, 1], partials[n, i],
            )  # fmt: skip
            channels[n, columns[i]] = offsets[n, i] + weight * value
            for m in range(4):
                partials[n, i, m] *= weight * scale[4 * i + m]


@kernel(
    # skeleton, degrees of freedom at each time, room for kinematics
    "void(const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1]), const(f8[:,::1]), f8[:,:,:,::1], f8[:,:,:,::1],"
    # channel map by degree of freedom, weights at each time or the same at all
    "const(i8[::1]), const(i8[::1]), const(f8[:,::1]),"
    # items: time, first row, wants (position, orientation); parts: start, joint, offset, weight
    "const(i8[::1]), const(i8[::1]), const(b1[:,::1]),"
    "const(i8[::1]), const(i8[::1]), const(f8[:,::1]), const(f8[::1]),"
    # targets; free channels with their partials; scales of rows
    "const(f8[:,::1]), const(f8[:,:,::1]), const(i8[::1]), const(f8[:,:,::1]), const(f8[::1]),"
    # room for geometric Jacobians; results
    "f8[:,:,::1], f8[:,::1], f8[:,:,::1], f8[::1], f8[:,::1])"
)
def linearise(
    parents: Ints,
    rest: Floats,
    orders: Ints,
    dofs: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    starts: Ints,
    channels: Ints,
    weights: Floats,
    item_times: Ints,
    item_rows: Ints,
    item_wants: Bools,
    part_starts: Ints,
    part_joints: Ints,
    part_offsets: Floats,
    part_weights: Floats,
    target_positions: Floats,
    target_turns: Floats,
    free_channels: Ints,
    partials: Floats,
    row_scale: Floats,
    room: Floats,
    positions: Floats,
    turns: Floats,
    errors: Floats,
    derivatives: Floats,
) -> None:
    """States of all items, errors target − state (R,) and, in the first 4F columns, derivatives of the states by z.

    [TSO] Eq. 2: by the variables = by the channels (geometric) × the channels by the variables.
    """
    geometric, part = room[0], room[1]
    plain = np.empty(len(parents), np.bool_)
    for n in range(len(dofs)):
        forward_frame(parents, rest, orders, dofs[n], world_from_joint[n], orientation[n], plain)
    at, stages, spins, gap = np.empty((5, 3)), np.empty((5, 3, 3)), np.empty((5, 3, 3)), np.empty(3)
    for i in range(len(item_times)):
        n, row = item_times[i], item_rows[i]
        mapped = weights[n if len(weights) > 1 else 0]
        # The state: a blend of parts in position, the first part's joint in orientation.
        positions[i] = 0.0
        geometric[:] = 0.0
        for e in range(part_starts[i], part_starts[i + 1]):
            joint, w = part_joints[e], part_weights[e]
            world = world_from_joint[n, joint]
            x, y, z = part_offsets[e, 0], part_offsets[e, 1], part_offsets[e, 2]
            for r in range(3):
                positions[i, r] += w * (world[r, 0] * x + world[r, 1] * y + world[r, 2] * z + world[r, 3])
            part[:] = 0.0
            at[0, 0], at[0, 1], at[0, 2] = x, y, z
            add_point_jacobian(
                parents, rest, orders, dofs[n], world_from_joint[n], orientation[n],
                starts, channels, mapped, joint, at, stages, spins, part,
            )  # fmt: skip
            first = e == part_starts[i]
            for r in range(3):
                for c in range(part.shape[1]):
                    geometric[r, c] += w * part[r, c]
                    if first:
                        geometric[3 + r, c] = part[3 + r, c]
        turns[i] = orientation[n, part_joints[part_starts[i]]]
        for half in range(2):
            if not item_wants[i, half]:
                continue
            if half == 0:
                for r in range(3):
                    gap[r] = target_positions[i, r] - positions[i, r]
            else:
                turn_between(turns[i], target_turns[i], gap)
            for r in range(3):
                errors[row + r] = gap[r] * row_scale[row + r]
                for v in range(len(free_channels)):
                    moved = geometric[3 * half + r, free_channels[v]] * row_scale[row + r]
                    for m in range(4):
                        derivatives[row + r, 4 * v + m] = moved * partials[n, v, m]
            row += 3


@kernel("void(const(f8[::1]), const(f8[:,::1]), const(f8[::1]), const(f8[:,::1]), b1, b1, const(f8[::1]), f8[::1])")
def aim(
    position: Floats,
    turn: Floats,
    target_position: Floats,
    target_turn: Floats,
    wants_position: bool,
    wants_turn: bool,
    row_scale: Floats,
    errors: Floats,
) -> None:
    """The first errors (3 or 6,): from one state to its target."""
    row = 0
    if wants_position:
        for r in range(3):
            errors[r] = (target_position[r] - position[r]) * row_scale[r]
        row = 3
    if wants_turn:
        gap = errors[row : row + 3]
        turn_between(turn, target_turn, gap)
        for r in range(3):
            gap[r] *= row_scale[row + r]


@kernel("f8(const(f8[::1]))")
def longest(errors: Floats) -> float:
    """The length of the longest of the 3-vectors that errors (3n,) are made of."""
    most = 0.0
    for i in range(0, len(errors), 3):
        most = max(most, errors[i] ** 2 + errors[i + 1] ** 2 + errors[i + 2] ** 2)
    return math.sqrt(most)
