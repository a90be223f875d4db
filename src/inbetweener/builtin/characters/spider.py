"""A spider robot: eight legs with high knees, a low round body between them, and a curious face."""

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.rig import Point, Rig

TEAL = paint_for("#2f9e98")
CREAM = paint_for("#efe9d8")
AMBER = paint_for("#f5b83d")
DARK = paint_for("#39424d")
GLOW = paint_for("#ffd65c")

HEIGHT = 0.182
"""The middle of the body above the ground, at rest."""

FEMUR, TIBIA, TARSUS = 0.27, 0.29, 0.11
"""Lengths of the three long segments of a leg, in metres."""

LEGS = {1: (0.105, 0.13, 52.0), 2: (0.135, 0.05, 18.0), 3: (0.135, -0.04, -18.0), 4: (0.105, -0.12, -52.0)}
"""For each pair from the front: where the left leg leaves the body (x, z) in metres, and its heading in degrees from
+x towards +z."""

TIP = 0.022
"""The radius of a foot, which is a ball."""


def spider() -> Document:
    """The spider at rest, all eight feet on the ground."""
    rig = _rig()
    meshes = (
        sculpted("spider", _sculpt(), rig),
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.05, GLOW, iris_size=48.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.05, GLOW, iris_size=48.0),
        bead("small_eye_l", "head", (0.088, 0.085, 0.03), (0.017, 0.017, 0.017), DARK),
        bead("small_eye_r", "head", (-0.088, 0.085, 0.03), (0.017, 0.017, 0.017), DARK),
    )
    return Document("spider", rig, meshes)


def foot(pair: int, side: str) -> str:
    """The name of the point where a leg's foot touches the ground, for pair 1 to 4 and side "l" or "r"."""
    return f"foot_{pair}_{side}"


