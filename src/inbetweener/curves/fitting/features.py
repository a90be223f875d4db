"""What a fit must not lose: corners, where the slope jumps, and holds, where nothing moves."""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints

HOLD_SAMPLES = 5
"""The fewest samples that make a hold."""

HOLD_SHARE = 0.005
"""How much of the tolerance the values of a hold may differ by …"""

HOLD_RANGE = 2e-5
"""… and how much of the whole range of values: the rounding of a file, less than any living thing holds still."""


def corners(times: Floats, values: Floats, tolerances: Floats) -> Bools:
    """Samples (n,) where the slope jumps: a bend that is large, and alone among its neighbours.

    The bend is how far the next sample lies from the line through the last two. In smooth motion it changes little
    from sample to sample, at a corner it stands out however dense the samples are.
    """
    if len(times) < 3:
        return np.zeros(len(times), np.bool_)
    slopes = np.diff(values) / np.diff(times)
    bend = np.zeros(len(times) + 4)
    bend[3:-3] = np.abs(np.diff(slopes)) * np.minimum(np.diff(times)[:-1], np.diff(times)[1:])
    here = bend[2:-2]
    beside = np.maximum(bend[1:-3], bend[3:-1])
    beyond = np.maximum(bend[:-4], bend[4:])
    found = (here > 4.0 * tolerances) & (here >= 0.9 * beside) & (here > 4.0 * beyond)
    # Next to an end there are not enough neighbours to stand out from.
    found[:2] = found[-2:] = False
    return found


def holds(values: Floats, tolerances: Floats) -> Ints:
    """(h, 2) first and last samples of runs whose values are the same, up to rounding."""
    found: list[tuple[int, int]] = []
    allowed = np.minimum(HOLD_SHARE * tolerances, HOLD_RANGE * np.ptp(values))
    # Neighbours that already differ too much cannot share a hold: only look where a run may begin.
    near = np.abs(np.diff(values)) <= allowed[:-1]
    start, n = 0, len(values)
    for i in np.flatnonzero(near):
        if i < start:
            continue
        end, low, high = int(i), values[i], values[i]
        while end + 1 < n:
            low, high = min(low, values[end + 1]), max(high, values[end + 1])
            if high - low > allowed[end + 1]:
                break
            end += 1
        if end - i + 1 >= HOLD_SAMPLES:
            found.append((int(i), end))
            start = end
    return np.array(found, np.int64).reshape(-1, 2)
