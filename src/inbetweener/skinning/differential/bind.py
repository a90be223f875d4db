"""Where a rig stands in a mesh's own space: every joint's frame, and the bone that goes out from it."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import Rig, bent
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.mesh import Mesh


@dataclass(frozen=True, slots=True, eq=False)
class Bind:
    """The pose in which a mesh was bound to its joints, in mesh space.

    parents (J,); mesh_from_joint and its inverse (J, 3, 4); axes (J, 3, 3), the joint's axis a in row a, of length
    one; starts and ends (J, 3) of the bones, as the rig's `bones` say.
    """

    parents: Ints
    mesh_from_joint: Floats
    joint_from_mesh: Floats
    axes: Floats
    starts: Floats
    ends: Floats

    @classmethod
    def of(cls, mesh: Mesh, rig: Rig) -> Self:
        """The bind pose of a mesh on a rig; joints that do not move it stand where the rest pose has them."""
        rest = rig.rest_world()
        frames = rest.copy()
        bound = [rig.joint_index(name) for name in mesh.joints]
        frames[bound] = transforms.inverse(mesh.joint_from_mesh)
        unbound = np.setdiff1d(np.arange(len(rig.joints)), bound)
        if len(unbound) and len(bound):
            # Meshes may be bound away from the rest pose; the first bound joint says by how much.
            shift = transforms.product(frames[bound[0]], transforms.inverse(rest[bound[0]]))
            frames[unbound] = transforms.product(shift, rest[unbound])
        _, rotation, _, _ = transforms.decompose(frames)
        starts = frames[..., 3]
        ends = starts + np.einsum("jrc,jc->jr", frames[..., :3], rig.bones.ends)
        return cls(
            rig.skeleton.parents,
            frozen(frames),
            frozen(transforms.inverse(frames)),
            frozen(np.swapaxes(quaternions.to_matrix(rotation), -1, -2)),
            frozen(starts),
            frozen(ends),
        )

    def deformations(self, world_from_joint: Floats) -> tuple[Floats, bool]:
        """The rigid parts (J, 8) of world_from_mesh for joint transforms (J, 3, 4), and whether they are all there is.

        Scale and shear are left out: the rotation is that of the nearest rigid transform, and each joint's own origin
        goes where its joint is.
        """
        result = np.empty((len(world_from_joint), 8))
        away = kernels.rigid_parts(world_from_joint, self.joint_from_mesh, self.starts, result)
        if away < 0.0:
            # A joint scaled to nothing: any orientation in the plane or line that is left.
            _, rotation, _, _ = transforms.decompose(transforms.product(world_from_joint, self.joint_from_mesh))
            turned = dual_quaternions.from_parts(rotation, np.zeros(3))
            at = world_from_joint[..., 3] - dual_quaternions.apply(turned, self.starts)
            result = dual_quaternions.from_parts(rotation, at)
        return result, 0.0 <= away < RIGID


RIGID = 1e-6
"""How far from rigid is still rigid: what files that hold seven digits leave."""


LARGEST_TURN = math.radians(36.0)
"""A step blended linearly is off by less than 0.6 % up to here."""
_STILL = 1e-9
_IN_PLACE = 1e-5
"""How far, in metres and in elements of rotations, a joint may stand from where its mesh was bound without an offset
of its own: the first turn then carries it."""


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """How many nodes each joint has: offset (J,) 0 or 1, turns (J, 3) by Euler axis outermost first, samples (J,).

    Every joint has one node at least beside its samples.
    """

    offsets: Ints
    turns: Ints
    samples: Ints

    @classmethod
    def of(cls, rig: Rig, poses: npt.ArrayLike, bind: Bind, like: "Steps | None" = None) -> Self:
        """As many steps as the poses (T, C) need; the same for all of them, so that one plan serves all.

        `like` are those of another mesh on the same rig in the same poses: only the offsets may differ.
        """
        poses = np.atleast_2d(np.asarray(poses, np.float64))
        dofs = rig.dof_map.dofs(poses).reshape(len(poses), -1, 9)
        turns, samples = (like.turns, like.samples) if like is not None else _needed(rig, poses, dofs)
        offsets = ~_in_place(rig, dofs, bind) | (turns.sum(axis=1) == 0)
        return cls(frozen(offsets, np.int64), frozen(turns, np.int64), frozen(samples, np.int64))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Steps):
            return NotImplemented
        mine, theirs = (self.offsets, self.turns, self.samples), (other.offsets, other.turns, other.samples)
        return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    @property
    def counts(self) -> Ints:
        """Nodes of each joint (J,)."""
        return self.offsets + self.turns.sum(axis=1) + self.samples


def _needed(rig: Rig, poses: Floats, dofs: Floats) -> tuple[Ints, Ints]:
    """Turns (J, 3) and samples (J,) that poses (T, C), whose degrees of freedom are (T, J, 9), need on any mesh."""
    most = np.abs(dofs[..., 3:6]).max(axis=0, initial=0.0)
    largest = np.take_along_axis(most, rig.skeleton.orders, axis=1)
    turns = np.where(largest > _STILL, np.ceil(largest / LARGEST_TURN), 0).astype(np.int64)
    samples = np.zeros(len(rig.joints), np.int64)
    for name, screws in bent.screws(rig, poses).items():
        # A bone that turns further than its sketch foresaw needs more steps.
        turn = math.sqrt(float(np.einsum("tsa,tsa->ts", screws[..., :3], screws[..., :3]).max(initial=0.0)))
        samples[rig.joint_index(name)] = screws.shape[1] * max(1, math.ceil(turn / LARGEST_TURN))
    return turns, samples


def _in_place(rig: Rig, dofs: Floats, bind: Bind) -> Bools:
    """Which joints (J,) only ever turn about where their mesh was bound: in all poses of dofs (T, J, 9)."""
    if np.abs(dofs[..., 6:] - 1.0).max(initial=0.0) > _STILL:
        return np.zeros(dofs.shape[1], np.bool_)
    frames = np.concatenate([bind.mesh_from_joint, np.eye(3, 4)[None]])
    bound = transforms.product(transforms.inverse(frames[bind.parents]), bind.mesh_from_joint)
    shift = np.abs(dofs[..., :3] - bound[..., 3]).max(axis=(0, 2), initial=0.0)
    turn = np.abs(rig.skeleton.rest - bound[..., :3]).max(axis=(1, 2), initial=0.0)
    found: Bools = (shift < _IN_PLACE) & (turn < _IN_PLACE)
    return found
