"""Compiled evaluation of many curves at many times.

Curves lie end to end: curve c owns keys starts[c] to starts[c+1]. Within a segment, u is the Bezier parameter, T and
V the time and value cubics, s the time as a fraction of the segment. A lower u marks a derivative by u.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves.key import BEZIER, CONSTANT
from inbetweener.kernels import inlined, kernel, merged, record

ABREAST = 8
"""So many curves are evaluated side by side: their values at one time share a line of the processor's cache."""


@record("const(i8[::1]), const(f8[::1]), const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(u1[::1])")
class Keys(NamedTuple):
    """Of C curves with N keys in all: starts (C+1,), times and values (N,), ins and outs (N, 2), kinds (N,)."""

    starts: Ints
    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes


@inlined
def segment_at(times: Floats, first: int, last: int, t: float, hint: int) -> int:
    """The key in [first, last) at or before t; `hint` is where the previous, earlier time was found."""
    low, high = first, last - 1
    if first <= hint < last and times[hint] <= t:
        low = hint
        if hint + 1 < last and t < times[hint + 1]:
            return hint
    while low < high:
        middle = (low + high + 1) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle - 1
    return low


@inlined
def bezier_parameter(a: float, b: float, s: float) -> float:
    """u with T(u) = s for relative widths a and b, by steps kept inside a shrinking bracket."""
    if s <= 0.0:
        return 0.0
    if s >= 1.0:
        return 1.0
    c3, c2, c1 = 1.0 + 3.0 * a - 3.0 * (1.0 - b), 3.0 * (1.0 - b) - 6.0 * a, 3.0 * a
    low, high = 0.0, 1.0
    # T(u) − u is small where the widths are near a third: taken at s, it leads most of the way back from s to u.
    u = s - s * (1.0 - s) * ((3.0 * a - 1.0) * (1.0 - s) + (1.0 - 3.0 * b) * s)
    if not 0.0 < u < 1.0:
        u = s
    for _ in range(64):
        error = ((c3 * u + c2) * u + c1) * u - s
        if error > 0.0:
            high = u
        else:
            low = u
        slope = (3.0 * c3 * u + 2.0 * c2) * u + c1
        new = math.inf
        if slope > 0.0:
            # Newton's step, bent once more by the curvature (Chebyshev): three times the digits for one division.
            inverse = 1.0 / slope
            step = error * inverse
            bend = step * (3.0 * c3 * u + c2) * inverse
            new = u - step * (1.0 + bend) if abs(bend) < 0.5 else u - step
        # Where time runs well, a step of 1e-6 leaves an error near 1e-16. Converged is asked first: a step that
        # rounding has pushed onto the bracket must not be taken for a bad one.
        if abs(new - u) <= (1e-6 if slope > 0.1 else 2.3e-16 * (1.0 + abs(u))):
            return min(max(new, 0.0), 1.0)
        if not (low < new < high):
            new = 0.5 * (low + high)
            if new in (low, high):
                return new
        u = new
    return u


@inlined
def cubic(p0: float, p1: float, p2: float, p3: float, u: float) -> tuple[float, float, float, float]:
    """Value and first three derivatives by u of the Bezier cubic with control values p0 … p3."""
    v = 1.0 - u
    value = v * v * v * p0 + 3.0 * u * v * v * p1 + 3.0 * u * u * v * p2 + u * u * u * p3
    d1, d2, d3 = p1 - p0, p2 - p1, p3 - p2
    first = 3.0 * (v * v * d1 + 2.0 * u * v * d2 + u * u * d3)
    second = 6.0 * (v * (d2 - d1) + u * (d3 - d2))
    third = 6.0 * ((d3 - d2) - (d2 - d1))
    return value, first, second, third


@inlined
def moving_parameter(a: float, b: float, u: float) -> float:
    """u, or the nearest parameter where time moves: a handle without width stops time at its key."""
    if u < 1e-6 and a < 1e-9:
        return 1e-6
    if u > 1.0 - 1e-6 and b < 1e-9:
        return 1.0 - 1e-6
    return u


