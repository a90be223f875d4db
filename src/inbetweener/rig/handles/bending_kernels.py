"""Compiled bending: the shape of a chain whose tip must be a certain distance from its start.

Everything is seen from *arm space*, the frame of the start joint once it is turned. Here is the chain laid out, how far
it reaches, and how two bones bend: they turn about their hinge in closed form on top of their own angles.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, record
from inbetweener.maths.kernels import carried, cross, dot
from inbetweener.rig.kernels import times, turn

SOFT = 0.01
"""The share of its full reach over which a chain slows down before it is straight, or folded: no snap, no jump."""

NEARLY = 1e-6
"""Shares of the reach, and cosines, below which derivatives are damped, as they would grow without bound."""


@record("const(f8[:,:,::1]), const(i8[:,::1]), const(i8[::1]), const(f8[:,::1])")
class Chain(NamedTuple):
    """What a chain is made of: rest rotations and Euler axes of all joints; its own joints (n,) and hinges (n, 3)."""

    rest: Floats
    orders: Ints
    joints: Ints
    hinges: Floats


class Arm(NamedTuple):
    """A chain of n bones as it lies in arm space; everything from its second joint, index 1, on.

    angles (n, 3): Euler angles by axis; bends (n,): turns about the hinges before them;
    origins (n+1, 3): joints and, last, the tip; hinges (n, 3); sizes (n,): the scale that a joint inherits;
    before, after (n, 3, 3): its unscaled frame without and with its turns; turns (n, 3, 3): these alone, as a matrix;
    spins (n, 3, 3): in row a, the axis of the angle about axis a, seen from before the joint's turns.

    For longer chains, by angle u = 3i + m in the order of the turns: axes (3n, 3) of these, levers (3n, 3) and slopes
    (3n,): how the tip, and its distance, move with each; gradient (3n,), hessian, factor (3n, 3n). work (16,) is room.
    """

    angles: Floats
    bends: Floats
    origins: Floats
    hinges: Floats
    sizes: Floats
    before: Floats
    after: Floats
    turns: Floats
    spins: Floats
    axes: Floats
    levers: Floats
    slopes: Floats
    gradient: Floats
    hessian: Floats
    factor: Floats
    work: Floats


@inlined
def copy(values: Floats, result: Floats) -> None:
    """result ← values, of vectors; numba's own assignment of slices takes it seconds to compile."""
    for i in range(len(values)):
        result[i] = values[i]


@inlined
def arm_of(n: int) -> Arm:
    """Room for an arm of n bones."""
    return Arm(
        np.empty((n, 3)), np.zeros(n), np.empty((n + 1, 3)), np.empty((n, 3)), np.empty(n),
        np.empty((n, 3, 3)), np.empty((n, 3, 3)), np.empty((n, 3, 3)), np.empty((n, 3, 3)),
        np.empty((3 * n, 3)), np.empty((3 * n, 3)), np.empty(3 * n), np.empty(3 * n),
        np.empty((3 * n, 3 * n)), np.empty((3 * n, 3 * n)), np.empty(16),
    )  # fmt: skip


class Reach(NamedTuple):
    """How far a chain can reach at least and at most, and how far it shall.

    short = high − wanted and over = wanted − low keep their digits where they are tiny. by (5,) holds derivatives: of
    wanted by the target's distance, by low and by high; of short by high; of over by low.
    """

    low: float
    high: float
    wanted: float
    short: float
    over: float
    by: Floats


@inlined
def reach_for(distance: float, low: float, high: float, by: Floats) -> Reach:
    """How far to reach for a target at a distance.

    Exactly as far from low + s to high − s with s = SOFT · high; beyond, it nears the ends exponentially, no kink.
    """
    soft = SOFT * high
    if distance > high - soft:
        left = math.exp(-(distance - (high - soft)) / soft)
        lost = left * (SOFT + distance / high)
        by[0], by[1], by[2], by[3], by[4] = left, 0.0, 1.0 - lost, lost, -1.0
        return Reach(low, high, high - soft * left, soft * left, high - low - soft * left, by)
    if distance < low + soft:
        left = math.exp((distance - (low + soft)) / soft)
        gained = left * (SOFT - (distance - low) / high)
        by[0], by[1], by[2], by[3], by[4] = left, 1.0 - left, gained, 1.0 - gained, -left
        return Reach(low, high, low + soft * left, high - low - soft * left, soft * left, by)
    by[0], by[1], by[2], by[3], by[4] = 1.0, 0.0, 0.0, 1.0, -1.0
    return Reach(low, high, distance, high - distance, distance - low, by)


