"""Compiled IK handles: the angles of a chain from target and pole, and how they move with all that they depend on.

The chain's shape is found in *arm space*, the frame of the start joint once it is turned; target and pole are seen from
*base space*, the frame of the joint above. Between the two lies the turn of the start joint, which aims the chain:

1. the target's distance says how far the chain reaches, softened near its ends;
2. the joints below the start turn about their hinges by δ until the chain reaches that far: in closed form for two
   bones, by damped least squares for more;
3. the start joint turns the tip towards the target and the bend towards the pole.
"""

import math

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.kernels import angles_near, carried, cross, dot
from inbetweener.rig.handles.aiming_kernels import Aim, Source, respond, take_aim
from inbetweener.rig.handles.bending_kernels import (
    Arm,
    Chain,
    Reach,
    arm_of,
    arrange,
    bend_two,
    copy,
    follow_two,
    reach_for,
    reach_of,
)
from inbetweener.rig.handles.carrying_kernels import (
    Above,
    Base,
    Rows,
    add_carriers,
    add_own,
    are_carriers_wanted,
    is_own_wanted,
    is_wanted,
    see_base,
)
from inbetweener.rig.handles.many_bones_kernels import MOST_DAMPING, bend_many, factorise, follow_many
from inbetweener.rig.kernels import turn


