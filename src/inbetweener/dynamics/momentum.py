"""Centre of mass, momentum and energy of a moving body."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.dynamics import kernels
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.inverse import EARTH
from inbetweener.dynamics.movement import Movement


@dataclass(frozen=True, slots=True, eq=False)
class Momentum:
    """At T moments, in metres, kilograms and seconds, along the world's axes.

    centre, velocity, acceleration (T, 3) of the centre of mass; angular (T, 3), momentum about it; kinetic and
    potential energy (T,), the latter nothing at the world's origin.
    """

    mass: float
    centre: Floats
    velocity: Floats
    acceleration: Floats
    angular: Floats
    kinetic: Floats
    potential: Floats

    @property
    def linear(self) -> Floats:
        """Linear momentum (T, 3)."""
        return self.mass * self.velocity

    @property
    def energy(self) -> Floats:
        """Kinetic and potential energy together (T,)."""
        return self.kinetic + self.potential


def momentum(body: Body, movement: Movement, *, gravity: npt.ArrayLike = EARTH) -> Momentum:
    """How the whole body moves."""
    found = np.empty((len(movement), 14))
    kernels.momenta(body.tree(frozen(gravity)), movement.record, found)
    centre, velocity, acceleration, angular = (np.ascontiguousarray(found[:, 3 * i : 3 * i + 3]) for i in range(4))
    return Momentum(body.total, centre, velocity, acceleration, angular, found[:, 12].copy(), found[:, 13].copy())
