"""A dancer spells four letters with the whole body: Y, M, C, A."""

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box
from inbetweener.maths.transforms import Transform

STAND: Pose = {
    "hips.at": (0, -0.035, 0), "hips": (0, 0, 0), "spine_1": (1, 0, 0), "spine_2": (1, 0, 0), "chest": (0, 0, 0),
    "neck": (0, 0, 0), "head": (0, 0, 0), "clavicle_l": (0, 0, 0), "upper_arm_l": (0, -6, -34),
    "forearm_l": (0, -22, 0), "hand_l": (0, 0, 0), "clavicle_r": (0, 0, 0), "upper_arm_r": (0, 6, 34),
    "forearm_r": (0, 22, 0), "hand_r": (0, 0, 0), "curl_l": 0.3, "curl_r": 0.3, "thigh_l": (-15.1, 7.6, 8),
    "shank_l": (30.1, 0, 0), "foot_l": (-14, 4.5, -5.7), "thigh_r": (-15.1, -7.6, -8), "shank_r": (30.1, 0, 0),
    "foot_r": (-14, -4.5, 5.7),
}  # fmt: skip

POSES: dict[float, Pose] = {
    0: STAND,
    8: posed(STAND, {
        "hips.at": (0, -0.1, -0.03), "hips": (10, 0, 0), "spine_1": (6, 0, 0), "spine_2": (7, 0, 0),
        "chest": (6, 0, 0), "neck": (-6, 0, 0), "head": (-8, 0, 0), "upper_arm_l": (10, 14, -44),
        "forearm_l": (0, -46, 0), "upper_arm_r": (10, -14, 44), "forearm_r": (0, 46, 0),
        "thigh_l": (-39.4, 6.5, 10.2), "shank_l": (53.7, 0, 0), "foot_l": (-23.2, 3.3, -5.6),
        "thigh_r": (-39.4, -6.5, -10.2), "shank_r": (53.7, 0, 0), "foot_r": (-23.2, -3.3, 5.6),
    }),
    16: posed(STAND, {
        "hips.at": (0, -0.02, 0), "hips": (-3, 0, 0), "spine_1": (-3, 0, 0), "spine_2": (-4, 0, 0),
        "chest": (-4, 0, 0), "neck": (-4, 0, 0), "head": (-6, 0, 0), "clavicle_l": (0, 0, 14),
        "upper_arm_l": (-60, 0, 86), "forearm_l": (0, -8, 0), "hand_l": (0, 0, 8), "clavicle_r": (0, 0, -14),
        "upper_arm_r": (-60, 0, -86), "forearm_r": (0, 8, 0), "hand_r": (0, 0, -8), "curl_l": 0.02, "curl_r": 0.02,
        "thigh_l": (-7.7, 7.9, 7.3), "shank_l": (21.2, 0, 0), "foot_l": (-9.6, 4.8, -5.6),
        "thigh_r": (-7.7, -7.9, -7.3), "shank_r": (21.2, 0, 0), "foot_r": (-9.6, -4.8, 5.6),
    }),
    32: posed(STAND, {
        "hips.at": (0, -0.06, 0), "hips": (2, 0, 0), "spine_1": (2, 0, 0), "spine_2": (2, 0, 0), "chest": (2, 0, 0),
        "neck": (3, 0, 0), "head": (5, 0, 0), "clavicle_l": (0, 0, 18), "upper_arm_l": (84, 0, 80),
        "forearm_l": (0, -146, 0), "hand_l": (0, 0, -24), "clavicle_r": (0, 0, -18), "upper_arm_r": (84, 0, -80),
        "forearm_r": (0, 146, 0), "hand_r": (0, 0, 24), "curl_l": 0.15, "curl_r": 0.15, "thigh_l": (-22.4, 7.2, 9),
        "shank_l": (40.9, 0, 0), "foot_l": (-19.4, 4.1, -5.8), "thigh_r": (-22.4, -7.2, -9), "shank_r": (40.9, 0, 0),
        "foot_r": (-19.4, -4.1, 5.8),
    }),
    48: posed(STAND, {
        "hips.at": (-0.07, -0.045, 0), "hips": (0, 0, -2), "spine_1": (0, 0, -9), "spine_2": (0, 0, -10),
        "chest": (0, 0, -10), "neck": (0, 10, -4), "head": (0, 14, -6), "upper_arm_l": (-70, -10, -4),
        "forearm_l": (0, -42, 0), "hand_l": (0, 0, 20), "clavicle_r": (0, 0, -24), "upper_arm_r": (-70, 0, -120),
        "forearm_r": (0, 62, 0), "hand_r": (0, 0, -10), "curl_l": 0.1, "curl_r": 0.1, "thigh_l": (-16.1, 5.7, 15.1),
        "shank_l": (31.3, 0, 0), "foot_l": (-13.7, 4.2, -10.8), "thigh_r": (-17.4, -9.3, -1.5),
        "shank_r": (35.2, 0, 0), "foot_r": (-17.4, -4.6, 0.6),
    }),
    64: posed(STAND, {
        "hips.at": (0, -0.02, 0), "spine_1": (-2, 0, 0), "spine_2": (-2, 0, 0), "chest": (-2, 0, 0),
        "neck": (-2, 0, 0), "head": (-4, 0, 0), "clavicle_l": (0, 0, 24), "upper_arm_l": (-80, 0, 104),
        "forearm_l": (0, -38, 0), "clavicle_r": (0, 0, -24), "upper_arm_r": (-80, 0, -104), "forearm_r": (0, 38, 0),
        "curl_l": 0.02, "curl_r": 0.02, "thigh_l": (-10.9, 7.9, 7.3), "shank_l": (21.2, 0, 0),
        "foot_l": (-9.4, 4.8, -5.6), "thigh_r": (-10.9, -7.9, -7.3), "shank_r": (21.2, 0, 0),
        "foot_r": (-9.4, -4.8, 5.6),
    }),
    84: STAND,
}  # fmt: skip

LETTERS = {"Y": 16, "M": 32, "C": 48, "A": 64}
"""Frames on which each letter is struck."""

SHIRT, TROUSERS, SHOES, STAGE = paint_for("#c9542f"), paint_for("#3a3f5c"), paint_for("#e8e2d4"), paint_for("#59485f")


def four_letters() -> Document:
    """Every letter is a key pose on the frames of LETTERS, two thirds of a second apart."""
    character = human(Outfit(shirt=SHIRT, trousers=TROUSERS, legs=TROUSERS, shoes=SHOES))
    stage = Prop("stage", Box((1.1, 0.05, 0.7)), Transform((0.0, -0.05, 0.0)), colour=STAGE)
    clip = keyed(character.rig, "y m c a", POSES)
    return staged(character, "four-letters", clip, View((0.35, 1.2, 4.6), (0.0, 1.02, 0.0), 0.56), (stage,))
