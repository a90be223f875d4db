"""A boxer works the heavy bag: guard, jab, guard, cross."""

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Capsule, Sphere
from inbetweener.maths.transforms import Transform

GUARD: Pose = {
    "hips.at": (0, -0.1, 0), "hips": (4, -30, 0), "spine_1 > chest": (5, -2, 0), "neck > head": (3, 18, 0),
    "clavicle_l > hand_l": ((-0.1, 7.1, 5.5), (-53.4, -33.9, -3.1), (-29.3, -124.3, 0), (-14.9, 8.7, 4.1)),
    "clavicle_r > hand_r": ((4.3, -5.4, -1.9), (-82.6, 130, -77.7), (-6.9, 109.5, 0), (-14.9, -1.5, -6.8)),
    "thigh_l > toe_l": ((-38.5, 7.3, 13.6), (48.5, 0, 0), (-12.3, 8.2, -6.9), (0, 0, 0)),
    "thigh_r > toe_r": ((-27.1, -13.1, -23.5), (59.6, 0, 0), (-10.2, 9.1, 13.2), (-20, 0, 0)),
}  # fmt: skip

POSES: dict[float, Pose] = {
    0: GUARD,
    9: {
        "hips.at": (0, -0.12, -0.04), "hips": (2, -36, 0), "spine_1 > chest": (5, -5, 0), "neck > head": (3, 24, 0),
        "clavicle_l > hand_l": ((0.7, 8.6, 10.8), (-62.7, -1.5, -12), (-46.1, -135.3, 0), (-14.9, 2.2, 12.1)),
        "clavicle_r > hand_r": ((3.8, -3.5, -1.5), (-69.1, 136.5, -62.6), (-17.7, 85.8, 0), (-14.9, 12.6, -1.2)),
        "thigh_l > toe_l": ((-39.3, 8.4, 17.8), (52, 0, 0), (-12, 10.3, -8.7), (0, 0, 0)),
        "thigh_r > toe_r": ((-33.7, -9.2, -21.7), (66.7, 0, 0), (-10.9, 11.7, 9.7), (-20, 0, 0)),
    },
    14: {
        "hips.at": (0.02, -0.12, 0.12), "hips": (5, -42, 0), "spine_1 > chest": (5, -8, -2), "neck > head": (4, 28, 3),
        "clavicle_l > hand_l": ((0.1, 7.6, 7), (-48, 7.7, 49.8), (14.7, -76.9, 0), (-11.7, 29.9, -37)),
        "clavicle_r > hand_r": ((4.7, -14.5, -7.1), (-68.4, 139.9, -66.5), (-27.2, 131.8, 0), (-14.9, -6.5, -13.9)),
        "thigh_l > toe_l": ((-34.6, 14.6, 12.9), (60.4, 0, 0), (-28.5, 14.9, -3.6), (0, 0, 0)),
        "thigh_r > toe_r": ((-30.4, -1, -27.5), (59.5, 0, 0), (0.3, 18.8, 17.1), (-30, 0, 0)),
    },
    22: GUARD,
    28: {
        "hips.at": (0, -0.13, -0.02), "hips": (4, -40, 0), "spine_1 > chest": (5, -6, 0), "neck > head": (4, 26, 0),
        "clavicle_l > hand_l": ((0.3, 9.1, 9.7), (-76.6, -3.4, 0.4), (-49.5, -122.9, 0), (-14.9, 6.2, 5.4)),
        "clavicle_r > hand_r": ((4, -9.6, -4.5), (-67.1, 135.5, -69.1), (-24.1, 109, 0), (-14.9, 6.5, -9.8)),
        "thigh_l > toe_l": ((-41.1, 10.1, 19.3), (56.7, 0, 0), (-16.3, 12.1, -8.9), (0, 0, 0)),
        "thigh_r > toe_r": ((-37.2, -6.3, -21.8), (68.3, 0, 0), (-11.5, 13.9, 10.2), (-20, 0, 0)),
    },
    34: {
        "hips.at": (0.04, -0.13, 0.14), "hips": (6, 16, 0), "spine_1 > chest": (6, 10, 3), "neck > head": (5, -20, -3),
        "clavicle_l > hand_l": ((2.3, 15.3, 7.5), (-83.8, -135, 60.6), (-25.7, -130.7, 0), (-12.1, 13.5, 14.3)),
        "clavicle_r > hand_r": ((1.5, -19.3, 9.9), (-63.5, 26.3, -105.7), (11.6, 53.5, 0), (-14.9, -29.9, 33.8)),
        "thigh_l > toe_l": ((-44.2, -8.3, -8.1), (61.3, 0, 0), (-22.4, -12.4, 1.1), (0, 0, 0)),
        "thigh_r > toe_r": ((5.2, -46.4, -28.4), (56.9, 0, 0), (11.6, 11.2, 29.9), (-48, 0, 0)),
    },
    54: GUARD,
}  # fmt: skip

VEST, TROUSERS, HAIR = paint_for("#d9d4c7"), paint_for("#27303f"), paint_for("#20160f")
GLOVE, BAG, CHAIN = paint_for("#c8342b"), paint_for("#6d4a36"), paint_for("#8a93a0")


def boxer() -> Document:
    """The jab lands on frame 14, the cross on frame 34."""
    character = human(Outfit(shirt=VEST, trousers=TROUSERS, legs=TROUSERS, hair=HAIR))
    gloves = tuple(
        Prop(
            f"glove_{s}",
            Sphere(1.0),
            Transform((x, -0.012, 0.004), scale=(0.085, 0.062, 0.07)),
            joint=f"hand_{s}",
            colour=GLOVE,
        )
        for s, x in (("l", 0.085), ("r", -0.085))
    )
    bag = (
        Prop("bag", Capsule(0.19, 0.33), Transform((0.0, 1.3, 1.07)), colour=BAG),
        Prop("chain", Capsule(0.015, 0.4), Transform((0.0, 2.2, 1.07)), colour=CHAIN),
    )
    clip = keyed(character.rig, "jab and cross", POSES, throughout={"curl_l": 0.85, "curl_r": 0.85})
    return staged(character, "boxer", clip, View((3.3, 1.45, 2.1), (0.0, 0.98, 0.36), 0.56), (*gloves, *bag))
