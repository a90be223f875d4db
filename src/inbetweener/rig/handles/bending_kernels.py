"""Compiled bending: the shape of a chain whose tip must be a certain distance from its start.

Everything is seen from *arm space*, the frame of the start joint once it is turned. Here is the chain laid out, how far
it reaches, and how two bones bend: they turn about their hinge in closed form on top of their own angles.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, record
from inbetweener.maths.vector_kernels import (
    NOTHING,
    UPRIGHT,
    Vector,
    carried,
    column,
    cross,
    dot,
    length,
    minus,
    moved,
    product,
    put,
    put_matrix,
    square,
    stretched,
    turn_about,
    turned,
    vector,
)

NEARLY = 1e-6
"""Shares of the reach, and cosines, below which derivatives are damped, as they would grow without bound."""

ROOM = 0.25
"""Of the bend at which a chain becomes soft: over as much it comes to a stop where it may bend back no farther."""


@record("const(f8[:,:,::1]), const(i8[:,::1]), const(i8[::1]), const(f8[:,::1]), i8, const(f8[::1]), f8, f8")
class Chain(NamedTuple):
    """What a chain is made of: rest rotations and Euler axes of all joints; its own joints (n,) and hinges (n, 3); the
    joint that carries its tip, and the tip's offset (3,) there; the share of its reach over which it slows down, and
    the one that it may lose by bending backwards."""

    rest: Floats
    orders: Ints
    joints: Ints
    hinges: Floats
    tip_joint: int
    offset: Floats
    soft: float
    back: float


class Arm(NamedTuple):
    """A chain of n bones as it lies in arm space; everything from its second joint, index 1, on.

    angles (n, 3): Euler angles by axis; bends (n,): turns about the hinges before them; found (n, 3): the angles that
    come of it all; origins (n+1, 3): joints and, last, the tip; moves (9, 3): how the tip shifts in the last joint's
    frame with what the joint that carries it can do; hinges (n, 3); sizes (n,): the scale that a joint inherits;
    before, after (n, 9): its unscaled frame without and with its turns; turns (n, 9): these alone, as a matrix;
    spins (n, 9): by threes, the axis of the angle about axis a, seen from before the joint's turns.

    For longer chains, by angle u = 3i + m in the order of the turns: axes (3n, 3) of these, levers (3n, 3) and slopes
    (3n,): how the tip, and its distance, move with each; gradient (3n,), hessian, factor (3n, 3n), multiplier (1,).
    """

    angles: Floats
    bends: Floats
    found: Floats
    origins: Floats
    moves: Floats
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
    multiplier: Floats


@inlined
def copy(values: Floats, result: Floats) -> None:
    """result ← values, of vectors; numba's own assignment of slices takes it seconds to compile."""
    for i in range(len(values)):
        result[i] = values[i]


@inlined
def arm_of(n: int) -> Arm:
    """Room for an arm of n bones."""
    return Arm(
        np.empty((n, 3)), np.zeros(n), np.empty((n, 3)), np.empty((n + 1, 3)), np.empty((9, 3)), np.empty((n, 3)),
        np.empty(n), np.empty((n, 9)), np.empty((n, 9)), np.empty((n, 9)), np.empty((n, 9)),
        np.empty((3 * n, 3)), np.empty((3 * n, 3)), np.empty(3 * n), np.empty(3 * n),
        np.empty((3 * n, 3 * n)), np.empty((3 * n, 3 * n)), np.empty(1),
    )  # fmt: skip


class Reach(NamedTuple):
    """How far a chain can reach at least and at most, and how far it shall.

    root = √(high − wanted), below nought where the chain bends backwards, and over = wanted − low keep their digits
    where they are tiny. by holds derivatives: of wanted by the target's distance, by low and by high; of over by low;
    of root by distance, low and high.
    """

    low: float
    high: float
    wanted: float
    root: float
    over: float
    by: tuple[float, float, float, float, float, float, float]


