"""Compiled kinematics: many frames of a joint tree at once.

A joint's transform in its parent's frame is X · T(t) · rest rotation · Euler · S(s), where X is what the bends of the
parent's bone do to all that hangs there; degrees of freedom lie nine a joint. Parents come before children, so one
sweep over the joints suffices.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, kernel, lent, record
from inbetweener.maths.kernels import turn_between


@record("const(i8[::1]), const(f8[:,:,::1]), const(i8[:,::1])")
class Tree(NamedTuple):
    """Joints: parents (J,), rest rotations (J, 3, 3), Euler axes outermost first (J, 3)."""

    parents: Ints
    rest: Floats
    orders: Ints


@record("const(i8[::1]), const(i8[::1])")
class Wires(NamedTuple):
    """Which channels can move degree of freedom d: channels[starts[d] : starts[d+1]]."""

    starts: Ints
    channels: Ints


@record("const(f8[:,:,:,::1]), const(i8[::1]), const(f8[:,:,:,::1])")
class Bending(NamedTuple):
    """What bends do at T poses, or the same at all; nothing where there are no joints.

    carriers (T or 1, J or 0, 3, 4) stand between each joint and its parent; with the channel dials[b] they move by
    twists (T or 1, B, J, 6), a turn and a shift in the parent's frame.
    """

    carriers: Floats
    dials: Ints
    twists: Floats


class Pose(NamedTuple):
    """One pose of a tree: degrees of freedom (9J,), the channel map's weights (E,), what bends do, and where all is."""

    dofs: Floats
    weights: Floats
    carriers: Floats
    dials: Ints
    twists: Floats
    world_from_joint: Floats
    orientation: Floats


@record(
    "const(i8[::1]), const(b1[:,::1]), const(i8[::1]), const(i8[::1]), const(i8[::1]), const(f8[:,::1]),"
    "const(f8[::1]), const(f8[:,:,::1]), const(f8[::1])"
)
class Watched(NamedTuple):
    """States that somebody watches: first row (I,), whether position and orientation are wanted (I, 2).

    The parts of state i are joints (E,), offsets (E, 3) and weights (E,) from starts[i] to starts[i+1]; its own bone
    turns it by turns (I or 0, 3, 3). Where bases[i] < starts[i+1], the state is seen from another body: parts from
    there on, with negative weights, are where that body has it. row_scale (R,) is what rows are multiplied by.
    """

    rows: Ints
    wants: Bools
    starts: Ints
    bases: Ints
    joints: Ints
    offsets: Floats
    weights: Floats
    turns: Floats
    row_scale: Floats


@record("f8[:,::1], f8[:,:,::1]")
class States(NamedTuple):
    """Positions (I, 3) and orientations (I, 3, 3)."""

    positions: Floats
    turns: Floats


@lent
def turn(axis: int, angle: float, m: Floats) -> None:
    """m ← m · R_axis(angle), in place on a 3×3 matrix."""
    c, s = math.cos(angle), math.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    for r in range(3):
        mj, mk = m[r, j], m[r, k]
        m[r, j] = c * mj + s * mk
        m[r, k] = c * mk - s * mj


@lent
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


@lent
def after(a: Floats, b: Floats, result: Floats) -> None:
    """result ← a · b for transforms (3, 4)."""
    times(a, b, result)
    for r in range(3):
        result[r, 3] = a[r, 0] * b[0, 3] + a[r, 1] * b[1, 3] + a[r, 2] * b[2, 3] + a[r, 3]


