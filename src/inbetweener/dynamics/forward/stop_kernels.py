"""Compiled stops of joints that rotate: a limit is one of an angle, but what it stops is a rotation.

A joint may be turned in all ways that some angles within their limits give. Where a step has led it out of these, it is
put to the nearest of them: that which moves its masses least, not its angles, so that next to gimbal lock, where angles
run through half a turn while the joint hardly moves, a stop moves it as little, and a limb that swings past the lock
rather twists than stops.
"""

import math

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import by_axis, nearest_angles, parity
from inbetweener.maths.vector_kernels import (
    NOTHING,
    UPRIGHT,
    Matrix,
    Vector,
    carried,
    column,
    combined,
    cross,
    dot,
    minus,
    plus,
    product,
    scaled,
    stretched,
    transposed,
    turned,
)

TURN = 2.0 * math.pi

ROUNDS = 4
"""How often each angle is led to where the rotation is nearest. Next to the lock two of them do the same."""

NEAR, FAR = math.sin(math.radians(45.0)), math.sin(math.radians(75.0))
"""How near to gimbal lock wedges are open, and where they are closed, as cosines of the middle angle."""


@inlined
def limited(numbers: Ints, springs: Floats) -> bool:
    """Whether any angle of a joint has a limit."""
    x, y, z = springs[numbers[3]], springs[numbers[4]], springs[numbers[5]]
    below = x[2] > -math.inf or y[2] > -math.inf or z[2] > -math.inf
    return below or x[3] < math.inf or y[3] < math.inf or z[3] < math.inf


@inlined
def least(numbers: Ints, springs: Floats, angles: Vector) -> Vector:
    """The lower limits of a joint's angles by axis; keys that are beyond one are let be."""
    return (
        min(springs[numbers[3], 2], angles[0]),
        min(springs[numbers[4], 2], angles[1]),
        min(springs[numbers[5], 2], angles[2]),
    )


@inlined
def most(numbers: Ints, springs: Floats, angles: Vector) -> Vector:
    """The upper limits."""
    return (
        max(springs[numbers[3], 3], angles[0]),
        max(springs[numbers[4], 3], angles[1]),
        max(springs[numbers[5], 3], angles[2]),
    )


@inlined
def beyond(angles: Vector, lower: Vector, upper: Vector) -> float:
    """How far the worst of three angles is beyond its limits; not positive where none is."""
    x = max(lower[0] - angles[0], angles[0] - upper[0])
    y = max(lower[1] - angles[1], angles[1] - upper[1])
    return max(max(x, y), max(lower[2] - angles[2], angles[2] - upper[2]))


@inlined
def opening(order: Ints, angles: Vector, lower: Vector, upper: Vector) -> float:
    """By how much the first and the last of three angles may go beyond their limits next to gimbal lock.

    There a joint that swings past the lock goes through half a turn of both, and what their limits leave out of that is
    a wedge between two ways of writing the same turns. Nobody means such a wall in the midst of what a joint can do:
    where the middle angle may pass the lock, wedges are open near it.
    """
    i, j, k = order[0], order[1], order[2]
    slant, up = math.cos(angles[j]), math.sin(angles[j])
    far = max(math.fabs(slant) - NEAR, 0.0) / (FAR - NEAR)
    if far >= 1.0 or not (upper[j] > 0.5 * math.pi if up > 0.0 else lower[j] < -0.5 * math.pi):
        return 0.0
    # At the lock only this is known of both.
    side = parity(order) if up > 0.0 else -parity(order)
    total = angles[i] + side * angles[k]
    first, last = (total - upper[k], total - lower[k]) if side > 0.0 else (total + lower[k], total + upper[k])
    wedge = 0.5 * (math.pi - (min(upper[i], last) - max(lower[i], first)))
    return max(wedge, 0.0) * (1.0 - far * far * (3.0 - 2.0 * far))


@inlined
def opened(order: Ints, limits: Vector, by: float) -> Vector:
    """Limits of which the first and the last are moved."""
    return by_axis(order, limits[order[0]] + by, limits[order[1]], limits[order[2]] + by)


@inlined
def fitting_angles(turn: Matrix, order: Ints, near: Vector, lower: Vector, upper: Vector) -> Vector:
    """Angles of a rotation within limits, if there are such: those nearest to `near`, or the others that give it."""
    found = nearest_angles(turn, order, near)
    over = beyond(found, lower, upper)
    if over <= 0.0:
        return found
    i, j, k = order[0], order[1], order[2]
    a, b, c = found[i] + math.pi, math.pi - found[j], found[k] + math.pi
    a -= TURN * math.floor((a - near[i]) / TURN + 0.5)
    b -= TURN * math.floor((b - near[j]) / TURN + 0.5)
    c -= TURN * math.floor((c - near[k]) / TURN + 0.5)
    others = by_axis(order, a, b, c)
    return others if beyond(others, lower, upper) < over else found


@inlined
def within_limits(
    turn: Matrix, order: Ints, near: Vector, lower: Vector, upper: Vector
) -> tuple[Vector, Vector, Vector]:
    """Angles of a rotation as `fitting_angles` has them, and the limits that hold there."""
    found = fitting_angles(turn, order, near, lower, upper)
    if beyond(found, lower, upper) > 0.0:
        wider = opening(order, found, lower, upper)
        if wider > 0.0:
            lower, upper = opened(order, lower, -wider), opened(order, upper, wider)
            found = fitting_angles(turn, order, near, lower, upper)
    return found, lower, upper


