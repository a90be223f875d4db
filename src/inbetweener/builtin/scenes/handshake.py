"""Two people shake hands: their palms meet, go up and down together and part again."""

import math
from dataclasses import replace

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, View, edits
from inbetweener.motion import Attach

HOST: dict[float, Pose] = {
    0: {
        "hips.at": (0, -0.012, 0), "hips": (0, 0, 0), "spine_1 > chest": (1, 0, 0), "neck > head": (1, 0, 0),
        "clavicle_r": (0, 0, 0), "upper_arm_l": (0, -10, -38), "forearm_l": (0, -18, 0), "curl_r": 0.25,
        "curl_l": 0.3, "upper_arm_r > hand_r": ((0.0, 14.0, 40.0), (0.0, 16.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-10.08, 3.84, 1.49), (18.07, 0, 0), (-7.91, 3.96, -0.79)),
        "thigh_r > foot_r": ((-4.28, -5.84, -1.72), (16.24, 0, 0), (-11.81, -6.04, 1.27)),
    },
    9: {
        "hips.at": (-0.012, -0.03, -0.03), "hips": (2, -5, 0), "spine_1 > chest": (2, -4, 0),
        "neck > head": (5, 6, 0), "clavicle_r": (0, 0, 0), "upper_arm_l": (4, -14, -36), "forearm_l": (0, -26, 0),
        "curl_r": 0.25, "curl_l": 0.3, "upper_arm_r > hand_r": ((10.0, 2.0, 36.0), (0.0, 34.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-18.82, 6.03, 3.57), (28.98, 0, 0), (-11.87, 6.19, -1.66)),
        "thigh_r > foot_r": ((-15.36, -3.42, -1.07), (29.4, 0, 0), (-16.01, -3.43, 0.25)),
    },
    18: {
        "hips.at": (0.005, -0.02, 0.035), "hips": (3, 7, 0), "spine_1 > chest": (4, 3, 0),
        "neck > head": (-4, -8, 3), "clavicle_r": (0, 12, -4), "upper_arm_l": (8, 0, -38), "forearm_l": (0, -20, 0),
        "curl_r": 0.05, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((0.11, 6.46, 46.18), (0.0, 68.31, 0), (-14.43, 34.43, -34.19)),
        "thigh_l > foot_l": ((-14.38, 0.4, 0.76), (23.75, 0, 0), (-12.37, 0.46, -0.67)),
        "thigh_r > foot_r": ((-5.38, -9.34, -1.95), (19.1, 0, 0), (-16.44, -9.58, 1.54)),
    },
    23: {
        "hips.at": (0.008, -0.022, 0.05), "hips": (4, 9, 0), "spine_1 > chest": (5, 4, 0),
        "neck > head": (-5, -10, 4), "clavicle_r": (0, 14, -3), "upper_arm_l": (8, 0, -36),
        "forearm_l": (0, -24, 0), "curl_r": 0.45, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-3.81, 7.65, 42.32), (-1.42, 82.81, 0), (-7.55, 20.43, -33.56)),
        "thigh_l > foot_l": ((-15.11, -0.59, 0.53), (24.83, 0, 0), (-13.72, -0.52, -0.63)),
        "thigh_r > foot_r": ((-4.9, -10.35, -1.86), (18.69, 0, 0), (-17.47, -10.62, 1.67)),
    },
    28: {
        "hips.at": (0.008, -0.02, 0.05), "hips": (3, 9, 0), "spine_1 > chest": (4, 4, 0),
        "neck > head": (-7, -10, 5), "clavicle_r": (0, 14, -6), "upper_arm_l": (8, 0, -36),
        "forearm_l": (0, -24, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-2.69, 5.97, 44.4), (-5.19, 93.0, 0), (0.19, 1.56, -33.0)),
        "thigh_l > foot_l": ((-13.47, -0.59, 0.53), (23.6, 0, 0), (-13.13, -0.52, -0.63)),
        "thigh_r > foot_r": ((-3.07, -10.34, -1.71), (17.0, 0, 0), (-16.63, -10.65, 1.67)),
    },
    33: {
        "hips.at": (0.008, -0.028, 0.052), "hips": (5, 9, 0), "spine_1 > chest": (6, 4, 0),
        "neck > head": (-2, -10, 4), "clavicle_r": (0, 14, -1), "upper_arm_l": (8, 0, -37),
        "forearm_l": (0, -22, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-3.79, 10.5, 39.59), (0.0, 73.91, 0), (-14.43, 34.43, -38.41)),
        "thigh_l > foot_l": ((-17.64, -0.6, 0.54), (28.2, 0, 0), (-15.57, -0.53, -0.66)),
        "thigh_r > foot_r": ((-7.69, -10.36, -2.21), (22.78, 0, 0), (-19.74, -10.55, 1.68)),
    },
    38: {
        "hips.at": (0.008, -0.02, 0.05), "hips": (3, 9, 0), "spine_1 > chest": (4, 4, 0),
        "neck > head": (-7, -10, 5), "clavicle_r": (0, 14, -6), "upper_arm_l": (8, 0, -36),
        "forearm_l": (0, -24, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-0.55, 6.39, 42.34), (-6.32, 88.57, 0), (-2.88, 6.52, -35.25)),
        "thigh_l > foot_l": ((-13.47, -0.59, 0.53), (23.6, 0, 0), (-13.13, -0.52, -0.63)),
        "thigh_r > foot_r": ((-3.07, -10.34, -1.71), (17.0, 0, 0), (-16.63, -10.65, 1.67)),
    },
    43: {
        "hips.at": (0.008, -0.026, 0.05), "hips": (5, 9, 0), "spine_1 > chest": (6, 4, 0),
        "neck > head": (-3, -10, 4), "clavicle_r": (0, 14, -2), "upper_arm_l": (8, 0, -37),
        "forearm_l": (0, -22, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-2.13, 9.57, 39.2), (-1.84, 77.97, 0), (-12.57, 30.19, -38.42)),
        "thigh_l > foot_l": ((-17.27, -0.6, 0.52), (27.14, 0, 0), (-14.87, -0.53, -0.64)),
        "thigh_r > foot_r": ((-7.31, -10.36, -2.13), (21.65, 0, 0), (-18.99, -10.56, 1.67)),
    },
    48: {
        "hips.at": (0.007, -0.022, 0.046), "hips": (4, 8, 0), "spine_1 > chest": (5, 4, 0),
        "neck > head": (-5, -9, 4), "clavicle_r": (0, 13, -3), "upper_arm_l": (8, 0, -36), "forearm_l": (0, -24, 0),
        "curl_r": 0.45, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((0.45, 9.67, 40.15), (-3.44, 81.26, 0), (-7.61, 18.9, -35.76)),
        "thigh_l > foot_l": ((-15.3, -0.1, 0.64), (24.86, 0, 0), (-13.56, -0.03, -0.64)),
        "thigh_r > foot_r": ((-5.62, -9.85, -1.96), (19.34, 0, 0), (-17.41, -10.09, 1.65)),
    },
    56: {
        "hips.at": (0.0, -0.02, 0.005), "hips": (1, 2, 0), "spine_1 > chest": (2, 1, 0), "neck > head": (-4, -3, 2),
        "clavicle_r": (0, 4, -2), "upper_arm_l": (5, -6, -38), "forearm_l": (0, -20, 0), "curl_r": 0.15,
        "curl_l": 0.3, "upper_arm_r > hand_r": ((-14.0, 34.0, 26.0), (-10.0, 52.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-13.79, 2.83, 1.46), (23.78, 0, 0), (-10.93, 2.92, -0.8)),
        "thigh_r > foot_r": ((-7.42, -6.81, -2.05), (21.97, 0, 0), (-15.36, -7.0, 1.26)),
    },
    68: {
        "hips.at": (-0.006, -0.012, -0.005), "hips": (0, -2, 0), "spine_1 > chest": (0, -1, 0),
        "neck > head": (-2, 2, -2), "clavicle_r": (0, 0, 0), "upper_arm_l": (0, -10, -38), "forearm_l": (0, -16, 0),
        "curl_r": 0.25, "curl_l": 0.3, "upper_arm_r > hand_r": ((0.0, 14.0, 40.0), (0.0, 16.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-10.1, 4.77, 2.09), (17.96, 0, 0), (-7.72, 4.94, -1.22)),
        "thigh_r > foot_r": ((-5.14, -4.88, -1.31), (16.79, 0, 0), (-11.56, -5.02, 0.86)),
    },
}  # fmt: skip

