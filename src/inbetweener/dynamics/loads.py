"""Outer forces at points of a body, such as the ground's on a foot; and what the world must exert on the whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.dynamics.kernels import Pushing
from inbetweener.rig import Point, Rig


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """Forces (T, K, 3) in newtons along the world's axes, at K points: joints (K,), offsets (K, 3)."""

    joints: Ints
    offsets: Floats
    forces: Floats

    @classmethod
    def of(cls, rig: Rig, points: Sequence[Point], forces: npt.ArrayLike) -> Self:
        """Forces (T, K, 3) at the points."""
        joints, offsets = rig.point_arrays(points)
        pushing = np.asarray(forces, np.float64)
        if pushing.ndim != 3 or pushing.shape[1:] != (len(joints), 3):
            raise ValueError(f"forces of shape {pushing.shape} given, expected (T, {len(joints)}, 3)")
        return cls(frozen(joints, np.int64), frozen(offsets), frozen(pushing))

    @classmethod
    def none(cls, moments: int) -> Self:
        """No forces at all."""
        return cls(frozen([], np.int64), frozen(np.empty((0, 3))), frozen(np.empty((moments, 0, 3))))

    @property
    def record(self) -> Pushing:
        """As kernels read them."""
        return Pushing(self.joints, self.offsets, self.forces)


@dataclass(frozen=True, slots=True, eq=False)
class Wrench:
    """Forces (T, 3) in newtons and moments (T, 3) in newton metres about places (T, 3), along the world's axes."""

    places: Floats
    moments: Floats
    forces: Floats

    def about(self, places: npt.ArrayLike) -> "Wrench":
        """The same about other places (T, 3) or (3,)."""
        there = np.broadcast_to(np.asarray(places, np.float64), self.places.shape)
        return Wrench(there, self.moments + np.cross(self.places - there, self.forces), self.forces)
