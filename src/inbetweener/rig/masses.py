"""What joints weigh: mass, centre of mass and inertia of each, and the centre of mass of poses and motions."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import InvalidRig
from inbetweener.rig.chains import ends, reaches
from inbetweener.rig.joint import ROOT
from inbetweener.rig.rig import Rig

WATER = 1000.0
"""Density in kg/m³; bodies nearly float."""

SLENDERNESS = 0.3
"""The least thickness of a box as a share of its longest side: about that of a human limb."""

BURDEN = 0.15
"""The least thickness of a box as a share of how far the limbs that it carries reach: spines and hips are thick."""


@dataclass(frozen=True, slots=True, eq=False)
class MassModel:
    """The mass of every joint's body part.

    masses    (J,) kg
    centres   (J, 3) centre of mass in the joint's own frame, as a point's offset is
    inertias  (J, 3, 3) kg·m² about that centre, along the joint's axes (without any scale)
    unmatched names of joints for which the model had no data and took a box
    """

    rig: Rig
    masses: Floats
    centres: Floats
    inertias: Floats
    unmatched: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        count = len(self.rig.joints)
        for name, shape in (("masses", (count,)), ("centres", (count, 3)), ("inertias", (count, 3, 3))):
            array = frozen(getattr(self, name))
            if array.shape != shape:
                raise InvalidRig(f"mass model: {name} has shape {array.shape}, expected {shape}")
            put(self, name, array)
        # Turned into a joint's axes, a symmetric matrix is so only up to rounding.
        put(self, "inertias", frozen((self.inertias + np.swapaxes(self.inertias, -1, -2)) / 2))
        for joint, mass in zip(self.rig.joints, self.masses, strict=True):
            if not (mass >= 0 and math.isfinite(mass)):
                raise InvalidRig(f"joint {joint.name!r}: mass {mass:g} kg must be finite and not negative")

    @property
    def total(self) -> float:
        """The mass of the whole, in kg."""
        return math.fsum(self.masses)

    def scaled(self, total: float) -> Self:
        """The same body with `total` kg."""
        if not (total > 0 and math.isfinite(total)):
            raise InvalidRig(f"total mass {total:g} kg must be positive and finite")
        factor = total / self.total
        return replace(self, masses=self.masses * factor, inertias=self.inertias * factor)

    def replaced(
        self, joint: str, mass: float, centre: npt.ArrayLike | None = None, inertia: npt.ArrayLike | None = None
    ) -> Self:
        """A copy where one joint has the given mass; its inertia follows in proportion unless it is given."""
        index = self.rig.joint_index(joint)
        masses, centres, inertias = self.masses.copy(), self.centres.copy(), self.inertias.copy()
        if inertia is not None:
            inertias[index] = inertia
        elif masses[index] > 0:
            inertias[index] *= mass / masses[index]
        elif mass > 0:
            raise InvalidRig(f"joint {joint!r} had no mass, so its inertia must be given with the new one")
        if centre is not None:
            centres[index] = centre
        masses[index] = mass
        return replace(self, masses=masses, centres=centres, inertias=inertias)

    def centre_of_mass(self, world_from_joint: Floats) -> Floats:
        """The centre of mass (..., 3) in the world for joint transforms (..., J, 3, 4): a pose, or all of a motion."""
        places = np.einsum("...jrc,jc->...jr", world_from_joint[..., :3], self.centres) + world_from_joint[..., 3]
        return np.einsum("j,...jr->...r", self.masses, places) / self.total


def box_inertia(mass: float, sides: npt.ArrayLike) -> Floats:
    """Inertia (3, 3) of a uniform box about its centre, along its sides (3,): m/12 · (b² + c²) and so on."""
    squares = np.square(np.asarray(sides, dtype=np.float64))
    return np.diag(mass / 12.0 * (squares.sum() - squares))


def merged(parts: Iterable[tuple[float, Floats, Floats]]) -> tuple[float, Floats, Floats]:
    """Mass, centre (3,) and inertia about it of several rigid parts of the same kind, by the parallel-axis theorem."""
    listed = list(parts)
    mass = math.fsum(part[0] for part in listed)
    if mass == 0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    centre = np.sum([m * c for m, c, _ in listed], axis=0) / mass
    inertia = np.zeros((3, 3))
    for m, c, about in listed:
        arm = c - centre
        inertia += about + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, centre, inertia


def boxes(rig: Rig, *, density: float = WATER, total: float | None = None, bare: Collection[str] = ()) -> MassModel:
    """Uniform boxes, each spanned from a joint to the ends of its bones; scaled to `total` kg when given.

    A box is at least SLENDERNESS of its longest side and BURDEN of its joint's reach thick. A leaf without a named
    point goes on half as far as its own bone came; a joint where nothing spans a box gets a small cube. Joints that
    are `bare` have none.
    """
    stretch = metres_from_joint(rig)
    lengths = [float(np.linalg.norm(s @ e)) for s, es in zip(stretch, ends(rig), strict=True) for e in es]
    typical = float(np.mean(lengths)) if any(lengths) else 0.1
    masses, centres, inertias = [], [], []
    for index, (local_ends, reach) in enumerate(zip(_extended_ends(rig), reaches(rig), strict=True)):
        least = BURDEN * reach if reach > 0 else 0.25 * typical
        centre, sides, axes = _box_around(local_ends @ stretch[index].T, least)
        mass = 0.0 if rig.joints[index].name in bare else density * float(np.prod(sides))
        masses.append(mass)
        centres.append(np.linalg.pinv(stretch[index]) @ centre)
        inertias.append(axes.T @ box_inertia(mass, sides) @ axes)
    count = len(rig.joints)
    model = MassModel(
        rig, np.array(masses), np.array(centres).reshape(count, 3), np.array(inertias).reshape(count, 3, 3)
    )
    return model if total is None else model.scaled(total)


def metres_from_joint(rig: Rig) -> Floats:
    """(J, 3, 3): offsets in each joint's own frame to metres along its axes; the identity where nothing is scaled."""
    world, orientation = rig.skeleton.forward(rig.dof_map.dofs(rig.defaults[None]))
    return np.swapaxes(orientation[0], -1, -2) @ world[0, :, :, :3]


