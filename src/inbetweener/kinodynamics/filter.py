"""A spring that pulls along a number with no mass around it: linear, so a whole window is one short filter.

The filter is the simulation's own steps multiplied out, so that it gives the same to rounding; blend shapes, controls
and the vertices of a face all go through it.
"""

from functools import lru_cache

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.kinodynamics.spring import Spring


@lru_cache(maxsize=4096)
def response(spring: Spring, step: float, drag: float, count: int) -> tuple[Floats, Floats]:
    """Weights (n + 1,) on the values, and on the velocities, of the keyed motion at the n + 1 moments of a window.

    The spring starts on the first moment with its velocity, and is read at the last.
    """
    stiffness, damping = spring.gains(step)
    size = 1.0 + step * damping + step * step * stiffness
    # Place and speed as sums of what the moments have: rows (2, 2 (n + 1)), values first.
    state = np.zeros((2, 2 * (count + 1)))
    state[0, 0] = state[1, count + 1] = 1.0
    for k in range(count):
        place, speed = state
        gained = -stiffness * (place + step * speed) - damping * speed
        gained[k + 1] += stiffness
        gained[count + 1 + k] += damping * (1.0 - drag)
        speed = speed + step / size * gained
        state = np.stack([place + step * speed, speed])
    return frozen(state[0, : count + 1]), frozen(state[0, count + 1 :])
