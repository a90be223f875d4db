"""Compiled linearisation of one pose: states of points, how far off they are, how they move with the channels.

And the rows of the program that follows from it: small, but built at every step of a drag.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record
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
    times,
    turn,
    turn_of,
)


@record("const(i8[::1]), const(f8[::1]), i8")
class Free(NamedTuple):
    """The free channels: where they stand (n,), their scale (n,), and how many channels there are in all."""

    columns: Ints
    scale: Floats
    channel_count: int


@record("States, f8[::1], f8[:,::1]")
class Wish(NamedTuple):
    """How watched states should be: first pulls, with their weights (p,), then pins, which may be off so far (q, 2)."""

    states: States
    weights: Floats
    tolerances: Floats


@record("f8[:,:,::1], f8[:,:,::1], f8[::1], f8[:,::1], f8[:,::1]")
class Found(NamedTuple):
    """A pose: transforms (J, 3, 4), orientations (J, 3, 3); errors (R,), derivatives (R, n) and lengths (I, 2)."""

    world_from_joint: Floats
    orientation: Floats
    errors: Floats
    derivatives: Floats
    lengths: Floats


@record("f8[::1], f8[::1], f8[::1]")
class Within(NamedTuple):
    """What bounds the variables (n,): lowest and highest, and how far a step may change each."""

    lowest: Floats
    highest: Floats
    step: Floats


@record("f8[::1], f8[:,::1], f8[::1], f8[::1]")
class Rows(NamedTuple):
    """A program for y = z − origin (n,), and as many residuals as pulled rows: lower ≤ (y, matrix · y) ≤ upper."""

    origin: Floats
    matrix: Floats
    lower: Floats
    upper: Floats


@inlined
def find_axes(tree: Tree, pose: Pose, stage: Floats, axes: Floats) -> None:
    """World axes (J, 6, 3) of each joint's translations and turns, where nothing is scaled; stage (3, 3) is room."""
    bent = len(pose.carriers) > 0
    for j in range(len(tree.parents)):
        p = tree.parents[j]
        for d in range(3):
            for r in range(3):
                axes[j, d, r] = pose.orientation[p, r, d] if p >= 0 else (1.0 if r == d else 0.0)
        if bent and p >= 0:
            times(pose.orientation[p], pose.carriers[j], stage)
            for d in range(3):
                for r in range(3):
                    axes[j, d, r] = stage[r, d]
        for r in range(3):
            for c in range(3):
                total = 0.0
                for k in range(3):
                    total += axes[j, k, r] * tree.rest[j, k, c]
                stage[r, c] = total
        # Each turn's axis stands where the turns outside it have put it.
        for n in range(3):
            axis = tree.orders[j, n]
            for r in range(3):
                axes[j, 3 + axis, r] = stage[r, axis]
            if n < 2:
                turn(axis, pose.dofs[9 * j + 3 + axis], stage)


@inlined
def add_unscaled(
    tree: Tree,
    wires: Wires,
    pose: Pose,
    axes: Floats,
    joint: int,
    at: Floats,
    share: float,
    spun: float,
    jacobian: Floats,
) -> None:
    """Add to jacobian (6, C) how a point that stands at `at` in the world, carried by a joint, moves; nothing scaled.

    [TSO] §3.2: a translation along the world axis v gives (v, 0), a turn about it (v × (p − r), v). Positions count
    by their `share`, turns as `spun` says.
    """
    starts, channels, weights, world_from_joint = wires.starts, wires.channels, pose.weights, pose.world_from_joint
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
                if spun != 0.0:
                    jacobian[3, channel] += spun * a
                    jacobian[4, channel] += spun * b
                    jacobian[5, channel] += spun * c
        # A scale moves what the joint carries also where it is one: along the joint's own axis, as far as that reaches.
        for d in range(3):
            if starts[9 * j + 6 + d] < starts[9 * j + 7 + d]:
                a, b, c = world_from_joint[j, 0, d], world_from_joint[j, 1, d], world_from_joint[j, 2, d]
                reach = share * (a * x + b * y + c * z)
                for e in range(starts[9 * j + 6 + d], starts[9 * j + 7 + d]):
                    jacobian[0, channels[e]] += weights[e] * reach * a
                    jacobian[1, channels[e]] += weights[e] * reach * b
                    jacobian[2, channels[e]] += weights[e] * reach * c
        j = tree.parents[j]


