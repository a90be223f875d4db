"""Compiled parts of stroke fitting."""

import math

from inbetweener.arrays import Floats
from inbetweener.kernels import kernel


@kernel("i8(const(f8[:,::1]), f8, f8[:,::1])")
def gather(points: Floats, radius: float, result: Floats) -> int:
    """Means of consecutive points (n, 2) that stay within a radius of the first of them; how many there are.

    The first and the last point stay where they are: they say where the stroke begins and ends.
    """
    count, members = 0, 0
    anchor_x, anchor_y, sum_x, sum_y = points[0, 0], points[0, 1], 0.0, 0.0
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        if members > 0 and math.hypot(x - anchor_x, y - anchor_y) > radius:
            result[count, 0], result[count, 1] = sum_x / members, sum_y / members
            count += 1
            members, sum_x, sum_y = 0, 0.0, 0.0
        if members == 0:
            anchor_x, anchor_y = x, y
        members += 1
        sum_x += x
        sum_y += y
    result[count, 0], result[count, 1] = sum_x / members, sum_y / members
    count += 1
    last = len(points) - 1
    result[0, 0], result[0, 1] = points[0, 0], points[0, 1]
    result[count - 1, 0], result[count - 1, 1] = points[last, 0], points[last, 1]
    return count