@lent
def forward_joint(
    tree: Tree,
    carriers: Floats,
    dofs: Floats,
    j: int,
    world_from_joint: Floats,
    orientation: Floats,
    plain: Bools,
    local: Floats,
    base: Floats,
    spun: Floats,
) -> None:
    """One joint of a pose, its parent being there; local, base and spun are room to work in."""
    q = dofs[9 * j : 9 * j + 9]
    world, turned = world_from_joint[j], orientation[j]
    for r in range(3):
        for c in range(3):
            local[r, c] = tree.rest[j, r, c]
    for n in range(3):
        axis = tree.orders[j, n]
        if q[3 + axis] != 0.0:
            turn(axis, q[3 + axis], local)
    p = tree.parents[j]
    unscaled = q[6] == 1.0 and q[7] == 1.0 and q[8] == 1.0
    if p < 0:
        plain[j] = unscaled
        for r in range(3):
            world[r, 3] = q[r]
            for c in range(3):
                turned[r, c] = local[r, c]
                world[r, c] = local[r, c] * q[6 + c]
        return
    above, aligned = world_from_joint[p], orientation[p]
    if len(carriers) > 0:
        after(above, carriers[j], base)
        times(aligned, carriers[j], spun)
        above, aligned = base, spun
    plain[j] = unscaled and plain[p]
    times(aligned, local, turned)
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


@inlined
def forward_frame(
    tree: Tree, carriers: Floats, dofs: Floats, world_from_joint: Floats, orientation: Floats, plain: Bools
) -> None:
    """One pose: degrees of freedom (9J,) to world (J, 3, 4) and orientation (J, 3, 3); plain (J,) is a workspace.

    carriers (J or 0, 3, 4) is what bends put between each joint and its parent.
    """
    local, base, spun = np.empty((3, 3)), np.empty((3, 4)), np.empty((3, 3))
    for j in range(len(tree.parents)):
        forward_joint(tree, carriers, dofs, j, world_from_joint, orientation, plain, local, base, spun)


@kernel("void(Tree, const(f8[:,:,:,::1]), const(f8[:,::1]), f8[:,:,:,::1], f8[:,:,:,::1])")
def forward(tree: Tree, carriers: Floats, dofs: Floats, world_from_joint: Floats, orientation: Floats) -> None:
    """World transforms (T, J, 3, 4) and orientations (T, J, 3, 3), the latter without any scale."""
    plain = np.empty(len(tree.parents), np.bool_)
    for f in range(len(dofs)):
        bends = carriers[f if len(carriers) > 1 else 0]
        forward_frame(tree, bends, dofs[f], world_from_joint[f], orientation[f], plain)


@kernel("void(Tree, const(f8[:,:,:,::1]), const(f8[:,::1]), f8[:,:,:,::1])")
def place(tree: Tree, carriers: Floats, dofs: Floats, world_from_joint: Floats) -> None:
    """World transforms (T, J, 3, 4) alone: a third of the time goes into memory, so none is spent on orientations."""
    plain = np.empty(len(tree.parents), np.bool_)
    orientation = np.empty((len(tree.parents), 3, 3))
    for f in range(len(dofs)):
        bends = carriers[f if len(carriers) > 1 else 0]
        forward_frame(tree, bends, dofs[f], world_from_joint[f], orientation, plain)


@lent
def add_column(jacobian: Floats, row: int, column: Floats, dof: int, wires: Wires, weights: Floats) -> None:
    """Spread a dof's column over the channels that drive it."""
    for e in range(wires.starts[dof], wires.starts[dof + 1]):
        for r in range(3):
            jacobian[row + r, wires.channels[e]] += weights[e] * column[r]


@lent
def add_twist(linear: Floats, turned: Floats, twist: Floats, at: Floats, jacobian: Floats, channel: int) -> None:
    """Add what a twist (6,) does to a point (3,) of its frame, which linear and turned (3, 3) take to the world."""
    x = twist[1] * at[2] - twist[2] * at[1] + twist[3]
    y = twist[2] * at[0] - twist[0] * at[2] + twist[4]
    z = twist[0] * at[1] - twist[1] * at[0] + twist[5]
    for r in range(3):
        jacobian[r, channel] += linear[r, 0] * x + linear[r, 1] * y + linear[r, 2] * z
        jacobian[3 + r, channel] += turned[r, 0] * twist[0] + turned[r, 1] * twist[1] + turned[r, 2] * twist[2]


