"""Compiled forward dynamics: loose degrees of freedom pulled along by springs while all others move as prescribed.

What is simulated is how far each is off its reference, e = q − r. A step ends where M (ë + r̈) + c = −K_p e − K_d (ė +
drag ṙ) with ė and ë by backward differences over three steps (BDF3): right to third order, one sweep a step, and
springs of any stiffness come to rest. Masses M and forces c are those where the last states lead.

A window begins on its reference with forces that set in at once. One step of Euler's tells how these get it off, and by
that it is taken to have got off before, too, so that differences have something to look back on.

What the loose branches hang on moves as prescribed whatever they do, so it is worked out once for each moment, not for
each window.
"""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics.forward.rotating_kernels import (
    JUMP,
    Reference,
    Springs,
    hold_turns,
    lead_turns,
    put_turn_off,
    turn_off,
)
from inbetweener.dynamics.forward.stop_kernels import least, most, within_limits
from inbetweener.dynamics.forward.sweep_kernels import Plan, Work, accelerate, advance, sweep_out, work_for
from inbetweener.dynamics.forward.turning_kernels import keyed_turn, off_moving, off_turn
from inbetweener.dynamics.kernels import Moving, Tree
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.quaternion_kernels import put_quaternion, quaternion_of
from inbetweener.maths.vector_kernels import (
    UPRIGHT,
    carried,
    column,
    cross,
    dot,
    inverse,
    matrix,
    minus,
    plus,
    product,
    put,
    put_matrix,
    scaled,
    transposed,
    vector,
)

FASTEST = 1e4
"""Radians or metres a second: whatever moves faster has blown up."""


@kernel("void(Tree, Plan, const(i8[::1]), Moving, f8[:,:,::1], f8[:,:,::1])")
def carry(tree: Tree, plan: Plan, stems: Ints, moving: Moving, result: Floats, turns: Floats) -> None:
    """result (N, P, 25): how the joints `stems` (P,), of which the first is the world, move as prescribed; turns
    (N, R, 15): how those that rotate are turned.

    Each stem comes after the one above it: the list holds all between the world and what is loose.
    """
    where = np.zeros(len(tree.parents), np.int64)
    tight, nothing = np.full(6, -1), np.empty(0)
    no_turns, no_twists = np.empty((2, 0)), np.empty((0, 6))
    for f in range(len(moving.q)):
        q, qd, qdd = moving.q[f], moving.qd[f], moving.qdd[f]
        world = result[f, 0]
        world[:] = 0.0
        put_matrix(world, 0, UPRIGHT)
        # Seen from where the first joint is now: far from the world's own origin digits would be lost.
        put(world, 9, scaled(-1.0, vector(q)))
        # What falls freely needs no force: as if all were pushed against gravity.
        put(world, 21, scaled(-1.0, vector(tree.gravity, 0)))
        world[24] = 1.0
        for p in range(1, len(stems)):
            j = stems[p]
            where[j] = p
            above = where[tree.parents[j]] if tree.parents[j] >= 0 else 0
            before, after = result[f, above], result[f, p]
            advance(tree, j, tight, False, before, q, qd, qdd, nothing, nothing, no_turns, after, no_twists)
        for r in range(len(plan.rotating)):
            j = plan.joints[plan.rotating[r]]
            keyed_turn(tree.orders[j], q, qd, qdd, 9 * j, turns[f, r])


@inlined
def look_back(off: Floats, n: int, h: float, far: float, fast: float, faster: float) -> None:
    """Where one of what is off (6, L) would have been in the last two steps, had it got faster evenly until now."""
    for k in range(3):
        ago = k * h
        off[k, n], off[3 + k, n] = far - ago * (fast - 0.5 * ago * faster), fast - ago * faster


