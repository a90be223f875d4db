"""Compiled bending of longer chains: the least change of their angles that reaches as far as wanted.

min ½ changeᵀ stiffness change so that |tip| = wanted, over all angles below the first joint. Damped least squares finds
it: Newton steps that hold the reach to first order, with the exact Hessian of the Lagrangian, damped until they help;
after each, back along the slopes to the wanted reach.
"""

import math

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined
from inbetweener.maths.kernels import nearest_angles
from inbetweener.maths.vector_kernels import Vector, carried, cross, dot, length, matrix, minus, put, vector
from inbetweener.rig.handles.bending_kernels import Arm, Chain, Reach, arrange, copy

ROUNDS = 60
"""At most so many steps of damped least squares; five to ten are usual."""

MOST_DAMPING = 1e12
"""Beyond it no matrix of numbers can fail to be positive: something is not a number, and may stay so."""

LATERAL = 4.0
"""How much stiffer a longer chain is across its hinges: it bends in one plane unless its own angles say otherwise."""

STEEP = 10.0
"""The curvature of the Lagrangian where the reach, which is held, would change."""


@inlined
def even_bend(count: int, share: float) -> float:
    """The angle between neighbours of `count` equal bones that reach `share` of their full length."""
    low, high = 0.0, 2.0 * math.pi / count
    for _ in range(40):
        half = 0.25 * (low + high)
        if math.sin(count * half) > share * count * math.sin(half):
            low = 2.0 * half
        else:
            high = 2.0 * half
    return 0.5 * (low + high)


@inlined
def factorise(matrix: Floats, damping: float, factor: Floats) -> bool:
    """Cholesky factor of matrix + damping · I, in the rows and columns from 3 on; false if that is not positive."""
    for i in range(3, len(matrix)):
        for j in range(3, i + 1):
            total = matrix[i, j] + (damping if i == j else 0.0)
            for k in range(3, j):
                total -= factor[i, k] * factor[j, k]
            if i > j:
                factor[i, j] = total / factor[j, j]
            elif total > 0.0:
                factor[i, i] = math.sqrt(total)
            else:
                return False
    return True


@inlined
def substitute(factor: Floats, right: Floats) -> None:
    """right ← the solution, for a factor made above."""
    n = len(right)
    for i in range(3, n):
        for k in range(3, i):
            right[i] -= factor[i, k] * right[k]
        right[i] /= factor[i, i]
    for i in range(n - 1, 2, -1):
        for k in range(i + 1, n):
            right[i] -= factor[k, i] * right[k]
        right[i] /= factor[i, i]


@inlined
def stiffness(chain: Chain, i: int, a: int, b: int) -> float:
    """What turning joint i about its axes a and b together costs: 1 about its hinge, LATERAL across."""
    hinge = chain.hinges[i]
    return (LATERAL if a == b else 0.0) + (1.0 - LATERAL) * hinge[a] * hinge[b]


@inlined
def slopes_of(chain: Chain, arm: Arm) -> float:
    """The distance of the tip, and how tip and distance move with every angle."""
    n = len(chain.joints)
    tip = vector(arm.origins[n])
    distance = max(length(tip), 1e-300)
    for u in range(3, 3 * n):
        i = u // 3
        axis = carried(matrix(arm.before[i]), vector(arm.spins[i], 3 * chain.orders[chain.joints[i], u % 3]))
        lever = cross(axis, minus(tip, vector(arm.origins[i])))
        put(arm.axes[u], 0, axis)
        put(arm.levers[u], 0, lever)
        arm.slopes[u] = dot(tip, lever) / distance
    return distance