@kernel(
    # skeleton, what bends do, degrees of freedom; channel map and its weights
    "UniTuple(f8, 5)(Tree, Bending, const(f8[::1]), Wires, const(f8[::1]),"
    # watched states, how they should be; free channels; results
    "Watched, Wish, Free, States, Found)"
)
def linearise(
    tree: Tree,
    bending: Bending,
    dofs: Floats,
    wires: Wires,
    weights: Floats,
    watched: Watched,
    wish: Wish,
    free: Free,
    now: States,
    found: Found,
) -> tuple[float, float, float, float, float]:
    """States of all watched places, errors wish − state (R,), derivatives of states (R, n) by scaled variables.

    lengths (I, 2): how long the errors of position and orientation are, zero where not wanted. Returns the longest of
    the pulls, the longest of the pins, the weighted length of all pulls together, the longest of the pulls when a
    radian counts as far as a quarter of the height, and how far the worst pin is beyond its tolerance.

    [TSO] Eq. 14: the geometric Jacobian, with lengths in heights and channels in units of their stiffness.
    """
    plain, lengths = np.empty(len(tree.parents), np.bool_), found.lengths
    pose = Pose(
        dofs, weights, bending.carriers[0], bending.dials, bending.twists[0], found.world_from_joint, found.orientation
    )
    forward_frame(tree, pose.carriers, dofs, pose.world_from_joint, pose.orientation, plain)
    axes = np.empty((len(tree.parents), 6, 3))
    geometric = np.empty((6, free.channel_count))
    at, stages, spins, gap = np.empty((5, 3)), np.empty((6, 3, 3)), np.empty((6, 3, 3)), np.empty(3)
    find_axes(tree, pose, stages[0], axes)
    for i in range(len(watched.rows)):
        row = watched.rows[i]
        # The state: a blend of parts in position, the first part's joint in orientation.
        for r in range(3):
            now.positions[i, r] = 0.0
        geometric[:] = 0.0
        for e in range(watched.starts[i], watched.starts[i + 1]):
            joint, w = watched.joints[e], watched.weights[e]
            # Seen from a base, a turn of that counts the other way.
            spun = 1.0 if e == watched.starts[i] else -1.0 if e == watched.bases[i] else 0.0
            world = pose.world_from_joint[joint]
            x, y, z = watched.offsets[e, 0], watched.offsets[e, 1], watched.offsets[e, 2]
            for r in range(3):
                gap[r] = world[r, 0] * x + world[r, 1] * y + world[r, 2] * z + world[r, 3]
                now.positions[i, r] += w * gap[r]
            if plain[joint]:
                add_unscaled(tree, wires, pose, axes, joint, gap, w, spun, geometric)
            else:
                part = np.zeros((6, free.channel_count))
                at[0, 0], at[0, 1], at[0, 2] = x, y, z
                add_point_jacobian(tree, wires, pose, joint, at, stages, spins, part)
                geometric[:3] += w * part[:3]
                if spun != 0.0:
                    geometric[3:] += spun * part[3:]
        turn_of(watched, i, pose.orientation, now.turns[i], stages[0])
        for half in range(2):
            lengths[i, half] = 0.0
            if not watched.wants[i, half]:
                continue
            gap_of(watched, i, half, pose.orientation, now, wish.states, gap)
            lengths[i, half] = math.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2) * watched.row_scale[row]
            for r in range(3):
                scale = watched.row_scale[row + r]
                found.errors[row + r] = gap[r] * scale
                for v in range(len(free.columns)):
                    moved = geometric[3 * half + r, free.columns[v]] * scale
                    found.derivatives[row + r, v] = moved * free.scale[v]
            row += 3
    pulled = pinned = total = farthest = beyond = 0.0
    pulls = len(wish.weights)
    for i in range(len(watched.rows)):
        longest = max(lengths[i, 0], lengths[i, 1])
        if i < pulls:
            pulled = max(pulled, longest)
            total += wish.weights[i] * (lengths[i, 0] ** 2 + lengths[i, 1] ** 2)
            farthest = max(farthest, lengths[i, 0], 0.25 * lengths[i, 1])
        else:
            allowed = wish.tolerances[i - pulls]
            pinned = max(pinned, longest)
            beyond = max(beyond, lengths[i, 0] - allowed[0], lengths[i, 1] - allowed[1])
    return pulled, pinned, math.sqrt(total), farthest, beyond


@kernel(
    "void(const(f8[::1]), const(f8[::1]), const(f8[:,::1]), const(f8[::1]), const(f8[::1]), Within, Rows,"
    "f8, f8, f8, f8)"
)
def compose(
    z: Floats,
    errors: Floats,
    derivatives: Floats,
    row_weights: Floats,
    slack: Floats,
    within: Within,
    rows: Rows,
    pull: float,
    damped: float,
    advance: float,
    leniency: float,
) -> None:
    """Rows and bounds of the least-distance program around z: pulled states first, then pins.

    `advance` is the share of the pulled errors to go for, `slack` (pins' rows,) how far pins may be off, `leniency` the
    share of a pin's error that may stay.
    """
    lowest, highest, step = within
    origin, matrix, lower, upper = rows
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
