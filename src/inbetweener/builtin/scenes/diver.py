"""A dive from a board: stand, crouch, spring, pike at the top, open and enter the water hands first."""

from dataclasses import replace

from inbetweener.builtin.characters.human import SKIN, Outfit, human
from inbetweener.builtin.posing import Pose, keyed
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Capsule
from inbetweener.maths.transforms import Transform

POSES: dict[float, Pose] = {
    0: {
        "hips.at": (0, 1.99, 0), "hips": (0, 0, 0), "spine_1": (0, 0, 0), "spine_2": (0, 0, 0), "chest": (0, 0, 0),
        "neck": (0, 0, 0), "head": (0, 0, 0),
        "clavicle_l": (0, 0, 0), "upper_arm_l": (0, -6, -36), "forearm_l": (0, -10, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, 0), "upper_arm_r": (0, 6, 36), "forearm_r": (0, 10, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-8.5, 2.1, -1.1), "shank_l": (16.2, 0, 0), "foot_l": (-7.8, 2.1, 1.4), "toe_l": (0, 0, 0),
        "thigh_r": (-8.5, -2.1, 1.1), "shank_r": (16.2, 0, 0), "foot_r": (-7.8, -2.1, -1.4), "toe_r": (0, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    8: {
        "hips.at": (0, 2.05, 0.05), "hips": (-2, 0, 0), "spine_1": (-4, 0, 0), "spine_2": (-4, 0, 0),
        "chest": (-4, 0, 0),
        "neck": (-6, 0, 0), "head": (-6, 0, 0),
        "clavicle_l": (0, 0, 20), "upper_arm_l": (0, -16, 112), "forearm_l": (0, -4, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, -20), "upper_arm_r": (0, 16, -112), "forearm_r": (0, 4, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-5, 2.1, -0.9), "shank_l": (14, 0, 0), "foot_l": (22.9, 2.3, 0), "toe_l": (-30, 0, 0),
        "thigh_r": (-5, -2.1, 0.9), "shank_r": (14, 0, 0), "foot_r": (22.9, -2.3, 0), "toe_r": (-30, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    17: {
        "hips.at": (0, 1.66, -0.1), "hips": (34, 0, 0), "spine_1": (10, 0, 0), "spine_2": (10, 0, 0),
        "chest": (10, 0, 0),
        "neck": (-22, 0, 0), "head": (-22, 0, 0),
        "clavicle_l": (0, 0, 0), "upper_arm_l": (0, 38, -22), "forearm_l": (0, -8, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, 0), "upper_arm_r": (0, -38, 22), "forearm_r": (0, 8, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-101.3, 2.9, 0.1), "shank_l": (105.9, 0, 0), "foot_l": (-26.6, 3.3, 2), "toe_l": (-12, 0, 0),
        "thigh_r": (-101.3, -2.9, -0.1), "shank_r": (105.9, 0, 0), "foot_r": (-26.6, -3.3, -2), "toe_r": (-12, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    24: {
        "hips.at": (0, 2.1, 0.26), "hips": (16, 0, 0), "spine_1": (-6, 0, 0), "spine_2": (-6, 0, 0),
        "chest": (-6, 0, 0),
        "neck": (-8, 0, 0), "head": (-8, 0, 0),
        "clavicle_l": (0, 0, 22), "upper_arm_l": (0, -18, 112), "forearm_l": (0, -4, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, -22), "upper_arm_r": (0, 18, -112), "forearm_r": (0, 4, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-6.6, 1, -0.8), "shank_l": (-1.4, 0, 0), "foot_l": (49.9, 2.1, -2.1), "toe_l": (-58, 0, 0),
        "thigh_r": (-6.6, -1, 0.8), "shank_r": (-1.4, 0, 0), "foot_r": (49.9, -2.1, 2.1), "toe_r": (-58, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    34: {
        "hips.at": (0, 2.85, 0.72), "hips": (62, 0, 0), "spine_1": (22, 0, 0), "spine_2": (22, 0, 0),
        "chest": (22, 0, 0),
        "neck": (8, 0, 0), "head": (8, 0, 0),
        "clavicle_l": (0, -6, 0), "upper_arm_l": (1.1, -55, 131), "forearm_l": (0, 0.8, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 6, 0), "upper_arm_r": (1.1, 55, -131), "forearm_r": (0, -0.8, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-92, 0, 0), "shank_l": (3, 0, 0), "foot_l": (50, 0, 0), "toe_l": (20, 0, 0),
        "thigh_r": (-92, 0, 0), "shank_r": (3, 0, 0), "foot_r": (50, 0, 0), "toe_r": (20, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    44: {
        "hips.at": (0, 2.02, 1.12), "hips": (140, 0, 0), "spine_1": (4, 0, 0), "spine_2": (4, 0, 0),
        "chest": (4, 0, 0),
        "neck": (-8, 0, 0), "head": (-8, 0, 0),
        "clavicle_l": (0, 0, 18), "upper_arm_l": (0, -52, 104), "forearm_l": (0, -3, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, -18), "upper_arm_r": (0, 52, -104), "forearm_r": (0, 3, 0), "hand_r": (0, 0, 0),
        "thigh_l": (-34, 0, 0), "shank_l": (2, 0, 0), "foot_l": (55, 0, 0), "toe_l": (25, 0, 0),
        "thigh_r": (-34, 0, 0), "shank_r": (2, 0, 0), "foot_r": (55, 0, 0), "toe_r": (25, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    51: {
        "hips.at": (0, 0.42, 1.46), "hips": (176, 0, 0), "spine_1": (-3, 0, 0), "spine_2": (-3, 0, 0),
        "chest": (-3, 0, 0),
        "neck": (-8, 0, 0), "head": (-8, 0, 0),
        "clavicle_l": (0, 0, 28), "upper_arm_l": (0, -8, 121), "forearm_l": (0, -2, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, -28), "upper_arm_r": (0, 8, -121), "forearm_r": (0, 2, 0), "hand_r": (0, 0, 0),
        "thigh_l": (2, 0, -2), "shank_l": (0, 0, 0), "foot_l": (58, 0, 0), "toe_l": (28, 0, 0),
        "thigh_r": (2, 0, 2), "shank_r": (0, 0, 0), "foot_r": (58, 0, 0), "toe_r": (28, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
    56: {
        "hips.at": (0, -0.75, 1.56), "hips": (181, 0, 0), "spine_1": (-3, 0, 0), "spine_2": (-3, 0, 0),
        "chest": (-3, 0, 0),
        "neck": (-8, 0, 0), "head": (-8, 0, 0),
        "clavicle_l": (0, 0, 28), "upper_arm_l": (0, -8, 121), "forearm_l": (0, -2, 0), "hand_l": (0, 0, 0),
        "clavicle_r": (0, 0, -28), "upper_arm_r": (0, 8, -121), "forearm_r": (0, 2, 0), "hand_r": (0, 0, 0),
        "thigh_l": (2, 0, -2), "shank_l": (0, 0, 0), "foot_l": (58, 0, 0), "toe_l": (28, 0, 0),
        "thigh_r": (2, 0, 2), "shank_r": (0, 0, 0), "foot_r": (58, 0, 0), "toe_r": (28, 0, 0),
        "curl_l": 0.05, "curl_r": 0.05,
    },
}  # fmt: skip

TRUNKS, HAIR = paint_for("#d83a4b"), paint_for("#2a1d16")
BOARD, TOWER, WATER, EDGE = paint_for("#e8e6df"), paint_for("#6c7a89"), paint_for("#2f88b8"), paint_for("#c8d6dc")


def diver() -> Document:
    """Takes off on frame 24, is highest on frame 34 and meets the water on frame 51, as gravity wants it."""
    outfit = Outfit(SKIN, TRUNKS, HAIR, legs=SKIN, shoes=SKIN, soles=SKIN)
    character = human(outfit)
    props = (
        Prop("board", Box((0.26, 0.03, 0.9)), Transform((0.0, 1.97, -0.66)), colour=BOARD),
        Prop("tower", Box((0.3, 0.96, 0.3)), Transform((0.0, 0.96, -1.25)), colour=TOWER),
        *(Prop(f"rail_{n}", Capsule(0.02, 0.4), Transform((x, 2.4, -1.2)), colour=TOWER)
          for n, x in ((1, -0.3), (2, 0.3))),
        Prop("water", Box((1.5, 0.06, 1.5)), Transform((0.0, 0.06, 1.5)), colour=WATER),
        Prop("edge", Box((1.5, 0.08, 0.08)), Transform((0.0, 0.08, -0.05)), colour=EDGE),
    )  # fmt: skip
    return replace(
        character,
        name="diver",
        props=props,
        clips=(keyed(character.rig, "dive", POSES),),
        view=View((7.4, 2.35, 2.6), (0.0, 2.0, 0.45), 0.64),
    )
