"""An independent evaluator: de Casteljau on plain Python numbers, and bisection for the time."""

import itertools
import math
from collections.abc import Sequence

from inbetweener.curves import Curve


def casteljau(points: Sequence[float], u: float) -> float:
    row = list(points)
    while len(row) > 1:
        row = [(1 - u) * a + u * b for a, b in itertools.pairwise(row)]
    return row[0]


def control_points(curve: Curve, k: int) -> tuple[list[float], list[float]]:
    """Control times, counted from key k, and control values of the segment after it."""
    a, b = curve.key(k), curve.key(k + 1)
    length = b.time - a.time
    times = [0.0, a.out_tangent.x, length - b.in_tangent.x, length]
    values = [a.value, a.value + a.out_tangent.y, b.value - b.in_tangent.y, b.value]
    return times, values


def value_at(curve: Curve, t: float) -> float:
    keys = curve.keys
    if t <= keys[0].time:
        return keys[0].value
    if t >= keys[-1].time:
        return keys[-1].value
    k = max(i for i, key in enumerate(keys) if key.time <= t)
    if keys[k].interpolation == "constant":
        return keys[k].value
    if keys[k].interpolation == "linear":
        s = (t - keys[k].time) / (keys[k + 1].time - keys[k].time)
        return keys[k].value + s * (keys[k + 1].value - keys[k].value)
    times, values = control_points(curve, k)
    low, high = 0.0, 1.0
    while math.nextafter(low, 1.0) < high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if casteljau(times, middle) <= t - keys[k].time:
            low = middle
        else:
            high = middle
    return casteljau(values, 0.5 * (low + high))
