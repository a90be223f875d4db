"""How degrees of freedom move when channels do: values, velocities, accelerations, and how they follow."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.dynamics import kernels
from inbetweener.errors import InvalidRig
from inbetweener.motion import Motion
from inbetweener.rig import Rig
from inbetweener.rig.dof_map import DofMap
from inbetweener.rig.handles.handled_map import HandledMap

STRIDE = 0.001
"""How far channels go, in radians or metres, from one point of a stencil to the next: short, for chains nearly out of
reach turn sharply; differences of values, not of derivatives, need twice that to keep their digits."""

UNEVEN = 0.01
"""Scales whose factors differ by less, relatively, count as even: their mean is taken."""

JUMP = 0.3
"""Radians from one point to the next that no chain turns by: it went over to another set of equal angles."""

# First and second derivatives from values at −2 … 2 and at −3 … 3 steps.
_FIVE = np.array([[1 / 12, -2 / 3, 0, 2 / 3, -1 / 12], [-1 / 12, 4 / 3, -5 / 2, 4 / 3, -1 / 12]])
_SEVEN = np.array(
    [
        [-1 / 60, 3 / 20, -3 / 4, 0, 3 / 4, -3 / 20, 1 / 60],
        [1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90],
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """A body's movement at T moments.

    dofs, velocities, accelerations  (T, 9J)
    weights  (3, T or 1, E) the derivative J of degrees of freedom by channels, sparse as the rig's map has it, and its
             rates J̇ and J̈ along the movement: q̇ = J ċ, q̈ = J c̈ + J̇ ċ, and so ∂q̇/∂c = J̇, ∂q̈/∂c = J̈, ∂q̈/∂ċ = 2 J̇;
             None where nobody wanted derivatives

    Without IK handles J is constant and all is exact. With handles J is exact, and its rates come from five exact J
    along c + ċ s + ½ c̈ s², to seven digits or more.
    """

    dofs: Floats
    velocities: Floats
    accelerations: Floats
    weights: Floats | None

    @classmethod
    def of(cls, rig: Rig, channels: npt.ArrayLike, *, differentiable: bool = True) -> Self:
        """From channel values, velocities and accelerations (T, C, 3), such as Motion.channel_motion gives.

        Rigs with handles are done four times sooner when nobody wants derivatives; for others it is all the same.
        """
        moving = np.asarray(channels, np.float64)
        if moving.ndim != 3 or moving.shape[1:] != (len(rig.channels), 3):
            raise ValueError(f"channels of shape {moving.shape} given, expected (T, {len(rig.channels)}, 3)")
        values, rates, accelerations = (np.ascontiguousarray(moving[:, :, i]) for i in range(3))
        mapping = rig.dof_map
        dofs = mapping.dofs(values)
        _require_rigid(rig, dofs)
        if isinstance(mapping, HandledMap):
            if not differentiable:
                velocity, acceleration = _differences(mapping, dofs, values, rates, accelerations)
                return cls(_kept(dofs), _kept(velocity), _kept(acceleration), None)
            weights = _weights(mapping, values, rates, accelerations)
        else:
            weights = np.zeros((3, 1, len(mapping.channels)))
            weights[0] = mapping.weights(values[:1])
        velocity, acceleration = _moved(mapping, weights, rates, accelerations)
        return cls(_kept(dofs), _kept(velocity), _kept(acceleration), _kept(weights))

    @classmethod
    def at(cls, motion: Motion, times: npt.ArrayLike, *, differentiable: bool = True) -> Self:
        """A motion's movement at times (T,), bends of bones left out."""
        return cls.of(motion.rig.keyed, motion.channel_motion(times), differentiable=differentiable)

    def __len__(self) -> int:
        return len(self.dofs)

    @property
    def required_weights(self) -> Floats:
        """The weights, or a ValueError where the movement was made without."""
        if self.weights is None:
            raise ValueError("this movement was made without derivatives; make it with differentiable=True")
        return self.weights


def _kept(array: Floats) -> Floats:
    """Read-only, and not copied as `frozen` would: that tells at every move of a slider."""
    array.flags.writeable = False
    return array


def _followed(mapping: DofMap, weights: Floats, rates: Floats) -> Floats:
    """Degrees of freedom (T, D) that follow rates of channels (T, C)."""
    result = np.empty((len(rates), len(mapping.starts) - 1))
    kernels.follow(mapping.starts, mapping.channels, weights, rates, result)
    return result