@inlined
def curvature(chain: Chain, dofs: Floats, arm: Arm, distance: float) -> float:
    """½ stiffness · change², change being that from the joints' own angles; needs the slopes.

    With gradient and Hessian of the Lagrangian that holds the distance, and its multiplier. The Hessian is made steep
    along the slopes, where it does not matter, to be positive.
    """
    n = len(chain.joints)
    tip, slopes = vector(arm.origins[n]), arm.slopes
    value, steep, pull = 0.0, 1e-300, 0.0
    for u in range(3, 3 * n):
        i, j, a = u // 3, chain.joints[u // 3], chain.orders[chain.joints[u // 3], u % 3]
        arm.gradient[u] = 0.0
        for b in range(3):
            arm.gradient[u] += stiffness(chain, i, a, b) * (arm.angles[i, b] - dofs[9 * j + 3 + b])
        value += 0.5 * arm.gradient[u] * (arm.angles[i, a] - dofs[9 * j + 3 + a])
        steep += slopes[u] * slopes[u]
        pull += slopes[u] * arm.gradient[u]
    multiplier = -pull / steep
    arm.multiplier[0] = multiplier
    for u in range(3, 3 * n):
        arm.gradient[u] += multiplier * slopes[u]
        axis, own = vector(arm.axes[u]), vector(arm.levers[u])
        for v in range(u, 3 * n):
            lever = vector(arm.levers[v])
            bent = (dot(own, lever) - slopes[u] * slopes[v] + dot(tip, cross(axis, lever))) / distance
            total = multiplier * bent + STEEP * slopes[u] * slopes[v] / steep
            if u // 3 == v // 3:
                order = chain.orders[chain.joints[u // 3]]
                total += stiffness(chain, u // 3, order[u % 3], order[v % 3])
            arm.hessian[u, v] = arm.hessian[v, u] = total
    return value


@inlined
def solve_held(arm: Arm, gain: float, right: Floats) -> None:
    """right ← the x with hessian · x + slopes · ν = right and slopes · x = gain; the Hessian is factorised already."""
    room = arm.slopes.copy()
    substitute(arm.factor, right)
    substitute(arm.factor, room)
    along, across = 0.0, 1e-300
    for u in range(3, len(right)):
        along += arm.slopes[u] * right[u]
        across += arm.slopes[u] * room[u]
    for u in range(3, len(right)):
        right[u] += room[u] * (gain - along) / across


@inlined
def follow_many(arm: Arm, reach: Reach, away: float, shift: Vector, bone: int) -> float:
    """How the wanted reach of a longer chain follows, when the target moves away and bone 1 … n grows by a vector.

    Bone 0 stands for a joint's own angle, which makes no bone longer.
    """
    by_low, by_high = 0.0, 0.0
    if bone > 0:
        part = minus(vector(arm.origins[bone]), vector(arm.origins[bone - 1]))
        size = length(part)
        by_high = dot(part, shift) / size if size > 0.0 else 0.0
        if reach.low > 0.0:
            # Then one bone is longer than all others together.
            by_low = by_high if 2.0 * size > reach.high else -by_high
    return reach.by[0] * away + reach.by[1] * by_low + reach.by[2] * by_high


@inlined
def bend_many(chain: Chain, dofs: Floats, tip: Vector, reach: Reach, arm: Arm) -> None:
    """Bend a chain, so far arranged with its own angles, until the tip is as far away as wanted.

    From a start where all joints bend alike about their hinges; a pure function of what is given.
    """
    n = len(chain.joints)
    now = length(vector(arm.origins[n]))
    even = even_bend(n, reach.wanted / reach.high) - even_bend(n, min(now / reach.high, 1.0))
    for i in range(1, n):
        arm.bends[i] = even
    arrange(chain, dofs, tip, arm)
    for i in range(1, n):
        j = chain.joints[i]
        put(arm.angles[i], 0, nearest_angles(matrix(arm.turns[i]), chain.orders[j], vector(dofs, 9 * j + 3)))
        arm.bends[i] = 0.0
    kept, step = np.empty((n, 3)), np.empty(3 * n)
    value, damping, longest, back, distance = math.inf, 1.0, math.inf, False, 0.0
    rounds = 0
    while True:
        # Along the slopes to the wanted reach, in steps that are not too long.
        for _ in range(ROUNDS):
            arrange(chain, dofs, tip, arm)
            distance = slopes_of(chain, arm)
            gap, steep = distance - reach.wanted, 1e-300
            if abs(gap) < 1e-14 * reach.high:
                break
            for u in range(3, 3 * n):
                steep += arm.slopes[u] * arm.slopes[u]
            share = gap / steep / max(1.0, 2.0 * abs(gap) / math.sqrt(steep))
            for u in range(3, 3 * n):
                arm.angles[u // 3, chain.orders[chain.joints[u // 3], u % 3]] -= share * arm.slopes[u]
        tried = curvature(chain, dofs, arm, distance)
        if tried > value and longest > 1e-7 and not back:
            # Worse, and by more than rounding: go back, and try a shorter step.
            for i in range(1, n):
                copy(kept[i], arm.angles[i])
            damping, back = max(10.0 * damping, 1e-3), True
            continue
        rounds += 1
        if longest < 1e-12 or rounds > ROUNDS:
            return
        if not back:
            damping = 0.1 * damping if damping > 1e-6 else 0.0
        value, back, longest = tried, False, 0.0
        # Then least squares: nearer to the joints' own angles, the reach held.
        copy(arm.gradient, step)
        while not factorise(arm.hessian, damping, arm.factor) and damping < MOST_DAMPING:
            damping = max(10.0 * damping, 1e-3)
        solve_held(arm, 0.0, step)
        for i in range(1, n):
            copy(arm.angles[i], kept[i])
            for m in range(3):
                arm.angles[i, chain.orders[chain.joints[i], m]] -= step[3 * i + m]
                longest = max(longest, abs(step[3 * i + m]))
