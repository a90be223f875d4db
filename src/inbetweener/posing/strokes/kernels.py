"""Compiled looks at the points of a stroke: gathering those in one place, tangents either side of each."""

import math

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined, kernel


@kernel("i8(const(f8[:,::1]), const(f8[::1]), f8, f8[:,::1], f8[::1])")
def gather(points: Floats, weights: Floats, radius: float, result: Floats, heavy: Floats) -> int:
    """Weighted means of consecutive points (n, 2) within a radius of the first of them; how many there are.

    `heavy` (n,) becomes the mean weight of each. The first and the last point stay where they are: they say where the
    stroke begins and ends.
    """
    count, members = 0, 0
    anchor_x, anchor_y, sum_x, sum_y, weight = points[0, 0], points[0, 1], 0.0, 0.0, 0.0
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        if members > 0 and math.hypot(x - anchor_x, y - anchor_y) > radius:
            result[count, 0], result[count, 1], heavy[count] = sum_x / weight, sum_y / weight, weight / members
            count += 1
            members, sum_x, sum_y, weight = 0, 0.0, 0.0, 0.0
        if members == 0:
            anchor_x, anchor_y = x, y
        members += 1
        sum_x += weights[i] * x
        sum_y += weights[i] * y
        weight += weights[i]
    result[count, 0], result[count, 1], heavy[count] = sum_x / weight, sum_y / weight, weight / members
    count += 1
    last = len(points) - 1
    result[0, 0], result[0, 1] = points[0, 0], points[0, 1]
    result[count - 1, 0], result[count - 1, 1] = points[last, 0], points[last, 1]
    return count


@inlined
def side_tangent(points: Floats, s: Floats, at: int, step: int, reach: float, noise: float, found: Floats) -> None:
    """found (3,): the tangent at a point of the parabola through those on one side, and its variance; inf if unknown.

    The parabola, a quadratic of arc length for each coordinate, may turn: a smooth bend has one tangent from both
    sides, a corner has two.
    """
    m0, m1, m2, m3, m4 = 0.0, 0.0, 0.0, 0.0, 0.0
    x0, x1, x2, y0, y1, y2, squares = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    i = at
    while 0 <= i < len(points) and (abs(s[i] - s[at]) <= reach or abs(i - at) < 3):
        # Distances in units of the reach keep the moments of one size.
        u = (s[i] - s[at]) / reach
        x, y = points[i, 0] - points[at, 0], points[i, 1] - points[at, 1]
        m0, m1, m2, m3, m4 = m0 + 1.0, m1 + u, m2 + u * u, m3 + u * u * u, m4 + u * u * u * u
        x0, x1, x2 = x0 + x, x1 + u * x, x2 + u * u * x
        y0, y1, y2 = y0 + y, y1 + u * y, y2 + u * u * y
        squares += x * x + y * y
        i += step
    c00, c01, c02 = m2 * m4 - m3 * m3, m2 * m3 - m1 * m4, m1 * m3 - m2 * m2
    c11, c12, c22 = m0 * m4 - m2 * m2, m1 * m2 - m0 * m3, m0 * m2 - m1 * m1
    determinant = m0 * c00 + m1 * c01 + m2 * c02
    found[2] = math.inf
    if m0 < 3.0 or determinant <= 1e-12 * m0 * m2 * m4:
        return
    ax = (c00 * x0 + c01 * x1 + c02 * x2) / determinant
    bx = (c01 * x0 + c11 * x1 + c12 * x2) / determinant
    cx = (c02 * x0 + c12 * x1 + c22 * x2) / determinant
    ay = (c00 * y0 + c01 * y1 + c02 * y2) / determinant
    by = (c01 * y0 + c11 * y1 + c12 * y2) / determinant
    cy = (c02 * y0 + c12 * y1 + c22 * y2) / determinant
    left = squares - ax * x0 - bx * x1 - cx * x2 - ay * y0 - by * y1 - cy * y2
    found[0], found[1] = bx / reach, by / reach
    # Two coordinates, three coefficients each.
    variance = max(noise * noise, left / (2.0 * m0 - 6.0) if m0 > 3.0 else 0.0)
    found[2] = variance * c11 / determinant / (reach * reach)


@kernel("void(const(f8[:,::1]), const(f8[::1]), f8, f8, f8[::1], f8[::1], f8[:,::1])")
def turns_at(
    points: Floats, s: Floats, reach: float, noise: float, turns: Floats, doubts: Floats, outward: Floats
) -> None:
    """By how much a stroke turns at each of its points (n, 2), and the standard deviation of that; inf if unknown.

    outward (n, 2) becomes which way a corner there would point. `noise` is the least standard deviation that points
    are taken to have: a few may happen to lie in line.
    """
    before, after = np.empty(3), np.empty(3)
    for i in range(len(points)):
        side_tangent(points, s, i, -1, reach, noise, before)
        side_tangent(points, s, i, 1, reach, noise, after)
        turns[i], doubts[i] = 0.0, math.inf
        outward[i] = 0.0
        if before[2] < math.inf and after[2] < math.inf:
            cross = before[0] * after[1] - before[1] * after[0]
            along = before[0] * after[0] + before[1] * after[1]
            turns[i] = math.atan2(cross, along)
            length, further = math.hypot(before[0], before[1]), math.hypot(after[0], after[1])
            doubts[i] = math.sqrt(before[2] + after[2]) / max(min(length, further), 1e-6)
            for c in range(2):
                outward[i, c] = before[c] / max(length, 1e-6) - after[c] / max(further, 1e-6)
