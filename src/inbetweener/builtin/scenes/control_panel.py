"""An operator works a control panel: three buttons in quick succession, then two at once."""

from dataclasses import replace

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.builtin.sculpt import Colour, paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Sphere
from inbetweener.maths.transforms import Transform, Vector
from inbetweener.rig import Point

READY: Pose = {
    "hips.at": (0, -0.03, 0), "hips": (4, 0.8, 0), "spine_1": (4, 1, 0), "spine_2": (4, 1, 0), "chest": (4, 1, 0),
    "neck": (8, -2, 0), "head": (12, -2, 0), "clavicle_l": (0, 0, 0), "clavicle_r": (0, 0, 0), "curl_thumb_l": 0.45,
    "curl_index_l": 0.06, "curl_middle_l": 0.62, "curl_ring_l": 0.72, "curl_pinky_l": 0.78, "curl_thumb_r": 0.45,
    "curl_index_r": 0.06, "curl_middle_r": 0.62, "curl_ring_r": 0.72, "curl_pinky_r": 0.78,
    "upper_arm_r": (-20, 9, 10), "forearm_r": (31.6, 119.2, 0), "hand_r": (6.2, -29.9, 54.5),
    "upper_arm_l": (-10.9, -23.1, -10.6), "forearm_l": (35.9, -110.5, 0), "hand_l": (4.2, 29.9, -54.7),
    "thigh_l": (-17.6, 6.2, 3.9), "shank_l": (29.1, 0, 0), "foot_l": (-15.2, 2.3, -2.3),
    "thigh_r": (-13.8, -7.9, -4.9), "shank_r": (27.8, 0, 0), "foot_r": (-17.5, -4.2, 3.4),
}  # fmt: skip

POSES: dict[float, Pose] = {
    0: READY,
    12: posed(READY, {
        "hips": (6, -1.6, 0), "spine_1": (6, -2, 0), "spine_2": (6, -2, 0), "chest": (4, -2, 0), "neck": (8, -9, 0),
        "head": (12, -9, 0), "upper_arm_r": (0.4, 28, 12.4), "forearm_r": (36.7, 90.2, 0),
        "hand_r": (14.9, -22.9, 28.2), "upper_arm_l": (-23.3, -8.3, -9.4), "forearm_l": (32.5, -120.6, 0),
        "hand_l": (6, 29.9, -50.8), "thigh_l": (-19.2, 7.4, 4.1), "shank_l": (29, 0, 0),
        "foot_l": (-15.4, 3.4, -2.3), "thigh_r": (-16.4, -6.7, -4.8), "shank_r": (28, 0, 0),
        "foot_r": (-17.1, -2.9, 3.4),
    }),
    16: posed(READY, {
        "hips": (4, 0, 0), "spine_1": (4, 0, 0), "spine_2": (4, 0, 0), "chest": (4, 0, 0), "neck": (8, -7, 0),
        "head": (12, -7, 0), "upper_arm_r": (-11.1, 15.6, 11.7), "forearm_r": (31.2, 106.2, 0),
        "hand_r": (14.8, -29.9, 42.1), "upper_arm_l": (-11.6, -19.6, -11), "forearm_l": (34.9, -106.9, 0),
        "hand_l": (8.7, 29.9, -48), "thigh_l": (-17.4, 6.6, 3.9), "foot_l": (-15.3, 2.7, -2.3),
        "thigh_r": (-14, -7.5, -4.8), "shank_r": (27.9, 0, 0), "foot_r": (-17.4, -3.8, 3.4),
    }),
    20: posed(READY, {
        "hips": (8, 2.4, 0), "spine_1": (8, 3, 0), "spine_2": (8, 3, 0), "chest": (4, 3, 0), "neck": (8, -5, 0),
        "head": (12, -5, 0), "upper_arm_r": (-5.3, 32, 21), "forearm_r": (65.3, 111.3, 0),
        "hand_r": (-10.5, -29.9, 58.2), "upper_arm_l": (-7.6, -29.4, -12.4), "forearm_l": (36.4, -115.2, 0),
        "hand_l": (5.9, 29.9, -49.9), "thigh_l": (-22, 5.5, 3.7), "shank_l": (29, 0, 0),
        "foot_l": (-14.7, 1.4, -2.3), "thigh_r": (-17.7, -8.8, -4.9), "shank_r": (27.7, 0, 0),
        "foot_r": (-17.4, -4.9, 3.3),
    }),
    24: posed(READY, {
        "hips": (4, 3.2, 0), "spine_1": (4, 4, 0), "spine_2": (4, 4, 0), "chest": (4, 4, 0),
        "upper_arm_r": (-8, 27.6, 19), "forearm_r": (62.8, 112, 0), "hand_r": (-14.9, -29.9, 68.6),
        "upper_arm_l": (5, -36.9, -16.1), "forearm_l": (32.5, -92.4, 0), "hand_l": (14, 29.9, -40.8),
        "thigh_l": (-18, 5, 3.6), "shank_l": (29.2, 0, 0), "foot_l": (-14.9, 1.1, -2.3),
        "thigh_r": (-13.3, -9.1, -4.9), "shank_r": (27.7, 0, 0), "foot_r": (-17.7, -5.4, 3.3),
    }),
    28: posed(READY, {
        "hips": (6, 4, 0), "spine_1": (6, 5, 0), "spine_2": (6, 5, 0), "chest": (4, 5, 0), "neck": (8, 0, 0),
        "head": (12, 0, 0), "upper_arm_r": (9.1, 7, 59.4), "forearm_r": (94.9, 106.1, 0),
        "hand_r": (2.8, -29.9, 31.5), "upper_arm_l": (7.3, -40, -17.3), "forearm_l": (32.4, -94.8, 0),
        "hand_l": (14.8, 29.9, -38.2), "thigh_l": (-20.2, 4.6, 3.5), "foot_l": (-14.7, 0.6, -2.3),
        "thigh_r": (-15.2, -9.6, -5), "shank_r": (27.6, 0, 0), "foot_r": (-17.7, -5.8, 3.3),
    }),
    32: posed(READY, {
        "hips": (4, 1.6, 0), "spine_1": (4, 2, 0), "spine_2": (4, 2, 0), "chest": (4, 2, 0), "neck": (8, 4, 0),
        "head": (12, 4, 0), "upper_arm_r": (18.9, 5.6, 66.6), "forearm_r": (94.9, 107, 0),
        "hand_r": (8.5, -29.9, 38.6), "upper_arm_l": (0.3, -30.4, -12.3), "forearm_l": (32.1, -91.5, 0),
        "hand_l": (14.9, 29.3, -35.6), "thigh_l": (-17.7, 5.8, 3.8), "foot_l": (-15.1, 1.9, -2.3),
        "thigh_r": (-13.6, -8.3, -4.9), "foot_r": (-17.6, -4.6, 3.4),
    }),
    40: posed(READY, {
        "hips": (7, -0.8, 0), "spine_1": (7, -1, 0), "spine_2": (7, -1, 0), "chest": (4, -1, 0), "neck": (8, 2, 0),
        "head": (12, 2, 0), "upper_arm_r": (-5.2, 22.4, 11.1), "forearm_r": (35.9, 98.1, 0),
        "hand_r": (14.9, -24.3, 29.6), "upper_arm_l": (-12.3, -17.3, -9.4), "forearm_l": (33.4, -102.5, 0),
        "hand_l": (14.9, 27.6, -31.9), "thigh_l": (-20.4, 7, 4), "shank_l": (29, 0, 0), "foot_l": (-15.2, 3, -2.3),
        "thigh_r": (-17.3, -7.1, -4.8), "shank_r": (27.9, 0, 0), "foot_r": (-17.1, -3.3, 3.4),
    }),
    48: posed(READY, {
        "hips": (4, 0, 0), "spine_1": (4, 0, 0), "spine_2": (4, 0, 0), "chest": (4, 0, 0), "neck": (8, 1, 0),
        "head": (12, 1, 0), "upper_arm_r": (-15.2, 13.9, 10.7), "forearm_r": (32.6, 114.8, 0),
        "hand_r": (7.9, -29.9, 52), "upper_arm_l": (-13.6, -18.9, -10.3), "forearm_l": (35.4, -111.1, 0),
        "hand_l": (5.4, 29.9, -53), "thigh_l": (-17.4, 6.6, 3.9), "foot_l": (-15.3, 2.7, -2.3),
        "thigh_r": (-14, -7.5, -4.8), "shank_r": (27.9, 0, 0), "foot_r": (-17.4, -3.8, 3.4),
    }),
    64: READY,
}  # fmt: skip

