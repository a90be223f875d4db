"""Compiled joints that rotate: what keys that jump, a half turn, and limits of angles do to how far they are off."""

import math
from typing import NamedTuple

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.forward.stop_kernels import (
    beyond,
    free_ways,
    least,
    limited,
    most,
    nearest_within,
    stopped_speed,
    within_limits,
)
from inbetweener.dynamics.forward.sweep_kernels import Plan
from inbetweener.dynamics.forward.turning_kernels import (
    FARTHEST,
    bends,
    off_of,
    off_rates,
    off_turn,
    off_ways,
    turn_by,
    without,
)
from inbetweener.dynamics.kernels import Tree
from inbetweener.kernels import inlined, merged, record
from inbetweener.maths.kernels import turn_of
from inbetweener.maths.vector_kernels import (
    UPRIGHT,
    Vector,
    carried,
    dot,
    inverse,
    matrix,
    minus,
    moved,
    plus,
    product,
    scaled,
    transposed,
    turned,
    vector,
)

JUMP = 0.01
"""Radians or metres: where keys go farther within a step than their speeds say, they jump, and springs pull after."""


@record("const(i8[::1]), const(f8[:,::1]), f8")
class Springs(NamedTuple):
    """dofs (L,) which of the 9J are loose; springs (L, 5) their K_p, K_d, limits, and drag K_d; h the step."""

    dofs: Ints
    springs: Floats
    h: float


@record("const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,::1]), const(f8[:,:,::1])")
class Reference(NamedTuple):
    """q, q̇, q̈ (N, 9J) as prescribed, and what `carry` makes of them: stems (N, P, 25), turns (N, R, 15)."""

    q: Floats
    qd: Floats
    qdd: Floats
    stems: Floats
    turns: Floats


@merged
def turn_off(numbers: Ints, off: Floats) -> Vector:
    """The rotation vector, in a row of what is off, of a joint that rotates; or how fast it changes."""
    return off[numbers[3]], off[numbers[4]], off[numbers[5]]


@merged
def put_turn_off(numbers: Ints, off: Floats, turn: Vector) -> None:
    """The same, put there."""
    off[numbers[3]], off[numbers[4]], off[numbers[5]] = turn


@inlined
def jump_back(numbers: Ints, axis: int, was: Floats, now: Floats, h: float, off: Floats) -> None:
    """Where the keys of a joint that rotates jump between two moments, what is off (6, L) jumps the other way.

    Angles jump where a joint does not: what counts is the turn that speeds do not explain.
    """
    led = scaled(0.5 * h, plus(vector(was, 9), vector(now, 9)))
    a, b = bends(led)
    back = product(transposed(matrix(now)), product(matrix(was), turn_by(led, a, b)))
    left = turn_of(back)
    if not dot(left, left) > JUMP * JUMP:
        return
    for k in range(3):
        c, cd = turn_off(numbers, off[k]), turn_off(numbers, off[3 + k])
        spin = carried(back, carried(off_ways(c, axis), cd))
        c = kept_short(off_of(product(back, off_turn(c, axis)), axis, c[axis]), axis)
        put_turn_off(numbers, off[k], c)
        put_turn_off(numbers, off[3 + k], off_rates(c, axis, spin))


@inlined
def kept_short(c: Vector, axis: int) -> Vector:
    """What is off, its swing shortened to the farthest."""
    e = without(c, axis)
    size = math.sqrt(dot(e, e))
    return moved(c, min(FARTHEST / size, 1.0) - 1.0, e) if size > FARTHEST else c


@inlined
def stop_short(numbers: Ints, axis: int, off: Floats) -> None:
    """A swing (6, L) that has come too far stops there, and is taken to have come so."""
    c, cd = turn_off(numbers, off[0]), turn_off(numbers, off[3])
    e = without(c, axis)
    c, cd = kept_short(c, axis), moved(cd, -max(dot(cd, e), 0.0) / dot(e, e), e)
    for k in range(3):
        put_turn_off(numbers, off[k], c)
        put_turn_off(numbers, off[3 + k], cd)