@inlined
def arrange(chain: Chain, dofs: Floats, tip: Floats, arm: Arm) -> None:
    """Lay the chain out in arm space for its angles and bends; `tip` is given in the last joint's frame."""
    rest, orders, joints, hinges = chain
    origins, sizes, after = arm.origins, arm.sizes, arm.after
    n = len(joints)
    origins[0] = 0.0
    sizes[0] = 1.0
    for r in range(3):
        for c in range(3):
            after[0, r, c] = 1.0 if r == c else 0.0
    for i in range(1, n):
        j = joints[i]
        q, above = dofs[9 * j : 9 * j + 9], after[i - 1]
        sizes[i] = sizes[i - 1] * dofs[9 * joints[i - 1] + 6]
        for r in range(3):
            along = above[r, 0] * q[0] + above[r, 1] * q[1] + above[r, 2] * q[2]
            origins[i, r] = origins[i - 1, r] + sizes[i] * along
        times(above, rest[j], arm.before[i])
        carried(arm.before[i], hinges[i], arm.hinges[i])
        # Rodrigues for the turn about the hinge, then its angles.
        k, cosine, sine = hinges[i], math.cos(arm.bends[i]), math.sin(arm.bends[i])
        made = arm.turns[i]
        for r in range(3):
            a, b = (r + 1) % 3, (r + 2) % 3
            made[r, r] = (1.0 - cosine) * k[r] * k[r] + cosine
            made[r, a] = (1.0 - cosine) * k[r] * k[a] - sine * k[b]
            made[r, b] = (1.0 - cosine) * k[r] * k[b] + sine * k[a]
        for m in range(3):
            axis = orders[j, m]
            for r in range(3):
                arm.spins[i, axis, r] = made[r, axis]
            turn(axis, arm.angles[i, axis], made)
        times(arm.before[i], made, after[i])
    scale = dofs[9 * joints[n - 1] + 6 : 9 * joints[n - 1] + 9]
    for r in range(3):
        origins[n, r] = origins[n - 1, r]
        for c in range(3):
            origins[n, r] += sizes[n - 1] * after[n - 1, r, c] * scale[c] * tip[c]


@inlined
def two_bones(arm: Arm, work: Floats) -> None:
    """Reach of two bones: |tip|² = A + B cos δ + C sin δ when the second turns by δ; work ← (A, B, C)."""
    hinge, u, w = arm.hinges[1], arm.origins[1], work[4:7]
    for r in range(3):
        w[r] = arm.origins[2, r] - u[r]
    along = dot(u, hinge) * dot(w, hinge)
    work[0] = dot(u, u) + dot(w, w) + 2.0 * along
    work[1] = 2.0 * (dot(u, w) - along)
    cross(hinge, w, work[7:10])
    work[2] = 2.0 * dot(u, work[7:10])


@inlined
def reach_of(arm: Arm) -> tuple[float, float]:
    """The least and greatest distance of the tip from the start, over all bends."""
    origins, work, n = arm.origins, arm.work, len(arm.bends)
    if n == 2:
        two_bones(arm, work)
        swing = math.hypot(work[1], work[2])
        return math.sqrt(max(work[0] - swing, 0.0)), math.sqrt(work[0] + swing)
    total, longest = 0.0, 0.0
    for i in range(n):
        bone = 0.0
        for r in range(3):
            bone += (origins[i + 1, r] - origins[i, r]) ** 2
        total, longest = total + math.sqrt(bone), max(longest, math.sqrt(bone))
    return max(2.0 * longest - total, 0.0), total


@inlined
def two_bone_terms(arm: Arm, reach: Reach) -> tuple[float, float, float]:
    """M, and √(1 − z) and √(1 + z) for z = cos(δ − ψ) at the wanted reach."""
    two_bones(arm, arm.work)
    swing = max(math.hypot(arm.work[1], arm.work[2]), 1e-300)
    straight = reach.short * (reach.high + reach.wanted) / swing
    folded = reach.over * (reach.low + reach.wanted) / swing
    return swing, math.sqrt(max(straight, 0.0)), math.sqrt(max(folded, 0.0))


@inlined
def follow_two(arm: Arm, reach: Reach, away: float, shift: Floats, bone: int) -> float:
    """How the bend of two bones follows, when the target moves away and the first (1) or second bone by a vector."""
    by, work, hinge, u = reach.by, arm.work, arm.hinges[1], arm.origins[1]
    swing, straight, folded = two_bone_terms(arm, reach)
    w, none = work[4:7], work[10:13]
    none[0] = none[1] = none[2] = 0.0
    du, dw = shift if bone == 1 else none, none if bone == 1 else shift
    # A, B, C of the bent arm, where δ is zero and ψ is minus what it was bent by.
    along = dot(du, hinge) * dot(w, hinge) + dot(u, hinge) * dot(dw, hinge)
    by_a = 2.0 * (dot(u, du) + dot(w, dw) + along)
    by_b = 2.0 * (dot(du, w) + dot(u, dw) - along)
    cross(hinge, dw, work[13:16])
    by_c = 2.0 * (dot(du, work[7:10]) + dot(u, work[13:16]))
    by_swing = (work[1] * by_b + work[2] * by_c) / swing
    turned = (work[1] * by_c - work[2] * by_b) / (swing * swing)
    by_low, by_high = (
        0.5 * (by_a - by_swing) / max(reach.low, NEARLY * reach.high),
        0.5 * (by_a + by_swing) / reach.high,
    )
    wanted = by[0] * away + by[1] * by_low + by[2] * by_high
    if straight * folded < 1e-150:
        return turned
    if straight < folded:
        short = by[3] * by_high - by[0] * away - by[1] * by_low
        change = short * (reach.high + reach.wanted) + reach.short * (by_high + wanted)
        return turned + (change / swing - straight * straight * by_swing / swing) / (straight * folded)
    over = by[0] * away + by[4] * by_low + by[2] * by_high
    change = over * (reach.low + reach.wanted) + reach.over * (by_low + wanted)
    return turned - (change / swing - folded * folded * by_swing / swing) / (straight * folded)


@inlined
def bend_two(chain: Chain, dofs: Floats, tip: Floats, reach: Reach, arm: Arm) -> None:
    """Bend two bones, so far arranged without bends, until the tip is as far away as wanted.

    |tip|² = A + M cos(δ − ψ), so δ = ψ + arccos(…), the positive way round the hinge.
    """
    _, straight, folded = two_bone_terms(arm, reach)
    arm.bends[1] = math.atan2(arm.work[2], arm.work[1]) + 2.0 * math.atan2(straight, folded)
    arrange(chain, dofs, tip, arm)
