"""The tree of differentials: what every joint adds to its parent's transform, in steps too small to be mistaken.

A node holds Δ, and q = q_parent · Δ: the local form, newest on the right, so that every step turns about where it is in
the bind pose. [DB] §4.4 writes Δq = q·q_prev*, newest on the left; read that way, half a blend turns about places that
have already moved (see docs/skinning.md).

A joint's steps, in order: one offset, where it needs one (all that is not a turn: translation, and whatever the rest
pose and scale leave), the turns of its Euler angles, each in equal parts below LARGEST_TURN, then the steps of its
bends, where it is bent.
"""

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints, frozen, read_only, same
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import Rig, bent
from inbetweener.rig.bend import resampled
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential import planning_kernels as planning
from inbetweener.skinning.differential.kernels import Plan
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


def plan_of(mesh: Mesh, rig: Rig, tree: Tree) -> Plan:
    """The plan of a mesh: where each vertex sits on each bone by projection, [DB] §4.4."""
    joints = np.array([rig.joint_index(name) for name in mesh.joints], np.int64)
    passed, fraction = attachments(mesh, joints, tree)
    count = len(mesh.vertices)
    prefixes, starts = np.empty(count, np.int64), np.empty(count + 1, np.int64)
    told = planning.Passed(read_only(passed), read_only(fraction), mesh.weights, tree.parents, tree.depths)
    planning.count_entries(told, prefixes, starts)
    nodes, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
    planning.fill_entries(told, prefixes, starts, nodes, weights)
    return Plan(
        frozen(prefixes, np.int64), frozen(starts, np.int64), frozen(nodes, np.int32), frozen(weights, np.float32)
    )


def blended(plan: Plan, differentials: Floats, composed: Floats) -> Floats:
    """The blended transform (V, 8) of every vertex, not normalised."""
    result = np.empty((len(plan.prefixes), 8))
    kernels.blend(plan, differentials, composed, result)
    return result


_recent: "deque[tuple[Mesh, Tree, Plan]]" = deque(maxlen=8)


def planned(mesh: Mesh, rig: Rig, tree: Tree) -> Plan:
    """The plan of a mesh; the same one again for a mesh seen lately whose tree has the same shape.

    Edits make a new rig and new poses all the time, and seldom another tree.
    """
    for known, its_tree, plan in tuple(_recent):
        if known is mesh and its_tree.grows_like(tree):
            return plan
    made = plan_of(mesh, rig, tree)
    _recent.append((mesh, tree, made))
    return made


def attachments(mesh: Mesh, joints: Ints, tree: Tree) -> tuple[Ints, Floats]:
    """For each influence (V, N): the last node that the vertex passes, and the fraction of it."""
    passed = np.empty(mesh.influences.shape, np.int64)
    fraction = np.empty(mesh.influences.shape)
    bones = planning.Bones(tree.bind.starts, tree.bind.ends, tree.steps.samples, tree.bends, tree.lasts)
    planning.attach(mesh.vertices, mesh.influences, joints, bones, passed, fraction)
    return passed, fraction
