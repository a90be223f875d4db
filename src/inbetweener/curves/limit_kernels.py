"""Compiled extremes of Bezier segments: where a segment's value turns, and where it is beyond a limit there."""

import math

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel


@inlined
def find_turns(rise: float, out: float, in_: float) -> tuple[float, float]:
    """See turning_points."""
    # A third of V′ is (1−u)²·out + 2u(1−u)·middle + u²·in.
    middle = rise - out - in_
    a, b = out - 2.0 * middle + in_, middle - out
    under = b * b - a * out
    if under <= 0.0:
        return math.inf, math.inf  # never turns, or only touches: no extreme
    # The root with the larger numerator first; the other from the product of both, so neither loses digits.
    q = -(b + math.copysign(math.sqrt(under), b))
    first, second = q / a if a != 0.0 else math.inf, out / q if q != 0.0 else math.inf
    first, second = first if 0.0 < first < 1.0 else math.inf, second if 0.0 < second < 1.0 else math.inf
    return min(first, second), max(first, second)


@inlined
def value_at(values: Floats, ins: Floats, outs: Floats, k: int, u: float) -> float:
    """V(u) of the segment after key k."""
    v = 1.0 - u
    flat = values[k] + (values[k + 1] - values[k]) * u * u * (3.0 - 2.0 * u)
    return flat + 3.0 * u * v * (v * outs[k, 1] - u * ins[k + 1, 1])


@kernel("UniTuple(f8, 2)(f8, f8, f8)")
def turning_points(rise: float, out: float, in_: float) -> tuple[float, float]:
    """Both u within 0 < u < 1, in order, where a segment turns that rises so far with such heights; ∞ for none."""
    return find_turns(rise, out, in_)


@kernel("void(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(i8[::1]), f8[::1], f8[::1])")
def widen(values: Floats, ins: Floats, outs: Floats, keys: Ints, low: Floats, high: Floats) -> None:
    """low and high (S,), widened to all values of the Bezier segments after these keys (S,)."""
    for s in range(len(keys)):
        k = keys[s]
        low[s] = min(low[s], values[k], values[k + 1])
        high[s] = max(high[s], values[k], values[k + 1])
        for u in find_turns(values[k + 1] - values[k], outs[k, 1], ins[k + 1, 1]):
            if u < 1.0:
                value = value_at(values, ins, outs, k, u)
                low[s], high[s] = min(low[s], value), max(high[s], value)


@kernel(
    "i8(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(i8[::1]), const(f8[::1]), const(f8[::1]), f8,"
    "i8[::1], f8[:,::1])"
)
def find_beyond(
    values: Floats,
    ins: Floats,
    outs: Floats,
    keys: Ints,
    low: Floats,
    high: Floats,
    rounding: float,
    segments: Ints,
    how: Floats,
) -> int:
    """Count the extremes of the segments after keys (S,) that are beyond low or high (S,) by more than `rounding`.

    segments (2S,) says of which each is; how (2S, 2) its u, and by how much it is beyond, negative below.
    """
    found = 0
    for s in range(len(keys)):
        k = keys[s]
        for u in find_turns(values[k + 1] - values[k], outs[k, 1], ins[k + 1, 1]):
            if u < 1.0:
                value = value_at(values, ins, outs, k, u)
                beyond = max(value - high[s], 0.0) + min(value - low[s], 0.0)
                if abs(beyond) > rounding:
                    segments[found], how[found, 0], how[found, 1] = s, u, beyond
                    found += 1
    return found
