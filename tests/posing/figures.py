"""Characters for posing tests: the human example, and arms so simple that answers are known in closed form."""

import functools

import numpy as np

from inbetweener.builtin.characters.human import human_rig
from inbetweener.maths.transforms import Transform
from inbetweener.posing import Pin, State, state_of
from inbetweener.rig import Joint, Point, Rig, joint_channels

FEET = ("heel_l", "ball_l", "heel_r", "ball_r")
ARM = ("clavicle_l", "upper_arm_l", "forearm_l", "hand_l")
BOTH_ARMS = (*ARM, *(name[:-1] + "r" for name in ARM))


@functools.cache
def human() -> Rig:
    return human_rig()


def planted() -> tuple[Pin, ...]:
    return tuple(Pin(human().point(name)) for name in FEET)


def channels_of(rig: Rig, joints: tuple[str, ...]) -> frozenset[str]:
    return frozenset(c.name for c in rig.channels if c.name.rpartition(".")[0] in joints)


def random_pose(rig: Rig, random: np.random.Generator, joints: tuple[str, ...]) -> np.ndarray:
    """The rest pose with some joints turned at random anywhere within their limits."""
    pose = rig.defaults.copy()
    for i, channel in enumerate(rig.channels):
        if channel.name in channels_of(rig, joints):
            pose[i] = random.uniform(channel.lower, channel.upper)
    return pose


def target(rig: Rig, pose: np.ndarray, name: str, *, turned: bool = False) -> State:
    """Where a point is in a pose."""
    state = state_of(rig, pose, rig.point(name))
    return state if turned else State(state.position)


def within_limits(rig: Rig, before: np.ndarray, after: np.ndarray) -> bool:
    """No channel beyond a limit, further than it was: exactly, without any tolerance."""
    lower = np.minimum([c.lower for c in rig.channels], before)
    upper = np.maximum([c.upper for c in rig.channels], before)
    return bool(((lower <= after) & (after <= upper)).all())


def flat_arm(bones: int = 2, bend: float = 0.5, limits: dict[str, tuple[float, float]] | None = None) -> tuple:
    """An arm of one-metre bones along x that turns about z only, each joint bent; and its pose."""
    joints = [Joint(f"bone_{i}", i - 1, Transform((1.0 if i else 0.0, 0.0, 0.0))) for i in range(bones)]
    channels = tuple(c for joint in joints for c in joint_channels(joint, "rz", limits=limits))
    rig = Rig(tuple(joints), channels, (Point(f"bone_{bones - 1}", (1.0, 0.0, 0.0), "tip"),))
    return rig, np.full(bones, bend)
