"""A small flying robot: a round body with a glass face, two arms, thrusters on its back and beneath it."""

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.rig import Point, Rig

SHELL = paint_for("#f2efe6")
ORANGE = paint_for("#f0803c")
GREY = paint_for("#5b6470")
GLASS = paint_for("#16202e")
GLOW = paint_for("#7fe9ff")


def robot() -> Document:
    """The robot at rest, hovering with its thrusters' mouths on the ground."""
    rig = _rig()
    meshes = (
        sculpted("robot", _sculpt(), rig),
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.034, GLOW, iris_size=62.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.034, GLOW, iris_size=62.0),
        bead("lamp", "antenna_3", (0.0, 0.05, 0.0), (0.03, 0.03, 0.03), paint_for("#ff4d5e")),
        bead("mouth", "head", (0.0, 0.03, 0.155), (0.03, 0.006, 0.008), GLOW),
    )
    return Document("robot", rig, meshes)


def _rig() -> Rig:
    nod = {"rx": (-40.0, 40.0), "ry": (-70.0, 70.0), "rz": (-30.0, 30.0)}
    look = {"rx": (-25.0, 25.0), "ry": (-30.0, 30.0)}
    sway = {"rx": (-60.0, 60.0), "rz": (-60.0, 60.0)}
    shoulder = {"rx": (-100.0, 100.0), "ry": (-120.0, 60.0), "rz": (-50.0, 120.0)}
    bones = [
        Bone("body", None, (0.0, 0.46, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("head", "body", (0.0, 0.19, 0.0), order=LIMB_Y, limits=nod, stiffness=1.5),
        *both_sides([Bone("eye_l", "head", (0.055, 0.095, 0.13), order=LIMB_Y, dofs="rx ry", limits=look)]),
        Bone("antenna_1", "head", (0.0, 0.2, -0.02), order=LIMB_Y, dofs="rx rz", limits=sway, stiffness=0.5),
        Bone("antenna_2", "antenna_1", (0.0, 0.07, 0.0), order=LIMB_Y, dofs="rx rz", limits=sway, stiffness=0.4),
        Bone("antenna_3", "antenna_2", (0.0, 0.07, 0.0), order=LIMB_Y, dofs="rx rz", limits=sway, stiffness=0.3),
        *both_sides(
            [
                Bone("upper_arm_l", "body", (0.2, 0.06, 0.0), (0, 0, -40), LIMB_X, limits=shoulder),
                Bone("forearm_l", "upper_arm_l", (0.15, 0.0, 0.0), order=LIMB_X, dofs="rx ry",
                     limits={"rx": (-90.0, 90.0), "ry": (-140.0, 5.0)}),
                Bone("hand_l", "forearm_l", (0.14, 0.0, 0.0), order=LIMB_X,
                     limits={"rx": (-90.0, 90.0), "ry": (-60.0, 60.0), "rz": (-60.0, 60.0)}),
                Bone("claw_l", "hand_l", (0.035, 0.0, 0.0), order=LIMB_X, dofs="rz", limits={"rz": (-10.0, 60.0)}),
                Bone("thruster_l", "body", (0.12, -0.19, -0.06), order=LIMB_Y, dofs="rx rz",
                     limits={"rx": (-60.0, 60.0), "rz": (-40.0, 40.0)}, stiffness=2.0),
            ]
        ),
        Bone("skirt", "body", (0.0, -0.2, 0.02), order=LIMB_Y, dofs="rx rz",
             limits={"rx": (-30.0, 30.0), "rz": (-30.0, 30.0)}, stiffness=2.0),
    ]  # fmt: skip
    points = [Point("body", (0.0, 0.0, 0.0), "middle"), Point("antenna_3", (0.0, 0.05, 0.0), "lamp")]
    return build_rig(bones, points=points)


def _sculpt() -> Sculpt:
    arm = Limb.of(
        "arm_l", "body", 0.012, 2,
        Part("upper_arm_l", (0.0, 0.0, 0.0), 0.052, colour=GREY),
        Part("upper_arm_l", (0.03, 0.0, 0.0), 0.034, (0.14, 0.0, 0.0), 0.032, colour=SHELL, blend=0.012),
        Part("forearm_l", (0.0, 0.0, 0.0), 0.042, colour=GREY, blend=0.012),
        Part("forearm_l", (0.03, 0.0, 0.0), 0.034, (0.12, 0.0, 0.0), 0.05, colour=ORANGE, blend=0.012),
    )  # fmt: skip
    hand = Limb("hand_l", (Part("hand_l", (0.0, 0.0, 0.0), 0.04, colour=GREY),), "arm_l", 0.015, 2)
    fingers = [
        Limb.of(
            f"finger_{n}_l", "hand_l", 0.012, 2,
            Part("hand_l", (0.02, 0.0, z), 0.017, (0.07, -0.022, z * 1.4), 0.016, colour=SHELL),
            Part("hand_l", (0.07, -0.022, z * 1.4), 0.016, (0.105, -0.012, z * 1.1), 0.013, colour=SHELL),
        )
        for n, z in enumerate((-0.026, 0.026))
    ]  # fmt: skip
    thumb = Limb.of(
        "claw_l", "hand_l", 0.01, 2,
        Part("claw_l", (0.0, 0.01, 0.0), 0.018, (0.035, 0.035, 0.0), 0.017, colour=SHELL),
        Part("claw_l", (0.035, 0.035, 0.0), 0.017, (0.07, 0.022, 0.0), 0.013, colour=SHELL, blend=0.01),
    )  # fmt: skip
    thruster = Limb.of(
        "thruster_l", "body", 0.03, 2,
        Part("thruster_l", (0.0, 0.0, 0.0), 0.055, (0.0, -0.07, 0.0), 0.06, colour=ORANGE),
        Part("thruster_l", (0.0, -0.1, 0.0), 0.06, (0.0, -0.15, 0.0), 0.075, (1.0, 1.0, 1.0), 0.02, GREY),
    )  # fmt: skip
    body = Limb.of(
        "body", None, 0.03, 2,
        Part("body", (0.0, 0.0, 0.0), 1.0, scale=(0.205, 0.2, 0.19), colour=SHELL),
        Part("body", (0.0, -0.12, 0.0), 0.15, (0.0, -0.19, 0.0), 0.11, colour=ORANGE, blend=0.03),
        Part("body", (0.0, 0.02, -0.15), 0.09, (0.0, -0.08, -0.16), 0.08, colour=GREY, blend=0.03),
    )  # fmt: skip
    skirt = Limb.of(
        "skirt", "body", 0.02, 2,
        Part("skirt", (0.0, 0.0, 0.0), 0.07, (0.0, -0.06, 0.0), 0.085, colour=GREY),
    )  # fmt: skip
    head = Limb.of(
        "head", "body", 0.02, 2,
        Part("head", (0.0, -0.02, 0.0), 0.08, (0.0, 0.03, 0.0), 0.08, colour=GREY),
        Part("head", (0.0, 0.1, 0.0), 1.0, scale=(0.175, 0.135, 0.155), blend=0.012, colour=SHELL),
        *(Part("head", (x, 0.1, 0.0), 0.05, colour=ORANGE, blend=0.02) for x in (-0.165, 0.165)),
        Part("head", (0.0, 0.19, -0.02), 0.05, (0.0, 0.22, -0.02), 0.03, colour=ORANGE, blend=0.02),
    )  # fmt: skip
    antenna = Limb.of(
        "antenna", "head", 0.012, 2,
        Part("antenna_1", (0.0, -0.02, 0.0), 0.014, (0.0, 0.07, 0.0), 0.012, colour=GREY),
        Part("antenna_2", (0.0, 0.0, 0.0), 0.012, (0.0, 0.07, 0.0), 0.011, colour=GREY, blend=0.004),
        Part("antenna_3", (0.0, 0.0, 0.0), 0.011, (0.0, 0.04, 0.0), 0.011, colour=GREY, blend=0.004),
    )  # fmt: skip
    sides = [item for limb in (arm, hand, *fingers, thumb, thruster) for item in (limb, mirrored(limb))]
    face = Paint(Part("head", (0.0, 0.085, 0.14), 1.0, scale=(0.13, 0.085, 0.09), colour=GLASS))
    stripe = Paint(Part("body", (0.0, 0.0, 0.19), 0.05, colour=ORANGE))
    return Sculpt((body, head, antenna, skirt, *sides), (face, stripe), cell=0.026, softness=2)