GUEST: dict[float, Pose] = {
    0: {
        "hips.at": (0.01, -0.014, 0), "hips": (0, 4, 0), "spine_1 > chest": (2, 3, 0), "neck > head": (4, -10, 0),
        "clavicle_r": (0, 0, 0), "upper_arm_l": (-4, -4, -34), "forearm_l": (0, -30, 0), "curl_r": 0.25,
        "curl_l": 0.3, "upper_arm_r > hand_r": ((0.0, 14.0, 40.0), (0.0, 16.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-11.29, 1.97, 0.43), (19.63, 0, 0), (-8.33, 1.99, -0.04)),
        "thigh_r > foot_r": ((-4.24, -7.77, -2.48), (17.37, 0, 0), (-12.83, -8.06, 1.88)),
    },
    12: {
        "hips.at": (0.0, -0.02, -0.012), "hips": (0, 0, 0), "spine_1 > chest": (0, 0, 0), "neck > head": (-6, 2, 0),
        "clavicle_r": (0, 0, 0), "upper_arm_l": (-2, -8, -36), "forearm_l": (0, -26, 0), "curl_r": 0.25,
        "curl_l": 0.3, "upper_arm_r > hand_r": ((4.0, 14.0, 36.0), (0.0, 30.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-13.6, 3.8, 1.68), (23.62, 0, 0), (-9.94, 3.91, -0.74)),
        "thigh_r > foot_r": ((-8.27, -5.79, -2.06), (22.9, 0, 0), (-14.46, -5.97, 1.2)),
    },
    20: {
        "hips.at": (0.004, -0.03, 0.03), "hips": (6, 8, 0), "spine_1 > chest": (6, 4, 0),
        "neck > head": (-2, -10, -3), "clavicle_r": (0, 10, -2), "upper_arm_l": (6, 4, -34),
        "forearm_l": (0, -24, 0), "curl_r": 0.05, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-2.75, 6.79, 43.78), (2.73, 78.78, 0), (-14.06, 34.43, -34.32)),
        "thigh_l > foot_l": ((-20.74, -0.13, 0.69), (29.39, 0, 0), (-14.65, -0.05, -0.7)),
        "thigh_r > foot_r": ((-11.98, -9.88, -2.49), (26.06, 0, 0), (-19.74, -9.91, 1.42)),
    },
    23: {
        "hips.at": (0.006, -0.034, 0.045), "hips": (8, 9, 0), "spine_1 > chest": (8, 4, 0),
        "neck > head": (2, -11, -4), "clavicle_r": (0, 12, -2), "upper_arm_l": (6, 6, -33),
        "forearm_l": (0, -28, 0), "curl_r": 0.45, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-2.18, 7.43, 42.57), (3.0, 102.57, 0), (-2.55, 14.68, -31.8)),
        "thigh_l > foot_l": ((-22.79, -0.63, 0.59), (31.26, 0, 0), (-16.48, -0.54, -0.73)),
        "thigh_r > foot_r": ((-13.33, -10.42, -2.55), (27.08, 0, 0), (-21.37, -10.39, 1.53)),
    },
    28: {
        "hips.at": (0.006, -0.028, 0.045), "hips": (7, 9, 0), "spine_1 > chest": (7, 4, 0),
        "neck > head": (-2, -11, -4), "clavicle_r": (0, 12, -5), "upper_arm_l": (6, 6, -33),
        "forearm_l": (0, -28, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-1.19, 6.41, 45.61), (-0.17, 111.02, 0), (4.91, -3.2, -32.13)),
        "thigh_l > foot_l": ((-20.28, -0.62, 0.6), (28.22, 0, 0), (-14.95, -0.53, -0.73)),
        "thigh_r > foot_r": ((-10.65, -10.4, -2.22), (23.52, 0, 0), (-19.52, -10.47, 1.52)),
    },
    33: {
        "hips.at": (0.006, -0.04, 0.048), "hips": (9, 9, 0), "spine_1 > chest": (10, 4, 0),
        "neck > head": (8, -11, -4), "clavicle_r": (0, 12, 0), "upper_arm_l": (6, 6, -34), "forearm_l": (0, -26, 0),
        "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-2.69, 10.14, 39.63), (4.84, 97.88, 0), (-8.12, 29.2, -34.8)),
        "thigh_l > foot_l": ((-24.94, -0.65, 0.62), (34.01, 0, 0), (-18.08, -0.54, -0.77)),
        "thigh_r > foot_r": ((-15.5, -10.44, -2.79), (30.02, 0, 0), (-23.12, -10.31, 1.55)),
    },
    38: {
        "hips.at": (0.006, -0.028, 0.045), "hips": (7, 9, 0), "spine_1 > chest": (7, 4, 0),
        "neck > head": (-1, -11, -4), "clavicle_r": (0, 12, -5), "upper_arm_l": (6, 6, -33),
        "forearm_l": (0, -28, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-0.23, 6.46, 43.77), (-1.29, 106.99, 0), (2.56, 2.02, -33.63)),
        "thigh_l > foot_l": ((-20.28, -0.62, 0.6), (28.22, 0, 0), (-14.95, -0.53, -0.73)),
        "thigh_r > foot_r": ((-10.65, -10.4, -2.22), (23.52, 0, 0), (-19.52, -10.47, 1.52)),
    },
    43: {
        "hips.at": (0.006, -0.036, 0.046), "hips": (8, 9, 0), "spine_1 > chest": (9, 4, 0),
        "neck > head": (5, -11, -4), "clavicle_r": (0, 12, -1), "upper_arm_l": (6, 6, -34),
        "forearm_l": (0, -26, 0), "curl_r": 0.55, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-1.64, 9.62, 39.52), (2.66, 96.17, 0), (-7.09, 24.99, -35.22)),
        "thigh_l > foot_l": ((-23.17, -0.64, 0.6), (32.22, 0, 0), (-17.05, -0.54, -0.75)),
        "thigh_r > foot_r": ((-13.72, -10.42, -2.63), (28.09, 0, 0), (-21.99, -10.37, 1.54)),
    },
    48: {
        "hips.at": (0.006, -0.03, 0.042), "hips": (7, 8, 0), "spine_1 > chest": (7, 4, 0),
        "neck > head": (-2, -10, -3), "clavicle_r": (0, 12, -2), "upper_arm_l": (6, 5, -33),
        "forearm_l": (0, -27, 0), "curl_r": 0.45, "curl_l": 0.3,
        "upper_arm_r > hand_r": ((-0.24, 9.02, 40.77), (0.55, 95.82, 0), (-3.36, 14.65, -33.47)),
        "thigh_l > foot_l": ((-20.88, -0.12, 0.67), (29.3, 0, 0), (-15.42, -0.05, -0.68)),
        "thigh_r > foot_r": ((-11.74, -9.89, -2.43), (25.14, 0, 0), (-20.05, -9.94, 1.58)),
    },
    58: {
        "hips.at": (0.0, -0.018, 0.0), "hips": (1, 1, 0), "spine_1 > chest": (1, 0, 0), "neck > head": (-5, -2, -2),
        "clavicle_r": (0, 4, -1), "upper_arm_l": (2, -4, -35), "forearm_l": (0, -28, 0), "curl_r": 0.15,
        "curl_l": 0.3, "upper_arm_r > hand_r": ((-10.0, 30.0, 30.0), (-8.0, 44.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-13.37, 3.33, 1.53), (22.45, 0, 0), (-10.01, 3.42, -0.78)),
        "thigh_r > foot_r": ((-7.42, -6.32, -1.98), (20.95, 0, 0), (-14.34, -6.5, 1.25)),
    },
    68: {
        "hips.at": (0.008, -0.012, -0.004), "hips": (0, 3, 0), "spine_1 > chest": (0, 2, 0),
        "neck > head": (-3, -6, 3), "clavicle_r": (0, 0, 0), "upper_arm_l": (-4, -4, -34), "forearm_l": (0, -30, 0),
        "curl_r": 0.25, "curl_l": 0.3, "upper_arm_r > hand_r": ((0.0, 14.0, 40.0), (0.0, 16.0, 0), (0.0, 0.0, 0.0)),
        "thigh_l > foot_l": ((-10.68, 2.44, 0.63), (18.01, 0, 0), (-7.31, 2.48, -0.16)),
        "thigh_r > foot_r": ((-4.04, -7.29, -2.27), (16.05, 0, 0), (-11.75, -7.56, 1.73)),
    },
}  # fmt: skip