@lent
def add_point_jacobian(
    tree: Tree, wires: Wires, pose: Pose, joint: int, at: Floats, stages: Floats, turns: Floats, jacobian: Floats
) -> None:
    """Add to jacobian (6, C) how the point at[0], given in the joint's frame, moves with each channel at one pose.

    [TSO] §3.2: a translation along world axis v gives (v, 0), a rotation (v × (p − r), v). Written without the
    inverse of any scale: the point is carried up its path in local coordinates and each derivative is carried to the
    world from where it arises. at (5, 3), stages (6, 3, 3) and turns (6, 3, 3) are room to work in.
    """
    weights, carriers, bent = pose.weights, pose.carriers, len(pose.carriers) > 0
    column = stages[4, 0]
    j = joint
    while j >= 0:
        q = pose.dofs[9 * j : 9 * j + 9]
        p = tree.parents[j]
        linear, turned = stages[3], turns[3]
        for r in range(3):
            for c in range(3):
                unit = 1.0 if r == c else 0.0
                linear[r, c] = pose.world_from_joint[p, r, c] if p >= 0 else unit
                turned[r, c] = pose.orientation[p, r, c] if p >= 0 else unit
        if bent:
            for r in range(3):
                for c in range(3):
                    stages[5, r, c], turns[5, r, c] = linear[r, c], turned[r, c]
            times(stages[5], carriers[j], linear)
            times(turns[5], carriers[j], turned)
        for d in range(3):
            for r in range(3):
                column[r] = linear[r, d]
            add_column(jacobian, 0, column, 9 * j + d, wires, weights)
        # World linear maps before each of the three turns and after the last; with and without scale.
        times(linear, tree.rest[j], stages[0])
        times(turned, tree.rest[j], turns[0])
        for i in range(3):
            axis = tree.orders[j, i]
            for r in range(3):
                for c in range(3):
                    stages[i + 1, r, c], turns[i + 1, r, c] = stages[i, r, c], turns[i, r, c]
            turn(axis, q[3 + axis], stages[i + 1])
            turn(axis, q[3 + axis], turns[i + 1])
        # The point in coordinates after the scale, then after each turn from the innermost out.
        for r in range(3):
            at[1, r] = q[6 + r] * at[0, r]
        for i in range(3):
            axis = tree.orders[j, 2 - i]
            cosine, sine = math.cos(q[3 + axis]), math.sin(q[3 + axis])
            b, c = (axis + 1) % 3, (axis + 2) % 3
            at[i + 2, axis] = at[i + 1, axis]
            at[i + 2, b] = cosine * at[i + 1, b] - sine * at[i + 1, c]
            at[i + 2, c] = sine * at[i + 1, b] + cosine * at[i + 1, c]
        for i in range(3):
            # e_axis × point, in the frame just before this turn.
            axis = tree.orders[j, i]
            b, c = (axis + 1) % 3, (axis + 2) % 3
            y = at[4 - i]
            for r in range(3):
                column[r] = stages[i, r, c] * y[b] - stages[i, r, b] * y[c]
            add_column(jacobian, 0, column, 9 * j + 3 + axis, wires, weights)
            for r in range(3):
                column[r] = turns[i, r, axis]
            add_column(jacobian, 3, column, 9 * j + 3 + axis, wires, weights)
        for d in range(3):
            for r in range(3):
                column[r] = stages[3, r, d] * at[0, d]
            add_column(jacobian, 0, column, 9 * j + 6 + d, wires, weights)
        # Into the parent's coordinates.
        for r in range(3):
            at[0, r] = (
                q[r] + tree.rest[j, r, 0] * at[4, 0] + tree.rest[j, r, 1] * at[4, 1] + tree.rest[j, r, 2] * at[4, 2]
            )
        if bent:
            for r in range(3):
                at[1, r] = at[0, r]
            x = carriers[j]
            for r in range(3):
                at[0, r] = x[r, 0] * at[1, 0] + x[r, 1] * at[1, 1] + x[r, 2] * at[1, 2] + x[r, 3]
            for b in range(len(pose.dials)):
                add_twist(stages[5], turns[5], pose.twists[b, j], at[0], jacobian, pose.dials[b])
        j = p


