"""Rigs with handles: a person whose left arm hangs on one, and chains of any length with every freedom."""

import numpy as np

from inbetweener.maths import quaternions
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.transforms import Transform
from inbetweener.rig import DOFS, Handle, Joint, Point, Rig, joint_channels
from tests.rig.specimens import person

ARM_LENGTH, UPPER, LOWER = 0.54, 0.28, 0.26


def armed_person(axes_seed: int | None = None, side: str = "l") -> Rig:
    """The person of the specimens; an arm bends forward, about the downward axis on the left."""
    rig = person(axes_seed)
    _, orientation = rig.skeleton.forward(rig.rest_dofs[None])
    down = (0.0, -1.0 if side == "l" else 1.0, 0.0)
    x, y, z = orientation[0, rig.joint_index(f"forearm_{side}")].T @ np.array(down)
    arm = (f"upper_arm_{side}", f"forearm_{side}")
    return rig.with_handle(Handle(f"arm_{side}", arm, Point(f"hand_{side}"), (float(x), float(y), float(z))))


def limb(bones: int, seed: int = 0, *, tip_below: bool = False, wild: float = 0.2) -> Rig:
    """Two scaled joints, then a chain of `bones` joints c0, c1 … of about 0.3 m, its tip on the last or below."""
    random = np.random.default_rng(seed)

    def turned(amount: float) -> tuple[float, float, float, float]:
        w, x, y, z = quaternions.normalised(np.array([1.0, 0, 0, 0]) + amount * random.normal(size=4))
        return float(w), float(x), float(y), float(z)

    def scales(low: float, high: float) -> tuple[float, float, float]:
        x, y, z = random.uniform(low, high, 3)
        return float(x), float(y), float(z)

    joints = [Joint(f"base{i}", i - 1, Transform((0.1, 0.2 * i, 0.3), turned(1.0), scales(0.7, 1.4))) for i in range(2)]
    for i in range(bones):
        scale = scales(0.8, 1.3) if i == bones - 1 else (1.1, 1.1, 1.1)
        place = Transform((0.3, 0.05, -0.03 * i), turned(wild if i else 1.0), scale)
        joints.append(Joint(f"c{i}", len(joints) - 1, place, ORDERS[i % 6]))
    joints.append(Joint("below", len(joints) - 1, Transform((0.3, 0.1, 0.0), turned(1.0), (1.3, 0.7, 1.0)), "YXZ"))
    channels = []
    for joint in joints:
        inner = joint.name.startswith("c") and joint.name != f"c{bones - 1}"
        channels += joint_channels(joint, " ".join(DOFS[:6] if inner else DOFS))
    tip = Point("below", (0.1, 0.05, -0.1)) if tip_below else Point(f"c{bones - 1}", (0.3, 0.1, 0.0))
    return Rig(tuple(joints), tuple(channels)).with_handle(Handle("ik", tuple(f"c{i}" for i in range(bones)), tip))


def channels_of(rig: Rig, handle: int = 0) -> list[int]:
    """The columns of target, pole and blend."""
    return [rig.channel_index(name) for name in rig.handles[handle].channels]


def reaching(rig: Rig, frames: int, seed: int, share: tuple[float, float] = (0.3, 0.9)) -> np.ndarray:
    """Poses near rest whose first handle reaches a share of its chain's length, in any direction."""
    random = np.random.default_rng(seed)
    kinds = np.array([0.2 if channel.kind == "rotation" else 0.01 for channel in rig.channels])
    poses = rig.defaults + kinds * random.normal(size=(frames, len(rig.channels)))
    at, handle = channels_of(rig), rig.handles[0]
    start = rig.joint_index(handle.joints[0])
    world = rig.world_from_joint(poses)
    above = world[:, rig.joints[start].parent]
    directions = random.normal(size=(frames, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    # Lengths as the joint above sees them, where scales above the chain do not count.
    local = chain_length(rig) * random.uniform(*share, size=(frames, 1)) * directions
    poses[:, at[:3]] = world[:, start, :, 3] + np.einsum("tij,tj->ti", above[:, :, :3], local)
    poses[:, at[3:6]] = world[:, start, :, 3] + random.normal(size=(frames, 3))
    poses[:, at[6]] = 1.0
    return poses


def chain_length(rig: Rig) -> float:
    """The length at rest of the first handle's chain, as the joint above it sees it."""
    handle, world = rig.handles[0], rig.rest_world()
    numbers = [rig.joint_index(name) for name in handle.joints]
    tip = world[rig.joint_index(handle.tip.joint)] @ np.append(handle.tip.offset, 1.0)
    places = np.array([*world[numbers, :, 3], tip])
    above = world[rig.joints[numbers[0]].parent, :, :3]
    return float(np.linalg.norm(np.linalg.solve(above, np.diff(places, axis=0).T), axis=0).sum())


def tips(rig: Rig, poses: np.ndarray) -> np.ndarray:
    """Where the first handle's tip is, (T, 3)."""
    tip = rig.handles[0].tip
    return rig.world_from_joint(poses)[:, rig.joint_index(tip.joint)] @ np.append(tip.offset, 1.0)