@inlined
def tip_of(chain: Chain, dofs: Floats, joint: int, offset: Floats, tip: Floats, moves: Floats) -> None:
    """The tip (3,) in the last joint's frame, and moves (9, 3): how it shifts with what `joint` can do.

    The tip may sit on the last joint itself, with nothing to move it, or on one below.
    """
    moves[:] = 0.0
    if joint == chain.joints[len(chain.joints) - 1]:
        copy(offset, tip)
        return
    q, rest = dofs[9 * joint : 9 * joint + 9], chain.rest[joint]
    turned, spins, at, room = np.empty((3, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    for r in range(3):
        copy(rest[r], turned[r])
    for m in range(3):
        axis = chain.orders[joint, m]
        for r in range(3):
            spins[axis, r] = turned[r, axis]
        turn(axis, q[3 + axis], turned)
    for r in range(3):
        room[r] = q[6 + r] * offset[r]
    carried(turned, room, at)
    for r in range(3):
        tip[r] = q[r] + at[r]
        moves[r, r] = 1.0
        cross(spins[r], at, moves[3 + r])
        for c in range(3):
            moves[6 + r, c] = turned[c, r] * offset[r]


@inlined
def add_response(rates: Floats, amount: float, dof: int, rows: Rows, weights: Floats, result: Floats) -> None:
    """Spread the response (n, 3) to one degree of freedom over the inputs (…, m) that drive it."""
    for e in range(rows.starts[dof], rows.starts[dof + 1]):
        # A chain's own rows have an entry for every input, most of them nought.
        if weights[e] != 0.0:
            for i in range(len(rates)):
                for r in range(3):
                    result[i, r, rows.inputs[e]] += amount * rates[i, r] * weights[e]


@inlined
def differentiate(
    chain: Chain,
    arm: Arm,
    aim: Aim,
    reach: Reach,
    above: Above,
    base: Base,
    rows: Rows,
    tip_joint: int,
    tip: Floats,
    moves: Floats,
    angles: Floats,
    blend: float,
    dofs: Floats,
    result: Floats,
    weights: Floats,
) -> None:
    """Overwrite the chain's rows of weights (E,) with the derivative of its blended angles by every wanted input.

    result (n, 3, m) is room to work in.
    """
    joints, n = chain.joints, len(chain.joints)
    end = joints[n - 1]
    goal, pole, shift, spin, room = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    # How the angles respond to the goal (0–2), to the pole (3–5) and to the source at hand (6).
    rates = np.empty((7, n, 3))
    for i in range(n):
        for r in range(3):
            dof = 9 * joints[i] + 3 + r
            for e in range(rows.starts[dof], rows.starts[dof + 1]):
                result[i, r, rows.inputs[e]] = (1.0 - blend) * weights[e]
            result[i, r, rows.own[6]] += angles[i, r] - dofs[dof]
    if n > 2:
        damping = 0.0
        while not factorise(arm.hessian, damping, arm.factor) and damping < MOST_DAMPING:
            damping = max(10.0 * damping, 1e-3)
    carried_too = are_carriers_wanted(above, rows, joints[0], weights)
    # Goal and pole; the joints' own places and angles; what moves the tip on the last of them.
    for number in range(6 * n + 12):
        if number < 6 and not (carried_too or is_own_wanted(rows, number // 3)):
            for i in range(n):
                for r in range(3):
                    rates[number, i, r] = 0.0
            continue
        away, bone, dof, last, turned, axis = 0.0, 0, -1, 0, -1, 0
        for r in range(3):
            goal[r] = pole[r] = shift[r] = 0.0
        if number < 3:
            goal[number] = 1.0
            away = aim.to[0, number]
        elif number < 6:
            pole[number - 3] = 1.0
        else:
            if number < 6 * n:
                i, d = number // 6, number % 6
                dof, last = 9 * joints[i] + d, i - 1
                if d < 3:
                    bone = i
                    for r in range(3):
                        shift[r] = arm.sizes[i] * arm.after[i - 1, r, d]
                else:
                    last, turned, axis = i, i, d - 3
                    if n == 2:
                        # Of longer chains all angles are unknowns, and their own only what these keep close to.
                        carried(arm.before[i], arm.spins[i, axis], spin)
                        for r in range(3):
                            room[r] = arm.origins[n, r] - arm.origins[i, r]
                        cross(spin, room, shift)
            else:
                # Nine of the joint that carries the tip, if that is another one; three scales of the last.
                d = number - 6 * n
                if d < 9 and tip_joint == end:
                    continue
                dof, bone, last = 9 * tip_joint + d if d < 9 else 9 * end + d - 3, n, n - 1
                for r in range(3):
                    moved = moves[d, r] * dofs[9 * end + 6 + r] if d < 9 else (tip[r] if r == d - 9 else 0.0)
                    room[r] = moved * arm.sizes[n - 1]
                carried(arm.after[n - 1], room, shift)
            if not is_wanted(dof, rows, weights) or (turned < 0 and dot(shift, shift) == 0.0):
                continue
        follow = follow_two(arm, reach, away, shift, bone) if n == 2 else follow_many(arm, reach, away, shift, bone)
        source = Source(follow, goal, pole, shift, last, turned, axis)
        respond(chain, arm, aim, reach, angles, source, rates[min(number, 6)])
        if number >= 6:
            add_response(rates[6], blend, dof, rows, weights, result)
    # Where the start is moves goal and pole the other way.
    for c in range(3 if carried_too else 0):
        for i in range(n):
            for r in range(3):
                rates[6, i, r] = rates[c, i, r] + rates[3 + c, i, r]
        add_response(rates[6], -blend, 9 * joints[0] + c, rows, weights, result)
    add_own(base, rows, rates, blend, result)
    if carried_too and len(above.joints) > 0:
        add_carriers(above, base, rows, rates, blend, weights, result)
    for i in range(n):
        for r in range(3):
            dof = 9 * joints[i] + 3 + r
            for e in range(rows.starts[dof], rows.starts[dof + 1]):
                weights[e] = result[i, r, rows.inputs[e]] if rows.wanted[rows.inputs[e]] else 0.0


@kernel(
    # the handle: what is above its chain, the chain, the tip's joint and offset, its seven channels, and as inputs
    "void(Above, Chain, i8, const(f8[::1]), const(i8[::1]), const(i8[::1]),"
    # the channel map: starts, the input of every entry; which inputs are wanted
    "const(i8[::1]), const(i8[::1]), const(b1[::1]),"
    # channel values; results: degrees of freedom and, unless empty, the derivative's entries
    "const(f8[:,::1]), f8[:,::1], f8[:,::1])"
)
def solve(
    above: Above,
    chain: Chain,
    tip_joint: int,
    offset: Floats,
    handle_channels: Ints,
    handle_inputs: Ints,
    starts: Ints,
    inputs: Ints,
    wanted: Bools,
    values: Floats,
    dofs: Floats,
    weights: Floats,
) -> None:
    """Overwrite the angles of a chain in dofs (T, D), and its rows in weights (T, E), with what its handle asks for."""
    rest, orders, joints = chain.rest, chain.orders, chain.joints
    n, count = len(joints), len(above.joints)
    base = Base(
        np.empty(9 * count),
        np.empty((count, 3, 4)),
        np.empty((count, 3, 3)),
        np.empty((3, 3)),
        np.empty(3),
        np.empty(3),
    )
    rows, arm = Rows(starts, inputs, handle_inputs, wanted), arm_of(n)
    aim = Aim(
        np.empty(3), np.empty(3), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty(4), np.empty(3 * n)
    )
    own, tip, moves, by = np.empty((3, 3)), np.empty(3), np.empty((9, 3)), np.empty(5)
    angles, result = np.empty((n, 3)), np.empty((n, 3, len(wanted)))
    first = joints[0]
    for f in range(len(dofs)):
        pose, blend = dofs[f], values[f, handle_channels[6]]
        if blend == 0.0 and len(weights) == 0:
            continue
        if not see_base(above, values[f], handle_channels, pose, base):
            continue
        for r in range(3):
            aim.goal[r] = base.goal[r] - pose[9 * first + r]
            aim.pole[r] = base.pole[r] - pose[9 * first + r]
        aim.sizes[0] = math.sqrt(dot(aim.goal, aim.goal))
        # Bend, then aim.
        tip_of(chain, pose, tip_joint, offset, tip, moves)
        arm.bends[:] = 0.0
        for i in range(1, n):
            copy(pose[9 * joints[i] + 3 : 9 * joints[i] + 6], arm.angles[i])
        arrange(chain, pose, tip, arm)
        low, high = reach_of(arm)
        if not high > 0.0:
            continue
        reach = reach_for(aim.sizes[0], low, high, by)
        if n == 2:
            bend_two(chain, pose, tip, reach, arm)
        else:
            bend_many(chain, pose, tip, reach, arm)
        for r in range(3):
            copy(rest[first, r], own[r])
        for m in range(3):
            turn(orders[first, m], pose[9 * first + 3 + orders[first, m]], own)
        take_aim(arm, high, own, aim)
        for r in range(3):
            for c in range(3):
                arm.turns[0, r, c] = (
                    rest[first, 0, r] * aim.turn[0, c]
                    + rest[first, 1, r] * aim.turn[1, c]
                    + rest[first, 2, r] * aim.turn[2, c]
                )
        for i in range(n):
            j = joints[i]
            if i == 0 or n == 2:
                angles_near(arm.turns[i], orders[j], pose[9 * j + 3 : 9 * j + 6], angles[i])
            else:
                copy(arm.angles[i], angles[i])
        if len(weights) > 0:
            differentiate(
                chain,
                arm,
                aim,
                reach,
                above,
                base,
                rows,
                tip_joint,
                tip,
                moves,
                angles,
                blend,
                pose,
                result,
                weights[f],
            )
        for i in range(n):
            for r in range(3):
                dof = 9 * joints[i] + 3 + r
                pose[dof] += blend * (angles[i, r] - pose[dof])
