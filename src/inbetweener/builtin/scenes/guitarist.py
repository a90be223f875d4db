"""A guitarist strums two chords: one hand on the neck, the other across the strings, the whole body in time."""

from inbetweener.builtin.characters.human import Outfit, human
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.builtin.sculpt import Colour, paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box, Solid, Sphere
from inbetweener.maths.transforms import Transform, Vector

POSES: dict[float, Pose] = {
    0: {
        "hips.at": (0.02, -0.035, 0), "hips": (0, -8, 0), "spine_1 > chest": (0, 1, 0), "neck > head": (5, 9, 3),
        "clavicle_l > hand_l": ((-0.6, 0.9, -9.9), (-4, 4.3, 5.9), (-75.7, -60.4, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-0.2, 2.8, 3.9), (44.7, 18.2, 16.9), (-1, 79.4, 0), (3, 17.2, 35.5)),
        "thigh_l > foot_l": ((-19.5, 15.9, 9.4), (28.4, 0, 0), (-7.1, 7.8, -3.2)),
        "thigh_r > foot_r": ((-13.9, -10.3, -7.6), (30.6, 0, 0), (-15.5, -2.1, 4.8)),
    },
    8: {
        "hips.at": (0.03, -0.06, 0), "hips": (0, -8, 0), "spine_1 > chest": (3, 0, 0), "neck > head": (10, 8, 2),
        "clavicle_l > hand_l": ((-1.5, 1.2, -9.9), (-2, 4.5, 6.4), (-77.1, -60.4, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-1, 8.5, 9.9), (54.8, 17.3, 22.8), (1.4, 46.2, 0), (13.5, 24.7, 22.9)),
        "thigh_l > foot_l": ((-25.1, 15.7, 10.5), (39.9, 0, 0), (-12.9, 7.3, -2.5)),
        "thigh_r > foot_r": ((-18.9, -9.9, -9.5), (41, 0, 0), (-20.6, -1.5, 5.6)),
    },
    16: {
        "hips.at": (0, -0.035, 0), "hips": (0, -8, 0), "spine_1 > chest": (0, 1, 1), "neck > head": (4, 8, 0),
        "clavicle_l > hand_l": ((-1.5, 1.2, -9.9), (-2, 4.5, 6.4), (-77.1, -60.4, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-0.4, 4, 6.7), (44.1, 17.4, 12.7), (-1.8, 81.3, 0), (2.4, 17.6, 35.3)),
        "thigh_l > foot_l": ((-18.9, 15.6, 10.6), (27.4, 0, 0), (-6.4, 7.8, -4.6)),
        "thigh_r > foot_r": ((-13.9, -10.6, -6.3), (31.2, 0, 0), (-16.4, -2.2, 3.4)),
    },
    24: {
        "hips.at": (-0.03, -0.07, 0), "hips": (0, -10, 0), "spine_1 > chest": (4, -2, -2), "neck > head": (12, 10, -2),
        "clavicle_l > hand_l": ((-1.4, 1.9, -9.9), (5.1, 6.3, -1.3), (-62.8, -68.8, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-1, 8.5, 9.9), (54.8, 17.3, 22.8), (1.4, 46.2, 0), (13.5, 24.7, 22.9)),
        "thigh_l > foot_l": ((-24.9, 15.2, 15.5), (41.4, 0, 0), (-13.1, 7.5, -7)),
        "thigh_r > foot_r": ((-20.7, -9.9, -5.4), (45.8, 0, 0), (-24.5, -0.8, 1.5)),
    },
    32: {
        "hips.at": (-0.02, -0.04, 0), "hips": (0, -10, 0), "spine_1 > chest": (-1, 0, -1), "neck > head": (2, 2, -5),
        "clavicle_l > hand_l": ((-1.4, 1.9, -9.9), (5.1, 6.3, -1.3), (-62.8, -68.8, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-0.4, 4, 6.7), (44.1, 17.4, 12.7), (-1.8, 81.3, 0), (2.4, 17.6, 35.3)),
        "thigh_l > foot_l": ((-19, 16.1, 12.6), (29, 0, 0), (-7.2, 8.5, -6.2)),
        "thigh_r > foot_r": ((-15.3, -9.9, -4.9), (34, 0, 0), (-18, -1.2, 2.1)),
    },
    40: {
        "hips.at": (0, -0.06, 0), "hips": (0, -8, 0), "spine_1 > chest": (3, 0, 0), "neck > head": (9, 6, 0),
        "clavicle_l > hand_l": ((-1.4, 1.9, -9.9), (5.1, 6.3, -1.3), (-62.8, -68.8, 0), (-14.9, -34.9, -79.9)),
        "clavicle_r > hand_r": ((-1, 8.5, 9.9), (54.8, 17.3, 22.8), (1.4, 46.2, 0), (13.5, 24.7, 22.9)),
        "thigh_l > foot_l": ((-24.4, 15.1, 12.4), (38.9, 0, 0), (-12, 7, -4.6)),
        "thigh_r > foot_r": ((-18.9, -10.4, -7.4), (41.8, 0, 0), (-21.8, -1.7, 3.5)),
    },
}  # fmt: skip

