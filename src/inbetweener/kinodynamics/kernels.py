"""Compiled springs on numbers that have no mass around them: channels that follow their keyed motion by themselves."""

from typing import NamedTuple

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record


@record("const(f8[:,::1]), const(f8[:,::1]), const(f8[:,:,::1])")
class Keyed(NamedTuple):
    """F springs over keyed values and speeds (N, F), and what a step makes of these (F, 2, 4), by `filter.stepping`."""

    values: Floats
    speeds: Floats
    steps: Floats


@inlined
def step_on(keyed: Keyed, now: int, after: int, at: Floats, rate: Floats) -> None:
    """One step of all springs, from places `at` (F,) and their rates (F,)."""
    for f in range(len(at)):
        x, v, r, to = at[f], rate[f], keyed.values[now, f], keyed.values[after, f]
        p, s = keyed.steps[f, 0], keyed.steps[f, 1]
        at[f] = p[0] * x + p[1] * v + p[2] * r + p[3] * to
        rate[f] = s[0] * x + s[1] * v + s[2] * r + s[3] * to


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