def _rig() -> Rig:
    look = {"rx": (-30.0, 30.0), "ry": (-35.0, 35.0)}
    bones = [
        Bone("body", None, (0.0, HEIGHT, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("abdomen", "body", (0.0, 0.02, -0.15), order=LIMB_Y, dofs="rx ry",
             limits={"rx": (-35.0, 25.0), "ry": (-30.0, 30.0)}, stiffness=2.0),
        Bone("head", "body", (0.0, 0.02, 0.14), order=HEADING,
             limits={"rx": (-35.0, 30.0), "ry": (-50.0, 50.0), "rz": (-35.0, 35.0)}, stiffness=1.5),
        *both_sides(
            [
                Bone("eye_l", "head", (0.05, 0.045, 0.085), order=LIMB_Y, dofs="rx ry", limits=look),
                Bone("palp_l", "head", (0.035, -0.035, 0.085), order=LIMB_Y, dofs="rx ry",
                     limits={"rx": (-40.0, 40.0), "ry": (-25.0, 25.0)}, stiffness=0.5),
            ]
        ),
        *both_sides(bone for pair in LEGS for bone in _leg(pair)),
    ]  # fmt: skip
    feet = [Point(f"tarsus_{pair}_{side}", (x, 0.0, 0.0), foot(pair, side))
            for pair in LEGS for side, x in (("l", TARSUS), ("r", -TARSUS))]  # fmt: skip
    return build_rig(bones, points=[Point("body", (0.0, 0.0, 0.0), "middle"), *feet])


def _leg(pair: int) -> list[Bone]:
    x, z, heading = LEGS[pair]
    # A knee that opened past straight, or an ankle that folded outwards, would bend the leg backwards.
    return [
        Bone(f"coxa_{pair}_l", "body", (x, 0.0, z), (0.0, -heading, 0.0), "YZX", "ry",
             {"ry": (-35.0, 35.0)}),
        Bone(f"femur_{pair}_l", f"coxa_{pair}_l", (0.05, 0.0, 0.0), (0.0, 0.0, 45.0), LIMB_X, "rz",
             {"rz": (-60.0, 35.0)}),
        Bone(f"tibia_{pair}_l", f"femur_{pair}_l", (FEMUR, 0.0, 0.0), (0.0, 0.0, -110.0), LIMB_X, "rz",
             {"rz": (-50.0, 100.0)}),
        Bone(f"tarsus_{pair}_l", f"tibia_{pair}_l", (TIBIA, 0.0, 0.0), (0.0, 0.0, -25.0), LIMB_X, "rz",
             {"rz": (-50.0, 25.0)}, 0.7),
    ]  # fmt: skip


def _sculpt() -> Sculpt:
    body = Limb.of(
        "body", None, 0.03, 2,
        Part("body", (0.0, 0.0, 0.0), 1.0, scale=(0.13, 0.075, 0.165), colour=TEAL),
        Part("body", (0.0, -0.02, 0.0), 1.0, scale=(0.145, 0.035, 0.18), colour=DARK, blend=0.015),
    )  # fmt: skip
    abdomen = Limb.of(
        "abdomen", "body", 0.02, 2,
        Part("abdomen", (0.0, 0.0, -0.01), 0.04, colour=DARK),
        Part("abdomen", (0.0, 0.045, -0.14), 1.0, scale=(0.135, 0.12, 0.15), colour=TEAL, blend=0.02),
        Part("abdomen", (0.0, 0.04, -0.29), 0.035, (0.0, 0.045, -0.31), 0.022, colour=AMBER, blend=0.02),
    )  # fmt: skip
    head = Limb.of(
        "head", "body", 0.02, 2,
        Part("head", (0.0, 0.03, 0.03), 1.0, scale=(0.105, 0.085, 0.085), colour=CREAM),
        Part("head", (0.0, -0.015, 0.05), 1.0, scale=(0.07, 0.05, 0.06), colour=CREAM, blend=0.03),
    )  # fmt: skip
    palp = Limb.of(
        "palp_l", "head", 0.012, 4,
        Part("palp_l", (0.0, 0.0, -0.01), 0.02, (0.006, -0.018, 0.04), 0.017, colour=DARK),
        Part("palp_l", (0.006, -0.018, 0.04), 0.019, (-0.004, -0.06, 0.05), 0.012, colour=AMBER, blend=0.008),
    )  # fmt: skip
    legs = [_leg_limb(pair) for pair in LEGS]
    # Thin discs through the abdomen: what they cut of its skin are rings.
    stripes = [
        Paint(Part("abdomen", (0.0, 0.04, z), 1.0, scale=(0.2, 0.2, 0.014), colour=AMBER)) for z in (-0.12, -0.19)
    ]
    sides = [item for limb in (palp, *legs) for item in (limb, mirrored(limb))]
    return Sculpt((body, abdomen, head, *sides), tuple(stripes), cell=0.03, softness=2)


def _leg_limb(pair: int) -> Limb:
    coxa, femur, tibia, tarsus = (f"{name}_{pair}_l" for name in ("coxa", "femur", "tibia", "tarsus"))
    seam = 0.006
    return Limb.of(
        f"leg_{pair}_l", "body", 0.012, 2,
        Part(coxa, (0.0, 0.0, 0.0), 0.04, (0.04, 0.0, 0.0), 0.034, colour=DARK),
        Part(femur, (0.0, 0.0, 0.0), 0.034, colour=DARK, blend=seam),
        Part(femur, (0.045, 0.0, 0.0), 0.03, (FEMUR - 0.04, 0.0, 0.0), 0.023, colour=TEAL, blend=seam),
        Part(tibia, (0.0, 0.0, 0.0), 0.034, colour=AMBER, blend=seam),
        Part(tibia, (0.04, 0.0, 0.0), 0.023, (0.1, 0.0, 0.0), 0.029, colour=CREAM, blend=seam),
        Part(tibia, (0.1, 0.0, 0.0), 0.029, (TIBIA - 0.02, 0.0, 0.0), 0.018, colour=CREAM, blend=seam),
        Part(tarsus, (0.0, 0.0, 0.0), 0.024, colour=DARK, blend=seam),
        Part(tarsus, (0.0, 0.0, 0.0), 0.015, (TARSUS - TIP, 0.0, 0.0), TIP, colour=DARK, blend=seam),
    )  # fmt: skip
