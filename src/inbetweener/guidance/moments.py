"""What a cost term sees: the motion at the nodes, and how it changes with the free channels."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.dynamics import Movement
from inbetweener.guidance import kernels
from inbetweener.rig import Place, Point, Rig
from inbetweener.rig.posed import Posed


@dataclass(frozen=True, slots=True, eq=False)
class Wiring:
    """What free channels move, found once for a rig.

    names, columns  (C,) the free channels, and where they stand among all of the rig's
    driven          (G,) the degrees of freedom that they move
    below           (G, J) whether a driven degree of freedom moves a joint's origin
    entries         (E,) the entries of the rig's map that belong to free channels; places (E, 2) in G and C
    wanted          (A,) whether a channel is free
    """

    rig: Rig
    names: tuple[str, ...]
    columns: Ints
    driven: Ints
    below: Bools
    entries: Ints
    places: Ints
    wanted: Bools

    @classmethod
    def of(cls, rig: Rig, names: tuple[str, ...]) -> Self:
        """The wiring of the named channels."""
        mapping, parents = rig.carrying_map, rig.skeleton.parents
        columns = np.array([rig.channel_index(name) for name in names], np.int64)
        rows = np.repeat(np.arange(len(mapping.starts) - 1), np.diff(mapping.starts))
        entries = np.flatnonzero(np.isin(mapping.channels, columns))
        driven = np.unique(rows[entries])
        order = np.argsort(columns)
        free = order[np.searchsorted(columns[order], mapping.channels[entries])]
        places = np.stack([np.searchsorted(driven, rows[entries]), free], axis=1)
        below = np.zeros((len(driven), len(parents)), np.bool_)
        for g, dof in enumerate(driven):
            joint = int(dof) // 9
            below[g, joint] = True
            for i in range(joint + 1, len(parents)):
                below[g, i] = parents[i] >= 0 and below[g, parents[i]]
            # A joint's own turns leave its origin where it is.
            below[g, joint] = dof % 9 < 3
        return cls(
            rig,
            names,
            frozen(columns, np.int64),
            frozen(driven, np.int64),
            frozen(below, np.bool_),
            frozen(entries, np.int64),
            frozen(places, np.int64),
            frozen(np.isin(np.arange(len(rig.channels)), columns), np.bool_),
        )

    def shares(self, weights: Floats) -> Floats:
        """(T or 1, G, C) how each driven degree of freedom moves with each free channel, from the map's weights."""
        result = np.zeros((len(weights), len(self.driven), len(self.columns)))
        every = np.arange(len(weights))[:, None]
        np.add.at(result, (every, self.places[:, 0], self.places[:, 1]), weights[:, self.entries])
        return result


class Moments:
    """A motion at T moments, with C free channels among all of the rig's.

    times     (T,) seconds; weights (T,) seconds that each moment stands for
    wiring    the free channels, and what they move
    motion    (T, C, 4) value, velocity, acceleration, jerk of the free channels
    channels  (T, A, 3) value, velocity, acceleration of all channels
    height    of the character, metres
    differentiable  whether anybody wants derivatives; terms may leave them out otherwise
    """

    def __init__(
        self, wiring: Wiring, times: Floats, weights: Floats, motion: Floats, channels: Floats, height: float,
        differentiable: bool = True,
    ) -> None:  # fmt: skip
        self.wiring, self.times, self.weights, self.height = wiring, times, weights, height
        self.motion, self.channels, self.differentiable = motion, channels, differentiable

    @property
    def rig(self) -> Rig:
        """The rig that moves."""
        return self.wiring.rig

    @property
    def names(self) -> tuple[str, ...]:
        """(C,) the free channels."""
        return self.wiring.names

    @property
    def values(self) -> Floats:
        """(T, C) of the free channels."""
        return self.motion[..., 0]

    @property
    def velocities(self) -> Floats:
        """(T, C) of the free channels, per second."""
        return self.motion[..., 1]

    @property
    def accelerations(self) -> Floats:
        """(T, C) of the free channels, per second squared."""
        return self.motion[..., 2]

    @property
    def jerks(self) -> Floats:
        """(T, C) of the free channels, per second cubed."""
        return self.motion[..., 3]

    @cached_property
    def poses(self) -> Floats:
        """(T, A) values of all channels."""
        return np.ascontiguousarray(self.channels[..., 0])

    @cached_property
    def movement(self) -> Movement:
        """The movement of all degrees of freedom, as dynamics wants it."""
        return Movement.of(self.rig.keyed, self.channels, differentiable=self.differentiable, wanted=self.wiring.wanted)

    @cached_property
    def dofs(self) -> Floats:
        """(T, D) degrees of freedom."""
        # Handles are slow to solve: what a term has found already is not sought again.
        return self.movement.dofs if "movement" in self.__dict__ else self.rig.carrying_map.dofs(self.poses)

    @cached_property
    def posed(self) -> Posed:
        """The rig in all poses: where every place is, and how it moves."""
        return Posed(self.rig, self.poses, wanted=self.wiring.wanted, dofs=self.dofs)

    @cached_property
    def positions(self) -> Floats:
        """(T, J, 3) origins of all joints, metres."""
        return self.posed.forward[0][..., 3]

    @cached_property
    def shares(self) -> Floats:
        """(T or 1, G, C) how each driven degree of freedom moves with each free channel."""
        found = self.movement.weights if "movement" in self.__dict__ else None
        weights = self.rig.carrying_map.solved(self.poses, self.wiring.wanted)[1] if found is None else found[0]
        return self.wiring.shares(weights)

    @cached_property
    def positions_by_channels(self) -> Floats:
        """(T, J, 3, C) how the origins of all joints move with each free channel."""
        if self._is_scaled:
            points = [Point(joint.name) for joint in self.rig.joints]
            return np.ascontiguousarray(self.jacobians(points)[:, :, :3])
        result = np.empty((len(self.times), len(self.rig.joints), 3, len(self.names)))
        kernels.positions_by_channels(
            self.rig.skeleton.tree, self.posed.carriers, self.dofs, *self.posed.forward,
            self.wiring.driven, self.shares, self.wiring.below, result,
        )  # fmt: skip
        return result

    def jacobians(self, points: Sequence[Point]) -> Floats:
        """(T, P, 6, C) how position and orientation of points move with each free channel."""
        return np.ascontiguousarray(self.posed.jacobians(points)[..., self.wiring.columns])

    def jacobian(self, place: Place) -> Floats:
        """(T, 6, C) how position and orientation of a place move with each free channel."""
        return np.ascontiguousarray(self.posed.jacobian(place)[..., self.wiring.columns])

    @cached_property
    def _is_scaled(self) -> bool:
        scales = self.dofs.reshape(len(self.times), -1, 9)[..., 6:]
        return bool((scales != 1.0).any() or (self.wiring.driven % 9 >= 6).any())
