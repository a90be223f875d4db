"""A stick figure: a round head on a line, as anybody draws one. The smallest character; good for first experiments."""

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Part, Sculpt, bead, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.rig import Rig

INK = paint_for("#f4f1e8")
CAP = paint_for("#ff7a59")
DOT = paint_for("#1d2530")


def stick() -> Document:
    """The figure at rest, 1.5 m tall."""
    rig = _rig()
    face = (
        bead("eye_l", "head", (0.055, 0.17, 0.142), (0.017, 0.03, 0.012), DOT),
        bead("eye_r", "head", (-0.055, 0.17, 0.142), (0.017, 0.03, 0.012), DOT),
        bead("smile_l", "head", (0.025, 0.088, 0.14), (0.034, 0.009, 0.01), DOT, roll=20.0),
        bead("smile_r", "head", (-0.025, 0.088, 0.14), (0.034, 0.009, 0.01), DOT, roll=-20.0),
    )
    return Document("stick", rig, (sculpted("stick", _sculpt(), rig), *face))


def _rig() -> Rig:
    back = {"rx": (-30.0, 45.0), "ry": (-40.0, 40.0), "rz": (-30.0, 30.0)}
    shoulder = {"rx": (-90.0, 90.0), "ry": (-140.0, 60.0), "rz": (-75.0, 140.0)}
    hip = {"rx": (-120.0, 40.0), "ry": (-40.0, 40.0), "rz": (-30.0, 60.0)}
    return build_rig(
        [
            Bone("hips", None, (0.0, 0.72, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
            Bone("chest", "hips", (0.0, 0.2, 0.0), order=LIMB_Y, limits=back, stiffness=2.0),
            Bone("head", "chest", (0.0, 0.26, 0.0), order=LIMB_Y, limits=back),
            *both_sides(
                [
                    Bone("upper_arm_l", "chest", (0.035, 0.2, 0.0), (0.0, 0.0, -40.0), LIMB_X, limits=shoulder),
                    Bone("forearm_l", "upper_arm_l", (0.26, 0.0, 0.0), order=LIMB_X, dofs="rx ry",
                         limits={"rx": (-90.0, 90.0), "ry": (-150.0, 3.0)}),
                    Bone("hand_l", "forearm_l", (0.25, 0.0, 0.0), order=LIMB_X,
                         limits={"rx": (-60.0, 60.0), "ry": (-40.0, 40.0), "rz": (-70.0, 70.0)}),
                    Bone("thigh_l", "hips", (0.05, 0.0, 0.0), (0.0, 0.0, 6.0), LIMB_Y, limits=hip),
                    Bone("shank_l", "thigh_l", (0.0, -0.35, 0.0), order=LIMB_Y, dofs="rx",
                         limits={"rx": (-2.0, 150.0)}),
                    Bone("foot_l", "shank_l", (0.0, -0.335, 0.0), (0.0, 0.0, -6.0), LIMB_Y,
                         limits={"rx": (-40.0, 60.0), "ry": (-30.0, 30.0), "rz": (-30.0, 30.0)}),
                ]
            ),
        ]
    )  # fmt: skip


def _sculpt() -> Sculpt:
    r = 0.032
    body = Limb.of(
        "body", None, 0.03, 1,
        Part("hips", (0.0, 0.0, 0.0), 0.042, (0.0, 0.19, 0.0), 0.036, colour=INK),
        Part("chest", (0.0, 0.0, 0.0), 0.036, (0.0, 0.22, 0.0), 0.04, blend=0.004, colour=INK),
    )  # fmt: skip
    head = Limb.of(
        "head", "body", 0.02, 1,
        Part("head", (0.0, -0.04, 0.0), 0.03, (0.0, 0.06, 0.0), 0.03, colour=INK),
        Part("head", (0.0, 0.15, 0.0), 1.0, scale=(0.15, 0.16, 0.15), colour=INK),
    )  # fmt: skip
    arm = Limb.of(
        "arm_l", "body", 0.03, 1,
        Part("upper_arm_l", (0.0, 0.0, 0.0), r, (0.26, 0.0, 0.0), r * 0.9, colour=INK),
        Part("forearm_l", (0.0, 0.0, 0.0), r * 0.9, (0.25, 0.0, 0.0), r * 0.85, blend=0.004, colour=INK),
        Part("hand_l", (0.03, 0.0, 0.0), 0.047, blend=0.015, colour=CAP),
    )  # fmt: skip
    leg = Limb.of(
        "leg_l", "body", 0.03, 1,
        Part("thigh_l", (0.0, 0.0, 0.0), r * 1.1, (0.0, -0.35, 0.0), r, colour=INK),
        Part("shank_l", (0.0, 0.0, 0.0), r, (0.0, -0.32, 0.0), r, blend=0.004, colour=INK),
        Part("foot_l", (0.0, 0.005, -0.01), 0.038, (0.0, 0.002, 0.09), 0.04, (1.1, 1.0, 1.0), 0.015, CAP),
    )  # fmt: skip
    return Sculpt((body, head, arm, mirrored(arm), leg, mirrored(leg)), cell=0.013, softness=6)
