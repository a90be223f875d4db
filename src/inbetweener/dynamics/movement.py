"""How degrees of freedom move when channels do: values, velocities, accelerations, and how they follow."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints, read_only
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

_Moving = tuple[Floats, ...]
"""Values, velocities and accelerations (T, C) of channels."""


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """A body's movement at T moments.

    dofs, velocities, accelerations  (T, 9J)
    weights  (3, T or 1, E) the derivative J of degrees of freedom by channels, sparse as the rig's map has it, and its
             rates J̇ and J̈ along the movement: q̇ = J ċ, q̈ = J c̈ + J̇ ċ, and so ∂q̇/∂c = J̇, ∂q̈/∂c = J̈, ∂q̈/∂ċ = 2 J̇;
             None where nobody wanted derivatives
    wanted   (C,) the channels whose weights are there: those of others are nought where handles turn joints; None: all

    Without IK handles J is constant and all is exact. With handles J is exact, and its rates come from five exact J
    along c + ċ s + ½ c̈ s², to seven digits or more.
    """

    dofs: Floats
    velocities: Floats
    accelerations: Floats
    weights: Floats | None
    wanted: Bools | None = None

    @classmethod
    def of(cls, rig: Rig, channels: npt.ArrayLike, *, differentiable: bool = True, wanted: Bools | None = None) -> Self:
        """From channel values, velocities and accelerations (T, C, 3), such as Motion.channel_motion gives.

        Rigs with handles are done sooner when nobody wants derivatives, or only those by `wanted` (C,) channels; for
        others it is all the same.
        """
        moving = np.asarray(channels, np.float64)
        if moving.ndim != 3 or moving.shape[1:] != (len(rig.channels), 3):
            raise ValueError(f"channels of shape {moving.shape} given, expected (T, {len(rig.channels)}, 3)")
        values, rates, accelerations = (np.ascontiguousarray(moving[:, :, i]) for i in range(3))
        mapping = rig.carrying_map
        weights: Floats | None
        if isinstance(mapping, HandledMap):
            dofs, velocity, acceleration, weights = _handled(
                mapping, (values, rates, accelerations), differentiable, wanted
            )
        else:
            weights = np.zeros((3, 1, len(mapping.channels)))
            dofs, weights[0] = mapping.solved(values)
            velocity, acceleration = _moved(mapping, weights, rates, accelerations)
        _require_rigid(rig, dofs)
        kept = None if weights is None else _kept(weights)
        return cls(_kept(dofs), _kept(velocity), _kept(acceleration), kept, wanted)

    @classmethod
    def at(cls, motion: Motion, times: npt.ArrayLike, *, differentiable: bool = True) -> Self:
        """A motion's movement at times (T,), bends of bones left out."""
        return cls.of(motion.rig.keyed, motion.channel_motion(times), differentiable=differentiable)

    def __len__(self) -> int:
        return len(self.dofs)

    @property
    def record(self) -> kernels.Moving:
        """As kernels read it."""
        return kernels.Moving(*map(read_only, (self.dofs, self.velocities, self.accelerations)))

    def weights_by(self, channels: Ints | None = None) -> Floats:
        """The weights, or a ValueError where the movement was made without those of some channels; None: of any."""
        if self.weights is None:
            raise ValueError("this movement was made without derivatives; make it with differentiable=True")
        if self.wanted is not None and not self.wanted[slice(None) if channels is None else channels].all():
            raise ValueError("this movement has derivatives by other channels; make it with those that are wanted")
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