PRESSES = (("red", 12, "r"), ("green", 20, "r"), ("blue", 28, "r"), ("red", 40, "r"), ("start", 40, "l"))
"""Which button is pressed on which frame, and by which hand: its forefinger's tip is on the button then."""

SLOPE = (0.965926, -0.258819, 0.0, 0.0)
"""The panel rises away from its operator by thirty degrees."""

UP: Vector = (0.0, 0.866025, -0.5)
"""Away from the panel."""

BUTTONS: dict[str, tuple[Vector, Colour]] = {
    "red": ((-0.27, 1.015, 0.526), paint_for("#d2402f")),
    "green": ((-0.12, 1.055, 0.5953), paint_for("#3fae5a")),
    "blue": ((0.02, 0.985, 0.474), paint_for("#3d7fd6")),
    "start": ((0.26, 1.025, 0.5433), paint_for("#e0a32e")),
}
"""Where each button sits on the panel; they are round, and HIGH metres high."""

HIGH = 0.028
SHIRT, TROUSERS, STEEL, DARK = paint_for("#d8c9a3"), paint_for("#4b5348"), paint_for("#8d97a5"), paint_for("#3c4452")


def control_panel() -> Document:
    """The tips of the forefingers, points `fingertip_l` and `fingertip_r`, meet the buttons as PRESSES says."""
    character = human(Outfit(shirt=SHIRT, trousers=TROUSERS, legs=TROUSERS))
    tips = tuple(
        Point(f"index_3_{side}", (x, 0.0, 0.0), f"fingertip_{side}") for side, x in (("l", 0.021), ("r", -0.021))
    )
    rig = replace(character.rig, points=(*character.rig.points, *tips))
    props = (
        Prop("panel", Box((0.46, 0.03, 0.2)), Transform((0.0, 0.974, 0.515), SLOPE), colour=STEEL),
        Prop("column", Box((0.3, 0.42, 0.08)), Transform((0.0, 0.42, 0.56)), colour=DARK),
        *(
            Prop(name, Sphere(1.0), Transform(place, SLOPE, (0.032, HIGH, 0.032)), colour=colour)
            for name, (place, colour) in BUTTONS.items()
        ),
    )
    clip = keyed(rig, "buttons", POSES)
    return staged(
        replace(character, rig=rig), "control-panel", clip, View((-2.5, 1.95, 0.1), (0.0, 0.87, 0.2), 0.66), props
    )
