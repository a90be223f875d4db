"""What targets ask of a loose state, as residuals: how much of what is wanted is still missing.

Turns and speeds are counted in metres too, so that one tolerance holds for all and weights compare like with like.
A speed is the difference of two loose states one step of the simulation apart, divided by the step ([IKD] Eqs. 12,
13): the speed of the simulation itself is another matter, for every state has a simulation of its own.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kinodynamics.corrections import HEIGHT, SLOPE
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.solution import Miss
from inbetweener.maths import quaternions
from inbetweener.rig import Place, Rig

LEVER = 0.25
"""Metres: an error of one radian counts like this distance, about that of a hand to its elbow."""

REACTION = 0.1
"""Seconds: an error in speed counts like the distance that it makes in this time."""

DAMPING = 0.05
"""How much of the strongest lever a pseudoinverse is damped by."""


@dataclass(frozen=True, slots=True, eq=False)
class Directions:
    """Ways to correct: kinds (n,) HEIGHT or SLOPE, and vectors (n, C) of what each unit does to the channels."""

    kinds: Ints
    vectors: Floats


class Ask(Protocol):
    """One target, made ready to be measured on channel values."""

    @property
    def moving(self) -> bool:
        """Whether a speed is asked for, so that the state a step earlier is needed."""
        ...

    @property
    def gives(self) -> Ints:
        """The channels that may give way."""
        ...

    def residuals(self, now: Floats, earlier: Floats) -> Floats:
        """What is missing (V, m), in metres, in V states (V, C) and those a step earlier, (V, C) too."""
        ...

    def miss(self, residual: Floats) -> Miss:
        """The same (m,) in an animator's units."""
        ...

    def directions(self, pose: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """As many ways to correct as there are residuals; each would put one right by a metre if nothing swung.

        They leave channels `without` alone, unless nothing else gives way.
        """
        ...

    def all_directions(self) -> Directions:
        """Every channel that may give way by itself, those that are stiff by less."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PointAsk:
    """A place on the body; position and velocity (3,), turn (3, 3), None where it is all one."""

    rig: Rig
    place: Place
    gives: Ints
    step: float
    position: Floats | None
    turn: Floats | None
    velocity: Floats | None

    @property
    def moving(self) -> bool:
        """Whether a speed is asked for."""
        return self.velocity is not None

    def residuals(self, now: Floats, earlier: Floats) -> Floats:
        """Rows of position, turn and speed, as far as they are asked for."""
        position, turn = self.rig.states(now, self.place)
        rows = []
        if self.position is not None:
            rows.append(self.position - position)
        if self.turn is not None:
            rows.append(LEVER * turn_between(turn, self.turn))
        if self.velocity is not None:
            speed = (position - self.rig.states(earlier, self.place)[0]) / self.step
            rows.append(REACTION * (self.velocity - speed))
        return np.concatenate(rows, axis=1)

    def miss(self, residual: Floats) -> Miss:
        """Distance, angle and speed."""
        parts = np.linalg.norm(residual.reshape(-1, 3), axis=1).tolist()
        distance, turn, speed = (
            parts.pop(0) if asked is not None else 0.0 for asked in (self.position, self.turn, self.velocity)
        )
        return Miss(distance, turn / LEVER, speed / REACTION)

    def directions(self, pose: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """Damped pseudoinverses of how the place moves with the channels, frozen at one pose."""
        J = self.rig.state_jacobian(pose[None], self.place)[0][:, self.gives]
        left = ~np.isin(self.gives, list(without))
        J *= left if left.any() else 1.0
        J[3:] *= LEVER
        rows = [*range(3)] * (self.position is not None) + [*range(3, 6)] * (self.turn is not None)
        found = []
        if rows:
            found.append((HEIGHT, self._pseudoinverse(J[rows])))
        if self.velocity is not None:
            found.append((SLOPE, self._pseudoinverse(J[:3]) / REACTION))
        kinds = np.concatenate([np.full(part.shape[1], kind) for kind, part in found])
        vectors = np.zeros((len(kinds), len(self.rig.channels)))
        vectors[:, self.gives] = np.concatenate([part.T for _, part in found])
        return Directions(kinds, vectors)

    def all_directions(self) -> Directions:
        """One a channel, and one more for its slope where a speed is asked for."""
        count = len(self.gives) * self.moving
        slopes = self.gives[:count], self._gentle[:count] / REACTION
        return _each_channel(self.rig, (self.gives, self._gentle), slopes)

    @property
    def _gentle(self) -> Floats:
        """How readily each channel gives way, one over its stiffness."""
        return np.array([1.0 / self.rig.channels[c].stiffness for c in self.gives])

    def _pseudoinverse(self, J: Floats) -> Floats:
        gentle = self._gentle[:, None]
        square = J @ (gentle * J.T)
        floor = DAMPING**2 * max(float(np.linalg.eigvalsh(square)[-1]), 1e-12)
        return np.asarray(gentle * np.linalg.solve(square + floor * np.eye(len(J)), J).T, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class PoseAsk:
    """Channel values; channels (m,) with the values wanted, and `rated` (r,) with their speeds."""

    rig: Rig
    channels: Ints
    values: Floats
    rated: Ints
    rates: Floats
    step: float

    @property
    def moving(self) -> bool:
        """Whether speeds are asked for."""
        return len(self.rated) > 0

    @property
    def gives(self) -> Ints:
        """The posed channels themselves."""
        return np.union1d(self.channels, self.rated)

    def residuals(self, now: Floats, earlier: Floats) -> Floats:
        """Rows of values, then of speeds."""
        off = (self.values - now[:, self.channels]) * _units(self.rig, self.channels)
        speeds = (now[:, self.rated] - earlier[:, self.rated]) / self.step
        return np.concatenate([off, (self.rates - speeds) * _units(self.rig, self.rated) * REACTION], axis=1)

    def miss(self, residual: Floats) -> Miss:
        """The channels that are furthest off."""
        posed, count = self.channels, len(self.channels)
        off = np.abs(residual[:count]) / _units(self.rig, posed)
        kinds = [self.rig.channels[c].kind for c in posed]
        worst = {
            kind: max((float(o) for o, each in zip(off, kinds, strict=True) if each == kind), default=0.0)
            for kind in ("translation", "rotation")
        }
        share = max((float(o) for o, each in zip(off, kinds, strict=True) if each not in worst), default=0.0)
        speeds = np.abs(residual[count:]) / (_units(self.rig, self.rated) * REACTION)
        return Miss(worst["translation"], worst["rotation"], float(speeds.max(initial=0.0)), share)

    def directions(self, pose: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """Each channel by itself."""
        return self.all_directions()

    def all_directions(self) -> Directions:
        """Each channel by itself, its value or its slope, by as much as counts for a metre."""
        slopes = self.rated, 1.0 / (REACTION * _units(self.rig, self.rated))
        return _each_channel(self.rig, (self.channels, 1.0 / _units(self.rig, self.channels)), slopes)


def turn_between(now: Floats, wanted: Floats) -> Floats:
    """The turns (V, 3), axis times angle in the world, that take orientations (V, 3, 3) to a wanted one (3, 3)."""
    q = quaternions.from_matrix(wanted @ np.swapaxes(now, -1, -2))
    vector = q[..., 1:]
    sine = np.linalg.norm(vector, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return np.asarray(vector * np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0), np.float64)


def place_velocity(motion: LooseMotion, time: float, place: Place) -> Floats:
    """(3,) metres a second: how fast a place moves at a time, from two states one step apart ([IKD] Eq. 13)."""
    step = motion.loosened.step
    position = motion.rig.states(motion.channels([time, earlier(motion, time)]), place)[0]
    return np.asarray((position[0] - position[1]) / step, np.float64)


def earlier(motion: LooseMotion, time: float) -> float:
    """A step before a time; in a loop, the end comes before the start."""
    before = time - motion.loosened.step
    if motion.clip.loops and before < motion.clip.start - 1e-9:
        before += motion.clip.end - motion.clip.start
    return before


def _units(rig: Rig, channels: Ints) -> Floats:
    """Metres that one unit of each channel counts for."""
    return np.array([1.0 if rig.channels[c].kind == "translation" else LEVER for c in channels], np.float64)


def _each_channel(rig: Rig, heights: tuple[Ints, Floats], slopes: tuple[Ints, Floats]) -> Directions:
    """One way for every channel, by its size; those of slopes last."""
    channels, sizes = (np.concatenate(pair) for pair in zip(heights, slopes, strict=True))
    vectors = np.zeros((len(channels), len(rig.channels)))
    vectors[np.arange(len(channels)), channels] = sizes
    return Directions(np.repeat([HEIGHT, SLOPE], [len(heights[0]), len(slopes[0])]), vectors)
