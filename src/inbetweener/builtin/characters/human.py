"""A person, 1.75 m tall, with fingers: T-shirt, jeans, trainers; arms half lowered at rest."""

from dataclasses import dataclass

from inbetweener.builtin.characters.human_rig import FINGERS, human_rig
from inbetweener.builtin.sculpt import Colour, Limb, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.skinning import Mesh

SKIN = paint_for("#e3a882")
HAIR = paint_for("#4a2f22")
SHIRT = paint_for("#2f8f8a")
JEANS = paint_for("#34466b")
SHOE = paint_for("#f0ece2")
SOLE = paint_for("#d8503c")
IRIS = paint_for("#3f6f4f")
LIPS = paint_for("#a8524a")


@dataclass(frozen=True, slots=True)
class Outfit:
    """Colours of clothes, hair and skin; `sleeves`, `legs` and `feet` are bare where they have the skin's colour."""

    shirt: Colour = SHIRT
    trousers: Colour = JEANS
    hair: Colour = HAIR
    skin: Colour = SKIN
    sleeves: Colour = SKIN
    legs: Colour = JEANS
    shoes: Colour = SHOE
    soles: Colour = SOLE


def human(outfit: Outfit | None = None) -> Document:
    """The person at rest, dressed as asked for."""
    outfit = outfit or Outfit()
    rig = human_rig()
    return Document("human", rig, (sculpted("human", human_sculpt(outfit), rig), *face_details(outfit.hair)))


def face_details(hair: Colour) -> tuple[Mesh, ...]:
    """Eyes, brows and mouth: small meshes of their own that follow the head and the eye joints."""
    return (
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.0185, IRIS),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.0185, IRIS),
        bead("brow_l", "head", (0.034, 0.094, 0.092), (0.019, 0.0045, 0.008), hair, roll=4.0),
        bead("brow_r", "head", (-0.034, 0.094, 0.092), (0.019, 0.0045, 0.008), hair, roll=-4.0),
        bead("mouth_l", "head", (0.0095, -0.003, 0.096), (0.0145, 0.0045, 0.008), LIPS, roll=13.0),
        bead("mouth_r", "head", (-0.0095, -0.003, 0.096), (0.0145, 0.0045, 0.008), LIPS, roll=-13.0),
    )


def human_sculpt(outfit: Outfit) -> Sculpt:
    """The body in its clothes."""
    shirt, trousers = outfit.shirt, outfit.trousers
    torso = Limb(
        "torso",
        (
            Part("chest", (0.0, 0.02, 0.0), 0.148, (0.0, 0.1, -0.005), 0.142, (1.08, 1.0, 0.72), 0.05, shirt),
            Part("spine_2", (0.0, 0.0, 0.0), 0.134, (0.0, 0.1, 0.0), 0.14, (1.0, 1.0, 0.76), 0.05, shirt),
            Part("spine_1", (0.0, 0.02, 0.0), 0.138, (0.0, 0.1, 0.0), 0.132, (1.0, 1.0, 0.78), 0.05, shirt),
            Part("hips", (0.0, 0.0, -0.01), 1.0, scale=(0.152, 0.105, 0.115), blend=0.05, colour=trousers),
            *(Part("hips", (x, -0.03, -0.05), 0.085, blend=0.04, colour=trousers) for x in (-0.06, 0.06)),
            Part("clavicle_l", (0.0, 0.02, -0.01), 0.06, (0.13, 0.005, -0.01), 0.062, blend=0.06, colour=shirt),
            Part("clavicle_r", (0.0, 0.02, -0.01), 0.06, (-0.13, 0.005, -0.01), 0.062, blend=0.06, colour=shirt),
        ),
    )
    return Sculpt((torso, *_head(outfit), *_both(_arm(outfit)), *_both(_leg(outfit))), cell=0.0225, softness=10)


def _both(limbs: list[Limb]) -> list[Limb]:
    return [*limbs, *(mirrored(limb) for limb in limbs)]


def _head(outfit: Outfit) -> list[Limb]:
    head = Limb(
        "head",
        (
            Part("neck", (0.0, -0.04, 0.0), 0.06, (0.0, 0.08, 0.012), 0.053, colour=outfit.skin),
            Part("head", (0.0, 0.085, 0.0), 1.0, scale=(0.078, 0.098, 0.097), colour=outfit.skin),
            Part("head", (0.0, 0.025, 0.032), 1.0, scale=(0.06, 0.066, 0.064), blend=0.04, colour=outfit.skin),
            Part("head", (0.0, -0.027, 0.07), 0.022, blend=0.03, colour=outfit.skin),
            Part("head", (0.0, 0.058, 0.096), 0.01, (0.0, 0.034, 0.111), 0.0135, blend=0.016, colour=outfit.skin),
            Part("head", (0.078, 0.052, -0.008), 1.0, scale=(0.012, 0.029, 0.019), blend=0.008, colour=outfit.skin),
            Part("head", (-0.078, 0.052, -0.008), 1.0, scale=(0.012, 0.029, 0.019), blend=0.008, colour=outfit.skin),
        ),
        "torso", 0.03, 2,
    )  # fmt: skip
    top = Limb(
        "hair",
        (
            Part("head", (0.0, 0.112, -0.02), 1.0, scale=(0.087, 0.088, 0.095), colour=outfit.hair),
            Part("head", (0.0, 0.06, -0.052), 1.0, scale=(0.073, 0.085, 0.062), blend=0.02, colour=outfit.hair),
            Part("head", (0.045, 0.165, 0.045), 0.032, (-0.04, 0.158, 0.07), 0.026, blend=0.03, colour=outfit.hair),
        ),
        "head", 0.006, 2,
    )  # fmt: skip
    return [head, top]


