"""Bones as they are in one pose: samples along every one of them, bends included."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.errors import UnknownName
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.rig import Bend, Rig, bent
from inbetweener.rig.bend import resampled
from inbetweener.rig.posed import Posed

SAMPLES = 10
"""Steps of a bone that does not turn much, as [DB] §4.4 has them."""


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """A rig in one pose.

    dofs (J, 9) as channels and handles have them; world (J, 3, 4) transforms of the joints, bends included; screws
    (S, 6) by joint: the sum of all bends, where there are any.
    """

    rig: Rig
    channels: Floats
    dofs: Floats
    world: Floats
    screws: dict[int, Floats]

    @classmethod
    def of(cls, rig: Rig, channels: Floats) -> Self:
        """The bones in the pose of channel values (C,)."""
        dofs = rig.dof_map.dofs(channels[None])
        screws = bent.screws(rig, channels[None])
        world = Posed(rig, channels[None], dofs=dofs).world_from_joint[0]
        by_joint = {rig.joint_index(name): steps[0] for name, steps in screws.items()}
        return cls(rig, channels, dofs[0].reshape(-1, 9), world, by_joint)

    def steps(self, joint: int) -> int:
        """How many steps a bone has to be cut into at least."""
        return max(SAMPLES, len(self.screws.get(joint, ())))

    def shape(self, joint: int, steps: int) -> Floats:
        """What bends do (S + 1, 3, 4) at the samples of a bone, in the joint's rest frame."""
        screws = self.screws.get(joint)
        if screws is None:
            return np.broadcast_to(np.eye(3, 4), (steps + 1, 3, 4))
        name = self.rig.joints[joint].name
        return bent.shapes({name: resampled(screws, steps)[None]})[name][0]

    def samples(self, steps: Mapping[int, int]) -> "Samples":
        """Some bones, by joint, each cut into so many steps."""
        counts = np.array([each + 1 for each in steps.values()])
        ends = np.cumsum(counts)
        rows = {joint: slice(int(end - count), int(end)) for joint, end, count in zip(steps, ends, counts, strict=True)}
        owners = np.repeat(list(steps), counts)
        along = np.concatenate([np.linspace(0.0, 1.0, count) for count in counts])
        frames = self.world[owners]
        for joint in self.screws.keys() & steps.keys():
            frames[rows[joint]] = transforms.product(frames[rows[joint]], self.shape(joint, steps[joint]))
        return Samples(rows, owners, along[:, None] * self.rig.bones.ends[owners], along, frames)


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of several bones, one bone after the other, the start of each first; `rows` by joint.

    owners (M,) are their joints, places (M,) say where along the bone, 0 to 1, they are, at_rest (M, 3) where in their
    joint's rest frame; frames (M, 3, 4) carry them from there into the world.
    """

    rows: dict[int, slice]
    owners: Ints
    at_rest: Floats
    places: Floats
    frames: Floats

    @cached_property
    def positions(self) -> Floats:
        """Where they are (M, 3) in the world."""
        return moved(self.frames, self.at_rest)

    @cached_property
    def continues(self) -> Bools:
        """Which samples (M − 1,) the next one follows on the same bone."""
        follows: Bools = self.owners[1:] == self.owners[:-1]
        return follows

    @cached_property
    def own_steps(self) -> Floats:
        """Metres (M − 1,) from each sample to the next one on its bone when that is straight and as long as it is."""
        ways = np.einsum("src,sc->sr", self.frames[1:, :, :3], np.diff(self.at_rest, axis=0))
        return np.where(self.continues, np.linalg.norm(ways, axis=1), 0.0)

    @cached_property
    def lengths(self) -> dict[int, float]:
        """How long every bone is, in metres, along its samples."""
        ways = np.linalg.norm(np.diff(self.positions, axis=0), axis=1)
        return {joint: float(ways[rows.start : rows.stop - 1].sum()) for joint, rows in self.rows.items()}


def moved(frames: Floats, points: Floats) -> Floats:
    """Points (M, 3), each moved by its own frame (M, 3, 4)."""
    return np.einsum("src,sc->sr", frames[..., :3], points) + frames[..., 3]


def steps_between(shapes: Floats) -> Floats:
    """The steps (M − 1, 6) that lead from each transform (M, 3, 4) to the next."""
    q = dual_quaternions.from_matrix(shapes)
    between = dual_quaternions.product(dual_quaternions.inverse(q[:-1]), q[1:])
    return dual_quaternions.logarithm(np.where(between[:, :1] < 0.0, -between, between))


def hung(rig: Rig, joint: int, above: Floats, shape: Floats | None) -> Floats:
    """The frame (3, 4) on its parent's bone in which a joint hangs, as `rig.bent` has it."""
    if shape is None:
        return above
    return transforms.product(above, shape[bent.steps_passed(float(rig.bones.attachments[joint]), len(shape) - 1)])


def joints_called(rig: Rig, names: Collection[str]) -> list[int]:
    """Joints by index, parents first, each once; unknown names are refused."""
    known = {joint.name: index for index, joint in enumerate(rig.joints)}
    for name in names:
        if name not in known:
            raise UnknownName("bone", name, known)
    return sorted({known[name] for name in names})


def without(rig: Rig, bend: str | None, joints: list[int]) -> Rig:
    """The rig with these joints as they are without the bend of that name."""
    found = next((each for each in rig.bends if each.name == bend), None)
    if found is None:
        return rig
    names = {rig.joints[joint].name for joint in joints}
    left = Bend(found.name, found.channel, {name: s for name, s in found.screws.items() if name not in names})
    channel = rig.channel(found.channel)
    drives = tuple(drive for drive in channel.drives if drive.joint not in names)
    return replace(
        rig,
        bends=tuple(left if each is found else each for each in rig.bends),
        channels=tuple(replace(channel, drives=drives) if each is channel else each for each in rig.channels),
    )