@merged
def segment_motion(keys: Keys, c: int, t: float, hint: int) -> tuple[int, bool, float, float]:
    """The key at or before t in curve c, whether a Bezier segment follows it; where none does, value and velocity.

    Curves are held outside their keys; on the last key itself the motion arriving there counts.
    """
    times, values = keys.times, keys.values
    first, last = keys.starts[c], keys.starts[c + 1]
    if t < times[first] or last - first == 1:
        return first, False, values[first], 0.0
    if t > times[last - 1]:
        return last - 1, False, values[last - 1], 0.0
    k = min(segment_at(times, first, last, t, hint), last - 2)
    if keys.kinds[k] == BEZIER:
        return k, True, 0.0, 0.0
    h = times[k + 1] - times[k]
    s = (t - times[k]) / h
    if keys.kinds[k] == CONSTANT:
        return k, False, values[k] if s < 1.0 else values[k + 1], 0.0
    return k, False, values[k] + s * (values[k + 1] - values[k]), (values[k + 1] - values[k]) / h


@kernel("void(const(f8[::1]), const(f8[::1]), const(f8[:,::1]), f8[:,::1])")
def parameters(a: Floats, b: Floats, fractions: Floats, result: Floats) -> None:
    """result[m] = u with T(u) = fractions[m] on segments of relative widths a[m] and b[m]."""
    for m in range(len(fractions)):
        for f in range(fractions.shape[1]):
            result[m, f] = bezier_parameter(a[m], b[m], fractions[m, f])


@kernel("void(Keys, const(f8[::1]), f8[:,::1])")
def evaluate(keys: Keys, at: Floats, result: Floats) -> None:
    """result[f, c] = value of curve c at time at[f]."""
    starts, times, values, ins, outs, kinds = keys
    count = len(starts) - 1
    hints = np.empty(ABREAST, np.int64)
    for block in range(0, count, ABREAST):
        width = min(ABREAST, count - block)
        for i in range(width):
            hints[i] = starts[block + i]
        for f in range(len(at)):
            t = at[f]
            for i in range(width):
                c = block + i
                first, last = starts[c], starts[c + 1]
                if t <= times[first]:
                    result[f, c] = values[first]
                    continue
                if t >= times[last - 1]:
                    result[f, c] = values[last - 1]
                    continue
                k = segment_at(times, first, last, t, hints[i])
                hints[i] = k
                rate = 1.0 / (times[k + 1] - times[k])
                s = (t - times[k]) * rate
                if kinds[k] == CONSTANT:
                    result[f, c] = values[k]
                elif kinds[k] == BEZIER:
                    u = bezier_parameter(outs[k, 0] * rate, ins[k + 1, 0] * rate, s)
                    v = 1.0 - u
                    result[f, c] = (
                        v * v * (v + 3.0 * u) * values[k]
                        + u * u * (u + 3.0 * v) * values[k + 1]
                        + 3.0 * u * v * (v * outs[k, 1] - u * ins[k + 1, 1])
                    )
                else:
                    result[f, c] = values[k] + s * (values[k + 1] - values[k])


@inlined
def bezier_motion(
    keys: Keys, k: int, at: float
) -> tuple[float, tuple[float, float, float], tuple[float, float, float, float]]:
    """The parameter u of a time within segment k; how segment time moves with u; the value and how that moves.

    Both to the third derivative, the value's by segment time, which goes from nought to one: the chain rule through u.
    """
    h = keys.times[k + 1] - keys.times[k]
    a, b = keys.outs[k, 0] / h, keys.ins[k + 1, 0] / h
    left, right = keys.values[k], keys.values[k + 1]
    u = moving_parameter(a, b, bezier_parameter(a, b, (at - keys.times[k]) / h))
    _, tu, tuu, tuuu = cubic(0.0, a, 1.0 - b, 1.0, u)
    q, vu, vuu, vuuu = cubic(left, left + keys.outs[k, 1], right - keys.ins[k + 1, 1], right, u)
    q1 = vu / tu
    q2 = (vuu - q1 * tuu) / (tu * tu)
    q3 = (vuuu - q1 * tuuu) / (tu * tu * tu) - 3.0 * q2 * tuu / (tu * tu)
    return u, (tu, tuu, tuuu), (q, q1, q2, q3)


