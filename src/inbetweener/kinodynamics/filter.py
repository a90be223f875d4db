"""A spring that pulls along a number with no mass around it: linear, so that its steps are exact, and a whole window is
one short filter. Blend shapes, controls, the vertices of a face and the modes of a hat all go through it.
"""

from functools import lru_cache

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.kinodynamics.spring import Spring


@lru_cache(maxsize=4096)
def stepping(spring: Spring, step: float, drag: float) -> Floats:
    """(2, 4): place and speed after a step, from those before it and from what is followed before and after it.

    Exact where that changes evenly in between, by the exponential of ẍ = k (r − x) − c (ẋ − (1 − drag) ṙ).
    """
    from scipy.linalg import expm

    stiffness, damping = spring.rates
    pulled = [-stiffness, -damping - spring.air, stiffness, damping * (1.0 - drag)]
    once = expm(step * np.array([[0.0, 1.0, 0.0, 0.0], pulled, [0.0, 0.0, 0.0, 1.0], np.zeros(4)]))[:2]
    gone = once[:, 3] / step
    return frozen(np.column_stack([once[:, :2], once[:, 2] - gone, gone]))


@lru_cache(maxsize=4096)
def response(spring: Spring, step: float, drag: float, count: int) -> tuple[Floats, Floats]:
    """Weights (n + 1,) on what is followed at the n + 1 moments of a window, and (2,) on place and speed at its first.

    They make the place at its last: the steps of `stepping`, multiplied out.
    """
    once = stepping(spring, step, drag)
    weights, led = np.zeros(count + 1), np.array([1.0, 0.0])
    for k in range(count, 0, -1):
        weights[k - 1 : k + 1] += led @ once[:, 2:]
        led = led @ once[:, :2]
    return frozen(weights), frozen(led)