@inlined
def step_on(
    tree: Tree, plan: Plan, by: Springs, along: Reference, last: int, at: int, begins: bool, off: Floats, work: Work
) -> int:
    """One step of what is off (6, L): by how much, and how fast, each with the two times before.

    From a moment of the reference to another; where a window `begins`, only to find what was before. 0, or 1 + the
    loose degree of freedom that blew up. Of joints that rotate, what is off is measured from the keyed turn, which has
    speed and acceleration already.
    """
    h, springs, q, qd, qdd = by.h, by.springs, along.q[at], along.qd[at], along.qdd[at]
    torques, added, gained = work.solving[0], work.solving[1], work.solving[2]
    place, rate, far, dragged = work.solving[3], work.solving[4], work.solving[5], work.solving[6]
    e, e1, e2, ed, ed1, ed2 = off[0], off[1], off[2], off[3], off[4], off[5]
    work.moving[: along.stems.shape[1]] = along.stems[at]
    # ė is a sum of those before and a share of ë, and e one of those before and a share of ė.
    w, w1, w2, share = (1.0, 0.0, 0.0, h) if begins else (18 / 11, -9 / 11, 2 / 11, 6 / 11 * h)
    way = 0.5 * h if begins else share
    for n in range(len(by.dofs)):
        d = by.dofs[n]
        if not plan.turning[n]:
            jump = q[d] - along.q[last, d] - 0.5 * h * (qd[d] + along.qd[last, d])
            if math.fabs(jump) > JUMP:
                e[n], e1[n], e2[n] = e[n] - jump, e1[n] - jump, e2[n] - jump
    lead_turns(plan, along, last, at, h, off)
    for n in range(len(by.dofs)):
        kp, kd, d = springs[n, 0], springs[n, 1], by.dofs[n]
        place_keyed, speed, push = (0.0, 0.0, 0.0) if plan.turning[n] else (q[d], qd[d], qdd[d])
        place[n] = place_keyed + e2[n] + 3.0 * (e[n] - e1[n])
        rate[n] = speed + ed2[n] + 3.0 * (ed[n] - ed1[n])
        # How far and how fast it would be off if it got no faster.
        ed2[n] = w * ed[n] + w1 * ed1[n] + w2 * ed2[n] - share * push
        far[n] = w * e[n] + w1 * e1[n] + w2 * e2[n]
        torques[n] = -kp * (far[n] + way * ed2[n]) - kd * ed2[n] - springs[n, 4] * speed
        added[n] = share * (kd + way * kp)
    sweep_out(tree, plan, q, qd, qdd, along.turns[at], place, rate, work)
    for n in range(len(by.dofs)):
        if plan.turning[n]:
            torques[n] -= springs[n, 4] * dragged[n]
    accelerate(plan, torques, added, work, gained)
    for n in range(len(by.dofs)):
        d = by.dofs[n]
        faster = ed2[n] + share * gained[n]
        if not math.fabs(faster) < FASTEST:
            return n + 1
        if begins:
            look_back(off, n, h, 0.0, 0.0, faster / h)
            continue
        farther = far[n] + way * faster
        e2[n], e1[n], ed2[n], ed1[n] = e1[n], e[n], ed1[n], ed[n]
        if not plan.turning[n]:
            # A stop takes all speed; keys beyond a limit, as captured motion has them, are let be.
            lower, upper = min(springs[n, 2] - q[d], 0.0), max(springs[n, 3] - q[d], 0.0)
            if not lower <= farther <= upper:
                farther = min(max(farther, lower), upper)
                faster = 0.0 if farther == 0.0 else -qd[d]
                look_back(off, n, h, farther, faster, 0.0)
        e[n], ed[n] = farther, faster
    if not begins:
        hold_turns(tree, plan, by, along, at, off)
    return 0


@kernel(
    "void(Tree, Plan, Springs, Reference, const(i8[:,::1]), const(i8[:,::1]), const(i8[::1]), i8, i8, f8[:,:,::1],"
    " f8[:,:,::1], i8[::1])"
)
def simulate(
    tree: Tree,
    plan: Plan,
    by: Springs,
    along: Reference,
    rows: Ints,
    ends: Ints,
    counts: Ints,
    first: int,
    last: int,
    places: Floats,
    rates: Floats,
    failed: Ints,
) -> None:
    """Windows `first` to `last` of W, each from where it keeps to the reference until now, `counts` (W,) steps of h.

    rows (W, n + 1) say where each window finds the reference, its last steps at the end. places, rates (W, S, L): by
    how much the loose degrees of freedom are off at the last S of these moments, and how fast they get off; ends (W, S)
    where the reference is found for these if a window ends with them. failed (W,): 1 + the loose degree of freedom that
    blew up; 0 where none did.
    """
    work = work_for(along.stems.shape[1], len(plan.joints), len(by.dofs))
    off, seen = np.empty((6, len(by.dofs))), np.empty((6, len(by.dofs)))
    dropped = rows.shape[1] - places.shape[1]
    for w in range(first, last):
        begin = rows.shape[1] - 1 - counts[w]
        failed[w] = 0
        off[:] = 0.0
        for k in range(begin, rows.shape[1]):
            last, row = rows[w, max(k - 1, begin)], rows[w, k]
            shown = ends[w, k - dropped] if k >= dropped else row
            apart = k > begin and shown != row
            # Before the first step, what was before; then what is shown, where the way on is another; then on.
            for part in range(3):
                begins, shows = part == 0, part == 1
                if begins:
                    due = k == begin + 1
                elif shows:
                    due = apart
                else:
                    due = k > begin and not (apart and k == rows.shape[1] - 1)
                if due and not failed[w]:
                    if shows:
                        seen[:] = off
                    failed[w] = step_on(
                        tree, plan, by, along, last, shown if shows else row, begins, seen if shows else off, work
                    )
            if failed[w]:
                break
            if k >= dropped:
                state = seen if apart else off
                places[w, k - dropped], rates[w, k - dropped] = state[0], state[3]


