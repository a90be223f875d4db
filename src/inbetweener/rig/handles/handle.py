"""What an animator sees of a handle: a target to reach for, a pole to bend towards, and how much it counts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRig
from inbetweener.maths.transforms import Vector
from inbetweener.rig.channel import Channel
from inbetweener.rig.joint import Joint, Point

STRAIGHT = 1e-4
"""Radians of bend at rest below which a chain does not show about which axis it bends."""

SOFT = 0.01
"""The share of its full reach over which a chain is soft of which nobody said more."""

MOST_BACK = 1.0
"""Radians: a chain that bends back by more is bent the other way round."""

EVEN = 1e-4
"""Scales along the axes of a joint that differ by less are one: files round them."""


@dataclass(frozen=True, slots=True)
class Handle:
    """Turns the joints of a chain so that `tip` is at the target and the chain bends towards the pole.

    `joints` are two or more, each the child of the one before; the tip sits on the last of them or on a child of it.
    `hinge` is the axis, in the frame of the second joint, about which the chain bends; the axis about which it is bent
    at rest by default, and needed where it rests straight. Joints below the first turn about their hinge on top of
    their own channels, so that a forearm still twists; the first is aimed, whatever its own channels say. Over `soft`,
    a share of its reach, the chain slows down before it is straight, or folded: no snap, no jump. Two bones may bend
    `back` by so many radians, as captured knees do: there they come to when their target is out of reach.

    Seven channels belong to it: "name.x", ".y", ".z", the target, and "name.pole.x", ".y", ".z", both in metres in the
    world, and "name.blend", from 0, the joints' own channels, to 1, the handle.
    """

    name: str
    joints: tuple[str, ...]
    tip: Point
    hinge: Vector | None = None
    soft: float = SOFT
    back: float = 0.0

    def __post_init__(self) -> None:
        if not (self.back == 0.0 or (0.0 < self.back <= MOST_BACK and len(self.joints) == 2)):
            raise InvalidRig(
                f"handle {self.name!r}: it may bend back by 0 to {MOST_BACK:g} rad, and with two joints alone; "
                f"not by {self.back:g} with {len(self.joints)}"
            )
        if not 0.0 < self.soft < 0.5:
            raise InvalidRig(
                f"handle {self.name!r}: a share of {self.soft:g} to be soft over must lie within 0 and 0.5"
            )

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of its channels: target x, y, z, pole x, y, z, blend."""
        parts = ("x", "y", "z", "pole.x", "pole.y", "pole.z", "blend")
        return tuple(f"{self.name}.{part}" for part in parts)


def check_chain(handle: Handle, joints: Sequence[Joint]) -> None:
    """Raise InvalidRig unless the handle's joints and tip make a chain."""
    what = f"handle {handle.name!r}"
    index = {joint.name: i for i, joint in enumerate(joints)}
    if len(handle.joints) < 2:
        raise InvalidRig(f"{what} turns {len(handle.joints)} joints; it needs two or more")
    for name in (*handle.joints, handle.tip.joint):
        if name not in index:
            raise InvalidRig(f"{what} names {name!r}, which is no joint of the rig")
    for above, below in zip(handle.joints, handle.joints[1:], strict=False):
        if joints[index[below]].parent != index[above]:
            raise InvalidRig(f"{what}: {below!r} does not hang on {above!r}; list a chain from its start down")
    end, tip = handle.joints[-1], handle.tip.joint
    if tip != end and joints[index[tip]].parent != index[end]:
        raise InvalidRig(f"{what}: its tip sits on {tip!r}; put it on {end!r} or a child of that")


