"""A drummer plays one bar on a small kit: ride cymbal on every beat, snare on two and four."""

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.builtin.sculpt import Colour, paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Capsule, Sphere
from inbetweener.maths.transforms import Transform, Vector

RIDE: Pose = {
    "hips.at": (0, -0.315, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((4, -2, 0), (4, -2, 0), (3, 0, 0)),
    "neck > head": (6, -8, 0),
    "upper_arm_l > hand_l": ((3.5, -1.4, -8.2), (14.8, -75, 0), (-14.9, -34.9, 49)),
    "upper_arm_r > hand_r": ((-38.7, 13.9, 18.1), (37.6, 123, 0), (-14.9, -29.9, 75.3)),
    "thigh_l > foot_l": ((-73.2, -0.7, 17.9), (68, 0, 0), (5.9, -1, -5.8)),
    "thigh_r > foot_r": ((-73.8, -0.4, -6), (63.7, 0, 0), (10.1, 1.9, 1.3)),
}  # fmt: skip

LIFTED: Pose = {
    "hips.at": (0, -0.311, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((2, 0, 0), (2, 0, 0), (3, 0, 0)),
    "neck > head": (2, 0, 0),
    "upper_arm_l > hand_l": ((14.6, -9.1, -7.8), (9.2, -65.7, 0), (-14.9, -34.9, 54.8)),
    "upper_arm_r > hand_r": ((-71.7, 16.3, 11.6), (14.3, 106.5, 0), (9.2, -2.4, 79.9)),
    "thigh_l > foot_l": ((-72.6, -0.6, 17.9), (67.3, 0, 0), (6.1, -0.9, -5.8)),
    "thigh_r > foot_r": ((-73.2, -0.4, -6), (62.9, 0, 0), (10.3, 1.9, 1.3)),
}  # fmt: skip

POSES: dict[float, Pose] = {
    0: RIDE,
    6: {
        "hips.at": (0, -0.311, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((2, 0, 0), (2, 0, 0), (3, 0, 0)),
        "neck > head": (0, -4, 0),
        "upper_arm_l > hand_l": ((-51.1, -15.1, -10.3), (13.9, -90.4, 0), (5.5, -34.9, -42.4)),
        "upper_arm_r > hand_r": ((-71.7, 16.3, 11.6), (14.3, 106.5, 0), (9.2, -2.4, 79.9)),
        "thigh_l > foot_l": ((-72.6, -0.6, 17.9), (67.3, 0, 0), (6.1, -0.9, -5.8)),
        "thigh_r > foot_r": ((-73.2, -0.4, -6), (62.9, 0, 0), (10.3, 1.9, 1.3)),
    },
    12: {
        "hips.at": (0, -0.319, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((5, 2, 0), (5, 2, 0), (3, 0, 0)),
        "neck > head": (10, 6, 0),
        "upper_arm_l > hand_l": ((-18, -13.7, -7.7), (47.8, -83.4, 0), (14.9, -34.9, -42.7)),
        "upper_arm_r > hand_r": ((-52.3, 7.5, 16.9), (32.5, 129.2, 0), (-14.9, -29.9, 79.9)),
        "thigh_l > foot_l": ((-73.8, -0.9, 18), (68.8, 0, 0), (5.8, -1.1, -5.8)),
        "thigh_r > foot_r": ((-74.3, -0.4, -6), (64.4, 0, 0), (10, 1.9, 1.3)),
    },
    18: LIFTED,
    24: RIDE,
    30: {
        "hips.at": (0, -0.309, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((1, 3, 0), (1, 3, 0), (3, 0, 0)),
        "neck > head": (-4, 10, 3),
        "upper_arm_l > hand_l": ((-45, -21.8, -12.2), (19, -86.8, 0), (5.6, -34.9, -42.5)),
        "upper_arm_r > hand_r": ((-94.8, 12.3, 7), (9.1, 116.7, 0), (-10.7, 0.2, 79.9)),
        "thigh_l > foot_l": ((-72.3, -0.5, 17.8), (66.9, 0, 0), (6.2, -0.9, -5.8)),
        "thigh_r > foot_r": ((-72.9, -0.5, -6), (62.6, 0, 0), (10.4, 1.8, 1.3)),
    },
    36: {
        "hips.at": (0, -0.321, -0.05), "hips": (0, 0, 0), "spine_1 > chest": ((6, 2, 0), (6, 2, 0), (3, 0, 0)),
        "neck > head": (11, 6, -3),
        "upper_arm_l > hand_l": ((-19.4, -13.1, -7.4), (47, -86, 0), (14.9, -34.9, -43)),
        "upper_arm_r > hand_r": ((-54.7, 7, 16.6), (30.2, 131, 0), (-14.9, -29.9, 79.9)),
        "thigh_l > foot_l": ((-74.1, -0.9, 18), (69.1, 0, 0), (5.7, -1.1, -5.8)),
        "thigh_r > foot_r": ((-74.6, -0.3, -6), (64.8, 0, 0), (9.9, 1.9, 1.3)),
    },
    42: posed(LIFTED, {"neck > head": (2, -2, 0)}),
}  # fmt: skip

SHIRT, TROUSERS, HAIR = paint_for("#b5432f"), paint_for("#2b2f38"), paint_for("#7a4a22")
SHELL, SKIN, BRASS = paint_for("#a3202c"), paint_for("#efe9dc"), paint_for("#c9a045")
STEEL, WOOD = paint_for("#9aa3ad"), paint_for("#d9b27c")

GRIP: Pose = {"curl_l": 0.75, "curl_r": 0.75}
HITS = {"ride": (0, 12, 24, 36, 48), "snare": (12, 36)}
"""Frames on which a stick's tip is on the skin."""


def drummer() -> Document:
    """The right stick meets the ride cymbal and the left one the snare on the frames of HITS; the bar loops."""
    character = human(Outfit(shirt=SHIRT, trousers=TROUSERS, legs=TROUSERS, hair=HAIR))
    sticks = tuple(
        Prop(f"stick_{side}", Capsule(0.007, 0.19), Transform((sign * 0.174, -0.024, 0.06), (0.7071, 0.3083, 0.0,
             -sign * 0.6364)), joint=f"hand_{side}", colour=WOOD)
        for side, sign in (("l", 1.0), ("r", -1.0))
    )  # fmt: skip
    kit = (
        *_drum("snare", (0.16, 0.66, 0.46), 0.17, 0.075),
        *_drum("tom", (-0.02, 0.84, 0.78), 0.15, 0.1),
        *_drum("floor_tom", (-0.56, 0.5, 0.2), 0.19, 0.16),
        Prop("kick", Sphere(1.0), Transform((0.0, 0.3, 0.85), scale=(0.29, 0.29, 0.2)), colour=SHELL),
        Prop("ride", Sphere(1.0), Transform((-0.44, 0.86, 0.55), scale=(0.2, 0.018, 0.2)), colour=BRASS),
        Prop("ride_stand", Capsule(0.012, 0.42), Transform((-0.44, 0.42, 0.55)), colour=STEEL),
        Prop("crash", Sphere(1.0), Transform((-0.55, 1.2, 0.92), scale=(0.22, 0.016, 0.22)), colour=BRASS),
        Prop("crash_stand", Capsule(0.012, 0.6), Transform((-0.55, 0.6, 0.92)), colour=STEEL),
        Prop("seat", Sphere(1.0), Transform((0.0, 0.5, -0.06), scale=(0.19, 0.06, 0.18)), colour=TROUSERS),
        Prop("seat_post", Capsule(0.03, 0.24), Transform((0.0, 0.24, -0.06)), colour=STEEL),
    )
    clip = keyed(character.rig, "one bar", POSES, end=48, loops=True, throughout=GRIP)
    return staged(character, "drummer", clip, View((1.75, 1.6, 2.75), (-0.03, 0.66, 0.3), 0.58), (*sticks, *kit))


def _drum(name: str, centre: Vector, radius: float, half: float) -> tuple[Prop, ...]:
    """A shell and, on top of it, a skin; `half` is half the drum's height."""
    x, y, z = centre

    def disc(part: str, height: float, thick: float, wide: float, colour: Colour) -> Prop:
        return Prop(f"{name}_{part}", Sphere(1.0), Transform((x, height, z), scale=(wide, thick, wide)), colour=colour)

    stand = Prop(f"{name}_stand", Capsule(0.015, (y - half) / 2), Transform((x, (y - half) / 2, z)), colour=STEEL)
    return disc("skin", y + half - 0.022, 0.03, radius * 0.93, SKIN), disc("shell", y, half, radius, SHELL), stand
