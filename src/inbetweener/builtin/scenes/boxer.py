"""A boxer works the heavy bag: guard, jab, guard, cross."""

from dataclasses import replace

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Capsule, Sphere
from inbetweener.maths.transforms import Transform

POSES: dict[float, Pose] = {
    0: {
        "hips.at": (0, -0.1, 0), "hips": (4, -30, 0), "spine_1": (5, -2, 0), "spine_2": (5, -2, 0),
        "chest": (5, -2, 0),
        "neck": (3, 18, 0), "head": (3, 18, 0),
        "clavicle_l": (-0.1, 7.1, 5.5), "upper_arm_l": (-53.4, -33.9, -3.1), "forearm_l": (-29.3, -124.3, 0),
        "hand_l": (-14.9, 8.7, 4.1),
        "clavicle_r": (4.3, -5.4, -1.9), "upper_arm_r": (-82.6, 130, -77.7), "forearm_r": (-6.9, 109.5, 0),
        "hand_r": (-14.9, -1.5, -6.8),
        "thigh_l": (-38.5, 7.3, 13.6), "shank_l": (48.5, 0, 0), "foot_l": (-12.3, 8.2, -6.9), "toe_l": (0, 0, 0),
        "thigh_r": (-27.1, -13.1, -23.5), "shank_r": (59.6, 0, 0), "foot_r": (-10.2, 9.1, 13.2),
        "toe_r": (-20, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    9: {
        "hips.at": (0, -0.12, -0.04), "hips": (2, -36, 0), "spine_1": (5, -5, 0), "spine_2": (5, -5, 0),
        "chest": (5, -5, 0),
        "neck": (3, 24, 0), "head": (3, 24, 0),
        "clavicle_l": (0.7, 8.6, 10.8), "upper_arm_l": (-62.7, -1.5, -12), "forearm_l": (-46.1, -135.3, 0),
        "hand_l": (-14.9, 2.2, 12.1),
        "clavicle_r": (3.8, -3.5, -1.5), "upper_arm_r": (-69.1, 136.5, -62.6), "forearm_r": (-17.7, 85.8, 0),
        "hand_r": (-14.9, 12.6, -1.2),
        "thigh_l": (-39.3, 8.4, 17.8), "shank_l": (52, 0, 0), "foot_l": (-12, 10.3, -8.7), "toe_l": (0, 0, 0),
        "thigh_r": (-33.7, -9.2, -21.7), "shank_r": (66.7, 0, 0), "foot_r": (-10.9, 11.7, 9.7), "toe_r": (-20, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    14: {
        "hips.at": (0.02, -0.12, 0.12), "hips": (5, -42, 0), "spine_1": (5, -8, -2), "spine_2": (5, -8, -2),
        "chest": (5, -8, -2),
        "neck": (4, 28, 3), "head": (4, 28, 3),
        "clavicle_l": (0.1, 7.6, 7), "upper_arm_l": (-48, 7.7, 49.8), "forearm_l": (14.7, -76.9, 0),
        "hand_l": (-11.7, 29.9, -37),
        "clavicle_r": (4.7, -14.5, -7.1), "upper_arm_r": (-68.4, 139.9, -66.5), "forearm_r": (-27.2, 131.8, 0),
        "hand_r": (-14.9, -6.5, -13.9),
        "thigh_l": (-34.6, 14.6, 12.9), "shank_l": (60.4, 0, 0), "foot_l": (-28.5, 14.9, -3.6), "toe_l": (0, 0, 0),
        "thigh_r": (-30.4, -1, -27.5), "shank_r": (59.5, 0, 0), "foot_r": (0.3, 18.8, 17.1), "toe_r": (-30, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    22: {
        "hips.at": (0, -0.1, 0), "hips": (4, -30, 0), "spine_1": (5, -2, 0), "spine_2": (5, -2, 0),
        "chest": (5, -2, 0),
        "neck": (3, 18, 0), "head": (3, 18, 0),
        "clavicle_l": (-0.1, 7.1, 5.5), "upper_arm_l": (-53.4, -33.9, -3.1), "forearm_l": (-29.3, -124.3, 0),
        "hand_l": (-14.9, 8.7, 4.1),
        "clavicle_r": (4.3, -5.4, -1.9), "upper_arm_r": (-82.6, 130, -77.7), "forearm_r": (-6.9, 109.5, 0),
        "hand_r": (-14.9, -1.5, -6.8),
        "thigh_l": (-38.5, 7.3, 13.6), "shank_l": (48.5, 0, 0), "foot_l": (-12.3, 8.2, -6.9), "toe_l": (0, 0, 0),
        "thigh_r": (-27.1, -13.1, -23.5), "shank_r": (59.6, 0, 0), "foot_r": (-10.2, 9.1, 13.2),
        "toe_r": (-20, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    28: {
        "hips.at": (0, -0.13, -0.02), "hips": (4, -40, 0), "spine_1": (5, -6, 0), "spine_2": (5, -6, 0),
        "chest": (5, -6, 0),
        "neck": (4, 26, 0), "head": (4, 26, 0),
        "clavicle_l": (0.3, 9.1, 9.7), "upper_arm_l": (-76.6, -3.4, 0.4), "forearm_l": (-49.5, -122.9, 0),
        "hand_l": (-14.9, 6.2, 5.4),
        "clavicle_r": (4, -9.6, -4.5), "upper_arm_r": (-67.1, 135.5, -69.1), "forearm_r": (-24.1, 109, 0),
        "hand_r": (-14.9, 6.5, -9.8),
        "thigh_l": (-41.1, 10.1, 19.3), "shank_l": (56.7, 0, 0), "foot_l": (-16.3, 12.1, -8.9), "toe_l": (0, 0, 0),
        "thigh_r": (-37.2, -6.3, -21.8), "shank_r": (68.3, 0, 0), "foot_r": (-11.5, 13.9, 10.2),
        "toe_r": (-20, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    34: {
        "hips.at": (0.04, -0.13, 0.14), "hips": (6, 16, 0), "spine_1": (6, 10, 3), "spine_2": (6, 10, 3),
        "chest": (6, 10, 3),
        "neck": (5, -20, -3), "head": (5, -20, -3),
        "clavicle_l": (2.3, 15.3, 7.5), "upper_arm_l": (-83.8, -135, 60.6), "forearm_l": (-25.7, -130.7, 0),
        "hand_l": (-12.1, 13.5, 14.3),
        "clavicle_r": (1.5, -19.3, 9.9), "upper_arm_r": (-63.5, 26.3, -105.7), "forearm_r": (11.6, 53.5, 0),
        "hand_r": (-14.9, -29.9, 33.8),
        "thigh_l": (-44.2, -8.3, -8.1), "shank_l": (61.3, 0, 0), "foot_l": (-22.4, -12.4, 1.1), "toe_l": (0, 0, 0),
        "thigh_r": (5.2, -46.4, -28.4), "shank_r": (56.9, 0, 0), "foot_r": (11.6, 11.2, 29.9), "toe_r": (-48, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
    54: {
        "hips.at": (0, -0.1, 0), "hips": (4, -30, 0), "spine_1": (5, -2, 0), "spine_2": (5, -2, 0),
        "chest": (5, -2, 0),
        "neck": (3, 18, 0), "head": (3, 18, 0),
        "clavicle_l": (-0.1, 7.1, 5.5), "upper_arm_l": (-53.4, -33.9, -3.1), "forearm_l": (-29.3, -124.3, 0),
        "hand_l": (-14.9, 8.7, 4.1),
        "clavicle_r": (4.3, -5.4, -1.9), "upper_arm_r": (-82.6, 130, -77.7), "forearm_r": (-6.9, 109.5, 0),
        "hand_r": (-14.9, -1.5, -6.8),
        "thigh_l": (-38.5, 7.3, 13.6), "shank_l": (48.5, 0, 0), "foot_l": (-12.3, 8.2, -6.9), "toe_l": (0, 0, 0),
        "thigh_r": (-27.1, -13.1, -23.5), "shank_r": (59.6, 0, 0), "foot_r": (-10.2, 9.1, 13.2),
        "toe_r": (-20, 0, 0),
        "curl_l": 0.85, "curl_r": 0.85,
    },
}  # fmt: skip

VEST, TROUSERS, HAIR = paint_for("#d9d4c7"), paint_for("#27303f"), paint_for("#20160f")
GLOVE, BAG, CHAIN = paint_for("#c8342b"), paint_for("#6d4a36"), paint_for("#8a93a0")


def boxer() -> Document:
    """The jab lands on frame 14, the cross on frame 34."""
    character = human(Outfit(shirt=VEST, trousers=TROUSERS, legs=TROUSERS, hair=HAIR))
    gloves = (
        Prop("glove_l", Sphere(1.0), Transform((0.085, -0.012, 0.004), scale=(0.085, 0.062, 0.07)), joint="hand_l",
             colour=GLOVE),
        Prop("glove_r", Sphere(1.0), Transform((-0.085, -0.012, 0.004), scale=(0.085, 0.062, 0.07)), joint="hand_r",
             colour=GLOVE),
    )  # fmt: skip
    bag = (
        Prop("bag", Capsule(0.19, 0.33), Transform((0.0, 1.3, 1.07)), colour=BAG),
        Prop("chain", Capsule(0.015, 0.4), Transform((0.0, 2.2, 1.07)), colour=CHAIN),
    )
    return replace(
        character,
        name="boxer",
        props=(*gloves, *bag),
        clips=(keyed(character.rig, "jab and cross", POSES),),
        view=View((3.3, 1.45, 2.1), (0.0, 0.98, 0.36), 0.56),
    )