def _arm(outfit: Outfit) -> list[Limb]:
    arm = Limb(
        "arm_l",
        (
            Part("upper_arm_l", (0.0, 0.0, 0.0), 0.064, (0.11, -0.002, 0.0), 0.056, blend=0.02, colour=outfit.shirt),
            Part("upper_arm_l", (0.13, 0.0, 0.004), 0.046, (0.27, 0.0, 0.0), 0.039, blend=0.012, colour=outfit.sleeves),
            Part("forearm_l", (0.0, 0.0, 0.0), 0.039, (0.08, 0.0, 0.004), 0.042, blend=0.02, colour=outfit.sleeves),
            Part("forearm_l", (0.08, 0.0, 0.004), 0.042, (0.24, 0.0, 0.0), 0.027, blend=0.02, colour=outfit.sleeves),
        ),
        "torso", 0.05,
    )  # fmt: skip
    palm = Limb(
        "hand_l",
        (
            Part("hand_l", (0.0, 0.0, 0.0), 0.029, (0.068, -0.002, 0.0), 0.042, (1.0, 0.42, 1.0), 0.02, outfit.skin),
            Part("hand_l", (0.02, -0.008, 0.018), 0.017, (0.045, -0.01, 0.026), 0.014, blend=0.02, colour=outfit.skin),
        ),
        "arm_l", 0.02, 4,
    )  # fmt: skip
    fingers = []
    for name, (_, _, lengths, radius) in FINGERS.items():
        parts = [
            Part(f"{name}_{n + 1}_l", (0.0, 0.0, 0.0), radius * (1.0 - 0.1 * n), (length, 0.0, 0.0),
                 radius * (0.9 - 0.1 * n), blend=0.006, colour=outfit.skin)
            for n, length in enumerate(lengths)
        ]  # fmt: skip
        fingers.append(Limb(f"{name}_l", tuple(parts), "hand_l", 0.012, 4))
    return [arm, palm, *fingers]


def _leg(outfit: Outfit) -> list[Limb]:
    tops, legs, shoes, soles = outfit.trousers, outfit.legs, outfit.shoes, outfit.soles
    leg = Limb(
        "leg_l",
        (
            Part("thigh_l", (0.0, 0.0, 0.0), 0.092, (0.0, -0.2, 0.004), 0.078, (0.97, 1.0, 1.03), 0.03, tops),
            Part("thigh_l", (0.0, -0.215, 0.004), 0.073, (0.0, -0.42, 0.0), 0.061, blend=0.03, colour=legs),
            Part("shank_l", (0.0, 0.0, 0.0), 0.06, (0.0, -0.13, -0.016), 0.06, blend=0.03, colour=legs),
            Part("shank_l", (0.0, -0.13, -0.016), 0.06, (0.0, -0.33, -0.006), 0.05, blend=0.03, colour=legs),
        ),
        "torso", 0.045,
    )  # fmt: skip
    shoe = Limb(
        "shoe_l",
        (
            Part("foot_l", (0.0, 0.02, -0.008), 0.041, (0.0, -0.025, 0.005), 0.044, blend=0.02, colour=shoes),
            Part("foot_l", (0.0, -0.03, -0.02), 0.043, (0.0, -0.033, 0.06), 0.042, (1.0, 1.0, 1.15), 0.03, shoes),
            Part("foot_l", (0.0, -0.01, 0.04), 0.04, (0.003, -0.03, 0.12), 0.038, blend=0.02, colour=shoes),
            Part("toe_l", (0.003, 0.013, 0.0), 0.038, (0.003, 0.012, 0.05), 0.034, (1.25, 0.85, 1.0), 0.02, shoes),
            Part("foot_l", (0.0, -0.062, -0.03), 0.3, (0.004, -0.062, 0.1), 0.3, (0.155, 0.042, 0.18), 0.004, soles),
            Part("toe_l", (0.004, -0.007, 0.0), 0.3, (0.004, -0.007, 0.045), 0.3, (0.16, 0.042, 0.15), 0.004, soles),
        ),
        "leg_l", 0.008, 2,
    )  # fmt: skip
    return [leg, shoe]
