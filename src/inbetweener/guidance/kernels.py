"""Compiled parts of guidance: curves by their parameters, joints by the channels, and normal equations.

A segment has four local parameters: width of its out tangent as a share a of the segment, slope of that tangent, width
b and slope of the in tangent at its other end. Slopes are numbered in a unit of their key's, `slopes`, so that height
= parameter × slopes × width.
"""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves.kernels import Keys, bezier_motion, segment_motion
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.vector_kernels import UPRIGHT, column, cross, product, square, turned
from inbetweener.rig.kernels import Tree

SIDE_BY_SIDE = 256
"""Residuals of neighbouring moments that are squared at once."""


@kernel("void(Keys, const(f8[::1]), const(f8[::1]), f8[:,:,::1], i8[:,::1], f8[:,:,:,::1])")
def differentiate(keys: Keys, slopes: Floats, at: Floats, motion: Floats, segments: Ints, derivatives: Floats) -> None:
    """motion (T, C, 4): value, velocity, acceleration, jerk; derivatives (T, C, 4, 4) of these by local parameters.

    With time derivatives written as dots and φ the basis cubic of a tangent, dq by its height is φ and by its width
    −q̇φ, at a fixed time; their time derivatives follow from φ's, found as q's own. V_uuuu = 0 gives the fourth.
    """
    basis = np.empty(4)
    for c in range(len(keys.starts) - 1):
        k = keys.starts[c]
        for f in range(len(at)):
            motion[f, c] = 0.0
            derivatives[f, c] = 0.0
            k, bends, value, velocity = segment_motion(keys, c, at[f], k)
            segments[f, c] = k if bends else -1
            if not bends:
                motion[f, c, 0], motion[f, c, 1] = value, velocity
                continue
            h = keys.times[k + 1] - keys.times[k]
            # All in time of the segment, from nought to one; divided by its length at the end.
            u, (tu, tuu, tuuu), (q, q1, q2, q3) = bezier_motion(keys, k, at[f])
            v = 1.0 - u
            q4 = -(6.0 * q3 * tu * tu * tuu + q2 * (3.0 * tuu * tuu + 4.0 * tu * tuuu)) / (tu * tu * tu * tu)
            motion[f, c, 0] = q
            motion[f, c, 1] = q1 / h
            motion[f, c, 2] = q2 / (h * h)
            motion[f, c, 3] = q3 / (h * h * h)
            for side in range(2):
                if side == 0:
                    p, pu, puu, puuu = 3.0 * u * v * v, 3.0 * v * (v - 2.0 * u), 6.0 * (u - 2.0 * v), 18.0
                    width, height, key = keys.outs[k, 0] / h, keys.outs[k, 1], k
                else:
                    p, pu, puu, puuu = -3.0 * u * u * v, -3.0 * u * (2.0 * v - u), -6.0 * (v - 2.0 * u), 18.0
                    width, height, key = keys.ins[k + 1, 0] / h, keys.ins[k + 1, 1], k + 1
                p1 = pu / tu
                p2 = (puu - p1 * tuu) / (tu * tu)
                p3 = (puuu - p1 * tuuu) / (tu * tu * tu) - 3.0 * p2 * tuu / (tu * tu)
                basis[0], basis[1], basis[2], basis[3] = p, p1, p2, p3
                # A slope that stays takes the height along with the width.
                steepness = height / width if width > 0.0 else 0.0
                lever = slopes[key] * width * h
                bent0 = -q1 * p
                bent1 = -q2 * p - q1 * p1
                bent2 = -q3 * p - 2.0 * q2 * p1 - q1 * p2
                bent3 = -q4 * p - 3.0 * q3 * p1 - 3.0 * q2 * p2 - q1 * p3
                scale = 1.0
                for n in range(4):
                    bent = bent0 if n == 0 else bent1 if n == 1 else bent2 if n == 2 else bent3
                    derivatives[f, c, n, 2 * side] = (bent + steepness * basis[n]) * scale
                    derivatives[f, c, n, 2 * side + 1] = lever * basis[n] * scale
                    scale /= h


@inlined
def grouped(known: Bools, group: Ints, leaders: Ints) -> int:
    """Which rows go together: group (R,), −1 for rows that follow nothing, and leaders, a row of each that follows all
    that its group does. Those that follow most come first, and others join where they follow at least half as many.
    """
    count = 0
    sizes = known.sum(axis=0)
    for r in np.argsort(-sizes):
        group[r] = -1
        for g in range(count if sizes[r] > 0 else 0):
            within = 2 * sizes[r] >= sizes[leaders[g]]
            for c in range(len(known)):
                within &= known[c, leaders[g]] or not known[c, r]
            if within:
                group[r] = g
                break
        if group[r] < 0 and sizes[r] > 0:
            group[r] = count
            leaders[count] = r
            count += 1
    return count