def _moved(mapping: DofMap, weights: Floats, rates: Floats, accelerations: Floats) -> tuple[Floats, Floats]:
    """q̇ = J ċ and q̈ = J c̈ + J̇ ċ."""
    velocity, acceleration = _followed(mapping, weights[0], rates), _followed(mapping, weights[0], accelerations)
    if weights[1].any():
        acceleration += _followed(mapping, weights[1], rates)
    return velocity, acceleration


def _steps(rates: Floats, accelerations: Floats, stride: float) -> Floats:
    """How long (T, 1) channels take for a stride."""
    speed = np.abs(rates).max(axis=1, initial=0.0) + np.sqrt(np.abs(accelerations).max(axis=1, initial=0.0))
    return (stride / np.where(speed > 0.0, speed, 1.0))[:, None]


def _weights(mapping: HandledMap, values: Floats, rates: Floats, accelerations: Floats) -> Floats:
    """J, J̇ and J̈ (3, T, E), the latter two by differences along the movement itself."""
    step = _steps(rates, accelerations, STRIDE)
    result = np.zeros((3, len(values), len(mapping.channels)))
    result[0] = mapping.weights(values)
    middles = [9 * int(j) + 3 + int(mapping.skeleton.orders[j, 1]) for limb in mapping.limbs for j in limb.joints]
    for place, (first, second) in zip(range(-2, 3), _FIVE.T, strict=True):
        s = place * step
        weights = result[0] if place == 0 else mapping.weights(values + s * (rates + 0.5 * s * accelerations))
        for row in middles:
            # Where a chain goes over to its other set of equal angles, the middle one runs the other way.
            entries = slice(mapping.starts[row], mapping.starts[row + 1])
            opposed = np.einsum("te,te->t", weights[:, entries], result[0, :, entries]) < 0.0
            weights[opposed, entries] *= -1.0
        result[1] += first * weights
        result[2] += second * weights
    result[1] /= step
    result[2] /= step**2
    return result


def _differences(
    mapping: HandledMap, dofs: Floats, values: Floats, rates: Floats, accelerations: Floats
) -> tuple[Floats, Floats]:
    """Velocities and accelerations (T, D), those of the angles that handles set by differences along the movement."""
    step = _steps(rates, accelerations, 2.0 * STRIDE)
    rows = sorted(row for limb in mapping.limbs for row in limb.rows)
    firsts, seconds = np.zeros((len(values), len(rows))), np.zeros((len(values), len(rows)))
    jumps = np.zeros(len(values), np.bool_)
    for place, (first, second) in zip(range(-3, 4), _SEVEN.T, strict=True):
        if place != 0:
            s = place * step
            change = mapping.dofs(values + s * (rates + 0.5 * s * accelerations))[:, rows] - dofs[:, rows]
            jumps |= np.abs(change).max(axis=1, initial=0.0) > JUMP
            firsts += first * change
            seconds += second * change
    linear = mapping.linear
    velocity = _followed(linear, linear.factors[None], rates)
    acceleration = _followed(linear, linear.factors[None], accelerations)
    velocity[:, rows] = firsts / step
    acceleration[:, rows] = seconds / step**2
    if jumps.any():
        again = _weights(mapping, values[jumps], rates[jumps], accelerations[jumps])
        velocity[jumps], acceleration[jumps] = _moved(mapping, again, rates[jumps], accelerations[jumps])
    return velocity, acceleration


def _require_rigid(rig: Rig, dofs: Floats) -> None:
    """Raise InvalidRig where a joint with others below it is scaled unevenly: what turns below would change shape.

    Mirroring is rigid, and a little unevenness is what files hold for evenness.
    """
    inner = np.unique(rig.skeleton.parents[rig.skeleton.parents >= 0])
    scales = dofs.reshape(len(dofs), -1, 9)[:, :, 6:]
    even = (scales[..., 1:] == scales[..., :1]).all(axis=(0, 2))
    inner = inner[~even[inner]]
    sizes = np.abs(scales[:, inner])
    uneven = np.ptp(sizes, axis=2) > UNEVEN * sizes.max(axis=2, initial=0.0)
    if uneven.any():
        moment, which = np.argwhere(uneven)[0]
        x, y, z = scales[moment, inner[which]]
        raise InvalidRig(
            f"joint {rig.joints[inner[which]].name!r} is scaled by {x:g}, {y:g}, {z:g} with joints below it; "
            "dynamics knows rigid parts only: scale it evenly"
        )
