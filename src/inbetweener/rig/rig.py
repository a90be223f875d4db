"""A rig: joints, the channels that move them, and named points."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.rig.bend import Bend
from inbetweener.rig.channel import Channel
from inbetweener.rig.dof_map import DofMap, LinearMap
from inbetweener.rig.following import Follower, FollowingMap
from inbetweener.rig.handles.handle import Handle, RestShape, check_chain, check_handles, handle_channels
from inbetweener.rig.handles.handled_map import HandledMap, Limb
from inbetweener.rig.joint import DOFS, ROOT, Joint, Place, Point
from inbetweener.rig.posed import Posed
from inbetweener.rig.skeleton import Bones, Skeleton


@dataclass(frozen=True)
class Rig:
    """Joints in an order where parents come first; channels in the order of every (T, C) array.

    Handles turn their chains after all channels have driven what they drive; bends shape the bones after that.
    """

    joints: tuple[Joint, ...] = ()
    channels: tuple[Channel, ...] = ()
    points: tuple[Point, ...] = ()
    handles: tuple[Handle, ...] = ()
    bends: tuple[Bend, ...] = ()

    def __post_init__(self) -> None:
        _require_unique("joint", [joint.name for joint in self.joints])
        _require_unique("channel", [channel.name for channel in self.channels])
        _require_unique("point", [point.name for point in self.points])
        _require_unique("handle", [handle.name for handle in self.handles])
        _require_unique("bend", [bend.name for bend in self.bends])
        for index, joint in enumerate(self.joints):
            if not ROOT <= joint.parent < index:
                raise InvalidRig(
                    f"joint {joint.name!r} (number {index}) has parent {joint.parent}; parents must come first"
                )
        for point in self.points:
            if point.joint not in self._joint_indices:
                raise InvalidRig(f"point {point.name!r} sits on {point.joint!r}, which is no joint of the rig")
            for name, _ in point.shapes:
                if name not in self._channel_indices:
                    raise InvalidRig(f"point {point.name!r} is moved by {name!r}, which is no channel of the rig")
        for channel in self.channels:
            for drive in channel.drives:
                if drive.joint not in self._joint_indices or drive.axis not in DOFS:
                    raise InvalidRig(f"channel {channel.name!r} drives {drive.dof!r}, which no joint has")
                if not math.isfinite(drive.weight):
                    raise InvalidRig(f"channel {channel.name!r}: its weight on {drive.dof!r} is not a finite number")
        for bend in self.bends:
            self._check_bend(bend)
        for joint in self.joints:
            self._check_follows(joint)
        if self.handles:
            check_handles(self.handles, self.joints, self.channels)
            for handle in self.handles:
                self.rest_shape(handle)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The joints as frozen arrays."""
        return Skeleton.of(self.joints)

    @cached_property
    def linear_map(self) -> LinearMap:
        """What the channels drive, before any handle."""
        return LinearMap.of(self.joints, self.channels)

    @cached_property
    def dof_map(self) -> DofMap:
        """From channels to degrees of freedom."""
        followers = Follower.all_of(self.joints)
        return FollowingMap.of(self.carrying_map, followers) if followers else self.carrying_map

    @cached_property
    def carrying_map(self) -> DofMap:
        """The same of what carries weight: without what follows, which turns skin about its own bone."""
        if not self.handles:
            return self.linear_map
        return HandledMap.of(self.linear_map, self.skeleton, [self._limb(handle) for handle in self.handles])

    @property
    def turned(self) -> tuple[str, ...]:
        """The joints whose angles are no sums of channels: handles turn them, or they follow others."""
        chains = (name for handle in self.handles for name in handle.joints)
        return tuple(dict.fromkeys((*chains, *(joint.name for joint in self.joints if joint.follows))))

    @property
    def told_size(self) -> float | None:
        """The height of the character in metres, where joints at rest do not show it."""
        return None

    @cached_property
    def bones(self) -> Bones:
        """From where to where every joint's bone goes, at rest."""
        return Bones.of(self)

    @cached_property
    def keyed(self) -> "Rig":
        """The same rig without its bends: what channels drive directly, and what solvers solve for."""
        return replace(self, bends=()) if self.bends else self

    @cached_property
    def defaults(self) -> Floats:
        """Channel values (C,) of the rest pose."""
        return frozen([channel.default for channel in self.channels])

    @property
    def rest_dofs(self) -> Floats:
        """Degrees of freedom (9J,) of the rest pose: all channels at their defaults, and handles left out."""
        return self.linear_map.dofs(self.defaults[None])[0]

    @cached_property
    def _joint_indices(self) -> dict[str, int]:
        return {joint.name: i for i, joint in enumerate(self.joints)}

    @cached_property
    def _channel_indices(self) -> dict[str, int]:
        return {channel.name: i for i, channel in enumerate(self.channels)}

    def joint_index(self, name: str) -> int:
        """Where the joint called `name` stands."""
        if name not in self._joint_indices:
            raise UnknownName("joint", name, self._joint_indices)
        return self._joint_indices[name]

    def channel_index(self, name: str) -> int:
        """Where the channel called `name` stands."""
        if name not in self._channel_indices:
            raise UnknownName("channel", name, self._channel_indices)
        return self._channel_indices[name]

    def joint(self, name: str) -> Joint:
        """The joint called `name`."""
        return self.joints[self.joint_index(name)]

    def channel(self, name: str) -> Channel:
        """The channel called `name`."""
        return self.channels[self.channel_index(name)]

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """All that has a place: the origins of the joints, then the named points."""
        return (*(Point(joint.name) for joint in self.joints), *self.points)

    def point(self, name: str) -> Point:
        """The named point, or the origin of the joint of that name."""
        for point in self.points:
            if point.name == name:
                return point
        if name in self._joint_indices:
            return Point(name)
        raise UnknownName("point or joint", name, [*(p.name for p in self.points), *self._joint_indices])

    def posed(self, channels: Floats) -> Posed:
        """The rig in the poses of channel values (T, C): where everything is, and how it moves with each channel."""
        return Posed(self, channels)

    def world_from_joint(self, channels: Floats) -> Floats:
        """Joint transforms (T, J, 3, 4) for channel values (T, C)."""
        return self.posed(channels).world_from_joint

    def states(self, channels: Floats, place: Place) -> tuple[Floats, Floats]:
        """Positions (T, 3) and orientations (T, 3, 3) of a place on the body, for channel values (T, C)."""
        return self.posed(channels).states(place)

    def state_jacobian(self, channels: Floats, place: Place) -> Floats:
        """(T, 6, C): how position (rows 0–2) and orientation (rows 3–5) of a place move with each channel."""
        return self.posed(channels).jacobian(place)

    def rest_world(self) -> Floats:
        """Joint transforms (J, 3, 4) in the rest pose."""
        return self.skeleton.world(self.rest_dofs[None])[0]

    def jacobians(self, channels: Floats, points: Sequence[Point]) -> Floats:
        """(T, P, 6, C): the same of several points at once."""
        return self.posed(channels).jacobians(points)

    def with_handle(self, handle: Handle) -> "Rig":
        """The same rig with one more handle and its channels, which stand where the chain rests."""
        for name in (*handle.joints, handle.tip.joint):
            self.joint_index(name)
        check_chain(handle, self.joints)
        channels = handle_channels(handle, self.rest_shape(handle))
        return replace(self, channels=(*self.channels, *channels), handles=(*self.handles, handle))

    def _check_follows(self, joint: Joint) -> None:
        if joint.follows is None:
            return
        if joint.follows.joint not in self._joint_indices:
            raise InvalidRig(f"joint {joint.name!r} follows {joint.follows.joint!r}, which is no joint of the rig")
        if joint.follows.joint == joint.name or self.joint(joint.follows.joint).follows is not None:
            raise InvalidRig(f"joint {joint.name!r} follows {joint.follows.joint!r}, which follows another itself")

    def _check_bend(self, bend: Bend) -> None:
        if bend.channel not in self._channel_indices:
            raise InvalidRig(f"bend {bend.name!r} follows {bend.channel!r}, which is no channel of the rig")
        for joint in bend.screws:
            if joint not in self._joint_indices:
                raise InvalidRig(f"bend {bend.name!r} shapes the bone of {joint!r}, which is no joint of the rig")

    def rest_shape(self, handle: Handle) -> RestShape:
        """The chain of a handle as it rests."""
        world, orientation = self.skeleton.forward(self.rest_dofs[None])
        return RestShape.of(handle, self._joint_indices, world[0], orientation[0])

    def _limb(self, handle: Handle) -> Limb:
        shape = self.rest_shape(handle)
        return Limb(
            frozen([self.joint_index(name) for name in handle.joints], np.int64),
            frozen(shape.hinges),
            self.joint_index(handle.tip.joint),
            frozen(handle.tip.offset),
            frozen([self.channel_index(name) for name in handle.channels], np.int64),
            handle.soft,
            shape.lost(handle.back),
        )

    def point_arrays(self, points: Iterable[Point]) -> tuple[Ints, Floats]:
        """Joint indices (P,) and offsets (P, 3)."""
        listed = list(points)
        joints = np.array([self.joint_index(p.joint) for p in listed], np.int64)
        return joints, np.array([p.offset for p in listed], np.float64).reshape(-1, 3)


def _require_unique(kind: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidRig(f"two {kind}s are called {name!r}; names must differ")
        if not name:
            raise InvalidRig(f"a {kind} has no name")
        seen.add(name)
