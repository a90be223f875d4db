"""At which times constraints are looked at.

Frames alone are not enough: between two keys that are two frames apart a pin can leak centimetres unseen. Every free
segment gets at least PER_SEGMENT looks, and a long one no more than it needs: its curves are single cubics.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats

PER_SEGMENT = 16
A_FRAME = 4
AT_MOST = 96


def constraint_times(
    start: float, end: float, keys: Iterable[float], shortest: float, rate: float, looks: int = 1
) -> Floats:
    """Times strictly inside [start, end]: all keys, and between them a spacing that suits the shortest free segment.

    `looks` is how many times as many there are.
    """
    knots = np.unique([start, end, *(k for k in keys if start < k < end)])
    spacing = max(min(shortest / PER_SEGMENT, 1.0 / rate), shortest / (2 * PER_SEGMENT), (end - start) / AT_MOST)
    pieces = [np.linspace(a, b, looks * max(1, round((b - a) / spacing)), endpoint=False) for a, b in pairwise(knots)]
    return np.concatenate(pieces)[1:] if pieces else np.zeros(0)


def times_within(looks: Floats, start: float, end: float, span: tuple[float, float]) -> Floats:
    """The looks at a constraint that holds from start to end, both of which are looked at too where they can move."""
    ends = [t for t in (start, end) if span[0] < t < span[1]]
    return np.union1d(looks[(start <= looks) & (looks <= end)], ends)


def fine_times(start: float, end: float, shortest: float, rate: float) -> Floats:
    """Times from start to end at which to look whether anything goes through anything.

    A_FRAME looks a frame, and more where a free segment is short: what passes a small solid in a hurry goes through its
    edge between two of them.
    """
    frame = 1.0 / (A_FRAME * rate)
    spacing = min(frame, max(shortest / (A_FRAME * PER_SEGMENT), frame / A_FRAME))
    return np.linspace(start, end, max(2, round((end - start) / spacing) + 1))
