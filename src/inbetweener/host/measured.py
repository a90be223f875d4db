"""Rigs that only their host can pose: it is asked where things are, and derivatives are learned from its answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.errors import InvalidRig
from inbetweener.host.told import BASE, Telling, ToldMap
from inbetweener.maths import quaternions
from inbetweener.rig import Channel, Joint, Rig
from inbetweener.rig.dof_map import DofMap, Followed, LinearMap
from inbetweener.rig.skeleton import Skeleton

Measure = Callable[[Floats], Floats]
"""Poses of channel values (T, C) to where each body then is (T, B, 3, 4), in metres."""

STEP = 1e-3
"""How far a channel is moved to learn what it does: radians, shares of the character's size, or its own unit.

Hosts that count in single precision answer to seven digits: smaller steps drown in that.
"""

STILL = 1e-6
"""What moves by no more than this many sizes, or radians, does not move: hosts' single precision is noise."""

TRUST = 0.1
"""A derivative is kept while what it says of a change is off by no more than this share."""


def live_channels(
    measure: Measure, poses: Floats, steps: Floats, size: float, candidates: Bools | None = None
) -> Bools:
    """(C,) which channels, of all or some candidates (C,), move any body in any of some poses (T, C).

    They are moved by steps (C,).
    """
    alive = np.zeros(poses.shape[1], np.bool_)
    for pose in poses:
        asked = np.flatnonzero(~alive if candidates is None else candidates & ~alive)
        if len(asked):
            found = measure(_tried(pose, asked, steps))
            moved = np.abs(_moved(placed(found[:1])[0], placed(found[1:]))) / _scale(size)
            alive[asked] = moved.max(axis=(1, 2)) > STILL
    return alive


def _tried(pose: Floats, asked: Ints, steps: Floats) -> Floats:
    """(1 + m, C) a pose (C,), and the same with each of m channels moved by its step."""
    tried = np.repeat(pose[None], 1 + len(asked), axis=0)
    tried[1 + np.arange(len(asked)), asked] += steps[asked]
    return tried


def _moved(before: Floats, after: Floats) -> Floats:
    """(m, B, 6) from frames (B, 3, 4) to frames (m, B, 3, 4): metres, and radians about their own axes."""
    between = np.swapaxes(before[..., :3], -1, -2) @ after[..., :3]
    return np.concatenate([after[..., 3] - before[..., 3], quaternions.rotation_vectors(between)], axis=-1)


def _scale(size: float) -> Floats:
    """(6,) what makes metres shares of the character's size, and leaves radians."""
    return np.array([size] * 3 + [1.0] * 3)


def placed(frames: Floats) -> Floats:
    """Frames (..., 3, 4) without scale: the rotations nearest to their linear parts."""
    u, _, v = np.linalg.svd(frames[..., :3])
    mirrored = np.linalg.det(u @ v) < 0.0
    u = np.where(mirrored[..., None, None], u * np.array([1.0, 1.0, -1.0]), u)
    return np.concatenate([u @ v, frames[..., 3:]], axis=-1)


