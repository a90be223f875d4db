"""Strokes of known shape, chains of known size, and what a rig makes of a sketch."""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.maths.transforms import Transform
from inbetweener.posing.sketch import Sketch
from inbetweener.posing.strokes import StrokeCurve
from inbetweener.rig import Bend, Drive, Joint, Point, Rig, bend_channel, bent, joint_channels
from inbetweener.rig.bend import along_bone

LENGTH = 0.25


def clothoid(start: tuple[float, float], heading: float, length: float, *bends: float) -> StrokeCurve:
    """A stroke whose curvature goes evenly through the given values."""
    return StrokeCurve(
        np.array(start), heading, np.linspace(0.0, length, len(bends)), np.array(bends), np.zeros(0), 0.0
    )


def line(start: tuple[float, float], end: tuple[float, float]) -> StrokeCurve:
    way = np.subtract(end, start)
    return clothoid(start, float(np.arctan2(way[1], way[0])), float(np.linalg.norm(way)), 0.0, 0.0)


def arc(start: tuple[float, float], heading: float, length: float, turn: float) -> StrokeCurve:
    return clothoid(start, heading, length, turn / length, turn / length)


def chain(count: int = 4, *, on_body: bool = True) -> Rig:
    """Bones of 0.25 m along x at height 1; on a body, the first hangs on a post that is no part of the chain."""
    post = [Joint("post", rest=Transform((0.0, 1.0, 0.0)))] if on_body else []
    first = Joint("bone_1", 0 if on_body else -1, Transform((0.0, 0.0 if on_body else 1.0, 0.0)))
    joints = [*post, first]
    for n in range(2, count + 1):
        joints.append(Joint(f"bone_{n}", len(joints) - 1, Transform((LENGTH, 0.0, 0.0))))
    channels = tuple(channel for joint in joints for channel in joint_channels(joint, "tx ty tz rx ry rz"))
    return Rig(tuple(joints), channels, (Point(f"bone_{count}", (LENGTH, 0.0, 0.0), "tip"),))


def tree() -> Rig:
    """A trunk of three bones upwards with a bough to either side, halfway and at the top."""
    made = [("trunk_1", -1, (0.0, 0.0, 0.0)), ("trunk_2", 0, (0.0, 0.4, 0.0)), ("trunk_3", 1, (0.0, 0.4, 0.0)),
            ("left", 1, (0.05, 0.2, 0.0)), ("right", 1, (-0.05, 0.2, 0.0)), ("twig", 3, (0.15, 0.0, 0.05))]  # fmt: skip
    joints = tuple(Joint(name, parent, Transform(offset)) for name, parent, offset in made)
    channels = tuple(channel for joint in joints for channel in joint_channels(joint, "tx ty tz rx ry rz"))
    points = (Point("trunk_3", (0.0, 0.4, 0.0), "top"), Point("right", (-0.15, 0.0, 0.05), "tip_r"),
              Point("twig", (0.2, 0.0, 0.0), "tip_l"))  # fmt: skip
    return Rig(joints, channels, points)


def bent_by(rig: Rig, sketch: Sketch, channels: Floats | None = None, value: float = 1.0) -> tuple[Rig, Floats]:
    """The rig with the sketch as its bend, and the pose in which that is dialled in."""
    pose = rig.defaults if channels is None else np.asarray(channels)
    drives = tuple(Drive(dof, amount) for dof, amount in sketch.turns.items())
    if sketch.onto is not None:
        old = next(bend for bend in rig.bends if bend.name == sketch.onto)
        made = replace(rig.channel(old.channel), drives=drives)
        result = replace(
            rig,
            channels=tuple(made if each.name == made.name else each for each in rig.channels),
            bends=tuple(replace(old, screws=sketch.screws) if each is old else each for each in rig.bends),
        )
        pose = pose.copy()
        pose[rig.channel_index(old.channel)] = value
        return result, pose
    name = f"drawn {len(rig.bends)}"
    channel = replace(bend_channel(name), drives=drives)
    result = replace(rig, channels=(*rig.channels, channel), bends=(*rig.bends, Bend(name, name, sketch.screws)))
    return result, np.append(pose, value)


def frames(rig: Rig, pose: Floats, joint: str) -> Floats:
    """The frames (S + 1, 3, 4) at the ends of the steps of a bone, as the rig has them."""
    index = rig.joint_index(joint)
    world = rig.world_from_joint(pose[None])[0, index]
    steps = bent.screws(rig, pose[None]).get(joint, np.zeros((1, 10, 6)))
    made = [world]
    for screw in steps[0]:
        made.append(transforms.product(made[-1], dual_quaternions.to_matrix(dual_quaternions.exponential(screw))))
    last = transforms.product(world, dual_quaternions.to_matrix(along_bone(steps, 1.0))[0])
    np.testing.assert_allclose(made[-1], last, atol=1e-9)
    return np.stack(made)


def positions(rig: Rig, pose: Floats, *joints: str) -> Floats:
    """The ends of all steps (n, 3) of bones in the world."""
    found = []
    for joint in joints:
        carried = frames(rig, pose, joint)
        along = np.linspace(0.0, 1.0, len(carried))[:, None] * rig.bones.ends[rig.joint_index(joint)]
        found.append(np.einsum("src,sc->sr", carried[..., :3], along) + carried[..., 3])
    return np.concatenate(found)