APART = 0.47
"""Metres from each of them to where their hands meet."""
MEET, PART = 23 / 24, 48 / 24
HELD = 1e-4
"""Metres by which the palm may be off."""

SHIRT, TROUSERS, HAIR = paint_for("#b8863b"), paint_for("#3a3f4a"), paint_for("#1d1613")
BLUE, SAND, BLOND = paint_for("#3d5f94"), paint_for("#a39273"), paint_for("#a8763e")


def handshake() -> Document:
    """The palm of one keeps its place in the other's hand from frame 23 to frame 48."""
    host = human(Outfit(shirt=SHIRT, trousers=TROUSERS, legs=TROUSERS, hair=HAIR))
    guest = human(Outfit(shirt=BLUE, sleeves=BLUE, trousers=SAND, legs=SAND, hair=BLOND))
    clip = keyed(host.rig, "handshake", HOST)
    scene = staged(host, "handshake", clip, View((3.35, 1.55, 0.55), (0.0, 0.95, 0.47), 0.56))
    guest = replace(guest, clips=(keyed(guest.rig, "handshake", GUEST),))
    both = edits.add(scene, guest, name="guest", position=(0.0, 0.0, 2 * APART), heading=math.pi).document
    held = Attach(both.rig.point("palm_r"), "guest:hand_r", MEET, PART, tolerance=HELD)
    return edits.add_constraint(both, clip.name, held)
