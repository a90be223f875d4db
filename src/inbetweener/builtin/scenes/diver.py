"""A dive from a board: stand, crouch, spring, pike at the top, open and enter the water hands first."""

from inbetweener.builtin.characters.human import SKIN, Outfit, human
from inbetweener.builtin.posing import Pose, both_sides, keyed, posed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Capsule
from inbetweener.maths.transforms import Transform

ENTRY = both_sides({
    "hips.at": (0, 0.42, 1.46), "hips": (176, 0, 0), "spine_1 > chest": (-3, 0, 0), "neck > head": (-8, 0, 0),
    "clavicle_l > hand_l": ((0, 0, 28), (0, -8, 121), (0, -2, 0), (0, 0, 0)),
    "thigh_l > toe_l": ((2, 0, -2), (0, 0, 0), (58, 0, 0), (28, 0, 0)),
})  # fmt: skip

POSES: dict[float, Pose] = {
    0: both_sides({
        "hips.at": (0, 1.99, 0), "hips": (0, 0, 0), "spine_1 > chest": (0, 0, 0), "neck > head": (0, 0, 0),
        "clavicle_l > hand_l": ((0, 0, 0), (0, -6, -36), (0, -10, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-8.5, 2.1, -1.1), (16.2, 0, 0), (-7.8, 2.1, 1.4), (0, 0, 0)),
    }),
    8: both_sides({
        "hips.at": (0, 2.05, 0.05), "hips": (-2, 0, 0), "spine_1 > chest": (-4, 0, 0), "neck > head": (-6, 0, 0),
        "clavicle_l > hand_l": ((0, 0, 20), (0, -16, 112), (0, -4, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-5, 2.1, -0.9), (14, 0, 0), (22.9, 2.3, 0), (-30, 0, 0)),
    }),
    17: both_sides({
        "hips.at": (0, 1.66, -0.1), "hips": (34, 0, 0), "spine_1 > chest": (10, 0, 0), "neck > head": (-22, 0, 0),
        "clavicle_l > hand_l": ((0, 0, 0), (0, 38, -22), (0, -8, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-101.3, 2.9, 0.1), (105.9, 0, 0), (-26.6, 3.3, 2), (-12, 0, 0)),
    }),
    24: both_sides({
        "hips.at": (0, 2.1, 0.26), "hips": (16, 0, 0), "spine_1 > chest": (-6, 0, 0), "neck > head": (-8, 0, 0),
        "clavicle_l > hand_l": ((0, 0, 22), (0, -18, 112), (0, -4, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-6.6, 1, -0.8), (-1.4, 0, 0), (49.9, 2.1, -2.1), (-58, 0, 0)),
    }),
    34: both_sides({
        "hips.at": (0, 2.85, 0.72), "hips": (62, 0, 0), "spine_1 > chest": (22, 0, 0), "neck > head": (8, 0, 0),
        "clavicle_l > hand_l": ((0, -6, 0), (1.1, -55, 131), (0, 0.8, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-92, 0, 0), (3, 0, 0), (50, 0, 0), (20, 0, 0)),
    }),
    44: both_sides({
        "hips.at": (0, 2.02, 1.12), "hips": (140, 0, 0), "spine_1 > chest": (4, 0, 0), "neck > head": (-8, 0, 0),
        "clavicle_l > hand_l": ((0, 0, 18), (0, -52, 104), (0, -3, 0), (0, 0, 0)),
        "thigh_l > toe_l": ((-34, 0, 0), (2, 0, 0), (55, 0, 0), (25, 0, 0)),
    }),
    51: ENTRY,
    56: posed(ENTRY, {"hips.at": (0, -0.75, 1.56), "hips": (181, 0, 0)}),
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
    clip = keyed(character.rig, "dive", POSES, throughout={"curl_l": 0.05, "curl_r": 0.05})
    return staged(character, "diver", clip, View((7.4, 2.35, 2.6), (0.0, 2.0, 0.45), 0.64), props)
