"""Small soft bodies to shake: a rod standing on one free bone, and a flap with a blend shape on two."""

from collections.abc import Callable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Motion
from inbetweener.motion.clip import Curves
from inbetweener.rig import Rig, joint_channels, shape_channels
from inbetweener.rig.joint import Joint
from inbetweener.skinning import BlendShape, Mesh

STEP = 1 / 120
TALL = 0.5


def free_rig() -> Rig:
    """One joint that goes and turns anywhere."""
    bone = Joint("bone")
    return Rig((bone,), joint_channels(bone, "tx ty tz rx ry rz"))


def rod(joint: str = "bone", *, tall: float = TALL, thick: float = 0.08) -> Mesh:
    """A closed box that stands on its joint, with rings of vertices all the way up."""
    rings, half = 12, thick / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    heights = np.linspace(0.0, tall, rings + 1)
    vertices = np.array([[x, y, z] for y in heights for x, z in square])
    faces = [(0, 1, 2), (0, 2, 3)]
    for ring in range(rings):
        for n in range(4):
            a, b = 4 * ring + n, 4 * ring + (n + 1) % 4
            faces += [(a, a + 4, b), (b, a + 4, b + 4)]
    top = 4 * rings
    faces += [(top, top + 2, top + 1), (top, top + 3, top + 2)]
    return Mesh.rigid("rod", joint, vertices, faces)


def going(rig: Rig, moves: dict[str, Callable[[Floats], Floats]], *, end: float = 2.0, loops: bool = False) -> Motion:
    """A motion with a key every step, straight between them: at steps exactly as asked."""
    times = np.arange(-240, round(end / STEP) + 241) * STEP
    curves = {name: Curve.sampled(times, move(times)) for name, move in moves.items()}
    return Motion(rig, Clip("go", end=end, rate=24.0, curves=Curves(curves), loops=loops))


def flap() -> tuple[Rig, Mesh]:
    """A strip carried by two joints in a row, that a shape bulges."""
    joints = (Joint("bone"), Joint("tip", 0, Transform((0.0, 0.3, 0.0))))
    moved = (*joint_channels(joints[0], "tx ty tz rx ry rz"), *joint_channels(joints[1], "rx rz"))
    rig = Rig(joints, (*moved, *shape_channels(["bulge"])))
    generator = np.random.default_rng(5)
    heights = np.linspace(0.0, 0.6, 9)
    vertices = np.array([[x, y, 0.0] for y in heights for x in (-0.1, 0.1)], np.float32)
    faces = [(a, a + 1, a + 2) for a in range(0, 16, 2)] + [(a + 1, a + 3, a + 2) for a in range(0, 16, 2)]
    upper = np.clip(vertices[:, 1] / 0.6, 0.0, 1.0)
    offsets = (0.05 * generator.standard_normal(vertices.shape)).astype(np.float32)
    bind = np.stack([np.eye(3, 4), np.eye(3, 4)])
    bind[1, 1, 3] = -0.3
    mesh = Mesh(
        "flap", vertices, np.array(faces, np.int32), ("bone", "tip"), bind,
        np.tile(np.array([0, 1], np.int32), (len(vertices), 1)), np.stack([1 - upper, upper], axis=1),
        shapes=(BlendShape("bulge", "bulge", offsets),),
    )  # fmt: skip
    return rig, mesh
