"""Compiled aiming: the turn of a chain's first joint, and how all angles of the chain respond to a change.

*Base space* is the frame of the joint above the chain; there goal and pole are given. The turn of the first joint leads
to it from arm space, where the chain is bent already.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import add_angle_rates, carried, cross, dot
from inbetweener.rig.handles.bending_kernels import NEARLY, Arm, Chain, Reach, copy
from inbetweener.rig.handles.many_bones_kernels import solve_held, stiffness


class Aim(NamedTuple):
    """How a chain is aimed.

    goal, pole (3,): in base space, seen from the start; to, bent (3, 3): in their rows where the chain points, the
    hinge it bends about and their cross product, in base and in arm space; turn (3, 3): from arm to base; sizes (4,):
    the goal's distance, the tip's, and lengths of the hinges in both spaces before they are normalised; room (3n,).
    """

    goal: Floats
    pole: Floats
    to: Floats
    bent: Floats
    turn: Floats
    sizes: Floats
    room: Floats


@inlined
def frame_of(first: Floats, second: Floats, frame: Floats) -> float:
    """Rows of an orthonormal frame: first is kept, second made normal to it; returns the length that second had."""
    along = dot(first, second)
    for r in range(3):
        frame[0, r] = first[r]
        frame[1, r] = second[r] - along * first[r]
    length = math.sqrt(dot(frame[1], frame[1]))
    if length > 0.0:
        for r in range(3):
            frame[1, r] /= length
    cross(frame[0], frame[1], frame[2])
    return length


@inlined
def take_aim(arm: Arm, high: float, own: Floats, aim: Aim) -> None:
    """Turn the tip towards the goal and the bend towards the pole.

    With the goal on the start, or the pole on the line to the goal, the chain keeps the direction or the plane that
    the start joint's own angles (own (3, 3), from arm to base) give it.
    """
    n = len(arm.bends)
    tip, hinge, line, normal = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    size = max(math.sqrt(dot(arm.origins[n], arm.origins[n])), 1e-300)
    for r in range(3):
        tip[r] = arm.origins[n, r] / size
    aim.sizes[1] = size
    aim.sizes[3] = frame_of(tip, arm.hinges[1], aim.bent)
    distance = aim.sizes[0]
    if distance > 1e-12 * high:
        for r in range(3):
            line[r] = aim.goal[r] / distance
    else:
        carried(own, tip, line)
    # The elbow lies on the side of tip × hinge; so the hinge is to be pole × line.
    cross(aim.pole, line, normal)
    aim.sizes[2] = math.sqrt(dot(normal, normal))
    if aim.sizes[2] > 1e-12 * high:
        frame_of(line, normal, aim.to)
    else:
        carried(own, arm.hinges[1], hinge)
        if frame_of(line, hinge, aim.to) < 1e-9:
            # Any plane will do.
            across = 0 if abs(line[0]) < 0.5 else 1
            for r in range(3):
                hinge[r] = 1.0 if r == across else 0.0
            frame_of(line, hinge, aim.to)
    for r in range(3):
        for c in range(3):
            aim.turn[r, c] = (
                aim.to[0, r] * aim.bent[0, c] + aim.to[1, r] * aim.bent[1, c] + aim.to[2, r] * aim.bent[2, c]
            )


class Source(NamedTuple):
    """One direction of all that the angles depend on.

    follow: how the bend of two bones, or the wanted reach of more, follows it; goal, pole (3,): how these change;
    shift (3,): how the tip moves in arm space when nothing bends, and `last`, the last joint whose turns move what is
    shifted; turned, axis: the joint whose own angle it is, and which, or −1.
    """

    follow: float
    goal: Floats
    pole: Floats
    shift: Floats
    last: int
    turned: int
    axis: int


@inlined
def respond(chain: Chain, arm: Arm, aim: Aim, reach: Reach, angles: Floats, source: Source, result: Floats) -> None:
    """How the chain's angles (n, 3) change along one direction of what they depend on.

    Long chains: the implicit function theorem on what least squares made vanish, the Lagrangian's gradient and the gap.
    """
    n = len(chain.joints)
    shift, high = source.shift, reach.high
    tip, size, room = arm.origins[n], aim.sizes[1], np.empty((4, 3))
    moved, extra, swung, seen = room[0], room[1], room[2], room[3]
    result[:] = 0.0
    copy(shift, moved)
    if n == 2:
        for r in range(3):
            seen[r] = chain.hinges[1, r] * source.follow
            swung[r] = tip[r] - arm.origins[1, r]
            if source.turned == 1:
                seen[r] += arm.spins[1, source.axis, r]
        add_angle_rates(angles[1], chain.orders[chain.joints[1]], seen, result[1])
        cross(arm.hinges[1], swung, extra)
        for r in range(3):
            moved[r] += source.follow * extra[r]
    else:
        outward, multiplier = dot(tip, shift) / size, arm.work[0]
        change = np.zeros(3 * n)
        for u in range(3, 3 * n):
            i, axis = u // 3, chain.orders[chain.joints[u // 3], u % 3]
            slope = 0.0
            if i <= source.last:
                cross(arm.axes[u], shift, extra)
                slope = dot(tip, extra) / size
            slope += (dot(shift, arm.levers[u]) - outward * arm.slopes[u]) / size
            change[u] = -multiplier * slope
            if i == source.turned:
                change[u] += stiffness(chain, i, axis, source.axis)
        solve_held(arm, source.follow - outward, change, aim.room)
        for u in range(3, 3 * n):
            result[u // 3, chain.orders[chain.joints[u // 3], u % 3]] = change[u]
            for r in range(3):
                moved[r] += change[u] * arm.levers[u, r]
    # How the frame in arm space turns: ω = x × dx + x (dn · y) for rows x, n, y.
    along = dot(aim.bent[0], moved)
    for r in range(3):
        moved[r] = (moved[r] - along * aim.bent[0, r]) / size
    cross(aim.bent[0], moved, swung)
    slant = -dot(arm.hinges[1], aim.bent[0]) * dot(moved, aim.bent[2]) / max(aim.sizes[3], NEARLY)
    for r in range(3):
        seen[r] = swung[r] + slant * aim.bent[0, r]
    carried(aim.turn, seen, swung)
    # And the frame in base space; the start joint makes up the difference.
    along = dot(aim.to[0], source.goal)
    for r in range(3):
        moved[r] = (source.goal[r] - along * aim.to[0, r]) / max(aim.sizes[0], NEARLY * high)
    cross(source.pole, aim.to[0], extra)
    slant = dot(extra, aim.to[2])
    cross(aim.pole, moved, extra)
    slant = (slant + dot(extra, aim.to[2])) / max(aim.sizes[2], NEARLY * high)
    cross(aim.to[0], moved, extra)
    for r in range(3):
        extra[r] += slant * aim.to[0, r] - swung[r]
    start = chain.rest[chain.joints[0]]
    for r in range(3):
        seen[r] = start[0, r] * extra[0] + start[1, r] * extra[1] + start[2, r] * extra[2]
    add_angle_rates(angles[0], chain.orders[chain.joints[0]], seen, result[0])
