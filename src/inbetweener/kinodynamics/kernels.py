"""Compiled springs on numbers that have no mass around them: channels that follow their keyed motion by themselves."""

from typing import NamedTuple

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record


@record("const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), f8, f8")
class Keyed(NamedTuple):
    """F springs of gains (F, 2) over keyed values and speeds (N, F), moments h apart; drag."""

    values: Floats
    speeds: Floats
    gains: Floats
    h: float
    drag: float


@inlined
def step_on(keyed: Keyed, now: int, after: int, at: Floats, rate: Floats) -> None:
    """One step of all springs, from places `at` (F,) and their rates (F,)."""
    values, speeds, gains, h, drag = keyed
    for f in range(len(at)):
        kp, kd = gains[f, 0], gains[f, 1]
        pull = kp * (values[after, f] - at[f] - h * rate[f]) - kd * (rate[f] - (1.0 - drag) * speeds[now, f])
        rate[f] += h * pull / (1.0 + h * kd + h * h * kp)
        at[f] += h * rate[f]


@kernel("void(Keyed, const(i8[:,::1]), const(i8[::1]), f8[:,::1], f8[:,::1])")
def follow(keyed: Keyed, rows: Ints, counts: Ints, places: Floats, rates: Floats) -> None:
    """places, rates (W, F) at the end of windows.

    rows (W, n + 1) are the moments that each window passes, of which it takes the last counts (W,) steps.
    """
    for w in range(len(rows)):
        begin = rows.shape[1] - 1 - counts[w]
        places[w], rates[w] = keyed.values[rows[w, begin]], keyed.speeds[rows[w, begin]]
        for k in range(begin, rows.shape[1] - 1):
            step_on(keyed, rows[w, k], rows[w, k + 1], places[w], rates[w])


@kernel("void(Keyed, f8[:,::1], f8[:,::1])")
def trace(keyed: Keyed, places: Floats, rates: Floats) -> None:
    """places, rates (n + 1, F) all along one simulation over values and speeds (n + 1, F)."""
    places[0], rates[0] = keyed.values[0], keyed.speeds[0]
    for k in range(len(keyed.values) - 1):
        places[k + 1], rates[k + 1] = places[k], rates[k]
        step_on(keyed, k, k + 1, places[k + 1], rates[k + 1])
