"""Bodies for tests: random trees with all that dynamics knows, and channels that move at random."""

import numpy as np

from inbetweener.dynamics import Body, Movement
from inbetweener.maths import quaternions
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, control, joint_channels
from inbetweener.rig.masses import MassModel

SIX = "tx ty tz rx ry rz"


def random_rig(seed: int, count: int = 8, *, roots: int = 1, scaled: bool = True) -> Rig:
    """A tree with turned rest poses, all orders, six freedoms a joint, and a control over several of them.

    Inner joints are scaled evenly, some of them mirrored; leaves any way.
    """
    random = np.random.default_rng(seed)
    parents = [-1 if i < roots else int(random.integers(0, i)) for i in range(count)]
    joints = []
    for index, parent in enumerate(parents):
        rotation = quaternions.normalised(random.normal(size=4))
        scale = random.uniform(0.6, 1.5, size=3)
        if index in parents:
            scale[:] = scale[0] * random.choice([1.0, 1.0, -1.0], size=3)
        place = tuple(random.normal(scale=0.5, size=3))
        rest = Transform(place, tuple(rotation), tuple(scale) if scaled else (1.0, 1.0, 1.0))  # type: ignore[arg-type]
        joints.append(Joint(f"joint {index}", parent, rest, ORDERS[(index + seed) % 6]))
    channels = [channel for joint in joints for channel in joint_channels(joint, SIX)]
    curl = control("curl", {f"joint {i}.r{'xyz'[i % 3]}": random.normal() for i in range(0, count, 2)})
    return Rig(tuple(joints), (*channels, curl))


def random_masses(rig: Rig, seed: int) -> MassModel:
    """Solid clouds of points: any mass, centre and axes that a real thing may have."""
    random = np.random.default_rng(seed)
    masses, centres, inertias = [], [], []
    for _ in rig.joints:
        cloud = random.normal(size=(6, 3)) * random.uniform(0.05, 0.3, size=3)
        mass = random.uniform(0.3, 4.0)
        spread = np.cov(cloud.T) * mass
        masses.append(mass)
        centres.append(random.normal(scale=0.2, size=3))
        inertias.append(np.trace(spread) * np.eye(3) - spread)
    return MassModel(rig, np.array(masses), np.array(centres), np.array(inertias))


def random_body(seed: int, count: int = 8, *, roots: int = 1, scaled: bool = True) -> Body:
    rig = random_rig(seed, count, roots=roots, scaled=scaled)
    return Body.of(rig, random_masses(rig, seed + 1))


def random_channels(rig: Rig, frames: int, seed: int) -> np.ndarray:
    """Values, velocities and accelerations (frames, C, 3), large enough that every term matters."""
    moving = np.random.default_rng(seed).normal(size=(frames, len(rig.channels), 3)) * (0.7, 2.0, 8.0)
    moving[:, :, 0] += rig.defaults
    return moving


def random_movement(body: Body, frames: int, seed: int) -> Movement:
    return Movement.of(body.rig, random_channels(body.rig, frames, seed))
