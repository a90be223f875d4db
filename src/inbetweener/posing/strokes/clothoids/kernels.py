"""Compiled Gauss–Newton for a chain of clothoids near points.

The parameters of a chain of P pieces, joined at corners, with K knots in all, in this order:

    x, y, heading of its start; P lengths of pieces; P − 1 turns at corners; K curvatures at knots

Knots stand at fixed fractions of their piece, and so do, for one step, the feet of the points on the curve. The curve
hangs together whatever the parameters are: position and, within a piece, heading and curvature are continuous.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record

STEP_TURN = 0.4
"""Radians within one step of integration at most: there, three points of Gauss are exact to 1e-8 of its length."""
MOST_TURN = 1e4
"""Radians: a step that would coil the chain up more is not worth looking at, and looking would take for ever."""
FOOT_STEPS = 2
"""Newton steps for the foot of a point each time the chain is looked at: a stale foot would flatter it."""


@record("const(f8[:,::1]), const(f8[::1]), const(i8[::1]), const(f8[::1]), const(i8[::1]), f8, b1")
class Stroke(NamedTuple):
    """What a chain shall come near: points (n, 2) and their weights (n,), stiffness.

    Piece p goes from point bounds[p] to bounds[p + 1], which stand at its ends, and has the knots from knots[p] to
    knots[p + 1], fractions of it; `tied` points stay where they are along the chain.
    """

    points: Floats
    weights: Floats
    bounds: Ints
    fractions: Floats
    knots: Ints
    stiffness: float
    tied: bool


class Normal(NamedTuple):
    """Normal equations (N, N) and (N,); of points (n,): squared distances, and how much feet are still off."""

    matrix: Floats
    right: Floats
    offs: Floats
    slips: Floats


@inlined
def advance(heading: float, bend: float, slope: float, start: float, stop: float, sums: Floats) -> None:
    """Add to sums (6,) the integrals of cos θ and of sin θ, each times 1, u and u², over a stretch of a segment.

    u is the way from the start of the segment, θ = heading + bend·u + slope·u²/2.
    """
    most = max(abs(bend + slope * start), abs(bend + slope * stop))
    steps = max(1, math.ceil(most * abs(stop - start) / STEP_TURN))
    width = (stop - start) / steps
    for k in range(steps):
        middle = start + (k + 0.5) * width
        for g in range(3):
            u = middle + (g - 1) * 0.3872983346207417 * width
            share = width * (0.4444444444444444 if g == 1 else 0.2777777777777778)
            angle = heading + (bend + 0.5 * slope * u) * u
            c, s = share * math.cos(angle), share * math.sin(angle)
            sums[0] += c
            sums[1] += c * u
            sums[2] += c * u * u
            sums[3] += s
            sums[4] += s * u
            sums[5] += s * u * u


@inlined
def add_changes(
    turning: Floats, sums: Floats, length: float, share: float, bend: float, slope: float, piece: int, knot: int,
    place: Floats,
) -> None:  # fmt: skip
    """Add to place (2, N) how the way that `sums` holds changes with the parameters.

    turning (N,) are the changes of the heading where the segment starts. Further in, the curvatures in columns `knot`
    and `knot + 1` add u − u²/2h and u²/2h. The length of the piece, of which the segment has a share, scales the way
    and, curvatures being kept, turns it by (bend·u + slope·u²/2)/h.
    """
    for j in range(len(turning)):
        place[0, j] -= sums[3] * turning[j]
        place[1, j] += sums[0] * turning[j]
    half = 0.5 / length
    place[0, knot] -= sums[4] - half * sums[5]
    place[1, knot] += sums[1] - half * sums[2]
    place[0, knot + 1] -= half * sums[5]
    place[1, knot + 1] += half * sums[2]
    place[0, piece] += share / length * (sums[0] - bend * sums[4] - 0.5 * slope * sums[5])
    place[1, piece] += share / length * (sums[3] + bend * sums[1] + 0.5 * slope * sums[2])


@inlined
def add_row(row: Floats, residual: float, weight: float, matrix: Floats, right: Floats) -> None:
    """Add one weighted residual to the normal equations, of which only the lower half is kept."""
    for a in range(len(row)):
        scaled = weight * row[a]
        if scaled != 0.0:
            right[a] -= scaled * residual
            for b in range(a + 1):
                matrix[a, b] += scaled * row[b]


@inlined
def linearise(stroke: Stroke, parameters: Floats, along: Floats, found: Normal) -> float:
    """The normal equations at a chain, and its cost: Σ weight · distance² + stiffness · ∫ slope².

    Points are measured along the normal at their feet, fractions along (n,) of their pieces, which are improved within
    their segments; in both directions where they are tied, or stand at the ends of pieces.
    """
    points, weights, bounds, fractions, knots, stiffness, tied = stroke
    matrix, right, offs, slips = found
    size, pieces = len(parameters), len(bounds) - 1
    matrix[:] = 0.0
    right[:] = 0.0
    turning, place = np.zeros(size), np.zeros((2, size))
    here, row, sums = np.empty((2, size)), np.empty(size), np.zeros(6)
    x, y, heading = parameters[0], parameters[1], parameters[2]
    place[0, 0], place[1, 1], turning[2] = 1.0, 1.0, 1.0
    dx, dy = x - points[0, 0], y - points[0, 1]
    add_row(place[0], dx, weights[0], matrix, right)
    add_row(place[1], dy, weights[0], matrix, right)
    offs[0], slips[0] = dx * dx + dy * dy, 0.0
    cost = weights[0] * offs[0]
    for p in range(pieces):
        if p > 0:
            corner = 3 + pieces + p - 1
            heading += parameters[corner]
            turning[corner] = 1.0
        whole, piece, i = parameters[3 + p], 3 + p, bounds[p] + 1
        for k in range(knots[p], knots[p + 1] - 1):
            knot = 2 + 2 * pieces + k
            share = fractions[k + 1] - fractions[k]
            length = share * whole
            bend = parameters[knot]
            slope = (parameters[knot + 1] - bend) / length
            last = k == knots[p + 1] - 2
            reached = 0.0
            sums[:] = 0.0
            # The points whose feet are on this segment.
            while i <= bounds[p + 1] and (last or along[i] < fractions[k + 1]):
                held = tied or i == bounds[p + 1]
                u = min(max(along[i] - fractions[k], 0.0), share) * whole
                for _ in range(1 if held else FOOT_STEPS + 1):
                    advance(heading, bend, slope, reached, u, sums)
                    reached = u
                    dx, dy = x + sums[0] - points[i, 0], y + sums[3] - points[i, 1]
                    angle = heading + (bend + 0.5 * slope * u) * u
                    c, s = math.cos(angle), math.sin(angle)
                    slip, off = c * dx + s * dy, c * dy - s * dx
                    # Newton for the foot: the derivative of half the distance squared over its own derivative.
                    slips[i] = slip / max(1.0 + (bend + slope * u) * off, 0.2)
                    u = min(max(u - slips[i], 0.0), length)
                if not held:
                    along[i] = fractions[k] + reached / whole
                    # At an end of its piece a foot cannot go farther, and the point pulls both ways.
                    held = (k == knots[p] and reached <= 0.0) or (last and reached >= length)
                here[:] = place
                add_changes(turning, sums, length, share, bend, slope, piece, knot, here)
                if held:
                    add_row(here[0], dx, weights[i], matrix, right)
                    add_row(here[1], dy, weights[i], matrix, right)
                else:
                    for j in range(size):
                        row[j] = c * here[1, j] - s * here[0, j]
                    add_row(row, off, weights[i], matrix, right)
                offs[i] = dx * dx + dy * dy
                cost += weights[i] * offs[i]
                i += 1
            advance(heading, bend, slope, reached, length, sums)
            add_changes(turning, sums, length, share, bend, slope, piece, knot, place)
            x, y = x + sums[0], y + sums[3]
            heading += (bend + 0.5 * slope * length) * length
            turning[knot] += 0.5 * length
            turning[knot + 1] += 0.5 * length
            turning[piece] += share * (bend + 0.5 * slope * length)
            row[:] = 0.0
            row[knot], row[knot + 1] = -1.0 / length, 1.0 / length
            add_row(row, slope, stiffness * length, matrix, right)
            cost += stiffness * length * slope * slope
    return cost


@inlined
def solve_symmetric(matrix: Floats, right: Floats) -> bool:
    """Solve in place by Cholesky: `right` becomes the solution, the lower half of `matrix` its factor."""
    size = len(right)
    for j in range(size):
        pivot = matrix[j, j]
        for k in range(j):
            pivot -= matrix[j, k] * matrix[j, k]
        if not pivot > 0.0:
            return False
        pivot = math.sqrt(pivot)
        matrix[j, j] = pivot
        for i in range(j + 1, size):
            value = matrix[i, j]
            for k in range(j):
                value -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = value / pivot
    for i in range(size):
        value = right[i]
        for k in range(i):
            value -= matrix[i, k] * right[k]
        right[i] = value / matrix[i, i]
    for i in range(size - 1, -1, -1):
        value = right[i]
        for k in range(i + 1, size):
            value -= matrix[k, i] * right[k]
        right[i] = value / matrix[i, i]
    return True


@inlined
def slide(bounds: Ints, parameters: Floats, slips: Floats, along: Floats) -> None:
    """Move the feet of the points to where they are nearest, keeping their order."""
    for p in range(len(bounds) - 1):
        lowest = 0.0
        for i in range(bounds[p] + 1, bounds[p + 1]):
            lowest = min(max(lowest, along[i] - slips[i] / parameters[3 + p]), 1.0)
            along[i] = lowest


@kernel("f8(Stroke, i8, f8, f8[::1], f8[::1], f8[::1])")
def improve(stroke: Stroke, rounds: int, least_gain: float, parameters: Floats, along: Floats, offs: Floats) -> float:
    """Levenberg–Marquardt from where parameters and feet are; returns the cost, leaves squared distances in `offs`.

    It ends after so many rounds, or with one that gains less than a share of the cost.
    """
    size, count, bounds = len(parameters), len(along), stroke.bounds
    now = Normal(np.empty((size, size)), np.empty(size), offs, np.empty(count))
    tried = Normal(np.empty((size, size)), np.empty(size), np.empty(count), np.empty(count))
    trial, feet = parameters.copy(), along.copy()
    cost = linearise(stroke, parameters, along, now)
    damping = 1e-6
    for _ in range(rounds):
        factor, step = tried.matrix, tried.right
        factor[:] = now.matrix
        for j in range(size):
            factor[j, j] += damping * (now.matrix[j, j] + 1e-12)
        step[:] = now.right
        if not solve_symmetric(factor, step):
            damping = max(10.0 * damping, 1e-9)
            continue
        trial[:] = parameters + step
        feet[:] = along
        if not stroke.tied:
            slide(bounds, trial, now.slips, feet)
        found = math.inf
        lengths, bends = trial[3 : 2 + len(bounds)], trial[2 * len(bounds) :]
        if lengths.min() > 0.0 and np.abs(bends).max() * lengths.max() < MOST_TURN:
            found = linearise(stroke, trial, feet, tried)
        if found < cost or found == 0.0:
            gained = cost - found
            parameters[:], along[:] = trial, feet
            now.matrix[:], now.right[:], now.offs[:], now.slips[:] = tried
            cost = found
            # A step that was held back gains little without being near the end.
            if (gained <= least_gain * cost and damping < 1e-4) or cost < 1e-22:
                break
            damping = max(0.1 * damping, 1e-12)
        else:
            damping *= 10.0
            if damping > 1e6:
                break
    return cost
