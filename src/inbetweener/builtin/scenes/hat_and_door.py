"""A gentleman in a very tall hat strides through a doorway that is too low for it."""

from dataclasses import replace

from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.posing import Pose, keyed
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box
from inbetweener.maths.transforms import Transform

POSES: dict[float, Pose] = {
    0: {
        "hips.at": (0, -0.06, -1.04), "hips": (2, 6, 0), "spine": (3, -5, 0), "chest": (3, -7, 0),
        "neck": (-2, 4, 0), "head": (-2, 3, 0), "hat_1": (-2, 0, 0), "hat_2": (-3.2, 0, 0), "hat_3": (-4, 0, 0),
        "hat_4": (-4, 0, 0),
        "upper_arm_l": (0, 36, -30), "forearm_l": (0, -24, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, 40, 30), "forearm_r": (0, 42, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-34.8, -2.4, -2.8), "shank_l": (20.3, 0, 0), "foot_l": (-3.3, -2.7, -0.2), "toe_l": (0, 0, 0),
        "thigh_r": (-8.8, -5.6, -1.1), "shank_r": (59.9, 0, 0), "foot_r": (-15.1, -3.9, 3.6), "toe_r": (-36, 0, 0),
    },
    7: {
        "hips.at": (0, -0.03, -0.78), "hips": (2, -0.6, 0), "spine": (2, 0.5, 0), "chest": (2, 0.7, 0),
        "neck": (0, -0.4, 0), "head": (0, -0.3, 0), "hat_1": (1.5, 0, 0), "hat_2": (2.4, 0, 0), "hat_3": (3, 0, 0),
        "hat_4": (3, 0, 0),
        "upper_arm_l": (0, -5.8, -30), "forearm_l": (0, -25.8, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, -1.8, 30), "forearm_r": (0, 24, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-17.6, 2.7, 0.8), "shank_l": (34.1, 0, 0), "foot_l": (-18.5, 2.8, 0), "toe_l": (0, 0, 0),
        "thigh_r": (-38.9, -1.5, -2.2), "shank_r": (95.1, 0, 0), "foot_r": (-24.2, -1.1, 1.8), "toe_r": (6, 0, 0),
    },
    14: {
        "hips.at": (0, -0.06, -0.52), "hips": (2, -6, 0), "spine": (3, 5, 0), "chest": (3, 7, 0),
        "neck": (-2, -4, 0), "head": (-2, -3, 0), "hat_1": (-2.5, 0, 0), "hat_2": (-4, 0, 0), "hat_3": (-5, 0, 0),
        "hat_4": (-5, 0, 0),
        "upper_arm_l": (0, -40, -30), "forearm_l": (0, -42, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, -36, 30), "forearm_r": (0, 24, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-8.8, 5.6, 1.1), "shank_l": (59.9, 0, 0), "foot_l": (-15.1, 3.9, -3.6), "toe_l": (-36, 0, 0),
        "thigh_r": (-34.8, 2.4, 2.8), "shank_r": (20.3, 0, 0), "foot_r": (-3.3, 2.7, 0.2), "toe_r": (0, 0, 0),
    },
    21: {
        "hips.at": (0, -0.03, -0.26), "hips": (2, 0.6, 0), "spine": (2, -0.5, 0), "chest": (2, -0.7, 0),
        "neck": (2, 0.4, 0), "head": (2, 0.3, 0), "hat_1": (2, 0, 0), "hat_2": (3.2, 0, 0), "hat_3": (4, 0, 0),
        "hat_4": (4, 0, 0),
        "upper_arm_l": (0, 1.8, -30), "forearm_l": (0, -24, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, 5.8, 30), "forearm_r": (0, 25.8, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-38.9, 1.5, 2.2), "shank_l": (95.1, 0, 0), "foot_l": (-24.2, 1.1, -1.8), "toe_l": (6, 0, 0),
        "thigh_r": (-17.6, -2.7, -0.8), "shank_r": (34.1, 0, 0), "foot_r": (-18.5, -2.8, 0), "toe_r": (0, 0, 0),
    },
    28: {
        "hips.at": (0, -0.09, 0), "hips": (2, 6, 0), "spine": (9, -5, 0), "chest": (12, -7, 0),
        "neck": (8, 4, 0), "head": (8, 3, 0), "hat_1": (-3, 0, 0), "hat_2": (-4.8, 0, 0), "hat_3": (-6, 0, 0),
        "hat_4": (-6, 0, 0),
        "upper_arm_l": (0, 36, -30), "forearm_l": (0, -24, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, 40, 30), "forearm_r": (0, 42, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-44.2, -1.9, -3.2), "shank_l": (38.5, 0, 0), "foot_l": (-12.1, -2.7, -0.6), "toe_l": (0, 0, 0),
        "thigh_r": (-11.7, -5.7, -1.6), "shank_r": (68.8, 0, 0), "foot_r": (-21.1, -3.7, 3.6), "toe_r": (-36, 0, 0),
    },
    35: {
        "hips.at": (0, -0.04, 0.26), "hips": (2, -0.6, 0), "spine": (6, 0.5, 0), "chest": (6, 0.7, 0),
        "neck": (4, -0.4, 0), "head": (4, -0.3, 0), "hat_1": (2.5, 0, 0), "hat_2": (4, 0, 0), "hat_3": (5, 0, 0),
        "hat_4": (5, 0, 0),
        "upper_arm_l": (0, -5.8, -30), "forearm_l": (0, -25.8, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, -1.8, 30), "forearm_r": (0, 24, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-20, 2.7, 0.9), "shank_l": (39.5, 0, 0), "foot_l": (-21.4, 2.8, 0), "toe_l": (0, 0, 0),
        "thigh_r": (-39.7, -1.4, -2.3), "shank_r": (97.4, 0, 0), "foot_r": (-25.6, -1, 1.8), "toe_r": (6, 0, 0),
    },
    42: {
        "hips.at": (0, -0.06, 0.52), "hips": (2, -6, 0), "spine": (3, 5, 0), "chest": (3, 7, 0),
        "neck": (-2, -4, 0), "head": (-2, -3, 0), "hat_1": (-2, 0, 0), "hat_2": (-3.2, 0, 0), "hat_3": (-4, 0, 0),
        "hat_4": (-4, 0, 0),
        "upper_arm_l": (0, -40, -30), "forearm_l": (0, -42, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, -36, 30), "forearm_r": (0, 24, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-8.8, 5.6, 1.1), "shank_l": (59.9, 0, 0), "foot_l": (-15.1, 3.9, -3.6), "toe_l": (-36, 0, 0),
        "thigh_r": (-34.8, 2.4, 2.8), "shank_r": (20.3, 0, 0), "foot_r": (-3.3, 2.7, 0.2), "toe_r": (0, 0, 0),
    },
    49: {
        "hips.at": (0, -0.03, 0.78), "hips": (2, 0.6, 0), "spine": (2, -0.5, 0), "chest": (2, -0.7, 0),
        "neck": (0, 0.4, 0), "head": (0, 0.3, 0), "hat_1": (2, 0, 0), "hat_2": (3.2, 0, 0), "hat_3": (4, 0, 0),
        "hat_4": (4, 0, 0),
        "upper_arm_l": (0, 1.8, -30), "forearm_l": (0, -24, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, 5.8, 30), "forearm_r": (0, 25.8, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-38.9, 1.5, 2.2), "shank_l": (95.1, 0, 0), "foot_l": (-24.2, 1.1, -1.8), "toe_l": (6, 0, 0),
        "thigh_r": (-17.6, -2.7, -0.8), "shank_r": (34.1, 0, 0), "foot_r": (-18.5, -2.8, 0), "toe_r": (0, 0, 0),
    },
    56: {
        "hips.at": (0, -0.06, 1.04), "hips": (2, 6, 0), "spine": (3, -5, 0), "chest": (3, -7, 0),
        "neck": (-2, 4, 0), "head": (-2, 3, 0), "hat_1": (-2, 0, 0), "hat_2": (-3.2, 0, 0), "hat_3": (-4, 0, 0),
        "hat_4": (-4, 0, 0),
        "upper_arm_l": (0, 36, -30), "forearm_l": (0, -24, 0), "hand_l": (0, 0, -4),
        "upper_arm_r": (0, 40, 30), "forearm_r": (0, 42, 0), "hand_r": (0, 0, 4),
        "thigh_l": (-34.8, -2.4, -2.8), "shank_l": (20.3, 0, 0), "foot_l": (-3.3, -2.7, -0.2), "toe_l": (0, 0, 0),
        "thigh_r": (-8.8, -5.6, -1.1), "shank_r": (59.9, 0, 0), "foot_r": (-15.1, -3.9, 3.6), "toe_r": (-36, 0, 0),
    },
}  # fmt: skip