def _handled(
    mapping: HandledMap, moving: _Moving, differentiable: bool, wanted: Bools | None
) -> tuple[Floats, Floats, Floats, Floats | None]:
    """Degrees of freedom, velocities, accelerations (T, D), and weights (3, T, E) if asked for."""
    if differentiable and wanted is None:
        dofs, exact = _weights(mapping, moving)
        return dofs, *_moved(mapping, exact, *moving[1:]), exact
    rows = sorted(row for limb in mapping.limbs for row in limb.rows)
    stencil = _FIVE if differentiable else _SEVEN
    around, step = _around(moving, stencil, STRIDE if differentiable else 2.0 * STRIDE)
    found, by = mapping.solved(around, wanted) if differentiable else (mapping.dofs(around), np.empty(0))
    every, middle = found.reshape(stencil.shape[1], len(step), -1), stencil.shape[1] // 2
    dofs = every[middle].copy()
    change = every[:, :, rows] - dofs[:, rows]
    # What handles set moves as its values do; all else as its channels say.
    linear = mapping.linear
    velocity, acceleration = (_followed(linear, linear.factors[None], rates) for rates in moving[1:])
    velocity[:, rows], acceleration[:, rows] = _sloped(stencil, change, step)
    weights: Floats | None = None
    if differentiable and wanted is not None:
        weights = np.zeros((3, len(step), len(mapping.channels)))
        each = by.reshape(len(every), len(step), -1)
        weights[0] = each[middle]
        entries = _entries(mapping, rows, wanted)
        weights[1:, :, entries] = _sloped(stencil, each[:, :, entries], step)
    jumps = (np.abs(change) > JUMP).any(axis=(0, 2))
    if jumps.any():
        some = tuple(each[jumps] for each in moving)
        _, again = _weights(mapping, some)
        velocity[jumps], acceleration[jumps] = _moved(mapping, again, *some[1:])
        if weights is not None:
            weights[:, jumps] = again
    return dofs, velocity, acceleration, weights


def _weights(mapping: HandledMap, moving: _Moving) -> tuple[Floats, Floats]:
    """Degrees of freedom (T, D); J, J̇ and J̈ (3, T, E), the latter two by differences along the movement itself."""
    around, step = _around(moving, _FIVE, STRIDE)
    dofs, by = (found.reshape(5, len(step), -1) for found in mapping.solved(around))
    for row in (9 * int(j) + 3 + int(mapping.skeleton.orders[j, 1]) for limb in mapping.limbs for j in limb.joints):
        # Where a chain goes over to its other set of equal angles, the middle one runs the other way.
        entries = slice(mapping.starts[row], mapping.starts[row + 1])
        opposed = np.einsum("pte,te->pt", by[:, :, entries], by[2, :, entries]) < 0.0
        by[:, :, entries] *= np.where(opposed, -1.0, 1.0)[..., None]
    return dofs[2].copy(), np.stack([by[2], *_sloped(_FIVE, by, step)])


def _around(moving: _Moving, stencil: Floats, stride: float) -> tuple[Floats, Floats]:
    """Channel values (n·T, C) at the n points of a stencil along the movement; and its steps (T, 1) in seconds."""
    values, rates, accelerations = moving
    speed = np.abs(rates).max(axis=1, initial=0.0) + np.sqrt(np.abs(accelerations).max(axis=1, initial=0.0))
    step = (stride / np.where(speed > 0.0, speed, 1.0))[:, None]
    count = stencil.shape[1]
    s = (np.arange(count) - count // 2)[:, None, None] * step
    around = values + s * (rates + 0.5 * s * accelerations)
    return around.reshape(-1, values.shape[1]), step


def _sloped(stencil: Floats, values: Floats, step: Floats) -> Floats:
    """First and second derivatives (2, T, …) from values (n, T, …) at the points of a stencil."""
    slopes = np.tensordot(stencil, values, axes=1)
    slopes[0] /= step
    slopes[1] /= step**2
    return slopes


def _entries(mapping: HandledMap, rows: list[int], wanted: Bools) -> Ints:
    """The entries (K,) of rows of the map that belong to wanted channels."""
    places = np.concatenate([np.arange(mapping.starts[row], mapping.starts[row + 1]) for row in rows])
    return places[wanted[mapping.channels[places]]]


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
