"""A cartoon gentleman of the rubber-hose school: long thin limbs, big gloves and shoes, if asked a very tall hat."""

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.rig import Point, Rig, control

FACE, NOSE = paint_for("#f2c9a0"), paint_for("#e8836b")
HOSE, GLOVE, SHOE = paint_for("#22242b"), paint_for("#fbf8f0"), paint_for("#c9772e")
COAT, TROUSERS = paint_for("#3d7a5a"), paint_for("#d9b23c")
HAT, BAND, INK = paint_for("#5a3d8a"), paint_for("#f0c64a"), paint_for("#20161c")

FINGERS = {"thumb": ((0.02, -0.01, 0.045), -48.0), "index": ((0.075, 0.0, 0.042), -8.0),
           "middle": ((0.085, 0.0, 0.0), 0.0), "pinky": ((0.075, 0.0, -0.042), 10.0)}  # fmt: skip
"""Where the fingers of the left hand start, and how many degrees they point away from it about y."""

HAT_JOINTS = 4


def cartoon(*, hat: bool = False) -> Document:
    """The gentleman at rest, 1.6 m tall, or 2.15 m with his hat, which bends in four places."""
    rig = _rig(hat)
    face = (
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.05, INK, iris_size=24.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.05, INK, iris_size=24.0),
        bead("moustache_l", "head", (0.048, 0.082, 0.165), (0.058, 0.017, 0.018), INK, roll=14.0),
        bead("moustache_r", "head", (-0.048, 0.082, 0.165), (0.058, 0.017, 0.018), INK, roll=-14.0),
        bead("brow_l", "head", (0.062, 0.268, 0.122), (0.042, 0.01, 0.014), INK, roll=8.0),
        bead("brow_r", "head", (-0.062, 0.268, 0.122), (0.042, 0.01, 0.014), INK, roll=-8.0),
        *(bead(f"button_{n}", "chest", (0.0, y, z), (0.016, 0.016, 0.01), BAND)
          for n, (y, z) in enumerate(((0.07, 0.1), (0.0, 0.118), (-0.07, 0.128)))),
    )  # fmt: skip
    return Document("cartoon", rig, (sculpted("cartoon", _sculpt(hat), rig), *face))


