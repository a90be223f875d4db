"""The modes of what is loose, at rest: each a spring by itself, known by how it decays and how far it moves things.

[IKD] §5.3 for bodies on springs: the modes Φ of M and K_p, and Φᵀ K_d Φ taken by its diagonal, which is exact where all
springs are alike. Where they are not, decays are put down to the slowest of the damped system itself.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.dynamics.movement import Movement
from inbetweener.kinodynamics.windows.settling import envelope, rates, settled
from inbetweener.maths.cores import one_core

if TYPE_CHECKING:
    from inbetweener.kinodynamics.loosened import Loosened
    from inbetweener.rig import Rig

SHAPE = 0.05
"""Metres that a unit of a channel counts for which moves no joint, such as a blend shape."""

NUDGE = 1e-6
FORGOTTEN = 1e-6
"""What is left of a swing that counts as over."""


@dataclass(frozen=True, slots=True, eq=False)
class Modes:
    """K modes: those of what swings, then what follows, each by itself.

    shapes   (L, K') what is off, (L,) in the simulation's order, times these are modes' coordinates
    gamma, slowest, omega (K,) as `settling.rates` has them
    reach    (P, K) metres that a unit of a mode moves each of P places on the body
    """

    shapes: Floats
    gamma: Floats
    slowest: Floats
    omega: Floats
    reach: Floats

    @classmethod
    def of(cls, loosened: "Loosened") -> Self:
        """From masses and springs of a loosened rig."""
        with one_core():
            return cls._of(loosened)

    @classmethod
    def _of(cls, loosened: "Loosened") -> Self:
        rig, following, floor = loosened.rig.keyed, loosened.following, np.inf
        stiffness, damping = np.reshape([spring.rates for spring in following.springs], (-1, 2)).T
        damping = damping + np.array([spring.air for spring in following.springs])
        shapes, reach = np.empty((0, 0)), np.empty((2 * len(rig.joints), 0))
        if len(loosened.swinging.dofs):
            simulation, springs = loosened.simulation, loosened.springs
            masses = simulation.masses(rig.rest_dofs, 1e-9 * loosened.inertias[loosened.order])
            lower = np.linalg.cholesky(masses)
            inner = np.linalg.solve(lower, np.linalg.solve(lower, np.diag(springs[:, 0])).T)
            squares, vectors = np.linalg.eigh((inner + inner.T) / 2)
            modes = np.linalg.solve(lower.T, vectors)
            shapes = masses @ modes
            stiffness = np.r_[np.maximum(squares, 0.0), stiffness]
            # Air takes of speeds what they are in masses; where it differs, as much of each pair's as is between them.
            thick = np.sqrt([loosened.air.get(dof, 0.0) for dof in simulation.dofs.tolist()])
            lost = np.diag(springs[:, 1]) + thick[:, None] * masses * thick
            damping = np.r_[np.einsum("lk,lm,mk->k", modes, lost, modes), damping]
            moved = _moved(loosened)
            reach = np.linalg.norm(np.einsum("lpx,lk->pkx", moved, modes), axis=2)
            floor = _slowest(masses, np.diag(springs[:, 0]), lost)
        gamma, slowest, omega = rates(stiffness, damping)
        swinging = len(stiffness) - len(following.channels)
        if swinging:
            # Where dampings differ, modes share them: none may count on more than the slowest has.
            share = min(floor / max(float(slowest[:swinging].min()), 1e-12), 1.0)
            slowest[:swinging] *= share
        along = np.array([_channel_reach(loosened.rig, loosened, int(c)) for c in following.channels])
        reach = np.concatenate([reach, along.reshape(-1, len(reach)).T], axis=1)
        return cls(shapes, gamma, slowest, omega, reach)

    def coordinates(self, swung: Floats, followed: Floats) -> Floats:
        """(T, K) of what is off by swung (T, L) and followed (T, F); or of speeds."""
        return np.concatenate([swung @ self.shapes if len(self.shapes) else swung, followed], axis=1)

    def left(self, seconds: float, places: Floats, speeds: Floats) -> Floats:
        """(T,) metres: how far anything on the body can be off, `seconds` after it was off by these (T, K)."""
        swings = envelope(seconds, places, speeds, self.gamma, self.slowest, self.omega)
        # Not by BLAS, whose threads would wait for cores that are at work on something else.
        return np.asarray(np.einsum("tk,pk->tp", swings, self.reach).max(axis=1, initial=0.0))

    @property
    def settling(self) -> float:
        """Seconds after which any swing is as good as over; inf where one never is."""
        return max(
            (
                settled(1.0, 0.0, float(g), float(o), FORGOTTEN) if s > 0 else np.inf
                for g, s, o in zip(self.gamma, self.slowest, self.omega, strict=True)
            ),
            default=0.0,
        )


def probes(loosened: "Loosened", channels: Floats) -> Floats:
    """Places (T, P, 3) on the body by which errors are measured: where each joint is, and about where it ends."""
    rig = loosened.rig.keyed
    return _places(loosened, rig.skeleton.forward(rig.dof_map.dofs(channels))[0])


def _places(loosened: "Loosened", world: Floats) -> Floats:
    # A part's centre of mass lies about half way along it.
    ends = 2.0 * loosened.body.masses.centres if len(loosened.swinging.dofs) else np.zeros((world.shape[1], 3))
    tips = np.einsum("tjrc,jc->tjr", world[..., :3], ends) + world[..., 3]
    return np.concatenate([world[..., 3], tips], axis=1)


def _moved(loosened: "Loosened") -> Floats:
    """(L, P, 3) how places move with each of what may be off, by differences about the rest pose."""
    rig, simulation, count = loosened.rig.keyed, loosened.simulation, len(loosened.simulation.dofs)
    poses = np.repeat(rig.rest_dofs[None], count, axis=0)
    still, found = simulation.carry(Movement(poses, np.zeros_like(poses), np.zeros_like(poses), None)), []
    for nudge in (NUDGE, -NUDGE):
        nudged = poses.copy()
        nudged[:, simulation.dofs] = simulation.placed(still, np.arange(count), nudge * np.eye(count))
        found.append(_places(loosened, rig.skeleton.forward(nudged)[0]))
    return (found[0] - found[1]) / (2 * NUDGE)


def _channel_reach(rig: "Rig", loosened: "Loosened", channel: int) -> Floats:
    """(P,) metres that a unit of a channel moves each place."""
    values = np.repeat(rig.defaults[None], 2, axis=0)
    values[0, channel] -= NUDGE
    values[1, channel] += NUDGE
    before, after = probes(loosened, values)
    reach = np.linalg.norm(after - before, axis=1) / (2 * NUDGE)
    return reach if reach.any() else np.full(len(reach), SHAPE)


def _slowest(masses: Floats, stiffness: Floats, damping: Floats) -> float:
    """1/s: the slowest decay of the damped system."""
    count = len(masses)
    by_place, by_speed = (np.linalg.solve(masses, -gains) for gains in (stiffness, damping))
    system = np.block([[np.zeros((count, count)), np.eye(count)], [by_place, by_speed]])
    return float(-np.linalg.eigvals(system).real.max())
