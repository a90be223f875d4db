"""Elastic solids on bones: modes of a grid of cubes, shaken by what the bone does.

All is seen from the bone, so that it may turn as far as it likes. There a place r at rest feels the acceleration
−A⁻¹ (Ä r + p̈ − g), where the bone's transform x = A r + p is differenced as the simulation's own steps do: straight and
turning acceleration, the centrifugal force, and gravity. What deformation adds to these while the bone turns (Coriolis
force, softening) is of second order, and left out as linear elasticity leaves out all of that order; it would change
the swing of a hat that nods under a door by a fiftieth. So every mode is an oscillator by itself, and a window of it a
filter of where it would be in balance. Only at the end, when vertices are placed, are large swings bent around: modes
are small shifts, and carried on straight they would make a hat grow.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.kinodynamics.filter import response
from inbetweener.kinodynamics.soft import kernels
from inbetweener.kinodynamics.soft.carried import Carried, Same
from inbetweener.kinodynamics.soft.grid import Grid
from inbetweener.kinodynamics.soft.history import History, looking_back
from inbetweener.kinodynamics.soft.modes import modes_of, turns_of
from inbetweener.kinodynamics.soft.part import ElasticPart
from inbetweener.kinodynamics.spring import STIFFEST, InvalidLooseness, Spring
from inbetweener.maths import transforms
from inbetweener.motion import Motion
from inbetweener.skinning.mesh import Singles

SWING = 0.25
"""Reaches: as far as anything soft is thought to swing when a window is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Elastic:
    """The modes of a part, whatever its stiffness.

    shapes (m, 6v) how each mode shifts the vertices that the part carries, and then how it turns what is about them,
                as seen from the joint; back (3, 3) from there to mesh space
    ratios (m,) its frequency over that of the first; loads (m, 12) what moves it, for a first frequency of 1 rad/s
    reach       metres from the joint to its farthest vertex
    """

    carried: Carried
    shapes: Singles
    back: Floats
    ratios: Floats
    loads: Floats
    reach: float


@lru_cache(maxsize=32)
def elastic(mesh: Same, joints: tuple[str, ...], part: ElasticPart) -> Elastic:
    """The modes of what joints carry of a mesh; the part's own spring does not matter."""
    carried = Carried.by(joints, mesh.thing)
    vertices = carried.mesh.vertices[carried.vertices].astype(np.float64)
    if part.joint not in carried.mesh.joints:
        raise InvalidLooseness(f"mesh {part.mesh!r} does not follow {part.joint!r} itself, so it cannot hang on it")
    joint_from_mesh = carried.mesh.joint_from_mesh[carried.mesh.joints.index(part.joint)]
    places = transforms.apply(joint_from_mesh, vertices)
    reach = float(np.linalg.norm(places, axis=1).max())
    triangles = carried.triangles
    if not len(triangles) or not np.ptp(places[triangles].reshape(-1, 3), axis=0).max() > 0:
        raise InvalidLooseness(f"{part}: no surface is there that could swing; let the joint carry whole triangles")
    grid = Grid.around(places, triangles, part.cells)
    grid = grid.hanging_on(_held(grid, part.held * reach))
    held = _held(grid, part.held * reach)
    if not len(grid.cells):
        raise InvalidLooseness(f"{part}: nothing of it is near enough to its joint to be held; hold more of it")
    modes = modes_of(grid, held, part.poisson, part.modes)
    carrying = np.concatenate(
        [grid.carried(each, places) for each in (modes.shapes, turns_of(grid, modes.shapes))], axis=1
    )
    heavy = modes.masses[:, None] * np.column_stack([grid.places, np.ones(len(grid.places))])
    pushed = -np.einsum("mnr,nc->mrc", modes.shapes, heavy).reshape(len(modes.shapes), 12)
    ratios = modes.squares / modes.squares[0]
    return Elastic(
        carried,
        frozen(carrying.reshape(len(carrying), -1), np.float32),
        frozen(np.linalg.inv(joint_from_mesh[:, :3])),
        frozen(np.sqrt(ratios)),
        frozen(pushed / ratios[:, None]),
        reach,
    )


