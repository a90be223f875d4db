"""Bodies by chance, seeded: joints in a tree with any rest pose, vertices that follow several of them, bent bones."""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import quaternions, transforms
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, Joint, Rig, bend_channel, joint_channels
from inbetweener.skinning import Mesh


def some_rotation(chance: np.random.Generator) -> tuple[float, float, float, float]:
    w, x, y, z = quaternions.normalised(chance.normal(size=4)).tolist()
    return w, x, y, z


def some_rig(seed: int, joints: int = 6, *, dofs: str = "rx ry rz", bends: int = 0) -> Rig:
    """A tree of joints; the root also moves."""
    chance = np.random.default_rng(seed)
    tree = []
    for n in range(joints):
        x, y, z = chance.uniform(-0.4, 0.4, 3).tolist()
        parent = int(chance.integers(max(n - 2, 0), n)) if n else -1
        order = ORDERS[int(chance.integers(len(ORDERS)))]
        tree.append(Joint(f"j{n}", parent, Transform((x, y, z), some_rotation(chance)), order))
    channels = [c for joint in tree for c in joint_channels(joint, "tx ty tz rx ry rz" if joint.parent < 0 else dofs)]
    rig = Rig(tuple(tree), tuple(channels))
    for n in range(bends):
        bent = {f"j{joint}": 0.12 * chance.normal(size=(5, 6)) for joint in (n % joints, (n + 2) % joints)}
        rig = replace(
            rig,
            channels=(*rig.channels, bend_channel(f"sketch {n}")),
            bends=(*rig.bends, Bend(f"sketch {n}", f"sketch {n}", bent)),
        )
    return rig


def some_mesh(seed: int, rig: Rig, vertices: int = 40, influences: int = 3) -> Mesh:
    """Vertices near the joints, each with several of them, the last few with one."""
    chance = np.random.default_rng(seed + 1000)
    points = chance.uniform(-0.8, 0.8, (vertices, 3))
    which = np.array([chance.permutation(len(rig.joints))[:influences] for _ in range(vertices)])
    weights = chance.uniform(0.05, 1.0, (vertices, influences))
    weights[-8:, 1:] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    names = tuple(joint.name for joint in rig.joints)
    bind = transforms.inverse(rig.rest_world())
    triangles = np.arange(vertices // 3 * 3).reshape(-1, 3)
    return Mesh("some", points, triangles, names, bind, which, weights)  # type: ignore[arg-type]


def some_pose(seed: int, rig: Rig, turn: float = 2.5) -> Floats:
    """Every joint turned by up to `turn` about each axis, scales between a half and two, all bends dialled in."""
    chance = np.random.default_rng(seed + 2000)
    pose = rig.defaults.copy()
    for n, channel in enumerate(rig.channels):
        match channel.kind:
            case "rotation":
                pose[n] = chance.uniform(-turn, turn)
            case "scale":
                pose[n] = 2.0 ** chance.uniform(-1.0, 1.0)
            case "bend":
                pose[n] = chance.uniform(-1.5, 1.5)
            case _:
                pose[n] += chance.uniform(-0.5, 0.5)
    return pose
