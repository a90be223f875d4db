"""The tree of differentials: what every joint adds to its parent's transform, in steps too small to be mistaken.

A node holds Δ, and q = q_parent · Δ: the local form, newest on the right, so that every step turns about where it is in
the bind pose. [DB] §4.4 writes Δq = q·q_prev*, newest on the left; read that way, half a blend turns about places that
have already moved (see docs/skinning.md).

A joint's steps, in order: one offset (all that is not a turn: translation, and whatever the rest pose and scale leave),
the turns of its Euler angles, each in equal parts below LARGEST_TURN, then the steps of its bends, where it is bent.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import dual_quaternions, quaternions
from inbetweener.rig import Rig, bent
from inbetweener.rig.bend import resampled
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential.bind import Bind

LARGEST_TURN = math.radians(36.0)
"""A step blended linearly is off by less than 0.6 % up to here."""
_STILL = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """How many nodes each joint has: offset (J,) 0 or 1, turns (J, 3) by Euler axis outermost first, samples (J,)."""

    offsets: Ints
    turns: Ints
    samples: Ints

    @classmethod
    def of(cls, rig: Rig, poses: npt.ArrayLike) -> Self:
        """As many steps as the poses (T, C) need; the same for all of them, so that one plan serves all."""
        poses = np.atleast_2d(np.asarray(poses, np.float64))
        dofs = rig.dof_map.dofs(poses).reshape(len(poses), -1, 9)
        most = np.abs(dofs[..., 3:6]).max(axis=0, initial=0.0)
        largest = np.take_along_axis(most, rig.skeleton.orders, axis=1)
        turns = np.where(largest > _STILL, np.ceil(largest / LARGEST_TURN), 0).astype(np.int64)
        samples = np.zeros(len(rig.joints), np.int64)
        for name, screws in bent.screws(rig, poses).items():
            # A bone that turns further than its sketch foresaw needs more steps.
            turn = float(np.linalg.norm(screws[..., :3], axis=-1).max(initial=0.0))
            samples[rig.joint_index(name)] = screws.shape[1] * max(1, math.ceil(turn / LARGEST_TURN))
        return cls(frozen(np.ones(len(rig.joints)), np.int64), frozen(turns, np.int64), frozen(samples, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Nodes with parents first.

    parents (N,), −1 for the first; joints (N,); firsts (J,) and lasts (J,) node of each joint; bends (J,) its first
    bend sample or, where it has none, one behind its last node; depths (N,) counted from 0.
    """

    bind: Bind
    steps: Steps
    orders: Ints
    parents: Ints
    joints: Ints
    firsts: Ints
    lasts: Ints
    bends: Ints
    depths: Ints

    @classmethod
    def of(cls, rig: Rig, bind: Bind, steps: Steps) -> Self:
        """The tree of a rig."""
        counts = steps.offsets + steps.turns.sum(axis=1) + steps.samples
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        lasts = firsts + counts - 1
        total = int(counts.sum())
        parents, joints, depths = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
        for joint, parent in enumerate(bind.parents):
            above = -1 if parent < 0 else int(lasts[parent])
            if parent >= 0 and steps.samples[parent]:
                left = steps.samples[parent] - bent.steps_passed(rig.bones.attachments[joint], steps.samples[parent])
                above -= int(left)
            nodes = np.arange(firsts[joint], lasts[joint] + 1)
            parents[nodes] = np.concatenate([[above], nodes[:-1]])
            depths[nodes] = (0 if above < 0 else depths[above] + 1) + np.arange(len(nodes))
            joints[nodes] = joint
        return cls(
            bind,
            steps,
            rig.skeleton.orders,
            frozen(parents, np.int64),
            frozen(joints, np.int64),
            frozen(firsts, np.int64),
            frozen(lasts, np.int64),
            frozen(lasts + 1 - steps.samples, np.int64),
            frozen(depths, np.int64),
        )

    def __len__(self) -> int:
        return len(self.parents)

    def differentials(self, rig: Rig, channels: npt.ArrayLike) -> Floats:
        """Every node's Δ (N, 8) in one pose (C,)."""
        pose = np.atleast_2d(np.asarray(channels, np.float64))
        dofs = rig.dof_map.dofs(pose)
        deformations = self.bind.deformations(rig.skeleton.world(dofs)[0])
        angles = dofs[0].reshape(-1, 9)[:, 3:6]
        result = np.empty((len(self), 8))
        result[:] = dual_quaternions.IDENTITY
        for place in range(3):
            self._turns(place, angles, result)
        self._offsets(deformations, result)
        for name, screws in bent.screws(rig, pose).items():
            joint = rig.joint_index(name)
            result[self.bends[joint] : self.lasts[joint] + 1] = self._bend(joint, screws[0])
        return result

    def composed(self, differentials: Floats) -> Floats:
        """Every node's q (N, 8): all differentials on its path multiplied, the root's first."""
        result = np.empty_like(differentials)
        kernels.compose(self.parents, differentials, result)
        return result

    def world_form(self, composed: Floats) -> Floats:
        """Every node's differential as [DB] §4.4 writes it, q·q_prev* (N, 8); for comparison only."""
        above = np.where((self.parents >= 0)[:, None], composed[self.parents], np.array(dual_quaternions.IDENTITY))
        return dual_quaternions.product(composed, dual_quaternions.inverse(above))

    def _turns(self, place: int, angles: Floats, result: Floats) -> None:
        """Fill in the turns about each joint's Euler axis number `place`, outermost 0."""
        counts = self.steps.turns[:, place]
        axes = self.orders[:, place]
        joints = np.flatnonzero(counts)
        step = angles[joints, axes[joints]] / counts[joints]
        axis = self.bind.mesh_from_joint[joints, :, axes[joints]]
        turn = dual_quaternions.from_parts(quaternions.from_axis_angle(axis, step), np.zeros(3))
        centre = self.bind.starts[joints]
        about = dual_quaternions.from_parts(turn[:, :4], centre - dual_quaternions.apply(turn, centre))
        before = self.steps.offsets[joints] + self.steps.turns[joints, :place].sum(axis=1)
        starts = np.repeat(self.firsts[joints] + before, counts[joints])
        within = np.arange(len(starts)) - np.repeat(np.cumsum(counts[joints]) - counts[joints], counts[joints])
        result[starts + within] = np.repeat(about, counts[joints], axis=0)

    def _offsets(self, deformations: Floats, result: Floats) -> None:
        """Whatever the turns leave of q_parent* · q, so that the product over a path is exact."""
        turned = np.empty_like(deformations)
        kernels.products(self.firsts + 1, self.bends, result, turned)
        parents = self.bind.parents
        above = np.where((parents >= 0)[:, None], deformations[parents], np.array(dual_quaternions.IDENTITY))
        left = dual_quaternions.product(dual_quaternions.inverse(above), deformations)
        left = dual_quaternions.product(left, dual_quaternions.inverse(turned))
        result[self.firsts] = np.where(left[:, :1] < 0, -left, left)

    def _bend(self, joint: int, screws: Floats) -> Floats:
        """The steps (S, 8) of a bone in mesh space, from screws in its joint's frame."""
        steps = dual_quaternions.exponential(resampled(screws, int(self.steps.samples[joint])))
        frame = dual_quaternions.from_matrix(self.bind.mesh_from_joint[joint])
        return dual_quaternions.product(dual_quaternions.product(frame, steps), dual_quaternions.inverse(frame))
