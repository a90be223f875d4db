"""Joints that turn by quaternions of four channels, exactly and without any lock."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.errors import InvalidRig
from inbetweener.host.told import Telling, ToldMap, pair
from inbetweener.maths import quaternions
from inbetweener.rig import Channel, Joint, Rig
from inbetweener.rig.dof_map import DofMap, Followed, LinearMap
from inbetweener.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Quaternion:
    """The joint called `joint` turns by the quaternion w, x, y, z that four channels hold; its length is no matter."""

    joint: str
    channels: tuple[str, str, str, str]


def quaternion_joint(
    joint: Joint, names: tuple[str, str, str, str]
) -> tuple[tuple[Joint, Joint], tuple[Channel, ...], Quaternion]:
    """A joint that turns by a quaternion: two joints, of which the first is the parent of the second, and channels."""
    channels = tuple(Channel(name, "rotation", default=float(n == 0)) for n, name in enumerate(names))
    return pair(joint), channels, Quaternion(joint.name, names)


@dataclass(frozen=True)
class TurnedRig(Rig):
    """A rig some of whose joints turn by quaternions; `size` is the character's height, where somebody knows it."""

    quaternions: tuple[Quaternion, ...] = ()
    size: float | None = None

    def __post_init__(self) -> None:
        Rig.__post_init__(self)
        if self.handles or self.bends:
            raise InvalidRig("a rig whose joints turn by quaternions can have no handles or bends")
        for each in self.quaternions:
            index = self.joint_index(each.joint)
            if index == 0 or self.joints[index].parent != index - 1:
                raise InvalidRig(f"joint {each.joint!r} must follow its base: see quaternion_joint")
            for name in each.channels:
                if self.channel(name).drives:
                    raise InvalidRig(f"channel {name!r} is part of a quaternion and can drive nothing else")

    @property
    def told_size(self) -> float | None:
        """The height of the character."""
        return self.size

    @cached_property
    def dof_map(self) -> DofMap:
        """From channels to degrees of freedom: what is linear, then the quaternions."""
        if not self.quaternions:
            return self.linear_map
        joints = [self.joint_index(each.joint) for each in self.quaternions]
        inputs = [[self.channel_index(name) for name in each.channels] for each in self.quaternions]
        return QuaternionMap.of(self.linear_map, joints, np.array(inputs, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class QuaternionMap(ToldMap):
    """A linear map, and joints that turn by quaternions besides."""

    @classmethod
    def of(cls, linear: LinearMap, joints: Sequence[int], inputs: Ints) -> Self:
        """Joints by number, and the four channels (K, 4) of each."""
        return cls(Telling.of(linear, joints, inputs, places=False))

    def dofs(self, channels: Floats) -> Floats:
        """Degrees of freedom (T, D) for channel values (T, C)."""
        dofs = self.telling.linear.dofs(channels)
        self.telling.place(dofs, quaternions.to_matrix(quaternions.normalised(self._values(channels))))
        return dofs

    def weights(self, channels: Floats) -> Floats:
        """The derivative's entries (T, E) at channel values (T, C)."""
        weights = np.tile(self.telling.factors, (len(channels), 1))
        self.telling.put(weights, turn_rates(self._values(channels)))
        return weights

    def solved(self, channels: Floats, wanted: Bools | None = None) -> tuple[Floats, Floats]:
        """Both."""
        return self.dofs(channels), self.weights(channels)

    def followed(self, channels: Floats, wanted: Bools | None = None) -> Followed:
        """What `solved` finds of channels that change in their place."""
        return Followed.by(lambda: self.solved(channels))

    def within(self, linear: LinearMap, skeleton: Skeleton, joints: Ints, channels: Ints) -> DofMap:
        """The quaternions of some joints."""
        kept = self.telling.kept(joints)
        if not len(kept):
            return linear
        numbers = np.searchsorted(joints, self.telling.joints[kept]).tolist()
        return QuaternionMap.of(linear, numbers, np.searchsorted(channels, self.telling.inputs[kept]))

    def _values(self, channels: Floats) -> Floats:
        return np.asarray(channels)[:, self.telling.inputs]


def turn_rates(q: Floats) -> Floats:
    """(..., 3, 4) how the rotation of q (..., 4), of any length, turns about its own axes with each part of it.

    ω = 2 / |q| · vec(q̂* ⊗ dq): what dq has along q drops out, as q̂* ⊗ q̂ has no vector part.
    """
    length = np.linalg.norm(q, axis=-1)
    w, x, y, z = np.moveaxis(quaternions.normalised(q), -1, 0)
    rows = np.stack(
        [np.stack([-x, w, z, -y], axis=-1), np.stack([-y, -z, w, x], axis=-1), np.stack([-z, y, -x, w], axis=-1)],
        axis=-2,
    )
    return rows * np.divide(2.0, length, out=np.zeros_like(length), where=length > 0.0)[..., None, None]