@kernel("void(Tree, Plan, const(i8[::1]), Reference, const(f8[:,::1]), const(f8[::1]), f8[:,::1])")
def accelerations(
    tree: Tree, plan: Plan, dofs: Ints, along: Reference, torques: Floats, added: Floats, result: Floats
) -> None:
    """result (T, L): how torques (T, L) accelerate loose degrees of freedom, `added` (L,) to their inertia.

    Those of joints that rotate are accelerated off what is keyed.
    """
    count, stems = len(dofs), along.stems.shape[1]
    work = work_for(stems, len(plan.joints), count)
    place, rate = np.empty(count), np.empty(count)
    for f in range(len(along.q)):
        work.moving[:stems] = along.stems[f]
        for n in range(count):
            place[n], rate[n] = (0.0, 0.0) if plan.turning[n] else (along.q[f, dofs[n]], along.qd[f, dofs[n]])
        sweep_out(tree, plan, along.q[f], along.qd[f], along.qdd[f], along.turns[f], place, rate, work)
        accelerate(plan, torques[f], added, work, result[f])


@kernel("void(Tree, Plan, Springs, Reference, const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def find_angles(tree: Tree, plan: Plan, by: Springs, along: Reference, rows: Ints, off: Floats, places: Floats) -> None:
    """places (T, L) of joints that rotate: of all angles within limits that turn them so, those nearest to the keyed
    ones.

    They are off (T, L) at the moments `rows` (T,) of the reference; what is not off at all keeps its angles to the bit.
    """
    for r in range(len(plan.rotating)):
        k = plan.rotating[r]
        j, numbers = plan.joints[k], plan.numbers[k]
        for t in range(len(rows)):
            c, found = turn_off(numbers, off[t]), vector(along.q[rows[t]], 9 * j + 3)
            if dot(c, c) > 0.0:
                turn = product(matrix(along.turns[rows[t], r]), off_turn(c, plan.twisting[r]))
                lower, upper = least(numbers, by.springs, found), most(numbers, by.springs, found)
                (x, y, z), lower, upper = within_limits(turn, tree.orders[j], found, lower, upper)
                # But for rounding they are within already.
                found = (
                    min(max(x, lower[0]), upper[0]),
                    min(max(y, lower[1]), upper[1]),
                    min(max(z, lower[2]), upper[2]),
                )
            places[t, numbers[3]], places[t, numbers[4]], places[t, numbers[5]] = found


@kernel("void(Plan, Reference, i8, i8, f8, f8[:,::1])")
def lead(plan: Plan, along: Reference, last: int, at: int, h: float, off: Floats) -> None:
    """For those who take steps of their own: what a step does to joints that rotate before it is taken, off (6, L)."""
    lead_turns(plan, along, last, at, h, off)


@kernel("void(Tree, Plan, Springs, Reference, i8, f8[:,::1])")
def hold(tree: Tree, plan: Plan, by: Springs, along: Reference, at: int, off: Floats) -> None:
    """The same after it."""
    hold_turns(tree, plan, by, along, at, off)


@kernel("void(Plan, Reference, i8, const(f8[:,::1]), f8[:,::1], f8[:,:,::1], f8[:,::1])")
def show(plan: Plan, along: Reference, at: int, off: Floats, turns: Floats, axes: Floats, keyed: Floats) -> None:
    """Joints that rotate as three hinges each that have not moved, for those who know nothing else: off (2, L) by how
    much, and how fast.

    turns (R, 4) are the quaternions in which they stand, axes (R, 3, 3) those of the hinges, one a row, as long as they
    turn; keyed (2, L) how fast the hinges would go, and get faster, if nothing got off any more.
    """
    for r in range(len(plan.rotating)):
        numbers, row = plan.numbers[plan.rotating[r]], along.turns[at, r]
        spin, c, cd = vector(row, 9), turn_off(numbers, off[0]), turn_off(numbers, off[1])
        turn, ways, rate, gain = off_moving(c, cd, plan.twisting[r])
        back = inverse(ways)
        put_quaternion(turns[r], 0, quaternion_of(product(matrix(row), turn)))
        # Seen from what has turned.
        ways = product(transposed(turn), ways)
        for k in range(3):
            put(axes[r, k], 0, column(ways, k))
        put_turn_off(numbers, keyed[0], carried(back, spin))
        i, j, k = numbers[3], numbers[4], numbers[5]
        x = scaled(keyed[0, i] + off[1, i], column(ways, 0))
        y = scaled(keyed[0, j] + off[1, j], column(ways, 1))
        z = scaled(keyed[0, k] + off[1, k], column(ways, 2))
        gain = plus(plus(vector(row, 12), gain), cross(spin, rate))
        # One hinge after the other turns the next ones along; a rotation does not.
        gain = minus(gain, carried(turn, plus(cross(x, y), cross(plus(x, y), z))))
        put_turn_off(numbers, keyed[1], carried(back, gain))
