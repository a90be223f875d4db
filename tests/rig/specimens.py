"""Rigs for tests: a random tree with every freedom, and a small symmetric person."""

import numpy as np

from inbetweener.maths import quaternions
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.transforms import Transform
from inbetweener.rig import DOFS, Joint, Point, Rig, control, joint_channels


def random_rig(seed: int, count: int = 9) -> Rig:
    """A tree with turned and scaled rest poses, all orders, all nine freedoms, and two controls over several joints."""
    random = np.random.default_rng(seed)
    joints = []
    for index in range(count):
        rotation = quaternions.normalised(random.normal(size=4))
        rest = Transform(tuple(random.normal(size=3)), tuple(rotation), tuple(random.uniform(0.6, 1.5, size=3)))  # type: ignore[arg-type]
        parent = int(random.integers(0, index)) if index else -1
        joints.append(Joint(f"joint {index}", parent, rest, ORDERS[index % 6]))
    channels = [channel for joint in joints for channel in joint_channels(joint, " ".join(DOFS))]
    curl = control("curl", {f"joint {i}.r{'xyz'[i % 3]}": random.normal() for i in range(0, count, 2)})
    stretch = control("stretch", {"joint 0.ty": 0.5, f"joint {count - 1}.sx": 0.3, f"joint {count - 1}.tz": -0.4})
    return Rig(tuple(joints), (*channels, curl, stretch), (Point(f"joint {count - 1}", (0.1, -0.2, 0.3), "tip"),))


def random_poses(rig: Rig, frames: int, seed: int) -> np.ndarray:
    """Channel values (frames, C) some way off the defaults."""
    return rig.defaults + np.random.default_rng(seed).normal(scale=0.5, size=(frames, len(rig.channels)))


PERSON = (
    ("hips", "", (0.0, 0.95, 0.0)),
    ("spine", "hips", (0.0, 0.15, 0.01)),
    ("chest", "spine", (0.0, 0.2, -0.02)),
    ("neck", "chest", (0.0, 0.2, 0.0)),
    ("head", "neck", (0.0, 0.1, 0.02)),
    ("clavicle_l", "chest", (0.03, 0.15, 0.0)),
    ("upper_arm_l", "clavicle_l", (0.15, 0.0, 0.0)),
    ("forearm_l", "upper_arm_l", (0.28, 0.0, 0.0)),
    ("hand_l", "forearm_l", (0.26, 0.0, 0.0)),
    ("clavicle_r", "chest", (-0.03, 0.15, 0.0)),
    ("upper_arm_r", "clavicle_r", (-0.15, 0.0, 0.0)),
    ("forearm_r", "upper_arm_r", (-0.28, 0.0, 0.0)),
    ("hand_r", "forearm_r", (-0.26, 0.0, 0.0)),
    ("thigh_l", "hips", (0.09, -0.04, 0.0)),
    ("shank_l", "thigh_l", (0.0, -0.43, 0.0)),
    ("foot_l", "shank_l", (0.0, -0.42, -0.01)),
    ("toe_l", "foot_l", (0.0, -0.05, 0.14)),
    ("thigh_r", "hips", (-0.09, -0.04, 0.0)),
    ("shank_r", "thigh_r", (0.0, -0.43, 0.0)),
    ("foot_r", "shank_r", (0.0, -0.42, -0.01)),
    ("toe_r", "foot_r", (0.0, -0.05, 0.14)),
)


def person(axes_seed: int | None = None) -> Rig:
    """A symmetric person 1.75 m tall; with a seed, every joint has its own arbitrary axes and order."""
    index = {name: i for i, (name, _, _) in enumerate(PERSON)}
    random = np.random.default_rng(axes_seed)
    joints: list[Joint] = []
    turned: list[np.ndarray] = []  # world axes of each joint at rest
    for number, (name, parent, offset) in enumerate(PERSON):
        axes = np.array(quaternions.IDENTITY)
        if axes_seed is not None:
            axes = quaternions.normalised(random.normal(size=4))
        above = turned[index[parent]] if parent else np.array(quaternions.IDENTITY)
        local = quaternions.product(quaternions.inverse(above), axes)
        place = quaternions.to_matrix(quaternions.inverse(above)) @ offset
        turned.append(axes)
        order = "ZYX" if axes_seed is None else ORDERS[number % 6]
        rest = Transform(tuple(place), tuple(local))  # type: ignore[arg-type]
        joints.append(Joint(name, index[parent] if parent else -1, rest, order))
    channels = [c for j in joints for c in joint_channels(j, "tx ty tz rx ry rz" if j.parent < 0 else "rx ry rz")]
    crown = quaternions.to_matrix(quaternions.inverse(turned[index["head"]])) @ (0.0, 0.17, 0.0)
    return Rig(tuple(joints), tuple(channels), (Point("head", tuple(crown), "crown"),))