def _extended_ends(rig: Rig) -> list[Floats]:
    """Bone ends (n, 3) of each joint, where a leaf without any goes on half as far as its own bone came."""
    world = rig.rest_world()
    found = []
    for index, local_ends in enumerate(ends(rig)):
        parent = rig.joints[index].parent
        if len(local_ends) == 0 and parent != ROOT:
            bone = world[index, :, 3] - world[parent, :, 3]
            local_ends = 0.5 * (np.linalg.pinv(world[index, :, :3]) @ bone)[None]
        found.append(local_ends)
    return found


def _box_around(bones: Floats, least: float) -> tuple[Floats, Floats, Floats]:
    """Centre (3,), sides (3,) and axes (3, 3), as rows, of the box that holds the origin and the bone ends (n, 3)."""
    lengths = np.linalg.norm(bones, axis=1)
    if lengths.max(initial=0.0) < 1e-9:
        return np.zeros(3), np.full(3, least), np.eye(3)
    # Along the bones' common direction, then the way in which they spread most beside it.
    along = bones.mean(axis=0)
    if np.linalg.norm(along) < 0.1 * lengths.max():
        along = bones[np.argmax(lengths)]
    along = along / np.linalg.norm(along)
    beside = bones - np.outer(bones @ along, along)
    spread, directions = np.linalg.eigh(beside.T @ beside)
    across = directions[:, 2]
    if spread[2] < 1e-12 * lengths.max() ** 2:
        across = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    across = across - (across @ along) * along
    across /= np.linalg.norm(across)
    axes = np.stack([along, across, np.cross(along, across)])
    inside = np.concatenate([np.zeros((1, 3)), bones]) @ axes.T
    low, high = inside.min(axis=0), inside.max(axis=0)
    sides = np.maximum(high - low, max(least, SLENDERNESS * (high - low).max()))
    return axes.T @ ((low + high) / 2), sides, axes