def check_handles(handles: Sequence[Handle], joints: Sequence[Joint], channels: Sequence[Channel]) -> None:
    """Raise InvalidRig at the first handle that cannot work with these joints and channels."""
    rest = {joint.name: joint.rest for joint in joints}
    known = {channel.name for channel in channels}
    # What is held is not asked for derivatives, and bones of files have scales that rest.
    scaled = {drive.joint for channel in channels if channel.free for drive in channel.drives if drive.axis[0] == "s"}
    owners: dict[str, str] = {}
    for handle in handles:
        what = f"handle {handle.name!r}"
        check_chain(handle, joints)
        for name in handle.channels:
            if name not in known:
                raise InvalidRig(f"{what} has no channel {name!r}; Rig.with_handle adds those it needs")
        for name in handle.joints[:-1]:
            if name in scaled or np.ptp(rest[name].scale) > EVEN * max(map(abs, rest[name].scale)):
                raise InvalidRig(f"{what}: {name!r} is scaled; only its last joint and those above the chain may be")
        for name in handle.joints:
            if name in owners:
                raise InvalidRig(f"{what} turns {name!r}, which handle {owners[name]!r} turns already")
            owners[name] = handle.name
    for handle in handles:
        tip = handle.tip
        if tip.joint != handle.joints[-1] and any(tip.offset) and tip.joint in owners:
            raise InvalidRig(
                f"handle {handle.name!r}: its tip turns with {tip.joint!r}, which handle {owners[tip.joint]!r} turns; "
                f"put it on {handle.joints[-1]!r}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class RestShape:
    """A handle's chain as it rests: start and tip (3,) in the world, its length, hinges (n, 3) in the joints' frames.

    `side` (3,) is the direction, in the world and normal to the line from start to tip, to which it bends; lengths (n,)
    are those of its bones.
    """

    start: Floats
    tip: Floats
    lengths: Floats
    hinges: Floats
    side: Floats

    @classmethod
    def of(cls, handle: Handle, index: dict[str, int], world: Floats, orientation: Floats) -> "RestShape":
        """From joint transforms (J, 3, 4) and orientations (J, 3, 3) at rest."""
        numbers = [index[name] for name in handle.joints]
        carrier = world[index[handle.tip.joint]]
        tip = carrier[:, :3] @ np.array(handle.tip.offset) + carrier[:, 3]
        places = np.array([*world[numbers, :, 3], tip])
        bones = np.diff(places, axis=0)
        lengths = np.linalg.norm(bones, axis=1)
        if lengths.min() < 0.02 * lengths.max() or not lengths.min() > 0:
            raise InvalidRig(
                f"handle {handle.name!r}: its bones measure {', '.join(f'{each:g}' for each in lengths)} m at rest; "
                "none may be shorter than a fiftieth of the longest"
            )
        if handle.hinge is None:
            bend = np.cross(bones[:-1] / lengths[:-1, None], bones[1:] / lengths[1:, None]).sum(axis=0)
            if np.linalg.norm(bend) < STRAIGHT:
                raise InvalidRig(
                    f"handle {handle.name!r}: its chain is straight at rest; "
                    f"give the hinge, an axis in the frame of {handle.joints[1]!r}"
                )
        else:
            bend = orientation[numbers[1]] @ np.array(handle.hinge, np.float64)
            if not (np.isfinite(bend).all() and np.linalg.norm(bend) > 0):
                raise InvalidRig(f"handle {handle.name!r}: its hinge {handle.hinge} is no axis")
        bend = bend / np.linalg.norm(bend)
        side = np.cross(tip - places[0], bend)
        if not np.linalg.norm(side) > 1e-6 * lengths.sum():
            raise InvalidRig(
                f"handle {handle.name!r}: its hinge points along the chain; turning about it bends nothing"
            )
        hinges = np.einsum("jrc,r->jc", orientation[numbers], bend)
        return cls(places[0], tip, lengths, hinges, side / np.linalg.norm(side))

    def lost(self, bend: float) -> float:
        """The share of its reach that a chain of two bones loses by a bend in radians."""
        first, second = self.lengths[:2]
        nearer = 2.0 * first * second * (1.0 - np.cos(bend)) / (first + second) ** 2
        return float(nearer / (1.0 + np.sqrt(1.0 - nearer)))


def handle_channels(handle: Handle, shape: RestShape) -> tuple[Channel, ...]:
    """A handle's channels, their defaults where the chain rests; the pole stands a chain's length to the side."""
    pole = 0.5 * (shape.start + shape.tip) + shape.lengths.sum() * shape.side
    values = [*shape.tip.tolist(), *pole.tolist()]
    placed = (
        Channel(name, "translation", default=value) for name, value in zip(handle.channels[:6], values, strict=True)
    )
    return (*placed, Channel(handle.channels[6], "control", default=1.0, lower=0.0, upper=1.0))
