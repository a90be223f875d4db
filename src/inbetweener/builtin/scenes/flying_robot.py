"""The robot flies from pad to pad in four keys, and its smooth first arc bumps into all three obstacles."""

from inbetweener.builtin.characters.robot import robot
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform

POSES: dict[float, Pose] = {
    0: {
        "body.at": (-2.6, 0.12, 0.0), "body": (0, 62, 0), "head": (-6, 14, 0),
        "upper_arm_l": (0, -20, -22), "forearm_l": (0, -35, 0), "upper_arm_r": (0, 20, 22), "forearm_r": (0, 35, 0),
        "hand_l": (0, 0, 0), "hand_r": (0, 0, 0), "thruster_l": (0, 0, 0), "thruster_r": (0, 0, 0),
        "antenna_1": (0, 0, 0), "antenna_2": (0, 0, 0), "antenna_3": (0, 0, 0),
    },
    24: {
        "body.at": (-0.95, 1.05, 0.25), "body": (40, 78, -10), "head": (-34, 0, 6),
        "upper_arm_l": (0, -100, 48), "forearm_l": (0, -8, 0), "upper_arm_r": (0, -28, 24), "forearm_r": (0, 20, 0),
        "hand_l": (0, 0, 10), "hand_r": (0, 0, -10), "thruster_l": (34, 0, 0), "thruster_r": (34, 0, 0),
        "antenna_1": (-22, 0, 4), "antenna_2": (-18, 0, 0), "antenna_3": (-14, 0, 0),
    },
    48: {
        "body.at": (0.95, 0.6, -0.25), "body": (46, 98, 14), "head": (-36, -10, -8),
        "upper_arm_l": (0, 30, -24), "forearm_l": (0, -20, 0), "upper_arm_r": (0, 104, -44), "forearm_r": (0, 8, 0),
        "hand_l": (0, 0, 10), "hand_r": (0, 0, -10), "thruster_l": (38, 0, 0), "thruster_r": (38, 0, 0),
        "antenna_1": (-26, 0, -6), "antenna_2": (-20, 0, 0), "antenna_3": (-16, 0, 0),
    },
    72: {
        "body.at": (2.6, 0.85, 0.0), "body": (-16, 46, 0), "head": (8, -34, 6),
        "upper_arm_l": (0, -25, 95), "forearm_l": (0, -48, 0), "upper_arm_r": (0, 18, 8), "forearm_r": (0, 46, 0),
        "hand_l": (0, 0, 14), "hand_r": (0, 0, 0), "thruster_l": (-24, 0, 0), "thruster_r": (-24, 0, 0),
        "antenna_1": (20, 0, 0), "antenna_2": (16, 0, 0), "antenna_3": (12, 0, 0),
    },
}  # fmt: skip

POST, LAMP, BEAM, PAD = paint_for("#c9524a"), paint_for("#f2c14e"), paint_for("#5b8fb0"), paint_for("#8a93a0")


def flying_robot() -> Document:
    """Four keys, three obstacles: bending the arcs between the keys is enough to fly around them."""
    character = robot()
    props = (
        Prop("post", Capsule(0.11, 0.42), Transform((-1.78, 0.53, 0.1)), "obstacle", colour=POST),
        Prop("lamp", Sphere(0.24), Transform((0.0, 1.36, 0.0)), "obstacle", colour=LAMP),
        Prop("beam", Box((0.1, 0.12, 0.55)), Transform((1.8, 1.12, -0.1)), "obstacle", colour=BEAM),
        *(
            Prop(f"leg_{n}", Capsule(0.025, 0.5), Transform((1.8, 0.5, z)), colour=PAD)
            for n, z in ((1, -0.6), (2, 0.4))
        ),
        Prop("cable", Capsule(0.012, 0.55), Transform((0.0, 2.14, 0.0)), colour=PAD),
        Prop("start_pad", Box((0.36, 0.04, 0.36)), Transform((-2.6, 0.04, 0.0)), colour=PAD),
        Prop("landing_tower", Box((0.36, 0.4, 0.36)), Transform((2.6, 0.4, 0.0)), colour=PAD),
    )
    clip = keyed(character.rig, "fly", POSES)
    return staged(character, "flying-robot", clip, View((0.45, 1.75, 6.4), (0.0, 1.0, 0.0), 0.6), props)