@kernel(
    "void(const(f8[:,:,:,::1]), const(f8[:,:,:,::1]), const(i8[:,:,::1]), const(f8[:,::1]), const(f8[::1]),"
    "const(i8[::1]), f8[::1], f8[::1])"
)
def add_normal(
    by: Floats,
    derivatives: Floats,
    indices: Ints,
    residuals: Floats,
    weights: Floats,
    starts: Ints,
    entries: Floats,
    gradient: Floats,
) -> None:
    """entries += JᵀWJ, lower half, whose row i and column j is at starts[i] + j; gradient (P,) += JᵀWr.

    by (T, C, n, R) residuals by the first n of value, velocity, acceleration and jerk of the channels, derivatives
    (T, C, 4, 4) of that motion by local parameters, which are the global ones indices (T, C, 4), or −1; residuals
    (T, R), weights (T,).
    A residual follows few channels, those above and below its joint: rows that follow nearly the same ones are squared
    together, those of neighbouring moments with the same parameters at once.
    """
    count, channels, orders, rows = by.shape
    known, group, leaders = np.zeros((channels, rows), np.bool_), np.empty(rows, np.int64), np.empty(rows, np.int64)
    chosen, together = np.empty(channels, np.int64), np.empty(rows, np.int64)
    for t in range(count):
        slopes = np.dot(by[t].reshape(channels * orders, rows), residuals[t])
        for c in range(channels):
            for k in range(orders):
                slope = weights[t] * slopes[c * orders + k]
                for p in range(4):
                    if indices[t, c, p] >= 0:
                        gradient[indices[t, c, p]] += derivatives[t, c, k, p] * slope
                for r in range(rows):
                    known[c, r] |= by[t, c, k, r] != 0.0
    for g in range(grouped(known, group, leaders)):
        b = 0
        for r in range(rows):
            if group[r] == g:
                together[b] = r
                b += 1
        first = 0
        while first < count:
            a = 0
            for c in range(channels):
                if known[c, leaders[g]] and indices[first, c].max() >= 0:
                    chosen[a] = c
                    a += 1
            last, same = first + 1, True
            while same and last < count and b * (last - first) < SIDE_BY_SIDE:
                for c in range(channels):
                    if known[c, leaders[g]]:
                        for p in range(4):
                            same &= indices[last, c, p] == indices[first, c, p]
                last += same
            # J of this group, with the roots of the weights, at all these moments side by side; then JᵀJ.
            local = np.zeros((4 * a, b * (last - first)))
            for t in range(first, last):
                root = np.sqrt(weights[t])
                for i in range(a):
                    for p in range(4):
                        into = local[4 * i + p, b * (t - first) : b * (t - first + 1)]
                        for k in range(orders):
                            share = root * derivatives[t, chosen[i], k, p]
                            row = by[t, chosen[i], k]
                            for r in range(b):
                                into[r] += share * row[together[r]]
            squares = np.dot(local, local.T)
            for i in range(4 * a):
                one = indices[first, chosen[i // 4], i % 4]
                for j in range(i + 1 if one >= 0 else 0):
                    other = indices[first, chosen[j // 4], j % 4]
                    if other >= 0:
                        # Both tangents of a tied key: one parameter, met twice in one row.
                        twice = 2.0 if one == other and i != j else 1.0
                        entries[starts[max(one, other)] + min(one, other)] += twice * squares[i, j]
            first = last


@kernel(
    "void(Tree, const(f8[:,:,:,::1]), const(f8[:,::1]), const(f8[:,:,:,::1]),"
    "const(f8[:,:,:,::1]), const(i8[::1]), const(f8[:,:,::1]), const(b1[:,::1]), f8[:,:,:,::1])"
)
def positions_by_channels(
    tree: Tree,
    carriers: Floats,
    dofs: Floats,
    world_from_joint: Floats,
    orientation: Floats,
    driven: Ints,
    shares: Floats,
    below: Bools,
    result: Floats,
) -> None:
    """result (T, J, 3, C): how the origins of joints move with channels, in rigs without scale.

    driven (G,) are the degrees of freedom that matter, shares (T or 1, G, C) how channels drive them, and below
    (G, J) which origins they move. A translation moves along its axis, a turn about its own ([TSO] §3.2).
    """
    for t in range(len(dofs)):
        result[t] = 0.0
        share, bends = shares[t if len(shares) > 1 else 0], carriers[t if len(carriers) > 1 else 0]
        for g in range(len(driven)):
            j, d = driven[g] // 9, driven[g] % 9
            p, here = tree.parents[j], world_from_joint[t, j]
            frame = square(orientation[t, p]) if p >= 0 else UPRIGHT
            if len(bends) > 0:
                frame = product(frame, square(bends[j]))
            if d >= 3:
                # The frame in which this turn happens: after the rest rotation and the turns outside it.
                frame = product(frame, square(tree.rest[j]))
                for n in range(3):
                    a = tree.orders[j, n]
                    if a == d - 3:
                        break
                    frame = turned(frame, a, dofs[t, 9 * j + 3 + a])
            axis = column(frame, d % 3)
            for i in range(len(tree.parents)):
                if not below[g, i]:
                    continue
                there = world_from_joint[t, i]
                x, y, z = axis
                if d >= 3:
                    arm = there[0, 3] - here[0, 3], there[1, 3] - here[1, 3], there[2, 3] - here[2, 3]
                    x, y, z = cross(axis, arm)
                for c in range(share.shape[1]):
                    w = share[g, c]
                    if w != 0.0:
                        result[t, i, 0, c] += w * x
                        result[t, i, 1, c] += w * y
                        result[t, i, 2, c] += w * z