def _rig(hat: bool) -> Rig:
    back = {"rx": (-25.0, 40.0), "ry": (-35.0, 35.0), "rz": (-30.0, 30.0)}
    nod = {"rx": (-35.0, 45.0), "ry": (-60.0, 60.0), "rz": (-35.0, 35.0)}
    sway = {"rx": (-40.0, 40.0), "rz": (-40.0, 40.0)}
    arm = [
        Bone("upper_arm_l", "chest", (0.095, 0.1, 0.0), (0.0, 0.0, -45.0), LIMB_X,
             limits={"rx": (-110.0, 110.0), "ry": (-140.0, 70.0), "rz": (-75.0, 140.0)}),
        Bone("forearm_l", "upper_arm_l", (0.29, 0.0, 0.0), order=LIMB_X, dofs="rx ry",
             limits={"rx": (-95.0, 95.0), "ry": (-155.0, 5.0)}),
        Bone("hand_l", "forearm_l", (0.28, 0.0, 0.0), order=LIMB_X,
             limits={"rx": (-30.0, 30.0), "ry": (-40.0, 40.0), "rz": (-80.0, 80.0)}),
    ]  # fmt: skip
    for name, (base, turn) in FINGERS.items():
        bend = {"ry": (-20.0, 60.0), "rz": (-60.0, 20.0)} if name == "thumb" else {"rz": (-95.0, 15.0)}
        arm += [
            Bone(f"{name}_1_l", "hand_l", base, (0.0, turn, -6.0), LIMB_X, " ".join(bend), bend),
            Bone(f"{name}_2_l", f"{name}_1_l", (0.05, 0.0, 0.0), (0.0, 0.0, -6.0), LIMB_X, " ".join(bend), bend),
        ]
    leg = [
        Bone("thigh_l", "hips", (0.088, -0.02, 0.0), order=LIMB_Y,
             limits={"rx": (-130.0, 50.0), "ry": (-45.0, 45.0), "rz": (-30.0, 60.0)}),
        Bone("shank_l", "thigh_l", (0.0, -0.37, 0.0), order=LIMB_Y, dofs="rx", limits={"rx": (-2.0, 155.0)}),
        Bone("foot_l", "shank_l", (0.0, -0.315, 0.0), order=LIMB_Y,
             limits={"rx": (-45.0, 70.0), "ry": (-35.0, 35.0), "rz": (-30.0, 30.0)}),
        Bone("toe_l", "foot_l", (0.0, -0.055, 0.13), order=LIMB_Y, dofs="rx", limits={"rx": (-70.0, 40.0)}),
    ]  # fmt: skip
    bones = [
        Bone("hips", None, (0.0, 0.78, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("spine", "hips", (0.0, 0.1, 0.0), order=LIMB_Y, limits=back, stiffness=3.0),
        Bone("chest", "spine", (0.0, 0.15, 0.0), order=LIMB_Y, limits=back, stiffness=3.0),
        Bone("neck", "chest", (0.0, 0.16, 0.0), order=LIMB_Y, limits=nod, stiffness=1.5),
        Bone("head", "neck", (0.0, 0.08, 0.0), order=LIMB_Y, limits=nod, stiffness=1.5),
        *both_sides([Bone("eye_l", "head", (0.055, 0.2, 0.11), order=LIMB_Y, dofs="rx ry",
                          limits={"rx": (-30.0, 30.0), "ry": (-40.0, 40.0)})]),
        *both_sides(arm),
        *both_sides(leg),
    ]  # fmt: skip
    points = [Point("head", (0.0, 0.34, 0.0), "head_top")]
    if hat:
        bones.append(Bone("hat_1", "head", (0.0, 0.315, -0.02), order=LIMB_Y, dofs="rx rz", limits=sway))
        for n in range(2, HAT_JOINTS + 1):
            bones.append(
                Bone(f"hat_{n}", f"hat_{n - 1}", (0.0, 0.13, 0.0), order=LIMB_Y, dofs="rx rz", limits=sway,
                     stiffness=1.0 / n)
            )  # fmt: skip
        points.append(Point(f"hat_{HAT_JOINTS}", (0.0, 0.15, 0.0), "hat_top"))
    curls = [
        control(f"curl_{side}", {f"{name}_{n}_{side}.rz": -sign * 1.2 for name in FINGERS for n in (1, 2)},
                lower=-0.2, upper=1.0)
        for side, sign in (("l", 1.0), ("r", -1.0))
    ]  # fmt: skip
    return build_rig(bones, curls, points)


def _sculpt(hat: bool) -> Sculpt:
    torso = Limb.of(
        "torso", None, 0.03, 2,
        Part("hips", (0.0, 0.01, 0.0), 1.0, scale=(0.13, 0.105, 0.115), colour=TROUSERS),
        Part("spine", (0.0, 0.0, 0.005), 0.125, (0.0, 0.12, 0.005), 0.12, (1.0, 1.0, 0.92), 0.03, COAT),
        Part("chest", (0.0, 0.0, 0.0), 0.118, (0.0, 0.09, 0.0), 0.085, (1.1, 1.0, 0.95), 0.03, COAT),
    )  # fmt: skip
    head = Limb.of(
        "head", "torso", 0.02, 2,
        Part("neck", (0.0, -0.03, 0.0), 0.034, (0.0, 0.1, 0.0), 0.034, colour=FACE),
        Part("head", (0.0, 0.2, 0.0), 1.0, scale=(0.135, 0.145, 0.135), colour=FACE),
        Part("head", (0.0, 0.08, 0.02), 1.0, scale=(0.145, 0.1, 0.125), blend=0.06, colour=FACE),
        Part("head", (0.0, 0.135, 0.155), 1.0, scale=(0.05, 0.043, 0.05), blend=0.012, colour=NOSE),
        *(Part("head", (x, 0.15, -0.01), 1.0, scale=(0.022, 0.045, 0.035), blend=0.015, colour=FACE)
          for x in (-0.142, 0.142)),
    )  # fmt: skip
    arm = Limb.of(
        "arm_l", "torso", 0.03, 2,
        Part("upper_arm_l", (0.0, 0.0, 0.0), 0.046, (0.08, 0.0, 0.0), 0.042, colour=COAT),
        Part("upper_arm_l", (0.08, 0.0, 0.0), 0.029, (0.29, 0.0, 0.0), 0.029, blend=0.006, colour=HOSE),
        Part("forearm_l", (0.0, 0.0, 0.0), 0.029, (0.25, 0.0, 0.0), 0.029, blend=0.006, colour=HOSE),
        Part("forearm_l", (0.255, 0.0, 0.0), 0.044, (0.275, 0.0, 0.0), 0.046, blend=0.008, colour=GLOVE),
    )  # fmt: skip
    palm = Limb.of(
        "palm_l", "arm_l", 0.02, 2,
        Part("hand_l", (0.02, 0.0, 0.0), 0.046, (0.07, 0.0, 0.0), 0.062, (1.0, 0.62, 1.0), 0.02, GLOVE),
    )  # fmt: skip
    fingers = [
        Limb.of(
            f"{name}_l", "palm_l", 0.012, 2,
            Part(f"{name}_1_l", (0.0, 0.0, 0.0), 0.023, (0.05, 0.0, 0.0), 0.022, colour=GLOVE),
            Part(f"{name}_2_l", (0.0, 0.0, 0.0), 0.022, (0.042, 0.0, 0.0), 0.022, blend=0.008, colour=GLOVE),
        )
        for name in FINGERS
    ]  # fmt: skip
    leg = Limb.of(
        "leg_l", "torso", 0.02, 2,
        Part("thigh_l", (0.0, 0.0, 0.0), 0.075, (0.0, -0.12, 0.0), 0.068, colour=TROUSERS),
        Part("thigh_l", (0.0, -0.12, 0.0), 0.034, (0.0, -0.37, 0.0), 0.032, blend=0.006, colour=HOSE),
        Part("shank_l", (0.0, 0.0, 0.0), 0.032, (0.0, -0.31, 0.0), 0.032, blend=0.006, colour=HOSE),
    )  # fmt: skip
    shoe = Limb.of(
        "shoe_l", "leg_l", 0.01, 2,
        Part("foot_l", (0.0, 0.01, 0.0), 0.05, (0.0, -0.015, 0.01), 0.056, colour=SHOE),
        Part("foot_l", (0.0, -0.022, 0.0), 0.053, (0.005, -0.022, 0.11), 0.055, blend=0.03, colour=SHOE),
        Part("toe_l", (0.006, 0.044, 0.03), 0.064, (0.008, 0.044, 0.07), 0.064, (1.15, 1.0, 1.0), 0.03, SHOE),
    )  # fmt: skip
    limbs = [torso, head, *(side for limb in (arm, palm, *fingers, leg, shoe) for side in (limb, mirrored(limb)))]
    return Sculpt((*limbs, *([_hat()] if hat else [])), cell=0.031, softness=6)


def _hat() -> Limb:
    """A stovepipe with a wide brim, a little wider at the top."""
    pipe = [
        Part(f"hat_{n}", (0.0, 0.02 if n == 1 else 0.0, 0.0), 0.1 + 0.004 * n,
             (0.0, 0.13 if n < HAT_JOINTS else 0.08, 0.0), 0.104 + 0.004 * n, blend=0.006, colour=HAT)
        for n in range(1, HAT_JOINTS + 1)
    ]  # fmt: skip
    brim = Part("hat_1", (0.0, 0.0, 0.0), 1.0, scale=(0.185, 0.027, 0.185), blend=0.012, colour=HAT)
    band = Part("hat_1", (0.0, 0.055, 0.0), 1.0, scale=(0.112, 0.03, 0.112), blend=0.004, colour=BAND)
    return Limb("hat", (*pipe, brim, band), "head", 0.008, 2)
