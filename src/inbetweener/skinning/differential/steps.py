"""How many steps every joint is cut into: enough that none of them can be mistaken, and no more."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.maths import transforms
from inbetweener.rig import Rig, bent
from inbetweener.skinning.differential.bind import Bind

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
