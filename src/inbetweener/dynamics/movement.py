"""How degrees of freedom move when channels do: values, velocities, accelerations, and how they follow."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.dynamics import kernels
from inbetweener.errors import InvalidRig
from inbetweener.motion import Motion
from inbetweener.rig import Rig
from inbetweener.rig.dof_map import DofMap, LinearMap

STRIDE = 0.01
"""How far channels go, in radians or metres, from one point of the stencil to the next."""

_FIRST = np.array([-1 / 60, 3 / 20, -3 / 4, 0.0, 3 / 4, -3 / 20, 1 / 60])
_SECOND = np.array([1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90])


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """A body's movement at T moments.

    dofs, velocities, accelerations  (T, 9J)
    weights  (3, T or 1, E) the derivative J of degrees of freedom by channels, sparse as the rig's map has it, and its
             rates J̇ and J̈ along the movement: q̇ = J ċ, q̈ = J c̈ + J̇ ċ, and then ∂q̇/∂c = J̇, ∂q̈/∂c = J̈, ∂q̈/∂ċ = 2 J̇

    Without IK handles J is constant and all is exact. With handles J is exact, and its rates come from a stencil of
    seven exact J along c + ċ s + ½ c̈ s².
    """

    dofs: Floats
    velocities: Floats
    accelerations: Floats
    weights: Floats

    @classmethod
    def of(cls, rig: Rig, channels: npt.ArrayLike) -> Self:
        """From channel values, velocities and accelerations (T, C, 3), such as Motion.channel_motion gives."""
        moving = np.asarray(channels, np.float64)
        if moving.ndim != 3 or moving.shape[1:] != (len(rig.channels), 3):
            raise ValueError(f"channels of shape {moving.shape} given, expected (T, {len(rig.channels)}, 3)")
        values, rates, accelerations = (np.ascontiguousarray(moving[:, :, i]) for i in range(3))
        mapping = rig.dof_map
        dofs = mapping.dofs(values)
        _require_rigid(rig, dofs)
        if isinstance(mapping, LinearMap):
            weights = np.zeros((3, 1, len(mapping.channels)))
            weights[0] = mapping.factors
        else:
            weights = _rates(mapping, values, rates, accelerations)
        velocity, acceleration = np.empty_like(dofs), np.empty_like(dofs)
        kernels.follow(mapping.starts, mapping.channels, weights[0], rates, True, velocity)
        kernels.follow(mapping.starts, mapping.channels, weights[0], accelerations, True, acceleration)
        if not isinstance(mapping, LinearMap):
            kernels.follow(mapping.starts, mapping.channels, weights[1], rates, False, acceleration)
        return cls(frozen(dofs), frozen(velocity), frozen(acceleration), frozen(weights))

    @classmethod
    def at(cls, motion: Motion, times: npt.ArrayLike) -> Self:
        """A motion's movement at times (T,), bends of bones left out."""
        return cls.of(motion.rig.keyed, motion.channel_motion(times))

    def __len__(self) -> int:
        return len(self.dofs)


def _rates(mapping: DofMap, values: Floats, rates: Floats, accelerations: Floats) -> Floats:
    """J, J̇ and J̈ (3, T, E) by differences along the movement itself."""
    speed = np.abs(rates).max(axis=1, initial=0.0) + np.sqrt(np.abs(accelerations).max(axis=1, initial=0.0))
    step = STRIDE / np.where(speed > 0.0, speed, 1.0)
    result = np.zeros((3, len(values), len(mapping.channels)))
    for place, first, second in zip(range(-3, 4), _FIRST, _SECOND, strict=True):
        s = (place * step)[:, None]
        weights = mapping.weights(values + s * (rates + 0.5 * s * accelerations))
        if place == 0:
            result[0] = weights
        result[1] += first * weights
        result[2] += second * weights
    result[1] /= step[:, None]
    result[2] /= np.square(step)[:, None]
    return result


def _require_rigid(rig: Rig, dofs: Floats) -> None:
    """Raise InvalidRig where a joint with others below it is scaled unevenly: what turns below would change shape."""
    inner = np.unique(rig.skeleton.parents[rig.skeleton.parents >= 0])
    scales = dofs.reshape(len(dofs), -1, 9)[:, inner, 6:]
    uneven = np.ptp(scales, axis=2) > 1e-6 * np.abs(scales).max(axis=2, initial=0.0)
    if uneven.any():
        moment, which = np.argwhere(uneven)[0]
        x, y, z = scales[moment, which]
        raise InvalidRig(
            f"joint {rig.joints[inner[which]].name!r} is scaled by {x:g}, {y:g}, {z:g} with joints below it; "
            "dynamics knows rigid parts only: scale it evenly"
        )