@merged
def lead_turns(plan: Plan, along: Reference, last: int, at: int, h: float, off: Floats) -> None:
    """What jumps of keys do to what is off (6, L), of all joints that rotate."""
    for r in range(len(plan.rotating)):
        first, jumps = 9 * plan.joints[plan.rotating[r]] + 3, False
        for d in range(first, first + 3):
            jump = along.q[at, d] - along.q[last, d] - 0.5 * h * (along.qd[at, d] + along.qd[last, d])
            jumps = jumps or math.fabs(jump) > JUMP
        if jumps:
            numbers = plan.numbers[plan.rotating[r]]
            jump_back(numbers, plan.twisting[r], along.turns[last, r], along.turns[at, r], h, off)


@merged
def stop_at_limits(
    numbers: Ints,
    axis: int,
    order: Ints,
    inertias: Vector,
    by: Springs,
    near: Vector,
    rates: Vector,
    keyed: Floats,
    off: Floats,
) -> None:
    """A joint that rotates (6, L) and has come beyond limits of its angles is put to the nearest turn within, and stops
    there: all speed across is taken, and it is taken to have come so. Along the stop it goes on as it came.

    near, rates (3,) are the keyed angles and their speeds, keyed (15,) the keyed turn.
    """
    lower, upper = least(numbers, by.springs, near), most(numbers, by.springs, near)
    c, cd, lead = turn_off(numbers, off[0]), turn_off(numbers, off[3]), matrix(keyed, 0)
    turn = product(lead, off_turn(c, axis))
    angles, lower, upper = within_limits(turn, order, near, lower, upper)
    if not beyond(angles, lower, upper) > 0.0:
        return
    angles = nearest_within(turn, order, angles, inertias, lower, upper)
    free, axes = free_ways(order, angles, inertias, lower, upper)
    # Seen from the keyed joint.
    back = transposed(lead)
    free, axes = product(back, product(free, lead)), product(back, axes)
    spin = plus(vector(keyed, 9), carried(off_ways(c, axis), cd))
    spin = stopped_speed(free, axes, angles, near, rates, lower, upper, spin)
    turn = turned(
        turned(turned(UPRIGHT, order[0], angles[order[0]]), order[1], angles[order[1]]), order[2], angles[order[2]]
    )
    c = off_of(product(back, turn), axis, c[axis])
    ways = off_ways(c, axis)
    known = inverse(ways)
    cd = carried(known, minus(spin, vector(keyed, 9)))
    put_turn_off(numbers, off[0], c)
    put_turn_off(numbers, off[3], cd)
    # What was before, across the stop, is what led here evenly.
    along = product(known, product(free, ways))
    for k in range(1, 3):
        c1, cd1 = moved(c, -k * by.h, cd), cd
        put_turn_off(numbers, off[k], plus(c1, carried(along, minus(turn_off(numbers, off[k]), c1))))
        put_turn_off(numbers, off[3 + k], plus(cd1, carried(along, minus(turn_off(numbers, off[3 + k]), cd1))))


@merged
def hold_turns(tree: Tree, plan: Plan, by: Springs, along: Reference, at: int, off: Floats) -> None:
    """Keep swings (6, L) of all joints that rotate short of half a turn, and within the limits of their angles."""
    for r in range(len(plan.rotating)):
        j, numbers, axis = plan.joints[plan.rotating[r]], plan.numbers[plan.rotating[r]], plan.twisting[r]
        swing = without(turn_off(numbers, off[0]), axis)
        if dot(swing, swing) > FARTHEST * FARTHEST:
            stop_short(numbers, axis, off)
        if limited(numbers, by.springs):
            near, rates = vector(along.q[at], 9 * j + 3), vector(along.qd[at], 9 * j + 3)
            inertias = vector(plan.inertias[r])
            stop_at_limits(numbers, axis, tree.orders[j], inertias, by, near, rates, along.turns[at, r], off)
