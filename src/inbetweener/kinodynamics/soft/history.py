"""What a window looks back on: moments a step apart, and where joints were then."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import Bundle, Curve
from inbetweener.maths import transforms
from inbetweener.motion import Motion
from inbetweener.motion.clip import Curves
from inbetweener.rig.part import RigPart, part_of

DIGITS = 9
"""Moments closer than a nanosecond are one."""


@dataclass(frozen=True, slots=True, eq=False)
class Looking:
    """All moments (N,) that windows look at, and which of them (T, k) each window does, the oldest first."""

    moments: Floats
    rows: Ints

    def triples(self) -> "tuple[Ints, Looking]":
        """Three moments in a row (M, 3), each once, and windows (T, k − 2) that look at these."""
        count = len(self.moments)
        keys = (self.rows[:, :-2] * count + self.rows[:, 1:-1]) * count + self.rows[:, 2:]
        found, rows = np.unique(keys, return_inverse=True)
        triples = np.stack([found // count**2, found // count % count, found % count])
        return triples, Looking(self.moments[triples[1]], np.ascontiguousarray(rows.reshape(keys.shape), np.int64))


def looking_back(times: Floats, step: float, count: int) -> Looking:
    """From a step before a window of `count` steps until each of times (T,), which is its end."""
    grid = times[:, None] - step * np.arange(count + 1, -1, -1)
    moments, rows = np.unique(grid.round(DIGITS), return_inverse=True)
    return Looking(moments, np.ascontiguousarray(rows.reshape(grid.shape), np.int64))


class History:
    """A motion at any moment, as far back as one likes; a loop has been going on for ever.

    Where a loop takes the joint elsewhere, as steps that get on do, its earlier rounds lie as far back.
    """

    def __init__(self, motion: Motion, joint: str) -> None:
        self.motion, self.joint = motion, motion.rig.joint_index(joint)
        self._known: dict[float, Floats] = {}

    @classmethod
    def of(cls, motion: Motion, joint: str, known: "History | None") -> "History":
        """The one that is known, if it is of this motion."""
        return known if known is not None and known.motion is motion else cls(motion, joint)

    def everything(self, moments: Floats) -> tuple[Floats, Floats]:
        """Channel values (N, C) and joint transforms (N, J, 3, 4)."""
        inner, rounds = self._inner(moments)
        channels = self._channels(inner)
        world = self.motion.rig.world_from_joint(channels)
        self._go_back(world, rounds)
        return channels, world

    def bone(self, moments: Floats) -> Floats:
        """Transforms (N, 3, 4) of the joint alone, for less."""
        if self.motion.rig.bends:
            return np.ascontiguousarray(self.everything(moments)[1][:, self.joint])
        inner, rounds = self._inner(moments)
        part, bundles = self._part
        if self._is_sum:
            channels = np.zeros((len(inner), len(part.channels)))
            for weight, bundle in bundles:
                channels += weight * bundle.evaluate(inner)
        else:
            channels = self._channels(inner)[:, part.channels]
        world = part.skeleton.world(part.dof_map.dofs(channels))[:, part.local_joint(self.joint)]
        self._go_back(world, rounds)
        return np.ascontiguousarray(world)

    @property
    def _is_keyed(self) -> bool:
        return type(self.motion) is Motion

    @property
    def _is_sum(self) -> bool:
        """Whether a few channels can be read by themselves: all layers are simply added."""
        return self._is_keyed and not any(each.overrides or each.weights is not None for each in self.motion.layers)

    def _channels(self, moments: Floats) -> Floats:
        """Channel values (N, C); of a loose motion those that are known are not simulated again."""
        if self._is_keyed:
            return self.motion.channels(moments)
        asked = moments.tolist()
        missing = [moment for moment in dict.fromkeys(asked) if moment not in self._known]
        if missing:
            self._known.update(zip(missing, self.motion.channels(missing), strict=True))
        return np.stack([self._known[moment] for moment in asked])

    @cached_property
    def _part(self) -> tuple[RigPart, list[tuple[float, Bundle]]]:
        rig, clip = self.motion.rig, self.motion.clip
        part = part_of(rig, [self.joint])
        moving = [rig.channels[channel] for channel in part.channels]

        def bundled(curves: Curves, at_rest: bool) -> Bundle:
            return Bundle.of(
                [curves.get(each.name) or Curve.constant(each.default if at_rest else 0.0) for each in moving]
            )

        layers = [(layer.weight, bundled(layer.curves, False)) for layer in self.motion.heard]
        return part, [(1.0, bundled(clip.curves, True)), *layers]

    def _inner(self, moments: Floats) -> tuple[Floats, Floats]:
        """The same moments within the clip where it loops, and how many rounds (N,) later they are."""
        clip = self.motion.clip
        whole = clip.end - clip.start
        if not (clip.loops and whole > 0):
            return moments, np.zeros(len(moments))
        # The very end still belongs to its own round.
        later = np.ceil((moments - clip.end) / whole - 1e-9)
        earlier = np.floor((moments - clip.start) / whole + 1e-9)
        rounds = np.where(moments > clip.end, later, np.minimum(earlier, 0.0))
        return (moments - rounds * whole).round(DIGITS), rounds

    def _go_back(self, world: Floats, rounds: Floats) -> None:
        for turn in np.unique(rounds[rounds != 0]):
            gone = self._gained if turn > 0 else transforms.inverse(self._gained)
            for _ in range(int(abs(turn))):
                world[rounds == turn] = transforms.product(gone, world[rounds == turn])

    @cached_property
    def _gained(self) -> Floats:
        """(3, 4): from where a round starts to where it ends."""
        ends = self.motion.world_from_joint([self.motion.clip.start, self.motion.clip.end])[:, self.joint]
        return transforms.product(ends[1], transforms.inverse(ends[0]))