@kernel("void(Keys, const(f8[::1]), f8[:,:,::1])")
def evaluate_motion(keys: Keys, at: Floats, result: Floats) -> None:
    """result[f, c] = (value, velocity, acceleration) of curve c at time at[f]."""
    times, values, ins, outs = keys.times, keys.values, keys.ins, keys.outs
    for c in range(len(keys.starts) - 1):
        k = keys.starts[c]
        for f in range(len(at)):
            k, bends, value, velocity = segment_motion(keys, c, at[f], k)
            result[f, c, 0], result[f, c, 1], result[f, c, 2] = value, velocity, 0.0
            if not bends:
                continue
            h = times[k + 1] - times[k]
            a, b = outs[k, 0] / h, ins[k + 1, 0] / h
            u = bezier_parameter(a, b, (at[f] - times[k]) / h)
            one, other = values[k] + outs[k, 1], values[k + 1] - ins[k + 1, 1]
            result[f, c, 0] = cubic(values[k], one, other, values[k + 1], u)[0]
            u = moving_parameter(a, b, u)
            _, tu, tuu, _ = cubic(0.0, a, 1.0 - b, 1.0, u)
            _, vu, vuu, _ = cubic(values[k], one, other, values[k + 1], u)
            pace = vu / tu
            result[f, c, 1] = pace / h
            result[f, c, 2] = (vuu - pace * tuu) / (tu * tu) / (h * h)


@kernel("void(Keys, const(f8[::1]), i8[:,::1], f8[:,:,:,::1])")
def differentiate(keys: Keys, at: Floats, segments: Ints, result: Floats) -> None:
    """Derivatives by the four tangent components of the segment that is active at each time.

    segments[f, c] is the key that starts the segment (−1 where no tangent matters); result[f, c, r, p] the derivative
    of value (r = 0), velocity (1), acceleration (2) by out width (p = 0), out height (1), in width (2), in height
    (3).
    """
    for c in range(len(keys.starts) - 1):
        k = keys.starts[c]
        for f in range(len(at)):
            result[f, c] = 0.0
            k, bends, _, _ = segment_motion(keys, c, at[f], k)
            segments[f, c] = k if bends else -1
            if not bends:
                continue
            h = keys.times[k + 1] - keys.times[k]
            u, (tu, tuu, _), (_, qd, qdd, qddd) = bezier_motion(keys, k, at[f])
            v = 1.0 - u
            for side in range(2):
                # Basis function of the handle and its derivatives by u; the in handle sits at key − in.
                if side == 0:
                    p, pu, puu = 3.0 * u * v * v, 3.0 * v * (v - 2.0 * u), 6.0 * (u - 2.0 * v)
                else:
                    p, pu, puu = -3.0 * u * u * v, -3.0 * u * (2.0 * v - u), -6.0 * (v - 2.0 * u)
                y, x = 2 * side + 1, 2 * side
                # Heights enter V alone, widths T alone (in units of the segment, hence 1/h).
                result[f, c, 0, y] = p
                result[f, c, 1, y] = pu / tu / h
                result[f, c, 2, y] = (puu / (tu * tu) - pu * tuu / (tu * tu * tu)) / (h * h)
                result[f, c, 0, x] = -qd * p / h
                result[f, c, 1, x] = (-qd * pu / tu - qdd * p) / (h * h)
                result[f, c, 2, x] = (
                    -qd * puu / (tu * tu) + qd * pu * tuu / (tu * tu * tu) - 2.0 * qdd * pu / tu - qddd * p
                ) / (h * h * h)