@lent
def turn_of(watched: Watched, item: int, orientation: Floats, result: Floats, room: Floats) -> None:
    """The orientation (3, 3) of a watched state: its first joint's, turned by its own bone, seen from its base."""
    first, base = watched.starts[item], watched.bases[item]
    turned = orientation[watched.joints[first]]
    for r in range(3):
        for c in range(3):
            result[r, c] = turned[r, c]
    if len(watched.turns) > 0:
        times(turned, watched.turns[item], result)
    if base < watched.starts[item + 1]:
        seen = orientation[watched.joints[base]]
        for r in range(3):
            for c in range(3):
                room[r, c] = seen[0, r] * result[0, c] + seen[1, r] * result[1, c] + seen[2, r] * result[2, c]
        for r in range(3):
            for c in range(3):
                result[r, c] = room[r, c]


@lent
def gap_of(watched: Watched, item: int, half: int, orientation: Floats, now: States, wish: States, gap: Floats) -> None:
    """The way (3,) from a watched state to the wished one, in the world: metres or, of its second half, radians."""
    if half == 0:
        for r in range(3):
            gap[r] = wish.positions[item, r] - now.positions[item, r]
        return
    turn_between(now.turns[item], wish.turns[item], gap)
    base = watched.bases[item]
    if base < watched.starts[item + 1]:
        seen = orientation[watched.joints[base]]
        x, y, z = gap[0], gap[1], gap[2]
        for r in range(3):
            gap[r] = seen[r, 0] * x + seen[r, 1] * y + seen[r, 2] * z


@kernel(
    "void(Tree, Wires, Bending, const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,:,::1]), const(f8[:,:,:,::1]),"
    "const(i8[::1]), const(f8[:,:,::1]), f8[:,:,:,::1])"
)
def jacobians(
    tree: Tree,
    wires: Wires,
    bending: Bending,
    dofs: Floats,
    weights: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    joints: Ints,
    offsets: Floats,
    result: Floats,
) -> None:
    """result (T, P, 6, C): rows 0–2 the position's, rows 3–5 the orientation's derivative by each channel.

    Points have joints (P,) and offsets (T or 1, P, 3). weights (T, E) of the channel map, or (1, E) when they are the
    same at all poses.
    """
    at, stages, turns = np.empty((5, 3)), np.empty((6, 3, 3)), np.empty((6, 3, 3))
    for f in range(len(dofs)):
        b = f if len(bending.carriers) > 1 else 0
        pose = Pose(
            dofs[f], weights[f if len(weights) > 1 else 0], bending.carriers[b], bending.dials, bending.twists[b],
            world_from_joint[f], orientation[f],
        )  # fmt: skip
        for n in range(len(joints)):
            result[f, n] = 0.0
            for r in range(3):
                at[0, r] = offsets[f if len(offsets) > 1 else 0, n, r]
            add_point_jacobian(tree, wires, pose, joints[n], at, stages, turns, result[f, n])


@kernel(
    "void(Tree, Wires, Bending, const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,:,::1]), const(f8[:,:,:,::1]),"
    "const(i8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), f8[:,::1])"
)
def add_towards(
    tree: Tree,
    wires: Wires,
    bending: Bending,
    dofs: Floats,
    weights: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    chosen: Ints,
    offsets: Floats,
    ways: Floats,
    result: Floats,
) -> None:
    """Add to result (K, C): how far each channel moves points along ways (K, 3).

    chosen (K, 2): in which pose, on which joint, at which offset (K, 3) from it; a joint below nought is the world.
    """
    at, stages, turns = np.empty((5, 3)), np.empty((6, 3, 3)), np.empty((6, 3, 3))
    part = np.empty((6, result.shape[1]))
    for k in range(len(chosen)):
        f, joint = chosen[k]
        if joint < 0:
            continue
        b = f if len(bending.carriers) > 1 else 0
        pose = Pose(
            dofs[f], weights[f if len(weights) > 1 else 0], bending.carriers[b], bending.dials, bending.twists[b],
            world_from_joint[f], orientation[f],
        )  # fmt: skip
        part[:] = 0.0
        for r in range(3):
            at[0, r] = offsets[k, r]
        add_point_jacobian(tree, wires, pose, joint, at, stages, turns, part)
        for c in range(result.shape[1]):
            result[k, c] += ways[k, 0] * part[0, c] + ways[k, 1] * part[1, c] + ways[k, 2] * part[2, c]