@dataclass(frozen=True)
class MeasuredRig(Rig):
    """Bodies that a host measures: each is a joint of the rig, and moves with all channels, as only the host knows.

    `size` is the height of the character in metres.
    """

    measure: Measure | None = field(default=None, compare=False)
    size: float = 1.0

    def __post_init__(self) -> None:
        Rig.__post_init__(self)
        if self.measure is None:
            raise InvalidRig("a measured rig needs somebody who measures it")
        if any(channel.drives for channel in self.channels) or self.handles or self.bends:
            raise InvalidRig("a measured rig is moved by its host alone: no drives, handles or bends")
        if not (self.size > 0.0 and np.isfinite(self.size)):
            raise InvalidRig(f"the size {self.size:g} m of a measured rig must be positive")

    @property
    def told_size(self) -> float:
        """The height of the character."""
        return self.size

    @cached_property
    def dof_map(self) -> DofMap:
        """From channels to where the bodies are."""
        assert self.measure is not None
        bodies = np.arange(len(self.joints) // 2)
        return MeasuredMap.of(
            self.linear_map, bodies, bodies, self.measure, steps_of(self.channels, self.size), self.size
        )


def measured_rig(
    bodies: Sequence[str], channels: Sequence[Channel], measure: Measure, size: float, poses: Floats
) -> MeasuredRig:
    """A rig of named bodies; channels that move none of them in any of some poses (T, C) will not be free.

    Poses should be such as the motion has, all ways of posing among them: a switch from one way to another makes other
    channels matter.
    """
    joints: list[Joint] = []
    for name in bodies:
        joints += [Joint(name + BASE), Joint(name, parent=len(joints))]
    candidates = np.array([each.free for each in channels], np.bool_)
    alive = live_channels(measure, poses, steps_of(channels, size), size, candidates)
    told = [each if live else replace(each, free=False) for each, live in zip(channels, alive, strict=True)]
    return MeasuredRig(tuple(joints), tuple(told), measure=measure, size=size)


def steps_of(channels: Sequence[Channel], size: float) -> Floats:
    """(C,) how far each channel is moved to learn what it does."""
    return np.array([STEP * (size if each.kind == "translation" else 1.0) for each in channels])


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredMap(ToldMap):
    """Bodies where their host says they are; `numbers` (K,) say which of its answers are meant."""

    numbers: Ints
    measure: Measure
    steps: Floats
    size: float

    @classmethod
    def of(
        cls, linear: LinearMap, joints: Ints, numbers: Ints, measure: Measure, steps: Floats, size: float
    ) -> "MeasuredMap":
        """Pairs of joints (K,), in order, that stand for bodies of the host."""
        inputs = np.tile(np.arange(linear.channel_count), (len(joints), 1))
        return cls(Telling.of(linear, (2 * joints + 1).tolist(), inputs, places=True), numbers, measure, steps, size)

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        return self._placed(self.seen(channels))

    def weights(self, channels: Floats) -> Floats:
        """The derivative's entries (T, E) at channel values (T, C)."""
        return self.solved(channels)[1]

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Both, learned afresh where one pose's derivative does not do for the next."""
        learned = Learned(self, channels, wanted)
        return self._placed(learned.seen), self._weights(learned.rates)

    def followed(self, channels: Floats, wanted: Bools | None = None) -> Followed:
        """What `solved` finds of channels that change in their place; derivatives are kept while they predict."""
        learned = Learned(self, channels, wanted)
        dofs, weights = self._placed(learned.seen), self._weights(learned.rates)

        def renew() -> None:
            learned.look(channels)
            dofs[:] = self._placed(learned.seen)
            self.telling.put(weights, learned.rates)

        return Followed(dofs, weights, renew)

    def within(self, linear: LinearMap, skeleton: Skeleton, joints: Ints, channels: Ints) -> DofMap:
        """Some of the bodies; whoever measures one of them needs all channels."""
        kept = self.telling.kept(joints)
        if not len(kept):
            return linear
        numbers = self.numbers[kept]
        return MeasuredMap.of(linear, np.arange(len(kept)), numbers, self.measure, self.steps, self.size)

    def seen(self, channels: Floats) -> Floats:
        """(T, K, 3, 4) where the bodies are, turned but not scaled."""
        found = np.asarray(self.measure(np.ascontiguousarray(channels, np.float64)), np.float64)
        return placed(found[:, self.numbers])

    def learned(self, pose: Floats, wanted: Bools | None) -> Floats:
        """(K, 6, C) how bodies move with the wanted channels at one pose (C,): metres, and radians."""
        asked = np.arange(len(pose)) if wanted is None else np.flatnonzero(wanted)
        found = self.seen(_tried(pose, asked, self.steps))
        rates = np.zeros((found.shape[1], 6, len(pose)))
        rates[:, :, asked] = np.moveaxis(_moved(found[0], found[1:]), 0, -1) / self.steps[asked]
        return rates

    def _placed(self, seen: Floats) -> Floats:
        dofs = np.tile(self.telling.linear.bias, (len(seen), 1))
        self.telling.place(dofs, seen[..., :3], seen[..., 3])
        return dofs

    def _weights(self, rates: Floats) -> Floats:
        weights = np.tile(self.telling.factors, (len(rates), 1))
        self.telling.put(weights, rates)
        return weights


class Learned:
    """What is known of bodies in T poses: where they are, and derivatives that hold around where they were learned.

    seen (T, K, 3, 4); rates (T, K, 6, C). One pose after another takes over the derivative of the last, if that
    predicts where the bodies are; so does every pose from one look to the next.
    """

    def __init__(self, asked: MeasuredMap, channels: Floats, wanted: Bools | None) -> None:
        self._map, self._wanted = asked, wanted
        self.lessons = 0
        self._poses = channels.copy()
        self.seen = asked.seen(channels)
        self.rates = np.zeros((len(channels), self.seen.shape[1], 6, channels.shape[1]))
        self._learned_at, self._learned_seen = channels.copy(), self.seen.copy()
        for t in range(len(channels)):
            if t and self._predicts(t - 1, channels[t], self.seen[t]):
                self._take_over(t, t - 1)
            else:
                self._learn(t, channels[t])

    def look(self, channels: Floats) -> None:
        """Measure poses that are others now, and learn anew where what was learned does not say what came of them."""
        moved = np.flatnonzero((channels != self._poses).any(axis=1))
        if not len(moved):
            return
        self.seen[moved] = self._map.seen(channels[moved])
        self._poses[moved] = channels[moved]
        for t in moved.tolist():
            if self._predicts(t, channels[t], self.seen[t]):
                continue
            if t and self._predicts(t - 1, channels[t], self.seen[t]):
                self._take_over(t, t - 1)
            else:
                self._learn(t, channels[t])

    def _predicts(self, t: int, pose: Floats, seen: Floats) -> bool:
        """Whether the derivative of pose t says, as well as we trust it, where bodies are in another."""
        parts = self.rates[t] * (pose - self._learned_at[t])
        scale = _scale(self._map.size)
        off = np.abs(_moved(self._learned_seen[t], seen[None])[0] - parts.sum(axis=-1)) / scale
        expected = np.abs(parts).sum(axis=-1) / scale
        # Places and turns of every body by themselves: a large turn excuses no place.
        off, expected = off.reshape(-1, 3), expected.reshape(-1, 3)
        return bool((off.max(axis=1) <= TRUST * expected.max(axis=1) + STILL).all())

    def _take_over(self, t: int, other: int) -> None:
        self.rates[t] = self.rates[other]
        self._learned_at[t], self._learned_seen[t] = self._learned_at[other], self._learned_seen[other]

    def _learn(self, t: int, pose: Floats) -> None:
        self.lessons += 1
        self.rates[t] = self._map.learned(pose, self._wanted)
        self._learned_at[t], self._learned_seen[t] = pose, self.seen[t]