@inlined
def reach_for(distance: float, low: float, high: float, share: float, back: float) -> Reach:
    """How far to reach for a target at a distance.

    Exactly as far from low + s to high − s with s = share · high; beyond, it nears the ends exponentially, no kink. One
    that may bend back, until `back` of the reach is lost again, first goes on through straight as evenly as it came.
    """
    soft = share * high
    if distance > high - soft:
        # As shares of high: the root falls from √share along a line, then over its last room to −√back.
        beyond, steep, edge = distance / high - 1.0 + share, 0.5 / math.sqrt(share), math.sqrt(back)
        room = ROOM * math.sqrt(share) if back > 0.0 else math.sqrt(share)
        even = math.sqrt(share) + edge - room
        root, fall = math.sqrt(share) - steep * beyond, steep
        if steep * beyond > even:
            left = math.exp(-(steep * beyond - even) / room)
            root, fall = room * left - edge, steep * left
        unit = math.sqrt(high)
        root *= unit
        by_distance = -fall / unit
        by_high = 0.5 * root / high - by_distance * distance / high
        by = -2.0 * root * by_distance, 0.0, 1.0 - 2.0 * root * by_high, -1.0, by_distance, 0.0, by_high
        return Reach(low, high, high - root * root, root, high - low - root * root, by)
    if distance < low + soft:
        left = math.exp((distance - (low + soft)) / soft)
        gained = left * (share - (distance - low) / high)
        root = math.sqrt(max(high - low - soft * left, 0.0))
        twice = 2.0 * max(root, NEARLY * math.sqrt(high))
        by = left, 1.0 - left, gained, -left, -left / twice, (left - 1.0) / twice, (1.0 - gained) / twice
        return Reach(low, high, low + soft * left, root, soft * left, by)
    root = math.sqrt(high - distance)
    by = 1.0, 0.0, 0.0, -1.0, -0.5 / root, 0.0, 0.5 / root
    return Reach(low, high, distance, root, distance - low, by)


@inlined
def arrange(chain: Chain, dofs: Floats, tip: Vector, arm: Arm) -> None:
    """Lay the chain out in arm space for its angles and bends; `tip` is given in the last joint's frame."""
    joints, n = chain.joints, len(chain.joints)
    after, at, size = UPRIGHT, NOTHING, 1.0
    put(arm.origins[0], 0, at)
    put_matrix(arm.after[0], 0, after)
    arm.sizes[0] = size
    for i in range(1, n):
        j, hinge = joints[i], vector(chain.hinges[i])
        size *= dofs[9 * joints[i - 1] + 6]
        at = moved(at, size, carried(after, vector(dofs, 9 * j)))
        before, turn = product(after, square(chain.rest[j])), turn_about(hinge, arm.bends[i])
        for m in range(3):
            axis = chain.orders[j, m]
            put(arm.spins[i], 3 * axis, column(turn, axis))
            turn = turned(turn, axis, arm.angles[i, axis])
        after = product(before, turn)
        arm.sizes[i] = size
        put(arm.origins[i], 0, at)
        put(arm.hinges[i], 0, carried(before, hinge))
        put_matrix(arm.before[i], 0, before)
        put_matrix(arm.turns[i], 0, turn)
        put_matrix(arm.after[i], 0, after)
    scale = vector(dofs, 9 * joints[n - 1] + 6)
    put(arm.origins[n], 0, moved(at, size, carried(after, stretched(scale, tip))))


@inlined
def two_bones(arm: Arm) -> Vector:
    """A, B, C of two bones: |tip|² = A + B cos δ + C sin δ when the second turns by δ."""
    hinge, u = vector(arm.hinges[1]), vector(arm.origins[1])
    w = minus(vector(arm.origins[2]), u)
    along = dot(u, hinge) * dot(w, hinge)
    return dot(u, u) + dot(w, w) + 2.0 * along, 2.0 * (dot(u, w) - along), 2.0 * dot(u, cross(hinge, w))


