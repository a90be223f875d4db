"""A body: a rig and what its joints weigh, ready for the kernels of dynamics."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from inbetweener.anatomy import Anatomy, recognise
from inbetweener.arrays import Bools, Floats
from inbetweener.dynamics.human import human
from inbetweener.dynamics.kernels import Tree
from inbetweener.dynamics.volumes import from_meshes
from inbetweener.errors import InvalidRig
from inbetweener.motion import Motion
from inbetweener.rig import ROOT, Rig, characters
from inbetweener.rig.characters import belongs, part_called
from inbetweener.rig.masses import WATER, MassModel, boxes
from inbetweener.skinning import Mesh, bound_joints

Weighing = Literal["boxes", "human", "mesh"]
"""How a body is weighed: boxes of water along its bones, a person's segments, or what its closed meshes enclose."""


@dataclass(frozen=True, eq=False)
class Body:
    """A rig, without the bends of its bones, and its masses; `source` says in words where these are from.

    Parts are rigid: scales count as they are at a moment, how fast they change does not.
    """

    rig: Rig
    masses: MassModel
    source: str = "given masses"

    def __post_init__(self) -> None:
        if not self.rig.joints:
            raise InvalidRig("a body needs joints; this rig has none")
        if self.masses.total == 0:
            raise InvalidRig("this body weighs nothing; give at least one joint a mass")
        object.__setattr__(self, "rig", self.rig.keyed)

    @classmethod
    def of(
        cls,
        rig: Rig,
        masses: Weighing | MassModel = "boxes",
        *,
        meshes: Iterable[Mesh] = (),
        total: float | None = None,
        overrides: Mapping[str, float] | None = None,
        anatomy: Anatomy | None = None,
    ) -> Self:
        """Weigh a rig: boxes of water, a person's segments, its `meshes`, or masses at hand; `total` kg before single
        `overrides`. Boxes and segments go by what joints are: by their `anatomy`, or as they are recognised. What
        joints are said to weigh counts before all that, and `total` is of the others; of several characters each is
        weighed by itself, and `total` is of the first.
        """
        if not isinstance(masses, MassModel) and any(joint.weight is not None for joint in rig.joints):
            return cls._of_said(rig, masses, meshes, total, overrides, anatomy)
        if masses == "mesh":
            return cls.from_meshes(rig, meshes, total=total, overrides=overrides)
        if not isinstance(masses, MassModel):
            known = recognise(rig, bound_joints(meshes)) if anatomy is None else anatomy
            if masses == "human":
                return cls(rig, _finished(human(rig, anatomy=known), total, overrides), _told("human table", overrides))
            # Where nothing but such joints is, they are all there is to weigh.
            bare = known.bare if len(known.bare) < len(known) else frozenset()
            return cls(rig, _finished(boxes(rig, bare=bare), total, overrides), _told("boxes", overrides))
        return cls(rig, _finished(masses, total, overrides), _told("given masses", overrides))

    @classmethod
    def _of_said(
        cls,
        rig: Rig,
        masses: Weighing,
        meshes: Iterable[Mesh],
        total: float | None,
        overrides: Mapping[str, float] | None,
        anatomy: Anatomy | None,
    ) -> Self:
        """The same where some joints are said to weigh something."""
        count, meshes = len(rig.joints), tuple(meshes)
        kilograms, centres, inertias = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
        source = "given masses"
        for each in characters(rig):
            names = {rig.joints[j].name for j in each.joints}
            if not all(rig.joints[j].weight for j in each.joints):
                part = part_called(rig, belongs(rig, each.name))
                part = replace(part, joints=tuple(replace(joint, weight=None) for joint in part.joints))
                own = [mesh for mesh in meshes if names.issuperset(mesh.joints)]
                known = None if anatomy is None else anatomy.of(names)
                unsaid = [j for j in each.joints if rig.joints[j].weight is None]
                body = cls.of(part, masses, meshes=own, anatomy=known)
                source, at = body.source, {joint.name: n for n, joint in enumerate(part.joints)}
                chosen = [at[rig.joints[j].name] for j in unsaid]
                share = 1.0
                if total is not None and not each.name and (weighed := float(body.masses.masses[chosen].sum())) > 0:
                    share = total / weighed
                kilograms[unsaid] = share * body.masses.masses[chosen]
                centres[unsaid] = body.masses.centres[chosen]
                inertias[unsaid] = share * body.masses.inertias[chosen]
        for j, joint in enumerate(rig.joints):
            if (weight := joint.weight) is not None:
                xx, yy, zz, xy, xz, yz = weight.inertia
                kilograms[j], centres[j] = weight.mass, weight.centre
                inertias[j] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        model = MassModel(rig, kilograms, centres, inertias)
        return cls(rig, _finished(model, None, overrides), _told(source, overrides))

    @classmethod
    def from_meshes(
        cls,
        rig: Rig,
        meshes: Iterable[Mesh],
        *,
        density: float = WATER,
        total: float | None = None,
        overrides: Mapping[str, float] | None = None,
    ) -> Self:
        """Weigh a rig by what its closed meshes enclose, shared among joints as the skin around it is."""
        model = _finished(from_meshes(rig, meshes, density=density), total, overrides)
        return cls(rig, model, _told("mesh volume", overrides))

    @property
    def total(self) -> float:
        """The mass of the whole, in kg."""
        return self.masses.total

    @cached_property
    def hanging(self) -> Bools:
        """(J, J): whether joint k is at or below joint j."""
        count = len(self.rig.joints)
        result = np.eye(count, dtype=np.bool_)
        for index, joint in enumerate(self.rig.joints):
            if joint.parent != ROOT:
                result[:, index] |= result[:, joint.parent]
        return result

    @cached_property
    def carried(self) -> Floats:
        """(J,) kg: the mass at or below each joint."""
        return self.hanging @ self.masses.masses

    def require_mass(self, joints: Iterable[str]) -> None:
        """Raise InvalidRig where none of the joints moves any mass: their torques would always be nothing.

        Beside others, ends, targets and slots of real characters may weigh nothing: they cost nothing then.
        """
        names = list(joints)
        if names and not any(self.carried[self.rig.joint_index(name)] > 0 for name in names):
            raise InvalidRig(f"joint {names[0]!r} and all below it weigh nothing; give them a mass, or choose others")

    def centre_of_mass(self, channels: Floats) -> Floats:
        """Where the centre of mass is (T, 3) for channel values (T, C)."""
        return self.masses.centre_of_mass(self.rig.world_from_joint(channels))

    def centre_path(self, motion: Motion, times: npt.ArrayLike) -> Floats:
        """Where the centre of mass is (T, 3) at times of a motion of this rig."""
        return self.centre_of_mass(motion.channels(times))

    def tree(self, gravity: Floats) -> Tree:
        """What kernels read, under a frozen gravity (3,)."""
        skeleton, model = self.rig.skeleton, self.masses
        return Tree(
            skeleton.parents, skeleton.rest, skeleton.orders, model.masses, model.centres, model.inertias, gravity
        )


def _finished(model: MassModel, total: float | None, overrides: Mapping[str, float] | None) -> MassModel:
    if total is not None:
        if model.total == 0:
            raise InvalidRig(f"this body weighs nothing, so it cannot be scaled to {total:g} kg; give joints masses")
        model = model.scaled(total)
    for joint, mass in (overrides or {}).items():
        model = model.replaced(joint, mass)
    return model


def _told(source: str, overrides: Mapping[str, float] | None) -> str:
    return f"{source}, but for {', '.join(overrides)}" if overrides else source