GRIP: Pose = {"curl_l": 0.45, "curl_r": 0.45}

SHIRT, TROUSERS, HAIR = paint_for("#d9a441"), paint_for("#3a3f4f"), paint_for("#8c2f1f")
BODY, TOP, DARK, NECK, STEEL = (paint_for(c) for c in ("#8c4a24", "#e0a860", "#241712", "#4a2c1c", "#d5d8dc"))


def guitarist() -> Document:
    """Strums down on frames 8, 24 and 40; changes chord on frame 24. The bar loops."""
    outfit = Outfit(SHIRT, TROUSERS, HAIR, legs=TROUSERS)
    character = human(outfit)
    clip = keyed(character.rig, "two chords", POSES, end=48, loops=True, throughout=GRIP)
    return staged(character, "guitarist", clip, View((0.85, 1.45, 3.4), (0.12, 0.88, 0.0), 0.6), _guitar())


def _guitar() -> tuple[Prop, ...]:
    """The guitar hangs on the chest; everything is placed along its neck, which rises to the player's left."""

    def part(
        name: str, solid: Solid, along: float, forward: float, scale: Vector, colour: Colour, across: float = 0.0
    ) -> Prop:
        place = (-0.08 + 0.9397 * along - 0.342 * across, -0.3 + 0.342 * along + 0.9397 * across, 0.165 + forward)
        return Prop(name, solid, Transform(place, (0.9848, 0.0, 0.0, 0.1736), scale), joint="chest", colour=colour)

    plain = (1.0, 1.0, 1.0)
    ball = Sphere(1.0)
    return (
        part("lower_bout", ball, 0.0, 0.0, (0.195, 0.175, 0.05), BODY),
        part("upper_bout", ball, 0.2, 0.0, (0.14, 0.13, 0.048), BODY),
        part("lower_top", ball, 0.0, 0.012, (0.18, 0.16, 0.044), TOP),
        part("upper_top", ball, 0.2, 0.012, (0.125, 0.115, 0.042), TOP),
        part("sound_hole", ball, 0.12, 0.05, (0.048, 0.048, 0.008), DARK),
        part("bridge", Box((0.014, 0.055, 0.008)), -0.06, 0.056, plain, DARK),
        part("neck", Box((0.235, 0.023, 0.014)), 0.48, 0.038, plain, NECK),
        part("head", Box((0.065, 0.036, 0.01)), 0.775, 0.036, plain, BODY),
        *(part(f"string_{n}", Box((0.38, 0.0012, 0.001)), 0.33, 0.062, plain, STEEL, 0.009 * (n - 2.5))
          for n in range(1, 5)),
    )  # fmt: skip
