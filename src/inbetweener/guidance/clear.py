"""No penetration, as a hard constraint: points of the body stay outside of solids, still ones and carried ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.guidance.solids import distance, slopes
from inbetweener.maths.solids import Box, Solid
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Motion
from inbetweener.rig import Point, Rig
from inbetweener.tangents.sampling import constraint_times

REACH = 0.05
"""A point that is further from a solid than this share of the height cannot come into it with the next step."""

AIM = 5e-4
"""How far outside a step leads points, as a share of the height: later ones are glad of the room."""

FEW = 120
"""Rows that a solid has in a step."""

FINER = 4
"""Looks between two that pins and contacts would be looked at, where a point is within reach: what passes a small solid
in a hurry goes through its edge between these."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A solid that the body stays out of, placed in the world or, with `joint`, in that joint's frame."""

    name: str
    solid: Solid
    transform: Transform = field(default_factory=Transform)
    joint: str | None = None


GROUND = Obstacle("the ground", Box((1e3, 1e3, 1e3)), Transform((0.0, -1e3, 0.0)))
"""Everything below y = 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Clear:
    """N points against O obstacles at times (T,); channels (T, A) of all channels before, offsets (T, C) of the free.

    counts (O, N) says which pairs are looked at: those that can move against each other. The points are on joints_of
    (N,) at offsets_of (N, 3); balls are, for each of these joints, its points, and the ball around them in its frame.
    """

    obstacles: tuple[Obstacle, ...]
    points: tuple[Point, ...]
    parameters: Parameters
    wiring: Wiring
    weight: float
    height: float
    times: Floats
    channels: Floats
    offsets: Floats
    counts: Bools
    joints_of: Ints
    offsets_of: Floats
    balls: tuple[tuple[int, Ints, Floats, float], ...]

    @classmethod
    def of(
        cls, motion: Motion, obstacles: Sequence[Obstacle], points: Sequence[Point], parameters: Parameters,
        wiring: Wiring, weight: float, height: float,
    ) -> Self:  # fmt: skip
        """What is looked at: as often as pins and contacts are and, near solids, in between."""
        lengths = parameters.lengths[(parameters.indices >= 0).any(axis=1)]
        shortest = float(lengths[lengths > 0].min())
        keys = parameters.bundle.times
        wanted = bool(obstacles and points)
        coarse = constraint_times(*parameters.span, keys, shortest, motion.clip.rate) if wanted else np.zeros(0)
        every = np.arange(FINER * max(len(coarse) - 1, 0) + min(len(coarse), 1)) / FINER
        times = np.interp(every, np.arange(len(coarse)), coarse) if len(coarse) else coarse
        channels = motion.channels(times) if len(times) else np.zeros((0, len(motion.rig.channels)))
        own = parameters.motion(parameters.start, times)[0][..., 0]
        joints, offsets = motion.rig.point_arrays(points)
        balls = []
        for joint in np.unique(joints):
            of = np.flatnonzero(joints == joint)
            centre = offsets[of].mean(axis=0)
            balls.append((int(joint), of, centre, float(np.linalg.norm(offsets[of] - centre, axis=1).max())))
        counts = np.array([[each.joint != point.joint for point in points] for each in obstacles], np.bool_)
        return cls(
            tuple(obstacles), tuple(points), parameters, wiring, weight, height,
            frozen(times), frozen(channels), frozen(channels[:, wiring.columns] - weight * own),
            frozen(counts.reshape(len(obstacles), len(points)), np.bool_), joints, offsets, tuple(balls),
        )  # fmt: skip

    @property
    def active(self) -> bool:
        """Whether there is anything to stay out of."""
        return bool(len(self.times) and self.counts.any())

    def offs(self, x: Floats) -> Floats:
        """(pairs,) how deep each point goes into each obstacle at most, in heights."""
        return self._depths(x)[self.counts] if self.active else np.zeros(0)

    def deepest(self, x: Floats) -> Floats:
        """(O,) the same of any point, in metres."""
        return self.height * np.where(self.counts, self._depths(x), 0.0).max(axis=1, initial=0.0)

    def near(self, x: Floats, *, inside: bool = False) -> tuple[Floats, Floats]:
        """Distances (K,) in heights of the pairs and moments that matter, and their derivatives (K, P).

        These are the moments when a point is nearest to a solid within reach, and all when it is `inside`, or those
        alone.
        """
        if not self.active:
            return np.zeros(0), np.zeros((0, len(x)))
        moments, derivatives, indices = self._moments(x, self._looks(x))
        distances = self._distances(moments)
        before, after = (np.roll(distances, by, axis=1) for by in (1, -1))
        before[:, 0], after[:, -1] = np.inf, np.inf
        nearest = (distances < REACH) & (distances <= before) & (distances <= after)
        matters = (distances < 0.0) | (nearest & (not inside))
        matters &= self.counts[:, None]
        world, found, rows = moments.posed.world_from_joint, [np.zeros(0)], [np.zeros((0, len(x)))]
        for o, obstacle in enumerate(self.obstacles):
            t, n = np.nonzero(matters[o])
            if len(t) == 0:
                continue
            # Neighbours on the skin say the same: the nearest speak for all.
            few = np.sort(np.argsort(distances[o, t, n], kind="stable")[:FEW])
            t, n = t[few], n[few]
            carried = world[t, self.joints_of[n]]
            places = np.einsum("krc,kc->kr", carried[..., :3], self.offsets_of[n]) + carried[..., 3]
            seen = _seen(places, obstacle, world[t], moments.rig)
            towards = np.einsum(
                "kr,krc->kc", slopes(obstacle.solid, obstacle.transform, seen), self._by(moments, obstacle, t, n)
            )
            local = towards[:, :, None] * (self.weight / self.height * derivatives[t, :, 0])
            result = np.zeros((len(t), len(x) + 1))
            np.add.at(result, (np.arange(len(t))[:, None, None], indices[t]), local)
            found.append(distances[o, t, n])
            rows.append(result[:, :-1])
        return np.concatenate(found), np.concatenate(rows)

    def _by(self, moments: Moments, obstacle: Obstacle, t: Ints, n: Ints) -> Floats:
        """(K, 3, C) how points `n` (K,) move at moments `t` (K,) with the free channels, as the obstacle sees them."""
        times, points = np.unique(t), np.unique(n)
        chosen = [self.points[each] for each in points]
        if obstacle.joint is None:
            by = moments.posed.jacobians(chosen, times)[:, :, :3]
        else:
            each = [moments.posed.jacobian(point, times, base=obstacle.joint)[:, :3] for point in chosen]
            by = np.stack(each, axis=1)
        return by[np.searchsorted(times, t), np.searchsorted(points, n)][..., self.wiring.columns]

    def _depths(self, x: Floats) -> Floats:
        """(O, N) in heights."""
        distances = self._distances(self._moments(x, self._looks(x))[0])
        return np.maximum(-distances, 0.0).max(axis=1, initial=0.0)

    def _looks(self, x: Floats) -> Ints:
        """Which of the times are looked at: every so often, and all beside those when anything is within reach."""
        coarse = np.arange(0, len(self.times), FINER)
        distances = self._distances(self._moments(x, coarse)[0])
        near = ((distances < REACH) & self.counts[:, None]).any(axis=(0, 2))
        beside = coarse[near, None] + np.arange(-FINER, FINER + 1)
        return np.union1d(coarse, np.clip(beside, 0, max(len(self.times) - 1, 0)).ravel())

    def _moments(self, x: Floats, rows: Ints) -> tuple[Moments, Floats, np.ndarray]:
        times = self.times[rows]
        motion, derivatives, indices = self.parameters.motion(x, times)
        channels = self.channels[rows]
        channels[:, self.wiring.columns] = self.weight * motion[..., 0] + self.offsets[rows]
        moments = Moments(self.wiring, times, times, motion, channels[..., None], self.height)
        return moments, derivatives, indices

    def _distances(self, moments: Moments) -> Floats:
        """(O, T, N) of all points from all obstacles, in heights; infinite where the ball around the points of a joint
        is out of reach: of thousands of points few are near.
        """
        result = np.full((len(self.obstacles), len(moments.times), len(self.points)), np.inf)
        world, reach = moments.posed.world_from_joint, REACH * self.height
        for joint, of, centre, radius in self.balls:
            frames = world[:, joint]
            size = radius * np.linalg.norm(frames[..., :3], axis=-2).max(axis=-1)
            middle = np.einsum("trc,c->tr", frames[..., :3], centre) + frames[..., 3]
            for o, obstacle in enumerate(self.obstacles):
                away = _distance(obstacle, _seen(middle, obstacle, world, moments.rig))
                near = np.flatnonzero(away - size < reach)
                if len(near):
                    places = _placed(frames[near], self.offsets_of[of])
                    seen = _seen(places, obstacle, world[near], moments.rig)
                    result[o, near[:, None], of] = _distance(obstacle, seen) / self.height
        return result


def _placed(frames: Floats, offsets: Floats) -> Floats:
    """Where points (N, 3) are in frames (T, 3, 4): (T, N, 3)."""
    return np.einsum("trc,nc->tnr", frames[..., :3], offsets) + frames[:, None, :, 3]


def _distance(obstacle: Obstacle, seen: Floats) -> Floats:
    return distance(obstacle.solid, obstacle.transform, seen)


def _seen(places: Floats, obstacle: Obstacle, world: Floats, rig: Rig) -> Floats:
    """Places (T, …, 3) as the obstacle's joint sees them; as they are in the world without one."""
    if obstacle.joint is None:
        return places
    frames = world[:, rig.joint_index(obstacle.joint)]
    many = places.reshape(len(places), -1, 3)
    away = np.swapaxes(many - frames[:, None, :, 3], -1, -2)
    return np.swapaxes(np.linalg.solve(frames[..., :3], away), -1, -2).reshape(places.shape)
