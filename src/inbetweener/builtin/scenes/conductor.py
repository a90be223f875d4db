"""A conductor beats four: down, in, out and up, while the left hand asks for more.

The left arm hangs on an IK handle: its keys say where the wrist is and to which side the elbow points; the right arm is
turned joint by joint.
"""

from dataclasses import replace

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Handle, Point

POSES: dict[float, Pose] = {
    0: {
        "hips.at": (0, -0.025, 0), "hips": (0, 0, 0), "spine_1 > chest": (-3, 0, 0), "neck > head": (-6, 0, 0),
        "clavicle_l": (-0.3, -3.6, -6.3), "arm_l": (0.34, 1.279, 0.358), "arm_l.pole": (0.452, 0.801, -0.049),
        "forearm_l.rx": -94.9, "hand_l": (-14.9, 2.2, -30.1),
        "clavicle_r > hand_r": ((-1.7, 6.1, -1.4), (-57.5, 30.3, -41.6), (-0.8, 54.6, 0), (0.7, 17.1, 38.5)),
        "thigh_l > toe_l": ((-16.2, 10.7, 5.3), (25.3, 0, 0), (-8.4, 2.3, -2.1), (0, 0, 0)),
        "thigh_r > toe_r": ((-13.1, -11.7, -5.7), (26.2, 0, 0), (-12.3, -3.3, 2.8), (0, 0, 0)),
    },
    12: {
        "hips.at": (0, -0.05, 0.01), "hips": (0, 0, 0), "spine_1 > chest": (5, 0, 0), "neck > head": (6, 2, 0),
        "clavicle_l": (-0.5, -5.3, -9.7), "arm_l": (0.32, 1.159, 0.378), "arm_l.pole": (0.463, 0.816, -0.128),
        "forearm_l.rx": -94.9, "hand_l": (-14.9, -6.4, -31.6),
        "clavicle_r > hand_r": ((-0.7, 9, 1.9), (6.6, 30.7, 1), (24.9, 79, 0), (14.9, -7.1, -14.6)),
        "thigh_l > toe_l": ((-21.5, 10.5, 6.6), (37.7, 0, 0), (-15.4, 1.8, -2.2), (0, 0, 0)),
        "thigh_r > toe_r": ((-17.9, -11.5, -7), (38.1, 0, 0), (-19.1, -2.9, 3), (0, 0, 0)),
    },
    24: {
        "hips.at": (0.02, -0.03, 0.01), "hips": (0, 0, 0), "spine_1 > chest": (3, 5, 0), "neck > head": (2, 10, 2),
        "clavicle_l": (-0.6, -6.5, -8.2), "arm_l": (0.35, 1.269, 0.358), "arm_l.pole": (0.489, 0.813, -0.054),
        "forearm_l.rx": -94.9, "hand_l": (-14.9, 0.3, -21.3),
        "clavicle_r > hand_r": ((-0.7, 8.1, 0.2), (16.2, 38.8, 18.4), (36.6, 77.5, 0), (14.9, -12.1, -7.5)),
        "thigh_l > toe_l": ((-17.2, 10.9, 4.3), (28.8, 0, 0), (-11.2, 2.3, -0.8), (0, 0, 0)),
        "thigh_r > toe_r": ((-13.3, -11.4, -7.3), (28.3, 0, 0), (-13.7, -3.2, 4.3), (0, 0, 0)),
    },
    36: {
        "hips.at": (-0.02, -0.03, 0.01), "hips": (0, 0, 0), "spine_1 > chest": (2, -6, 0), "neck > head": (0, -16, -2),
        "clavicle_l": (-0.6, 2.2, -5), "arm_l": (0.399, 1.358, 0.338), "arm_l.pole": (0.497, 0.865, -0.035),
        "forearm_l.rx": -94.9, "hand_l": (-14.9, 13.6, -10.1),
        "clavicle_r > hand_r": ((-1.5, 17.7, 5.7), (-32.6, 29.3, -20.8), (18.2, 34.3, 0), (14.9, 27.5, 5.4)),
        "thigh_l > toe_l": ((-16.7, 10.3, 7), (27.8, 0, 0), (-10, 2.1, -3.6), (0, 0, 0)),
        "thigh_r > toe_r": ((-13.8, -11.9, -4.6), (29.3, 0, 0), (-14.9, -3.3, 1.5), (0, 0, 0)),
    },
}  # fmt: skip

COAT, TROUSERS, HAIR = paint_for("#3d4560"), paint_for("#2b3040"), paint_for("#b9b4aa")
WOOD, IVORY, CORK, PAPER = paint_for("#7a5236"), paint_for("#f4efe2"), paint_for("#b98a58"), paint_for("#e9e4d6")


def conductor() -> Document:
    """One bar of four beats, on frames 12, 24, 36 and 48; it loops."""
    character = human(Outfit(COAT, TROUSERS, HAIR, sleeves=COAT, legs=TROUSERS, shoes=TROUSERS, soles=TROUSERS))
    props = (
        Prop("baton", Capsule(0.005, 0.17), Transform((-0.19, -0.022, 0.09), (0.7071, 0.3536, 0.0, 0.6124)),
             joint="hand_r", colour=IVORY),
        Prop("grip", Sphere(0.016), Transform((-0.06, -0.022, 0.015)), joint="hand_r", colour=CORK),
        Prop("tie", Box((0.028, 0.011, 0.012)), Transform((0.0, 0.185, 0.075)), joint="chest", colour=IVORY),
        Prop("podium", Box((0.5, 0.06, 0.42)), Transform((0.0, -0.06, 0.05)), colour=WOOD),
        Prop("stand", Capsule(0.018, 0.48), Transform((0.0, 0.36, 0.66)), colour=WOOD),
        Prop("desk", Box((0.26, 0.014, 0.17)), Transform((0.0, 0.9, 0.64), (0.9659, 0.2588, 0.0, 0.0)), colour=WOOD),
        Prop("score", Box((0.2, 0.005, 0.13)), Transform((0.0, 0.92, 0.63), (0.9659, 0.2588, 0.0, 0.0)), colour=PAPER),
    )  # fmt: skip
    rig = character.rig.with_handle(
        Handle("arm_l", ("upper_arm_l", "forearm_l"), Point("hand_l"), hinge=(0.0, -1.0, 0.0))
    )
    clip = keyed(rig, "four beats", POSES, end=48, loops=True, throughout={"curl_l": 0.1, "curl_r": 0.62})
    return staged(
        replace(character, rig=rig), "conductor", clip, View((-1.95, 1.5, 3.0), (-0.05, 0.94, 0.16), 0.6), props
    )
