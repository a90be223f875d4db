"""A person, 1.75 m tall, with fingers: T-shirt, jeans, trainers; arms half lowered at rest.

Left limbs: arms lie along +x and bend at the elbow about −y, fingers curl about −z; legs hang along −y and bend at
the knee about +x. Right limbs are mirror images.
"""

import math
from dataclasses import dataclass

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Colour, Limb, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.maths.transforms import Vector
from inbetweener.rig import Channel, Point, Rig, control
from inbetweener.skinning import Mesh

FINGERS: dict[str, tuple[Vector, Vector, tuple[float, float, float], float]] = {
    "thumb": ((0.022, -0.008, 0.026), (-20.0, -42.0, -12.0), (0.042, 0.032, 0.024), 0.0115),
    "index": ((0.09, 0.0, 0.03), (0.0, -5.0, -6.0), (0.041, 0.025, 0.02), 0.0092),
    "middle": ((0.094, 0.0, 0.01), (0.0, -1.0, -7.0), (0.045, 0.028, 0.021), 0.0095),
    "ring": ((0.09, 0.0, -0.011), (0.0, 3.0, -8.0), (0.041, 0.026, 0.02), 0.0091),
    "pinky": ((0.082, -0.002, -0.03), (0.0, 9.0, -9.0), (0.033, 0.02, 0.018), 0.0081),
}
"""Of the left hand: where each finger starts in the hand's frame, how it rests, bone lengths and radius in metres."""


