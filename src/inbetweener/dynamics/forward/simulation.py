"""A body whose loose degrees of freedom hang on springs, made once for many windows of time."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen, read_only
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.forward import kernels
from inbetweener.dynamics.forward.rotating_kernels import Reference, Springs
from inbetweener.dynamics.forward.sweep_kernels import ROW, Plan
from inbetweener.dynamics.forward.turning_kernels import TURNED
from inbetweener.dynamics.inverse import EARTH, WEIGHTLESS, generalised_forces
from inbetweener.dynamics.kernels import Tree
from inbetweener.dynamics.movement import Movement
from inbetweener.errors import InbetweenerError
from inbetweener.rig.joint import DOFS, ROOT

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

LEAST_DAMPED = 0.16
"""Steps: damping over stiffness from which on no swing grows, however fast. Backward differences let undamped swings of
half a radian a step grow by a hundredth."""

FEW = 4
"""Fewer windows than this are not worth sharing out among threads."""


class Unstable(InbetweenerError, ArithmeticError):
    """A simulation that blew up; says where, and what would help."""


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """The joints that a simulation must sweep: those that are loose or hang on what is, and weigh something.

    All others move as prescribed; only those on which branches hang, the stems, are worth knowing.

    stems  (P,) joints from the world, −1, out to where branches begin, parents first
    plan   the joints of the branches, parents first, as kernels read them
    """

    stems: Ints
    plan: Plan

    @classmethod
    def of(
        cls,
        body: Body,
        dofs: Sequence[int],
        owners: Sequence[int],
        balls: Mapping[int, Floats],
        air: Mapping[int, float],
    ) -> Self:
        """From the loose degrees of freedom, the last of them at or above each joint, the joints that rotate, and by
        degree of freedom the air that what hangs on it moves through.
        """
        loose = {dof: number for number, dof in enumerate(dofs)}
        moving = {dof // 9 for dof in dofs}
        joints, stems = [], {-1}
        for j, joint in enumerate(body.rig.joints):
            # Nothing that weighs nothing, all below it included, is felt by what it hangs on.
            if owners[j] >= 0 and (body.carried[j] > 0 or moving.intersection(np.flatnonzero(body.hanging[j]))):
                joints.append(j)
                above = joint.parent
                while above not in stems and owners[above] < 0:
                    stems.add(above)
                    above = body.rig.joints[above].parent
        ordered = sorted(stems)
        where = {j: place for place, j in enumerate([*ordered, *joints])}
        orders = body.rig.skeleton.orders
        axes = [range(3) if j in balls else orders[j] for j in joints]
        rows = [
            [*range(9 * j, 9 * j + 3), *(9 * j + 3 + int(a) for a in own)] for j, own in zip(joints, axes, strict=True)
        ]
        rotating = [j for j in joints if j in balls]
        plan = Plan(
            frozen(joints, np.int64),
            frozen([where[body.rig.joints[j].parent] for j in joints], np.int64),
            frozen(np.reshape([[loose.get(dof, -1) for dof in row] for row in rows], (-1, 6)), np.int64),
            frozen([rotating.index(j) if j in balls else -1 for j in joints], np.int64),
            frozen([joints.index(j) for j in rotating], np.int64),
            frozen([dof // 9 in balls and dof % 9 >= 3 for dof in dofs], np.bool_),
            frozen([int(np.argmin(balls[j])) for j in rotating], np.int64),
            frozen(np.reshape([balls[j] for j in rotating], (-1, 3))),
            frozen([air.get(dofs[owners[j]], 0.0) for j in joints], np.float64),
        )
        return cls(frozen(ordered, np.int64), plan)


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Springs on chosen degrees of freedom of a body; all others move as a reference says.

    The three turns of some joints are one rotation: what is off, there, is a swing from the keyed
    orientation and a twist, and springs are about the joint's own axes. The rest are off as degrees of freedom are.

    dofs      (L,) which of the 9J are loose, those nearer to the root first
    owners    (J,) the last loose one at or above each joint, or −1
    branches  the joints that move otherwise than the reference says, and what they hang on
    """

    body: Body
    dofs: Ints
    owners: Ints
    branches: Branches
    gravity: Floats

    @classmethod
    def of(
        cls,
        body: Body,
        dofs: Sequence[int],
        *,
        gravity: npt.ArrayLike = EARTH,
        balls: Mapping[int, Floats] | None = None,
        air: Mapping[int, float] | None = None,
    ) -> Self:
        """Loose degrees of freedom given by their numbers among the 9J, in any order; scales cannot be loose.

        balls: joints all three turns of which are loose and one rotation, with what they turn about their axes (3,).
        air: by loose degree of freedom, how much of its speed through the world what hangs on it, and on nothing loose
        below, would lose a second.
        """
        wanted = {int(dof) for dof in dofs}
        listed: list[int] = []
        owners: list[int] = []
        for j, joint in enumerate(body.rig.joints):
            last = owners[joint.parent] if joint.parent != ROOT else -1
            turns = (9 * j + 3 + int(axis) for axis in body.rig.skeleton.orders[j])
            for dof in (9 * j, 9 * j + 1, 9 * j + 2, *turns):
                if dof in wanted:
                    listed.append(dof)
                    last = len(listed) - 1
            owners.append(last)
        if len(listed) < len(wanted):
            raise ValueError(f"no joint turns or moves along {sorted(wanted - set(listed))}; scales cannot be loose")
        branches = Branches.of(body, listed, owners, balls or {}, air or {})
        return cls(body, frozen(listed, np.int64), frozen(owners, np.int64), branches, frozen(gravity))

    @property
    def tree(self) -> Tree:
        """The body and what pulls at it, as kernels read them."""
        return self.body.tree(self.gravity)

    def name(self, number: int) -> str:
        """What a loose degree of freedom is called: "joint.rx"."""
        joint, dof = divmod(int(self.dofs[number]), 9)
        return f"{self.body.rig.joints[joint].name}.{DOFS[dof]}"

    def run(
        self,
        reference: Movement,
        rows: Ints,
        counts: Ints,
        springs: Floats,
        step: float,
        drag: float = 1.0,
        ends: Ints | None = None,
    ) -> tuple[Floats, Floats]:
        """Loose places (W, L) at the end of W windows that begin on the reference, and how fast they get off it.

        rows (W, n + 1) are the moments of the reference that each window passes, `step` seconds apart; window w takes
        the last counts[w] of these n steps. Accelerations of the reference are best means over a step, as long as they
        last; where given, `ends` (W, 1) are the moments with which windows end, read without what comes after.
        springs (L, 4): stiffness, damping, lower and upper limit. With drag 1
        damping holds against any movement, with drag 0 only against movement other than the reference's.
        """
        along = self.carry(reference)
        off, rates = self._simulate(along, rows, counts, springs, step, drag, kept=1, ends=ends)
        return self.placed(along, rows[:, -1], off[:, 0], springs), rates[:, 0]

    def trace(
        self,
        reference: Movement,
        row: Ints,
        springs: Floats,
        step: float,
        drag: float = 1.0,
        ends: Ints | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """Loose places, by how much they are off, and how fast they get off, (n + 1, L) each, of one simulation over
        moments row (n + 1,), from the reference on; where given, what windows would show that end with `ends` (n + 1,).
        """
        places, off, rates = self.traces(
            reference, row[None], springs, step, drag, None if ends is None else ends[None]
        )
        return places[0], off[0], rates[0]

    def traces(
        self,
        reference: Movement,
        rows: Ints,
        springs: Floats,
        step: float,
        drag: float = 1.0,
        ends: Ints | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """The same (W, n + 1, L) of several at once, over rows (W, n + 1)."""
        along, counts = self.carry(reference), np.full(len(rows), rows.shape[1] - 1)
        off, rates = self._simulate(along, rows, counts, springs, step, drag, kept=rows.shape[1], ends=ends)
        return self.placed(along, rows.ravel(), off.reshape(rows.size, -1), springs).reshape(off.shape), off, rates

    def placed(self, along: Reference, rows: Ints, off: Floats, springs: Floats | None = None) -> Floats:
        """Loose places (T, L) of what is off (T, L) at moments rows (T,) of a reference that is carried.

        The limits of springs (L, 4) say which angles a joint that rotates may have; without springs, any.
        """
        places = along.q[rows][:, self.dofs] + off
        moments, turned = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(off)
        limits = np.tile([0.0, 0.0, -np.inf, np.inf], (len(self.dofs), 1)) if springs is None else springs
        by = Springs(self.dofs, frozen(damped(limits, 0.0, 0.0)), 0.0)
        kernels.find_angles(self.tree, self.branches.plan, by, along, moments, turned, places)
        return places

    def _simulate(
        self,
        along: Reference,
        rows: Ints,
        counts: Ints,
        springs: Floats,
        step: float,
        drag: float,
        kept: int,
        ends: Ints | None,
    ) -> tuple[Floats, Floats]:
        """What is off, and how fast it gets off (W, kept, L), at the last moments of each window."""
        windows, shape = len(rows), (len(rows), kept, len(self.dofs))
        places, rates, failed = np.empty(shape), np.empty(shape), np.zeros(windows, np.int64)
        shown = rows[:, rows.shape[1] - kept :] if ends is None else ends
        at, shown, counted = (np.ascontiguousarray(each, np.int64) for each in (rows, shown, counts))
        by = Springs(self.dofs, frozen(damped(springs, step, drag)), step)

        def share(first: int, last: int) -> None:
            kernels.simulate(
                self.tree, self.branches.plan, by, along, at, shown, counted, first, last, places, rates, failed
            )

        _share_out(share, windows)
        self._require_sound(failed)
        return places, rates

    def _require_sound(self, failed: Ints) -> None:
        if failed.any():
            number = int(failed[np.argmax(failed > 0)]) - 1
            raise Unstable(
                f"the simulation of {self.name(number)!r} blew up; make it tighter or more damped, or the step shorter"
            )

    def carry(self, reference: Movement) -> Reference:
        """A reference as kernels read it, with how that moves on which the loose branches hang."""
        branches, moving = self.branches, reference.record
        stems = np.empty((len(reference), len(branches.stems), ROW))
        turns = np.empty((len(reference), len(branches.plan.rotating), TURNED))
        kernels.carry(self.tree, branches.plan, branches.stems, moving, stems, turns)
        return Reference(*moving, read_only(stems), read_only(turns))

    def accelerations(self, movement: Movement, torques: Floats, added: Floats | None = None) -> Floats:
        """How torques (T, L) accelerate what is loose, the rest moving as it does; `added` (L,) to the inertias.

        Of joints that rotate: how they accelerate what is off, as springs do.
        """
        result = np.empty((len(movement), len(self.dofs)))
        extra = np.zeros(len(self.dofs)) if added is None else added
        along, pushing = self.carry(movement), np.ascontiguousarray(torques)
        kernels.accelerations(self.tree, self.branches.plan, self.dofs, along, pushing, extra, result)
        return result

    def masses(self, pose: Floats, added: Floats) -> Floats:
        """(L, L): what it takes to accelerate what is off in a pose (9J,), with what is `added` (L,) to inertias."""
        count = len(self.dofs)
        poses = np.repeat(pose[None], count + 1, axis=0)
        still = Movement(poses, np.zeros_like(poses), np.zeros_like(poses), None)
        gained = self.accelerations(still, np.eye(count + 1, count, -1), added)
        matrix = np.linalg.inv(gained[1:] - gained[0])
        return (matrix + matrix.T) / 2


def damped(springs: Floats, step: float, drag: float) -> Floats:
    """Springs (L, 5), damped so much at least that what is too fast for such steps dies away; last how they drag."""
    result = np.column_stack([springs, drag * springs[:, 1]])
    result[:, 1] = np.maximum(springs[:, 1], LEAST_DAMPED * step * springs[:, 0])
    return result


def turning_inertias(body: Body, pose: Floats, joints: Ints) -> Floats:
    """(R, 3) kg·m²: what turns with each of some joints about its own axes, all below it as in a pose."""
    # With its own turns undone, the axes of a joint's angles are those of the joint.
    rows, turns = np.arange(3 * len(joints)), 9 * np.repeat(joints, 3).reshape(-1, 3) + (3, 4, 5)
    poses = np.repeat(pose[None], len(rows), axis=0)
    poses[rows[:, None], np.repeat(turns, 3, axis=0)] = 0.0
    pushed = np.zeros_like(poses)
    pushed[rows, turns.ravel()] = 1.0
    taken = generalised_forces(body, Movement(poses, np.zeros_like(poses), pushed, None), gravity=WEIGHTLESS)
    return np.asarray(taken.values[rows, turns.ravel()].reshape(-1, 3), np.float64)


def mass_matrix(body: Body, pose: Floats, dofs: Ints) -> Floats:
    """(L, L): what it takes to accelerate each of some degrees of freedom, in a pose (9J,)."""
    count = len(dofs)
    pushed = np.zeros((count, len(pose)))
    pushed[np.arange(count), dofs] = 1.0
    poses = np.repeat(pose[None], count, axis=0)
    taken = generalised_forces(body, Movement(poses, np.zeros_like(poses), pushed, None), gravity=WEIGHTLESS)
    matrix = taken.values[:, dofs]
    return (matrix + matrix.T) / 2


@cache
def _pool() -> "ThreadPoolExecutor":
    # Imported here: it brings logging and sockets along, which nobody needs who only opens a file.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="windows")


def _share_out(share: Callable[[int, int], None], windows: int) -> None:
    """Windows in equal runs on all cores; each is worked out alone, so the split changes no bit."""
    parts = min(os.cpu_count() or 1, windows // FEW)
    if parts < 2:
        share(0, windows)
        return
    edges = np.linspace(0, windows, 4 * parts + 1).astype(int)
    for done in [_pool().submit(share, int(a), int(b)) for a, b in pairwise(edges)]:
        done.result()
