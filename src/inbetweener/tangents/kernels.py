"""Compiled linearisation: curves by their tangents, constrained states by the curves.

A free curve has four variables: width and height of the out tangent at the left end of its free segment, width and
height of the in tangent at the right end. A tied key turns its other tangent along, so the segments next to the free
one move too.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves.kernels import Keys, bezier_parameter, segment_at
from inbetweener.curves.key import BEZIER, CONSTANT
from inbetweener.kernels import kernel, lent, record
from inbetweener.rig.kernels import (
    Bending,
    Pose,
    States,
    Tree,
    Watched,
    Wires,
    add_point_jacobian,
    forward_frame,
    gap_of,
    turn_of,
)


@record("const(i8[::1]), const(b1[:,::1]), const(f8[::1]), const(f8[::1])")
class Free(NamedTuple):
    """Free segments: the key where each starts (F,), whether the next ones turn along (F, 2), start, scale (4F,)."""

    segments: Ints
    ties: Bools
    start: Floats
    scale: Floats


@record("f8[:,:,:,::1], f8[:,:,:,::1], f8[:,:,::1]")
class Room(NamedTuple):
    """Where kinematics is worked out: transforms (T, J, 3, 4), orientations (T, J, 3, 3), two Jacobians (2, 6, C)."""

    world_from_joint: Floats
    orientation: Floats
    jacobians: Floats


@record("const(i8[::1]), f8[:,:,::1]")
class Moving(NamedTuple):
    """The free channels (F,), and how each moves with its four variables at each moment (T, F, 4)."""

    columns: Ints
    partials: Floats


@record("f8[::1], f8[:,::1]")
class Rows(NamedTuple):
    """Errors (R,) of watched states, and how these move with all variables (R or more, 4F or more)."""

    errors: Floats
    derivatives: Floats


@record("const(f8[::1]), const(f8[::1]), const(f8[::1]), const(f8[::1])")
class Within(NamedTuple):
    """Of the variables (4F,): lowest and highest, how far a step may change each, and where they would like to be."""

    lowest: Floats
    highest: Floats
    step: Floats
    wish: Floats


@record("f8[::1], f8[::1], f8[::1], f8[::1]")
class Program(NamedTuple):
    """Bounds of a program for y = z − centre (4F,), residuals and rows; left: what it leaves of the dragged errors."""

    centre: Floats
    left: Floats
    lower: Floats
    upper: Floats


@lent
def curve_at(
    keys: Keys,
    ins: Floats,
    outs: Floats,
    curve: int,
    t: float,
    free: int,
    tied_left: bool,
    tied_right: bool,
    partials: Floats,
) -> float:
    """The value of one curve at t, and its partials (4,) by the variables of the segment after key `free`."""
    partials[:] = 0.0
    times, values, kinds = keys.times, keys.values, keys.kinds
    first, last = keys.starts[curve], keys.starts[curve + 1]
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


@lent
def write_tangents(free: Free, z: Floats, ins: Floats, outs: Floats) -> None:
    """Tangents start + scale · z of every free segment; tied ones beyond it keep their width and take its slopes."""
    start, scale = free.start, free.scale
    for i in range(len(free.segments)):
        k = free.segments[i]
        outs[k, 0], outs[k, 1] = (
            start[4 * i] + scale[4 * i] * z[4 * i],
            start[4 * i + 1] + scale[4 * i + 1] * z[4 * i + 1],
        )
        ins[k + 1, 0] = start[4 * i + 2] + scale[4 * i + 2] * z[4 * i + 2]
        ins[k + 1, 1] = start[4 * i + 3] + scale[4 * i + 3] * z[4 * i + 3]
        if free.ties[i, 0]:
            ins[k, 1] = ins[k, 0] * (outs[k, 1] / outs[k, 0])
        if free.ties[i, 1]:
            outs[k + 1, 1] = outs[k + 1, 0] * (ins[k + 1, 1] / ins[k + 1, 0])


@kernel("void(Free, const(f8[::1]), f8[:,::1], f8[:,::1])")
def set_tangents(free: Free, z: Floats, ins: Floats, outs: Floats) -> None:
    """See write_tangents."""
    write_tangents(free, z, ins, outs)


@kernel(
    # the window of curves, whose tangents are written anew; the free ones
    "void(Keys, f8[:,::1], f8[:,::1], Free, const(f8[::1]),"
    # moments; what is added to the curves' values and by which weights these count; where they go; derivatives
    "const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), f8[:,::1], Moving)"
)
def shape_curves(
    keys: Keys,
    ins: Floats,
    outs: Floats,
    free: Free,
    z: Floats,
    at: Floats,
    offsets: Floats,
    weights: Floats,
    channels: Floats,
    moving: Moving,
) -> None:
    """Write the tangents that z describes; then all channels (T, c) that the free curves are part of and move."""
    columns, partials = moving
    write_tangents(free, z, ins, outs)
    for n in range(len(at)):
        for i in range(len(free.segments)):
            value = curve_at(
                keys, ins, outs, i, at[n], free.segments[i], free.ties[i, 0], free.ties[i, 1], partials[n, i]
            )
            channels[n, columns[i]] = offsets[n, i] + weights[n, i] * value
            for m in range(4):
                partials[n, i, m] *= weights[n, i] * free.scale[4 * i + m]


@kernel(
    # skeleton, what bends do, degrees of freedom at each time; channel map, weights at each time or the same at all
    "void(Tree, Bending, const(f8[:,::1]), Wires, const(f8[:,::1]),"
    # watched states, when each is looked at, how they should be
    "Watched, const(i8[::1]), States,"
    # free channels; room; results
    "Moving, Room, States, Rows)"
)
def linearise(
    tree: Tree,
    bending: Bending,
    dofs: Floats,
    wires: Wires,
    weights: Floats,
    watched: Watched,
    moments: Ints,
    wish: States,
    moving: Moving,
    room: Room,
    now: States,
    rows: Rows,
) -> None:
    """States of all items, errors wish − state (R,) and, in the first 4F columns, derivatives of the states by z.

    [TSO] Eq. 2: by the variables = by the channels (geometric) × the channels by the variables.
    """
    geometric, part = room.jacobians[0], room.jacobians[1]
    columns, partials = moving
    errors, derivatives = rows
    plain = np.empty(len(tree.parents), np.bool_)
    for n in range(len(dofs)):
        bends = bending.carriers[n if len(bending.carriers) > 1 else 0]
        forward_frame(tree, bends, dofs[n], room.world_from_joint[n], room.orientation[n], plain)
    at, stages, spins, gap = np.empty((5, 3)), np.empty((6, 3, 3)), np.empty((6, 3, 3)), np.empty(3)
    for i in range(len(moments)):
        n, row = moments[i], watched.rows[i]
        b = n if len(bending.carriers) > 1 else 0
        pose = Pose(
            dofs[n], weights[n if len(weights) > 1 else 0], bending.carriers[b], bending.dials, bending.twists[b],
            room.world_from_joint[n], room.orientation[n],
        )  # fmt: skip
        # The state: a blend of parts in position, the first part's joint in orientation.
        now.positions[i] = 0.0
        geometric[:] = 0.0
        for e in range(watched.starts[i], watched.starts[i + 1]):
            joint, w = watched.joints[e], watched.weights[e]
            world = pose.world_from_joint[joint]
            x, y, z = watched.offsets[e, 0], watched.offsets[e, 1], watched.offsets[e, 2]
            for r in range(3):
                now.positions[i, r] += w * (world[r, 0] * x + world[r, 1] * y + world[r, 2] * z + world[r, 3])
            part[:] = 0.0
            at[0, 0], at[0, 1], at[0, 2] = x, y, z
            add_point_jacobian(tree, wires, pose, joint, at, stages, spins, part)
            # Seen from a base, a turn of that counts the other way.
            spun = 1.0 if e == watched.starts[i] else -1.0 if e == watched.bases[i] else 0.0
            for r in range(3):
                for c in range(part.shape[1]):
                    geometric[r, c] += w * part[r, c]
                    if spun != 0.0:
                        geometric[3 + r, c] += spun * part[3 + r, c]
        turn_of(watched, i, pose.orientation, now.turns[i], stages[0])
        for half in range(2):
            if not watched.wants[i, half]:
                continue
            gap_of(watched, i, half, pose.orientation, now, wish, gap)
            for r in range(3):
                scale = watched.row_scale[row + r]
                errors[row + r] = gap[r] * scale
                for v in range(len(columns)):
                    moved = geometric[3 * half + r, columns[v]] * scale
                    for m in range(4):
                        derivatives[row + r, 4 * v + m] = moved * partials[n, v, m]
            row += 3


@kernel("void(const(f8[::1]), const(f8[::1]), const(f8[::1]), const(f8[::1]), Within, Program, f8, f8, f8)")
def bound_step(
    z: Floats,
    moved: Floats,
    errors: Floats,
    slack: Floats,
    within: Within,
    program: Program,
    share: float,
    radius: float,
    length: float,
) -> None:
    """Bounds around z: the dragged state goes for `length` of its error, constraints keep within a slack (rows,).

    A `share` of the distance is measured from z, the rest from the wish; no variable changes by more than `radius`;
    moved (R,) is what the rows make of the way from the wish to z.
    """
    n, drawn = len(z), len(program.left)
    rows = n + drawn
    for v in range(n):
        centre, step = share * z[v] + (1.0 - share) * within.wish[v], min(within.step[v], radius)
        program.centre[v] = centre
        program.lower[v] = max(within.lowest[v] - centre, z[v] - centre - step)
        program.upper[v] = min(within.highest[v] - centre, z[v] - centre + step)
    far = 0.0
    for r in range(drawn):
        far += errors[r] ** 2
    reach = min(1.0, length / max(math.sqrt(far), 1e-300))
    for r in range(len(errors)):
        kept = (1.0 - share) * moved[r]
        if r < drawn:
            program.left[r] = errors[r] - reach * errors[r]
            program.lower[rows + r] = program.upper[rows + r] = reach * errors[r] + kept
        else:
            program.lower[rows + r] = errors[r] + kept - slack[r - drawn]
            program.upper[rows + r] = errors[r] + kept + slack[r - drawn]


@kernel("void(Watched, i8, const(f8[:,:,::1]), States, States, f8[::1])")
def aim(watched: Watched, item: int, orientation: Floats, now: States, wish: States, errors: Floats) -> None:
    """The errors of one item: from its state to the wished one."""
    row, gap = watched.rows[item], np.empty(3)
    for half in range(2):
        if watched.wants[item, half]:
            gap_of(watched, item, half, orientation, now, wish, gap)
            for r in range(3):
                errors[row + r] = gap[r] * watched.row_scale[row + r]
            row += 3


@kernel("f8(const(f8[::1]))")
def longest(errors: Floats) -> float:
    """The length of the longest of the 3-vectors that errors (3n,) are made of."""
    most = 0.0
    for i in range(0, len(errors), 3):
        most = max(most, errors[i] ** 2 + errors[i + 1] ** 2 + errors[i + 2] ** 2)
    return math.sqrt(most)
