"""Compiled aiming: the turn of a chain's first joint, and how all angles of the chain respond to a change.

*Base space* is the frame of the joint above the chain; there goal and pole are given. The turn of the first joint leads
to it from arm space, where the chain is bent already.
"""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import damped_rates
from inbetweener.maths.vector_kernels import (
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
    minus,
    moved,
    plus,
    product,
    put,
    scaled,
    square,
    transposed,
    vector,
)
from inbetweener.rig.handles.bending_kernels import NEARLY, Arm, Chain, Reach
from inbetweener.rig.handles.many_bones_kernels import solve_held, stiffness


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
