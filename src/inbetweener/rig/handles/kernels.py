"""Compiled IK handles: the angles of a chain from target and pole, and how they move with all that they depend on.

The chain's shape is found in *arm space*, the frame of the start joint once it is turned; target and pole are seen from
*base space*, the frame of the joint above. Between the two lies the turn of the start joint, which aims the chain:

1. the target's distance says how far the chain reaches, softened near its ends;
2. the joints below the start turn about their hinges by δ until the chain reaches that far: in closed form for two
   bones, by damped least squares for more;
3. the start joint turns the tip towards the target and the bend towards the pole.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.kernels import damped_rates, nearest_angles
from inbetweener.maths.vector_kernels import (
    NOTHING,
    UPRIGHT,
    Matrix,
    Vector,
    carried,
    column,
    combined,
    cross,
    divided,
    dot,
    length,
    matrix,
    minus,
    moved,
    plus,
    product,
    put,
    scaled,
    square,
    stretched,
    transposed,
    turned,
    vector,
)
from inbetweener.rig.handles.bending_kernels import (
    NEARLY,
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
from inbetweener.rig.handles.many_bones_kernels import (
    MOST_DAMPING,
    bend_many,
    factorise,
    follow_many,
    solve_held,
    stiffness,
)


class Aim(NamedTuple):
    """How a chain is aimed.

    goal, pole: in base space, seen from the start; to, bent: in their rows where the chain points, the hinge it bends
    about and their cross product, in base and in arm space; turn: from arm to base; distance of the goal, size: that of
    the tip; across, hinged: lengths of the hinges in both spaces before they are normalised.
    """

    goal: Vector
    pole: Vector
    to: Matrix
    bent: Matrix
    turn: Matrix
    distance: float
    size: float
    across: float
    hinged: float


@inlined
def frame_of(first: Vector, second: Vector) -> tuple[Matrix, float]:
    """Rows of an orthonormal frame: first is kept, second made normal to it; and the length that second had."""
    across = moved(second, -dot(first, second), first)
    size = length(across)
    if size > 0.0:
        across = divided(across, size)
    return (first, across, cross(first, across)), size


@inlined
def take_aim(arm: Arm, high: float, own: Matrix, goal: Vector, pole: Vector) -> Aim:
    """Turn the tip towards the goal and the bend towards the pole.

    With the goal on the start, or the pole on the line to the goal, the chain keeps the direction or the plane that
    the start joint's own angles (own, from arm to base) give it.
    """
    at, hinge = vector(arm.origins[len(arm.bends)]), vector(arm.hinges[1])
    size, distance = max(length(at), 1e-300), length(goal)
    tip = divided(at, size)
    bent, hinged = frame_of(tip, hinge)
    line = divided(goal, distance) if distance > 1e-12 * high else carried(own, tip)
    # The elbow lies on the side of tip × hinge; so the hinge is to be pole × line.
    normal = cross(pole, line)
    across = length(normal)
    if across > 1e-12 * high:
        to, _ = frame_of(line, normal)
    else:
        to, left = frame_of(line, carried(own, hinge))
        if left < 1e-9:
            # Any plane will do.
            to, _ = frame_of(line, column(UPRIGHT, 0 if abs(line[0]) < 0.5 else 1))
    return Aim(goal, pole, to, bent, product(transposed(to), bent), distance, size, across, hinged)


class Source(NamedTuple):
    """One direction of all that the angles depend on.

    follow: how the bend of two bones, or the wanted reach of more, follows it; goal, pole: how these change; shift: how
    the tip moves in arm space when nothing bends, and `last`, the last joint whose turns move what is shifted; turned,
    axis: the joint whose own angle it is, and which, or −1.
    """

    follow: float
    goal: Vector
    pole: Vector
    shift: Vector
    last: int
    turned: int
    axis: int


@inlined
def respond(chain: Chain, arm: Arm, aim: Aim, reach: Reach, source: Source, result: Floats) -> None:
    """How the chain's angles (n, 3) change along one direction of what they depend on.

    Long chains: the implicit function theorem on what least squares made vanish, the Lagrangian's gradient and the gap.
    """
    n = len(chain.joints)
    shift, tip, hinge = source.shift, vector(arm.origins[n]), vector(arm.hinges[1])
    result[:] = 0.0
    along = shift
    if n == 2:
        spin = scaled(source.follow, vector(chain.hinges[1]))
        if source.turned == 1:
            spin = plus(spin, vector(arm.spins[1], 3 * source.axis))
        put(result[1], 0, damped_rates(vector(arm.found[1]), chain.orders[chain.joints[1]], spin))
        along = moved(along, source.follow, cross(hinge, minus(tip, vector(arm.origins[1]))))
    else:
        outward, change = dot(tip, shift) / aim.size, np.zeros(3 * n)
        for u in range(3, 3 * n):
            i, axis = u // 3, chain.orders[chain.joints[u // 3], u % 3]
            slope = dot(tip, cross(vector(arm.axes[u]), shift)) / aim.size if i <= source.last else 0.0
            slope += (dot(shift, vector(arm.levers[u])) - outward * arm.slopes[u]) / aim.size
            change[u] = -arm.multiplier[0] * slope
            if i == source.turned:
                change[u] += stiffness(chain, i, axis, source.axis)
        solve_held(arm, source.follow - outward, change)
        for u in range(3, 3 * n):
            result[u // 3, chain.orders[chain.joints[u // 3], u % 3]] = change[u]
            along = moved(along, change[u], vector(arm.levers[u]))
    # How the frame in arm space turns: ω = x × dx + x (dn · y) for rows x, n, y.
    x, _, y = aim.bent
    along = divided(moved(along, -dot(x, along), x), aim.size)
    slant = -dot(hinge, x) * dot(along, y) / max(aim.hinged, NEARLY)
    swung = carried(aim.turn, moved(cross(x, along), slant, x))
    # And the frame in base space; the start joint makes up the difference.
    x, _, y = aim.to
    along = divided(moved(source.goal, -dot(x, source.goal), x), max(aim.distance, NEARLY * reach.high))
    slant = dot(cross(source.pole, x), y) + dot(cross(aim.pole, along), y)
    spin = minus(moved(cross(x, along), slant / max(aim.across, NEARLY * reach.high), x), swung)
    spin = combined(square(chain.rest[chain.joints[0]]), spin)
    put(result[0], 0, damped_rates(vector(arm.found[0]), chain.orders[chain.joints[0]], spin))


@inlined
def tip_of(chain: Chain, dofs: Floats, moves: Floats) -> Vector:
    """The tip in the last joint's frame, and moves (9, 3): how it shifts with what the joint that carries it can do.

    The tip may sit on the last joint itself, with nothing to move it, or on one below.
    """
    moves[:] = 0.0
    joint, offset = chain.tip_joint, vector(chain.offset)
    if joint == chain.joints[len(chain.joints) - 1]:
        return offset
    q, turn = dofs[9 * joint : 9 * joint + 9], square(chain.rest[joint])
    for m in range(3):
        axis = chain.orders[joint, m]
        put(moves[3 + axis], 0, column(turn, axis))
        turn = turned(turn, axis, q[3 + axis])
    at = carried(turn, stretched(vector(q, 6), offset))
    for d in range(3):
        moves[d, d] = 1.0
        put(moves[3 + d], 0, cross(vector(moves[3 + d]), at))
        put(moves[6 + d], 0, scaled(offset[d], column(turn, d)))
    return plus(vector(q), at)


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
    tip: Vector,
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
    # How the angles respond to the goal (0–2), to the pole (3–5) and to the source at hand (6).
    rates = np.empty((7, n, 3))
    for i in range(n):
        for r in range(3):
            dof = 9 * joints[i] + 3 + r
            for e in range(rows.starts[dof], rows.starts[dof + 1]):
                result[i, r, rows.inputs[e]] = (1.0 - blend) * weights[e]
            result[i, r, rows.own[6]] += arm.found[i, r] - dofs[dof]
    if n > 2:
        damping = 0.0
        while not factorise(arm.hessian, damping, arm.factor) and damping < MOST_DAMPING:
            damping = max(10.0 * damping, 1e-3)
    carried_too = are_carriers_wanted(above, rows, joints[0], weights)
    # Goal and pole; the joints' own places and angles; what moves the tip on the last of them.
    for number in range(6 * n + 12):
        if number < 6 and not (carried_too or is_own_wanted(rows, number // 3)):
            for i in range(n):
                put(rates[number, i], 0, NOTHING)
            continue
        away, bone, dof, last, twisted, axis = 0.0, 0, -1, 0, -1, 0
        goal, pole, shift = NOTHING, NOTHING, NOTHING
        if number < 3:
            goal = column(UPRIGHT, number)
            away = aim.to[0][number]
        elif number < 6:
            pole = column(UPRIGHT, number - 3)
        else:
            if number < 6 * n:
                i, d = number // 6, number % 6
                dof, last = 9 * joints[i] + d, i - 1
                if d < 3:
                    bone = i
                    shift = scaled(arm.sizes[i], column(matrix(arm.after[i - 1]), d))
                else:
                    last, twisted, axis = i, i, d - 3
                    if n == 2:
                        # Of longer chains all angles are unknowns, and their own only what these keep close to.
                        spin = carried(matrix(arm.before[i]), vector(arm.spins[i], 3 * axis))
                        shift = cross(spin, minus(vector(arm.origins[n]), vector(arm.origins[i])))
            else:
                # Nine of the joint that carries the tip, if that is another one; three scales of the last.
                d = number - 6 * n
                if d < 9 and chain.tip_joint == end:
                    continue
                dof, bone, last = 9 * chain.tip_joint + d if d < 9 else 9 * end + d - 3, n, n - 1
                step = stretched(vector(arm.moves[min(d, 8)]), vector(dofs, 9 * end + 6))
                if d >= 9:
                    step = stretched(tip, column(UPRIGHT, d - 9))
                shift = carried(matrix(arm.after[n - 1]), scaled(arm.sizes[n - 1], step))
            if not is_wanted(dof, rows, weights) or (twisted < 0 and dot(shift, shift) == 0.0):
                continue
        follow = follow_two(arm, reach, away, shift, bone) if n == 2 else follow_many(arm, reach, away, shift, bone)
        source = Source(follow, goal, pole, shift, last, twisted, axis)
        respond(chain, arm, aim, reach, source, rates[min(number, 6)])
        if number >= 6:
            add_response(rates[6], blend, dof, rows, weights, result)
    # Where the start is moves goal and pole the other way.
    for c in range(3 if carried_too else 0):
        for i in range(n):
            put(rates[6, i], 0, plus(vector(rates[c, i]), vector(rates[3 + c, i])))
        add_response(rates[6], -blend, 9 * joints[0] + c, rows, weights, result)
    add_own(base, rows, rates, blend, result)
    if carried_too and len(above.joints) > 0:
        add_carriers(above, base, rows, rates, blend, weights, result)
    for i in range(n):
        for r in range(3):
            dof = 9 * joints[i] + 3 + r
            for e in range(rows.starts[dof], rows.starts[dof + 1]):
                weights[e] = result[i, r, rows.inputs[e]] if rows.wanted[rows.inputs[e]] else 0.0


@kernel("void(Above, Chain, Rows, const(f8[:,::1]), f8[:,::1], f8[:,::1])")
def solve(above: Above, chain: Chain, rows: Rows, values: Floats, dofs: Floats, weights: Floats) -> None:
    """Overwrite the angles of a chain in dofs (T, D), and its rows in weights (T, E), with what its handle asks for.

    values (T, C) are those of channels; with no weights at all, nobody wants derivatives.
    """
    joints, orders, n = chain.joints, chain.orders, len(chain.joints)
    first, arm, result = joints[0], arm_of(n), np.empty((n, 3, len(rows.wanted)))
    rest = square(chain.rest[first])
    for f in range(len(dofs)):
        pose, blend = dofs[f], values[f, rows.channels[6]]
        if blend == 0.0 and len(weights) == 0:
            continue
        base = see_base(above, rows, values[f], pose)
        if base.hidden:
            continue
        start = vector(pose, 9 * first)
        goal, pole = minus(base.goal, start), minus(base.pole, start)
        # Bend, then aim.
        tip = tip_of(chain, pose, arm.moves)
        for i in range(1, n):
            arm.bends[i] = 0.0
            copy(pose[9 * joints[i] + 3 : 9 * joints[i] + 6], arm.angles[i])
        arrange(chain, pose, tip, arm)
        low, high = reach_of(arm)
        if not high > 0.0:
            continue
        reach = reach_for(length(goal), low, high, chain.soft, chain.back)
        if n == 2:
            bend_two(chain, pose, tip, reach, arm)
        else:
            bend_many(chain, pose, tip, reach, arm)
        own = rest
        for m in range(3):
            own = turned(own, orders[first, m], pose[9 * first + 3 + orders[first, m]])
        aim = take_aim(arm, high, own, goal, pole)
        for i in range(n):
            j = joints[i]
            if i == 0 or n == 2:
                turn = product(transposed(rest), aim.turn) if i == 0 else matrix(arm.turns[i])
                put(arm.found[i], 0, nearest_angles(turn, orders[j], vector(pose, 9 * j + 3)))
            else:
                copy(arm.angles[i], arm.found[i])
        if len(weights) > 0:
            differentiate(chain, arm, aim, reach, above, base, rows, tip, blend, pose, result, weights[f])
        for i in range(n):
            for r in range(3):
                dof = 9 * joints[i] + 3 + r
                pose[dof] += blend * (arm.found[i, r] - pose[dof])
