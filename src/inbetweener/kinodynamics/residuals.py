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

WOUND = 0.5
"""How readily a channel of a pose is wound up before, beside being led there."""

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
    def times(self) -> Floats:
        """When states are needed (w,): at the target's time, a step earlier too where a speed is asked for, and all
        along a stretch.
        """
        ...

    @property
    def gives(self) -> Ints:
        """The channels that may give way."""
        ...

    def residuals(self, states: Floats) -> Floats:
        """What is missing (V, m), in metres, in V times the states (V, w, C) of its times."""
        ...

    def off(self, residual: Floats) -> float:
        """How much more of it (m,) there is than may be left, in metres."""
        ...

    def miss(self, residual: Floats) -> Miss:
        """The same (m,) in an animator's units."""
        ...

    def directions(self, states: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """As many ways to correct as there are residuals; each would put one right by a metre if nothing swung, near
        the states (w, C) that are given.

        They leave channels `without` alone, unless nothing else gives way.
        """
        ...

    def all_directions(self, stopped: frozenset[int] = frozenset()) -> Directions:
        """Every channel that may give way by itself, those that are stiff by less; channels `stopped` by their limits
        in further ways, where there are any.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PointAsk:
    """A place on the body; position and velocity (3,), turn (3, 3), None where it is all one."""

    rig: Rig
    place: Place
    gives: Ints
    step: float
    times: Floats
    position: Floats | None
    turn: Floats | None
    velocity: Floats | None

    def residuals(self, states: Floats) -> Floats:
        """Rows of position, turn and speed, as far as they are asked for."""
        position, turn = self.rig.states(states[:, 0], self.place)
        rows = []
        if self.position is not None:
            rows.append(self.position - position)
        if self.turn is not None:
            rows.append(LEVER * turn_between(turn, self.turn))
        if self.velocity is not None:
            speed = (position - self.rig.states(states[:, 1], self.place)[0]) / self.step
            rows.append(REACTION * (self.velocity - speed))
        return np.concatenate(rows, axis=1)

    def off(self, residual: Floats) -> float:
        """All of it."""
        return float(np.linalg.norm(residual))

    def miss(self, residual: Floats) -> Miss:
        """Distance, angle and speed."""
        parts = np.linalg.norm(residual.reshape(-1, 3), axis=1).tolist()
        distance, turn, speed = (
            parts.pop(0) if asked is not None else 0.0 for asked in (self.position, self.turn, self.velocity)
        )
        return Miss(distance, turn / LEVER, speed / REACTION)

    def directions(self, states: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """Damped pseudoinverses of how the place moves with the channels, frozen at one pose."""
        J = _leverage(self.rig, self.place, self.gives, states[0], without)
        rows = [*range(3)] * (self.position is not None) + [*range(3, 6)] * (self.turn is not None)
        found = []
        if rows:
            found.append((HEIGHT, _pseudoinverse(J[rows], self._gentle)))
        if self.velocity is not None:
            found.append((SLOPE, _pseudoinverse(J[:3], self._gentle) / REACTION))
        return _together(self.rig, self.gives, found)

    def all_directions(self, stopped: frozenset[int] = frozenset()) -> Directions:
        """One a channel, and one more for its slope where a speed is asked for."""
        count, sizes = len(self.gives) * (self.velocity is not None), _sizes(self.rig, self.gives)
        slopes = self.gives[:count], sizes[:count] / REACTION
        return _each_channel(self.rig, (self.gives, sizes), slopes)

    @property
    def _gentle(self) -> Floats:
        return _gentleness(self.rig, self.gives)


@dataclass(frozen=True, slots=True, eq=False)
class HoldAsk:
    """A place on the body at many times (w,) of a stretch; positions (w, 3), turns (w, 3, 3), None where it is all one.

    shifted  when the parts of its correction are (B,), to be led by how the body is then; within, metres that are near
    enough: what a correction does between the times at which it can be bent is never quite what is wanted
    """

    rig: Rig
    place: Place
    gives: Ints
    times: Floats
    positions: Floats | None
    turns: Floats | None
    shifted: Floats
    within: float

    def residuals(self, states: Floats) -> Floats:
        """Rows of positions, then of turns."""
        count = len(self.times)
        flat = states[:, :count].reshape(-1, states.shape[-1])
        position, turn = self.rig.states(flat, self.place)
        rows = []
        if self.positions is not None:
            rows.append(self.positions - position.reshape(-1, count, 3))
        if self.turns is not None:
            wanted = np.broadcast_to(self.turns, (len(states), count, 3, 3)).reshape(-1, 3, 3)
            rows.append(LEVER * turn_between(turn, wanted).reshape(-1, count, 3))
        return np.concatenate(rows, axis=1).reshape(len(states), -1)

    def off(self, residual: Floats) -> float:
        """The worst moment, but for what is near enough."""
        worst = float(np.linalg.norm(residual.reshape(-1, 3), axis=1).max())
        return max(0.0, worst - self.within)

    def miss(self, residual: Floats) -> Miss:
        """Distance and angle at their worst."""
        parts = np.linalg.norm(residual.reshape(-1, len(self.times), 3), axis=2).max(axis=1).tolist()
        distance, turn = (parts.pop(0) if asked is not None else 0.0 for asked in (self.positions, self.turns))
        return Miss(distance, turn / LEVER)

    def directions(self, states: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """Damped pseudoinverses for every part of the correction, at the pose that there is at its time."""
        rows = [*range(3)] * (self.positions is not None) + [*range(3, 6)] * (self.turns is not None)
        gentle = _gentleness(self.rig, self.gives)
        found = []
        for kind, time in enumerate(self.shifted):
            pose = states[int(np.abs(self.times - time).argmin())]
            found.append(
                (kind, _pseudoinverse(_leverage(self.rig, self.place, self.gives, pose, without)[rows], gentle))
            )
        return _together(self.rig, self.gives, found)

    def all_directions(self, stopped: frozenset[int] = frozenset()) -> Directions:
        """Every channel by itself, all through the stretch."""
        none = self.gives[:0], np.zeros(0)
        return _each_channel(self.rig, (self.gives, _sizes(self.rig, self.gives)), none)


@dataclass(frozen=True, slots=True, eq=False)
class PoseAsk:
    """Channel values; channels (m,) with the values wanted, and `rated` (r,) with their speeds.

    bumps  the parts of its correction by which a channel is wound up before
    """

    rig: Rig
    channels: Ints
    values: Floats
    rated: Ints
    rates: Floats
    step: float
    times: Floats
    bumps: Ints

    @property
    def gives(self) -> Ints:
        """The posed channels themselves."""
        return np.union1d(self.channels, self.rated)

    def residuals(self, states: Floats) -> Floats:
        """Rows of values, then of speeds."""
        now = states[:, 0]
        off = (self.values - now[:, self.channels]) * _units(self.rig, self.channels)
        if not len(self.rated):
            return np.asarray(off, np.float64)
        speeds = (now[:, self.rated] - states[:, 1, self.rated]) / self.step
        return np.concatenate([off, (self.rates - speeds) * _units(self.rig, self.rated) * REACTION], axis=1)

    def off(self, residual: Floats) -> float:
        """All of it."""
        return float(np.linalg.norm(residual))

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

    def directions(self, states: Floats, without: frozenset[int] = frozenset()) -> Directions:
        """Each channel by itself."""
        return self.all_directions()

    def all_directions(self, stopped: frozenset[int] = frozenset()) -> Directions:
        """Each channel by itself, its value or its slope, by as much as counts for a metre; what may be led no farther
        by bumps before too, which make it come faster.
        """
        slopes = self.rated, 1.0 / (REACTION * _units(self.rig, self.rated))
        each = _each_channel(self.rig, (self.channels, 1.0 / _units(self.rig, self.channels)), slopes)
        wound = np.array(sorted(stopped.intersection(self.gives.tolist())), np.int64)
        vectors = np.zeros((len(wound), len(self.rig.channels)))
        vectors[np.arange(len(wound)), wound] = WOUND / _units(self.rig, wound)
        return Directions(
            np.concatenate([each.kinds, np.repeat(self.bumps, len(wound))]),
            np.concatenate([each.vectors, np.tile(vectors, (len(self.bumps), 1))]),
        )


def _leverage(rig: Rig, place: Place, gives: Ints, pose: Floats, without: frozenset[int]) -> Floats:
    """(6, n): how a place moves and, by a lever, turns with the channels that may give way."""
    J = rig.state_jacobian(pose[None], place)[0][:, gives]
    left = ~np.isin(gives, list(without))
    J *= left if left.any() else 1.0
    J[3:] *= LEVER
    return J


def _gentleness(rig: Rig, channels: Ints) -> Floats:
    """How readily each channel gives way: less where it is stiff; a face moves by its shapes before the head turns."""
    return np.array([_unit(rig, c) ** 2 / rig.channels[c].stiffness for c in channels])


def _sizes(rig: Rig, channels: Ints) -> Floats:
    """By how much each channel gives way by itself where others do by a radian or a metre."""
    return np.array([_unit(rig, c) / rig.channels[c].stiffness for c in channels])


def _unit(rig: Rig, channel: int) -> float:
    """What counts as much as a radian; metres, which only handles give way by, as much as radians."""
    return rig.channels[channel].unit(height=1.0)


def _pseudoinverse(J: Floats, gentleness: Floats) -> Floats:
    gentle = gentleness[:, None]
    square = J @ (gentle * J.T)
    floor = DAMPING**2 * max(float(np.linalg.eigvalsh(square)[-1]), 1e-12)
    return np.asarray(gentle * np.linalg.solve(square + floor * np.eye(len(J)), J).T, np.float64)


def _together(rig: Rig, gives: Ints, found: list[tuple[int, Floats]]) -> Directions:
    """Ways (n, m) of several parts of a correction, one after the other."""
    kinds = np.concatenate([np.full(part.shape[1], kind) for kind, part in found])
    vectors = np.zeros((len(kinds), len(rig.channels)))
    vectors[:, gives] = np.concatenate([part.T for _, part in found])
    return Directions(kinds, vectors)


def turn_between(now: Floats, wanted: Floats) -> Floats:
    """The turns (V, 3), axis times angle in the world, that take orientations (V, 3, 3) to wanted ones."""
    return quaternions.rotation_vectors(wanted @ np.swapaxes(now, -1, -2))


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