@inlined
def reach_of(arm: Arm) -> tuple[float, float]:
    """The least and greatest distance of the tip from the start, over all bends."""
    n = len(arm.bends)
    if n == 2:
        a, b, c = two_bones(arm)
        swing = math.hypot(b, c)
        return math.sqrt(max(a - swing, 0.0)), math.sqrt(a + swing)
    total, longest = 0.0, 0.0
    for i in range(n):
        bone = length(minus(vector(arm.origins[i + 1]), vector(arm.origins[i])))
        total, longest = total + bone, max(longest, bone)
    return max(2.0 * longest - total, 0.0), total


@inlined
def two_bone_terms(arm: Arm, reach: Reach) -> tuple[float, float, float, float, float]:
    """B, C, M, and √(1 − z), below nought where it bends back, and √(1 + z) for z = cos(δ − ψ) at the wanted reach."""
    _, b, c = two_bones(arm)
    swing = max(math.hypot(b, c), 1e-300)
    straight = reach.root * math.sqrt((reach.high + reach.wanted) / swing)
    folded = reach.over * (reach.low + reach.wanted) / swing
    return b, c, swing, straight, math.sqrt(max(folded, 0.0))


@inlined
def follow_two(arm: Arm, reach: Reach, away: float, shift: Vector, bone: int) -> float:
    """How the bend of two bones follows, when the target moves away and the first (1) or second bone by a vector."""
    by, hinge, u = reach.by, vector(arm.hinges[1]), vector(arm.origins[1])
    b, c, swing, straight, folded = two_bone_terms(arm, reach)
    w = minus(vector(arm.origins[2]), u)
    du, dw = (shift, NOTHING) if bone == 1 else (NOTHING, shift)
    # A, B, C of the bent arm, where δ is zero and ψ is minus what it was bent by.
    along = dot(du, hinge) * dot(w, hinge) + dot(u, hinge) * dot(dw, hinge)
    by_a = 2.0 * (dot(u, du) + dot(w, dw) + along)
    by_b = 2.0 * (dot(du, w) + dot(u, dw) - along)
    by_c = 2.0 * (dot(du, cross(hinge, w)) + dot(u, cross(hinge, dw)))
    by_swing = (b * by_b + c * by_c) / swing
    turn = (b * by_c - c * by_b) / (swing * swing)
    by_low, by_high = (
        0.5 * (by_a - by_swing) / max(reach.low, NEARLY * reach.high),
        0.5 * (by_a + by_swing) / reach.high,
    )
    wanted = by[0] * away + by[1] * by_low + by[2] * by_high
    if folded < 1e-150:
        return turn
    if straight < folded:
        root = by[4] * away + by[5] * by_low + by[6] * by_high
        slope = math.sqrt((reach.high + reach.wanted) / swing)
        longer = 0.5 * straight * ((by_high + wanted) / (reach.high + reach.wanted) - by_swing / swing)
        return turn + 2.0 * (root * slope + longer) / folded
    over = by[0] * away + by[3] * by_low + by[2] * by_high
    change = over * (reach.low + reach.wanted) + reach.over * (by_low + wanted)
    return turn - (change / swing - folded * folded * by_swing / swing) / (straight * folded)


@inlined
def bend_two(chain: Chain, dofs: Floats, tip: Vector, reach: Reach, arm: Arm) -> None:
    """Bend two bones, so far arranged without bends, until the tip is as far away as wanted.

    |tip|² = A + M cos(δ − ψ), so δ = ψ + arccos(…), the positive way round the hinge, or a little the other way.
    """
    b, c, _, straight, folded = two_bone_terms(arm, reach)
    arm.bends[1] = math.atan2(c, b) + 2.0 * math.atan2(straight, folded)
    arrange(chain, dofs, tip, arm)