def _held(grid: Grid, within: float) -> Bools:
    return np.asarray(np.linalg.norm(grid.places, axis=1) <= within)


class ElasticBody:
    """A part tuned: its modes as oscillators that steps of `step` seconds swing, under gravity (3,)."""

    def __init__(self, solid: Elastic, part: ElasticPart, step: float, gravity: Floats) -> None:
        self.solid, self.part, self.step, self.gravity = solid, part, step, frozen(gravity)
        self.carried = solid.carried
        first = 2 * np.pi * part.spring.frequency
        self.springs = tuple(_damped(part.spring, float(ratio), part.beta_share) for ratio in solid.ratios)
        self.loads = frozen(solid.loads / first**2)

        self._weights: dict[int, Floats] = {}
        self._history: History | None = None

    @property
    def watched(self) -> frozenset[str]:
        """Joints whose movement shakes the part."""
        return frozenset((self.part.joint,))

    def window(self, error: float) -> float:
        """Seconds after which a swing has come down to `error` metres."""
        slowest = min(spring.decay for spring in self.springs)
        return float("inf") if slowest == 0 else np.log(max(SWING * self.solid.reach / error, math.e)) / slowest

    def amplitudes(self, motion: Motion, times: Floats, count: int) -> Floats:
        """The modes (T, m) at times (T,), each from a window of `count` steps."""
        seen = looking_back(times, self.step, count)
        self._history = history = History.of(motion, self.part.joint, self._history)
        bone = history.bone(seen.moments)
        triples, windows = seen.triples()
        result = np.empty((len(times), len(self.springs)))
        kernels.weigh_windows(self.balanced(bone, triples), windows.rows, self.weights(count), result)
        return result

    def balanced(self, bone: Floats, triples: Ints) -> Floats:
        """Modes (N, m) that would hold the part in balance if what the bone (M, 3, 4) does at triples (3, N) lasted."""
        result = np.empty((triples.shape[1], len(self.springs)))
        kernels.settle(bone, triples, self.step, self.gravity, self.loads, result)
        return result

    def weights(self, count: int) -> Floats:
        """(n, m): what the balance at each moment of a window counts for a mode at its end.

        A window begins in balance with the mean of its first quarter swing: at rest, and falling freely, it then shows
        no trace of its beginning, and a jolt at its very beginning is not mistaken for a lasting pull.
        """
        if count in self._weights:
            return self._weights[count]
        columns = []
        for spring in self.springs:
            pulled, begun = response(spring, self.step, 1.0, count)
            # What shakes it at the very end is known only a step later; until then it has not moved it yet.
            weights = pulled[:-1].copy()
            weights[-1] += pulled[-1]
            quarter = min(count, max(1, round(0.25 / (spring.frequency * self.step))))
            weights[:quarter] += begun[0] / quarter
            columns.append(weights)
        self._weights[count] = found = frozen(np.stack(columns, axis=1))
        return found

    def offsets(self, motion: Motion, times: Floats, count: int) -> Singles:
        """How far vertices are off (T, v, 3) in mesh space."""
        amplitudes = self.amplitudes(motion, times, count).astype(np.float32)
        solid, shares = self.solid, self.carried.shares
        room = np.empty(solid.shapes.shape[1], np.float32)
        result = np.empty((len(times), len(shares), 3), np.float32)
        for modes, into in zip(amplitudes, result, strict=True):
            # Whatever else carries a vertex keeps its share; at the seam both agree.
            kernels.swing(solid.shapes, modes, solid.back, shares, room, into)
        return result


def _damped(spring: Spring, ratio: float, beta_share: float) -> Spring:
    """The spring of a mode `ratio` times as fast as the first, under Rayleigh damping (Eq. 24)."""
    frequency = min(spring.frequency * ratio, STIFFEST)
    return Spring(frequency, min(spring.damping * (beta_share * ratio + (1 - beta_share) / ratio), 100.0))