@inlined
def held_angle(wanted: float, now: float, lower: float, upper: float) -> float:
    """The wanted angle but for whole turns: the one next to what is now where limits let it be, or the nearer limit."""
    wanted += TURN * math.floor((now - wanted) / TURN + 0.5)
    if not lower <= wanted <= upper and upper - lower < TURN:
        wanted -= TURN * math.floor((wanted - 0.5 * (lower + upper)) / TURN + 0.5)
    return min(max(wanted, lower), upper)


@inlined
def weighed(turn: Matrix, inertias: Vector) -> Matrix:
    """R M, for masses on the axes that have these inertias."""
    x, y, z = inertias
    m = max(0.5 * (y + z - x), 0.0), max(0.5 * (z + x - y), 0.0), max(0.5 * (x + y - z), 0.0)
    return stretched(turn[0], m), stretched(turn[1], m), stretched(turn[2], m)


@inlined
def nearest_within(turn: Matrix, order: Ints, angles: Vector, inertias: Vector, lower: Vector, upper: Vector) -> Vector:
    """Angles within limits that turn a joint most nearly so, from some that are beyond; inertias about its own axes.

    As masses m on these axes, Σ m |E a − R a|², E what the angles give, is least where tr(Eᵀ R M) is largest: one angle
    after the other is led there, as that is a wave in each.
    """
    turn = weighed(turn, inertias)
    i, j, k, sign = order[0], order[1], order[2], parity(order)
    a = min(max(angles[i], lower[i]), upper[i])
    b = min(max(angles[j], lower[j]), upper[j])
    c = min(max(angles[k], lower[k]), upper[k])
    for _ in range(ROUNDS):
        m = product(turn, transposed(turned(turned(UPRIGHT, j, b), k, c)))
        wanted = math.atan2(sign * (m[k][j] - m[j][k]), m[j][j] + m[k][k])
        a = held_angle(wanted, a, lower[i], upper[i])
        first = turned(UPRIGHT, i, a)
        m = product(product(transposed(first), turn), transposed(turned(UPRIGHT, k, c)))
        wanted = math.atan2(sign * (m[i][k] - m[k][i]), m[i][i] + m[k][k])
        b = held_angle(wanted, b, lower[j], upper[j])
        m = product(transposed(turned(first, j, b)), turn)
        wanted = math.atan2(sign * (m[j][i] - m[i][j]), m[i][i] + m[j][j])
        c = held_angle(wanted, c, lower[k], upper[k])
    return by_axis(order, a, b, c)


@inlined
def outer(a: Vector, b: Vector) -> Matrix:
    """a bᵀ."""
    return scaled(a[0], b), scaled(a[1], b), scaled(a[2], b)


@inlined
def free_ways(order: Ints, angles: Vector, inertias: Vector, lower: Vector, upper: Vector) -> tuple[Matrix, Matrix]:
    """What a joint can still do where some of its angles are at limits: what becomes of a turning speed when all across
    is stopped with the least effort, and the axes about which angles turn it, by axis; both seen from before all turns.
    """
    i, j, k = order[0], order[1], order[2]
    first = turned(UPRIGHT, i, angles[i])
    second = turned(first, j, angles[j])
    turn = turned(second, k, angles[k])
    a, b, c = column(UPRIGHT, i), column(first, j), column(second, k)
    x = a if i == 0 else (b if j == 0 else c)
    y = a if i == 1 else (b if j == 1 else c)
    z = a if i == 2 else (b if j == 2 else c)
    one = lower[0] < angles[0] < upper[0]
    two = lower[1] < angles[1] < upper[1]
    three = lower[2] < angles[2] < upper[2]
    count, free = one + two + three, UPRIGHT
    alone = x if one else (y if two else z)
    if count == 2:
        # All but what is across both.
        n = cross(y, z) if not one else (cross(x, z) if not two else cross(x, y))
        if dot(n, n) > 1e-12:
            own = combined(turn, n)
            own = own[0] / inertias[0], own[1] / inertias[1], own[2] / inertias[2]
            push = carried(turn, own)
            gone = outer(scaled(1.0 / dot(push, n), push), n)
            free = minus(free[0], gone[0]), minus(free[1], gone[1]), minus(free[2], gone[2])
    if count == 1 or (count == 2 and free[0][0] == 1.0 and free[1][1] == 1.0 and free[2][2] == 1.0):
        heft = carried(turn, stretched(inertias, combined(turn, alone)))
        free = outer(scaled(1.0 / dot(alone, heft), alone), heft)
    if count == 0:
        free = outer(NOTHING, x)
    return free, transposed((x, y, z))


@inlined
def stopped_speed(
    free: Matrix, axes: Matrix, angles: Vector, near: Vector, rates: Vector, lower: Vector, upper: Vector, w: Vector
) -> Vector:
    """How a joint turns that stands at limits and would turn at w: not beyond. Limits at which the keyed angles `near`
    are move along with these, at their rates.
    """
    x = rates[0] if angles[0] == near[0] and not lower[0] < angles[0] < upper[0] else 0.0
    y = rates[1] if angles[1] == near[1] and not lower[1] < angles[1] < upper[1] else 0.0
    z = rates[2] if angles[2] == near[2] and not lower[2] < angles[2] < upper[2] else 0.0
    led = carried(axes, (x, y, z))
    return plus(led, carried(free, minus(w, led)))