def human_rig() -> Rig:
    """Joints, channels and the points that scenes care about."""
    spine = {"rx": (-20.0, 35.0), "ry": (-25.0, 25.0), "rz": (-20.0, 20.0)}
    neck = {"rx": (-35.0, 40.0), "ry": (-50.0, 50.0), "rz": (-30.0, 30.0)}
    look = {"rx": (-30.0, 30.0), "ry": (-40.0, 40.0)}
    bones = [
        Bone("hips", None, (0.0, 0.95, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("spine_1", "hips", (0.0, 0.1, 0.0), order=LIMB_Y, limits=spine, stiffness=3.0),
        Bone("spine_2", "spine_1", (0.0, 0.11, 0.0), order=LIMB_Y, limits=spine, stiffness=3.0),
        Bone("chest", "spine_2", (0.0, 0.12, 0.0), order=LIMB_Y, limits=spine, stiffness=3.0),
        Bone("neck", "chest", (0.0, 0.2, -0.01), order=LIMB_Y, limits=neck, stiffness=1.5),
        Bone("head", "neck", (0.0, 0.1, 0.015), order=LIMB_Y, limits=neck, stiffness=1.5),
        *both_sides([Bone("eye_l", "head", (0.032, 0.062, 0.079), order=LIMB_Y, dofs="rx ry", limits=look)]),
        *both_sides([*_arm_bones(), *_hand()]),
        *both_sides(_leg_bones()),
    ]
    points = [
        Point("head", (0.0, 0.18, 0.0), "head_top"),
        *(Point(f"hand_{s}", (x, -0.02, 0.0), f"palm_{s}") for s, x in (("l", 0.07), ("r", -0.07))),
        *(Point(f"foot_{s}", (0.0, -0.075, -0.05), f"heel_{s}") for s in "lr"),
        *(Point(f"toe_{s}", (0.0, -0.02, 0.0), f"ball_{s}") for s in "lr"),
    ]
    return build_rig(bones, [*_spine_controls(), *_curls("l", -1.0), *_curls("r", 1.0)], points)


def _arm_bones() -> list[Bone]:
    return [
        Bone("clavicle_l", "chest", (0.025, 0.14, 0.01), order=LIMB_X, stiffness=4.0,
             limits={"rx": (-20.0, 20.0), "ry": (-30.0, 20.0), "rz": (-10.0, 35.0)}),
        Bone("upper_arm_l", "clavicle_l", (0.155, 0.0, -0.01), (0.0, 0.0, -45.0), LIMB_X,
             limits={"rx": (-110.0, 110.0), "ry": (-140.0, 60.0), "rz": (-75.0, 140.0)}),
        Bone("forearm_l", "upper_arm_l", (0.275, 0.0, 0.0), order=LIMB_X, dofs="rx ry",
             limits={"rx": (-95.0, 95.0), "ry": (-150.0, 3.0)}),
        Bone("hand_l", "forearm_l", (0.25, 0.0, 0.0), order=LIMB_X,
             limits={"rx": (-15.0, 15.0), "ry": (-35.0, 30.0), "rz": (-80.0, 75.0)}),
    ]  # fmt: skip


def _hand() -> list[Bone]:
    bones = []
    for name, (base, turn, lengths, _) in FINGERS.items():
        thumb = name == "thumb"
        root = {"rx": (-40.0, 40.0), "ry": (-40.0, 60.0), "rz": (-60.0, 30.0)} if thumb else {
            "ry": (-20.0, 20.0), "rz": (-95.0, 25.0)}  # fmt: skip
        bend = {"ry": (-10.0, 90.0)} if thumb else {"rz": (-115.0, 5.0)}
        bones += [
            Bone(f"{name}_1_l", "hand_l", base, turn, LIMB_X, " ".join(root), root),
            Bone(f"{name}_2_l", f"{name}_1_l", (lengths[0], 0.0, 0.0), (0.0, 0.0, 0.0), LIMB_X, " ".join(bend), bend),
            Bone(f"{name}_3_l", f"{name}_2_l", (lengths[1], 0.0, 0.0), (0.0, 0.0, 0.0), LIMB_X, " ".join(bend), bend),
        ]
    return bones


def _leg_bones() -> list[Bone]:
    return [
        Bone("thigh_l", "hips", (0.09, -0.045, 0.0), order=LIMB_Y,
             limits={"rx": (-130.0, 35.0), "ry": (-45.0, 50.0), "rz": (-30.0, 60.0)}),
        Bone("shank_l", "thigh_l", (0.0, -0.43, 0.0), order=LIMB_Y, dofs="rx", limits={"rx": (-2.0, 150.0)}),
        Bone("foot_l", "shank_l", (0.0, -0.4, -0.01), order=LIMB_Y,
             limits={"rx": (-40.0, 65.0), "ry": (-30.0, 30.0), "rz": (-30.0, 30.0)}),
        Bone("toe_l", "foot_l", (0.0, -0.055, 0.13), order=LIMB_Y, dofs="rx", limits={"rx": (-65.0, 35.0)}),
    ]  # fmt: skip


def _spine_controls() -> list[Channel]:
    """Bend forward, lean to the left, twist to the left: in radians over the whole spine."""
    shares = {"spine_1": 0.3, "spine_2": 0.35, "chest": 0.35}
    return [
        control(name, {f"{joint}.{dof}": sign * share for joint, share in shares.items()}, lower=low, upper=high)
        for name, dof, sign, low, high in (
            ("spine_bend", "rx", 1.0, -0.8, 1.4),
            ("spine_lean", "rz", -1.0, -0.8, 0.8),
            ("spine_twist", "ry", 1.0, -1.0, 1.0),
        )
    ]


def _curls(side: str, sign: float) -> list[Channel]:
    """One control for each finger and one for the whole hand: 0 rests, 1 is a fist."""
    knuckles = {1: 70.0, 2: 95.0, 3: 60.0}
    drives: dict[str, dict[str, float]] = {
        "thumb": {f"thumb_1_{side}.rz": 25.0, f"thumb_2_{side}.ry": 35.0, f"thumb_3_{side}.ry": 45.0}
    }
    for name in FINGERS:
        if name != "thumb":
            drives[name] = {f"{name}_{n}_{side}.rz": angle for n, angle in knuckles.items()}

    def weights(fingers: dict[str, float]) -> dict[str, float]:
        # The thumb folds towards the fingers: about +y where they curl about −z.
        return {dof: math.radians(a) * (-sign if dof.endswith("ry") else sign) for dof, a in fingers.items()}

    whole = {dof: angle for fingers in drives.values() for dof, angle in fingers.items()}
    single = [control(f"curl_{n}_{side}", weights(each), lower=-0.2, upper=1.0) for n, each in drives.items()]
    return [control(f"curl_{side}", weights(whole), lower=-0.2, upper=1.0), *single]


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
    torso = Limb.of(
        "torso", None, 0.03, 1,
        Part("chest", (0.0, 0.02, 0.0), 0.148, (0.0, 0.1, -0.005), 0.142, (1.08, 1.0, 0.72), 0.05, shirt),
        Part("spine_2", (0.0, 0.0, 0.0), 0.134, (0.0, 0.1, 0.0), 0.14, (1.0, 1.0, 0.76), 0.05, shirt),
        Part("spine_1", (0.0, 0.02, 0.0), 0.138, (0.0, 0.1, 0.0), 0.132, (1.0, 1.0, 0.78), 0.05, shirt),
        Part("hips", (0.0, 0.0, -0.01), 1.0, scale=(0.152, 0.105, 0.115), blend=0.05, colour=trousers),
        *(Part("hips", (x, -0.03, -0.05), 0.085, blend=0.04, colour=trousers) for x in (-0.06, 0.06)),
        Part("clavicle_l", (0.0, 0.02, -0.01), 0.06, (0.13, 0.005, -0.01), 0.062, blend=0.06, colour=shirt),
        Part("clavicle_r", (0.0, 0.02, -0.01), 0.06, (-0.13, 0.005, -0.01), 0.062, blend=0.06, colour=shirt),
    )  # fmt: skip
    return Sculpt((torso, *_head(outfit), *_both(_arm(outfit)), *_both(_leg(outfit))), cell=0.0225, softness=10)


def _both(limbs: list[Limb]) -> list[Limb]:
    return [*limbs, *(mirrored(limb) for limb in limbs)]


def _head(outfit: Outfit) -> list[Limb]:
    head = Limb.of(
        "head", "torso", 0.03, 2,
        Part("neck", (0.0, -0.04, 0.0), 0.06, (0.0, 0.08, 0.012), 0.053, colour=outfit.skin),
        Part("head", (0.0, 0.085, 0.0), 1.0, scale=(0.078, 0.098, 0.097), colour=outfit.skin),
        Part("head", (0.0, 0.025, 0.032), 1.0, scale=(0.06, 0.066, 0.064), blend=0.04, colour=outfit.skin),
        Part("head", (0.0, -0.027, 0.07), 0.022, blend=0.03, colour=outfit.skin),
        Part("head", (0.0, 0.058, 0.096), 0.01, (0.0, 0.034, 0.111), 0.0135, blend=0.016, colour=outfit.skin),
        Part("head", (0.078, 0.052, -0.008), 1.0, scale=(0.012, 0.029, 0.019), blend=0.008, colour=outfit.skin),
        Part("head", (-0.078, 0.052, -0.008), 1.0, scale=(0.012, 0.029, 0.019), blend=0.008, colour=outfit.skin),
    )  # fmt: skip
    top = Limb.of(
        "hair", "head", 0.006, 2,
        Part("head", (0.0, 0.112, -0.02), 1.0, scale=(0.087, 0.088, 0.095), colour=outfit.hair),
        Part("head", (0.0, 0.06, -0.052), 1.0, scale=(0.073, 0.085, 0.062), blend=0.02, colour=outfit.hair),
        Part("head", (0.045, 0.165, 0.045), 0.032, (-0.04, 0.158, 0.07), 0.026, blend=0.03, colour=outfit.hair),
    )  # fmt: skip
    return [head, top]


def _arm(outfit: Outfit) -> list[Limb]:
    arm = Limb.of(
        "arm_l", "torso", 0.05, 1,
        Part("upper_arm_l", (0.0, 0.0, 0.0), 0.064, (0.11, -0.002, 0.0), 0.056, blend=0.02, colour=outfit.shirt),
        Part("upper_arm_l", (0.13, 0.0, 0.004), 0.046, (0.27, 0.0, 0.0), 0.039, blend=0.012, colour=outfit.sleeves),
        Part("forearm_l", (0.0, 0.0, 0.0), 0.039, (0.08, 0.0, 0.004), 0.042, blend=0.02, colour=outfit.sleeves),
        Part("forearm_l", (0.08, 0.0, 0.004), 0.042, (0.24, 0.0, 0.0), 0.027, blend=0.02, colour=outfit.sleeves),
    )  # fmt: skip
    palm = Limb.of(
        "hand_l", "arm_l", 0.02, 4,
        Part("hand_l", (0.0, 0.0, 0.0), 0.029, (0.068, -0.002, 0.0), 0.042, (1.0, 0.42, 1.0), 0.02, outfit.skin),
        Part("hand_l", (0.02, -0.008, 0.018), 0.017, (0.045, -0.01, 0.026), 0.014, blend=0.02, colour=outfit.skin),
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
    leg = Limb.of(
        "leg_l", "torso", 0.045, 1,
        Part("thigh_l", (0.0, 0.0, 0.0), 0.092, (0.0, -0.2, 0.004), 0.078, (0.97, 1.0, 1.03), 0.03, tops),
        Part("thigh_l", (0.0, -0.215, 0.004), 0.073, (0.0, -0.42, 0.0), 0.061, blend=0.03, colour=legs),
        Part("shank_l", (0.0, 0.0, 0.0), 0.06, (0.0, -0.13, -0.016), 0.06, blend=0.03, colour=legs),
        Part("shank_l", (0.0, -0.13, -0.016), 0.06, (0.0, -0.33, -0.006), 0.05, blend=0.03, colour=legs),
    )  # fmt: skip
    shoe = Limb.of(
        "shoe_l", "leg_l", 0.008, 2,
        Part("foot_l", (0.0, 0.02, -0.008), 0.041, (0.0, -0.025, 0.005), 0.044, blend=0.02, colour=shoes),
        Part("foot_l", (0.0, -0.03, -0.02), 0.043, (0.0, -0.033, 0.06), 0.042, (1.0, 1.0, 1.15), 0.03, shoes),
        Part("foot_l", (0.0, -0.01, 0.04), 0.04, (0.003, -0.03, 0.12), 0.038, blend=0.02, colour=shoes),
        Part("toe_l", (0.003, 0.013, 0.0), 0.038, (0.003, 0.012, 0.05), 0.034, (1.25, 0.85, 1.0), 0.02, shoes),
        Part("foot_l", (0.0, -0.062, -0.03), 0.3, (0.004, -0.062, 0.1), 0.3, (0.155, 0.042, 0.18), 0.004, soles),
        Part("toe_l", (0.004, -0.007, 0.0), 0.3, (0.004, -0.007, 0.045), 0.3, (0.16, 0.042, 0.15), 0.004, soles),
    )  # fmt: skip
    return [leg, shoe]
