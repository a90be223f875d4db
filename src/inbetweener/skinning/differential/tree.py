"""The tree of differentials: what every joint adds to its parent's transform, in steps too small to be mistaken.

A node holds Δ, and q = q_parent · Δ: the local form, newest on the right, so that every step turns about where it is in
the bind pose. [DB] §4.4 writes Δq = q·q_prev*, newest on the left; read that way, half a blend turns about places that
have already moved (see docs/skinning.md).

A joint's steps, in order: one offset, where it needs one (all that is not a turn: translation, and whatever the rest
pose and scale leave), the turns of its Euler angles, each in equal parts below LARGEST_TURN, then the steps of its
bends, where it is bent.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen, same
from inbetweener.rig import Rig, bent
from inbetweener.rig.bend import resampled
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential.bind import Bind, Steps


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Nodes with parents first.

    parents (N,), −1 for the first; joints (N,); firsts (J,) and lasts (J,) node of each joint; bends (J,) its first
    bend sample or, where it has none, one behind its last node; depths (N,) counted from 0. bend_nodes (S,) are all
    samples, and bend_screws (B, S, 6) what each bend of the rig does there, in mesh space, times its channel's value.
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
    bend_nodes: Ints
    bend_screws: Floats
    bend_channels: Ints

    @classmethod
    def of(cls, rig: Rig, bind: Bind, steps: Steps, like: "Tree | None" = None) -> Self:
        """The tree of a rig; `like` is that of another mesh on the same rig, whose nodes are the same in most cases."""
        if like is not None and like.steps == steps:
            return replace(like, bind=bind, bend_screws=frozen(_bend_screws(rig, bind, steps)))  # type: ignore[return-value]
        counts = steps.counts
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        lasts = firsts + counts - 1
        total = int(counts.sum())
        parents, joints, depths = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
        sketched = _sketched_counts(rig)
        for joint, parent in enumerate(bind.parents):
            above = -1 if parent < 0 else int(lasts[parent])
            if parent >= 0 and steps.samples[parent]:
                own = sketched[int(parent)]
                left = own - bent.steps_passed(rig.bones.attachments[joint], own)
                above -= int(left * (steps.samples[parent] // own))
            nodes = np.arange(firsts[joint], lasts[joint] + 1)
            parents[nodes] = np.concatenate([[above], nodes[:-1]])
            depths[nodes] = (0 if above < 0 else depths[above] + 1) + np.arange(len(nodes))
            joints[nodes] = joint
        bends = lasts + 1 - steps.samples
        bent_joints = np.flatnonzero(steps.samples)
        return cls(
            bind,
            steps,
            rig.skeleton.orders,
            frozen(parents, np.int64),
            frozen(joints, np.int64),
            frozen(firsts, np.int64),
            frozen(lasts, np.int64),
            frozen(bends, np.int64),
            frozen(depths, np.int64),
            frozen(np.concatenate([[], *(np.arange(bends[j], lasts[j] + 1) for j in bent_joints)]), np.int64),
            frozen(_bend_screws(rig, bind, steps)),
            frozen([rig.channel_index(bend.channel) for bend in rig.bends], np.int64),
        )

    def __len__(self) -> int:
        return len(self.parents)

    def grows_like(self, other: "Tree") -> bool:
        """Whether another tree has the same nodes, on bones that start and end in the same places of the mesh."""
        pairs = [
            (self.parents, other.parents),
            (self.joints, other.joints),
            (self.bends, other.bends),
            (self.bind.starts, other.bind.starts),
            (self.bind.ends, other.bind.ends),
        ]
        return self.steps == other.steps and all(same(mine, theirs) for mine, theirs in pairs)

    def posed(self, rig: Rig, channels: npt.ArrayLike) -> tuple[Floats, bool]:
        """Every node's Δ (N, 8) in one pose (C,), and whether they are all of it: false where joints are scaled."""
        pose = np.atleast_2d(np.asarray(channels, np.float64))
        dofs = rig.dof_map.dofs(pose)
        deformations, rigid = self.bind.deformations(rig.skeleton.world(dofs)[0])
        bind, steps = self.bind, self.steps
        result = np.empty((len(self), 8))
        joints = kernels.Jointed(
            bind.parents, self.firsts, steps.offsets, steps.turns, self.orders, bind.axes, bind.starts
        )
        kernels.differentiate(joints, dofs[0], deformations, result)
        if len(self.bend_nodes):
            screws = np.tensordot(pose[0, self.bend_channels], self.bend_screws, 1)
            kernels.fill_bends(self.bend_nodes, screws, result)
        return result, rigid

    def differentials(self, rig: Rig, channels: npt.ArrayLike) -> Floats:
        """Every node's Δ (N, 8) in one pose (C,)."""
        return self.posed(rig, channels)[0]

    def composed(self, differentials: Floats) -> Floats:
        """Every node's q (N, 8): all differentials on its path multiplied, the root's first."""
        result = np.empty_like(differentials)
        kernels.compose(self.parents, differentials, result)
        return result


def _sketched_counts(rig: Rig) -> dict[int, int]:
    """By bent joint: how many steps the finest of its bends has; where along a bone its children hang is told in
    these."""
    counts: dict[int, int] = {}
    for bend in rig.bends:
        for name, screws in bend.screws.items():
            joint = rig.joint_index(name)
            counts[joint] = max(counts.get(joint, 0), len(screws))
    return counts


def _bend_screws(rig: Rig, bind: Bind, steps: Steps) -> Floats:
    """What each bend does at each sample (B, S, 6), seen from mesh space: (ω, v) becomes (Rω, Rv + p × Rω)."""
    counts, bent_joints = _sketched_counts(rig), np.flatnonzero(steps.samples)
    first = np.cumsum(steps.samples) - steps.samples
    own = np.zeros((len(rig.bends), int(steps.samples.sum()), 6))
    for number, bend in enumerate(rig.bends):
        for joint in bent_joints:
            if (screws := bend.screws.get(rig.joints[joint].name)) is not None:
                samples = int(steps.samples[joint])
                fine = resampled(resampled(screws, counts[int(joint)]), samples)
                own[number, first[joint] : first[joint] + samples] = fine
    owners = np.repeat(bent_joints, steps.samples[bent_joints])
    axes = bind.axes[owners]
    turn, move = (np.einsum("bsa,sar->bsr", part, axes) for part in (own[..., :3], own[..., 3:]))
    return np.concatenate([turn, move + np.cross(bind.starts[owners], turn)], axis=2)