WALL, FRAME, MAT = paint_for("#c9bfa8"), paint_for("#7d4b32"), paint_for("#8d3b3b")


def hat_and_door() -> Document:
    """Two double steps; the lintel is an obstacle, and the hat runs into it."""
    character = cartoon(hat=True)
    props = (
        Prop("lintel", Box((0.62, 0.06, 0.09)), Transform((0.0, 1.9, 0.0)), "obstacle", colour=FRAME),
        Prop("post_l", Box((0.06, 0.93, 0.09)), Transform((0.56, 0.93, 0.0)), colour=FRAME),
        Prop("post_r", Box((0.06, 0.93, 0.09)), Transform((-0.56, 0.93, 0.0)), colour=FRAME),
        Prop("wall_above", Box((0.62, 0.22, 0.06)), Transform((0.0, 2.18, 0.0)), colour=WALL),
        Prop("wall_far", Box((0.45, 1.2, 0.06)), Transform((-1.07, 1.2, 0.0)), colour=WALL),
        Prop("mat", Box((0.36, 0.006, 0.22)), Transform((0.0, 0.006, -0.42)), colour=MAT),
    )
    return replace(
        character,
        name="hat-and-door",
        props=props,
        clips=(keyed(character.rig, "through the door", POSES),),
        view=View((2.0, 1.75, 5.1), (-0.12, 1.08, 0.0), 0.6),
    )
