"""A fox: slender dark-socked legs, large ears, a pointed snout and a bushy tail of nine joints with a white tip."""

from inbetweener.builtin.rigging import HEADING, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.maths.transforms import Vector
from inbetweener.rig import Point, Rig, control

ORANGE = paint_for("#d96a26")
WHITE = paint_for("#f4ece0")
SOCK = paint_for("#33251f")
NOSE = paint_for("#1a1412")
IRIS = paint_for("#c98a1b")

TAIL = tuple(f"tail_{n}" for n in range(1, 10))
TAIL_STEP = 0.062
TAIL_LIFT = (-28.0, -22.0, -12.0, 2.0, 16.0, 26.0, 30.0, 30.0, 26.0)
"""How far each joint of the tail points above the horizon at rest, in degrees."""
TAIL_RADII = (0.03, 0.04, 0.052, 0.064, 0.072, 0.074, 0.068, 0.054, 0.034, 0.01)
"""Half the tail's thickness at each joint and at the tip, in metres."""


def fox() -> Document:
    """The fox standing at rest, its paws on the ground."""
    rig = _rig()
    meshes = (
        sculpted("fox", _sculpt(), rig),
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.021, IRIS, iris_size=62.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.021, IRIS, iris_size=62.0),
        bead("nose", "head", (0.0, -0.001, 0.187), (0.015, 0.012, 0.012), NOSE),
    )
    return Document("fox", rig, meshes)


def _rig() -> Rig:
    back = {"rx": (-20.0, 20.0), "ry": (-20.0, 20.0), "rz": (-15.0, 15.0)}
    look = {"rx": (-20.0, 20.0), "ry": (-25.0, 25.0)}
    bones = [
        Bone("hips", None, (0.0, 0.37, -0.2), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("spine_1", "hips", (0.0, 0.01, 0.1), order=HEADING, limits=back, stiffness=2.0),
        Bone("spine_2", "spine_1", (0.0, 0.005, 0.11), order=HEADING, limits=back, stiffness=2.0),
        Bone("chest", "spine_2", (0.0, -0.005, 0.11), order=HEADING, limits=back, stiffness=2.0),
        Bone("neck", "chest", (0.0, 0.055, 0.09), order=HEADING,
             limits={"rx": (-45.0, 60.0), "ry": (-50.0, 50.0), "rz": (-25.0, 25.0)}, stiffness=1.5),
        Bone("head", "neck", (0.0, 0.1, 0.06), order=HEADING,
             limits={"rx": (-40.0, 40.0), "ry": (-60.0, 60.0), "rz": (-35.0, 35.0)}),
        Bone("jaw", "head", (0.0, -0.018, 0.05), order=HEADING, dofs="rx", limits={"rx": (0.0, 35.0)}),
        *both_sides(
            [
                Bone("ear_l", "head", (0.045, 0.06, -0.005), (0.0, 0.0, -18.0), LIMB_Y, "rx rz",
                     {"rx": (-60.0, 20.0), "rz": (-40.0, 25.0)}, 0.5),
                Bone("eye_l", "head", (0.043, 0.022, 0.062), (0.0, 22.0, 0.0), LIMB_Y, "rx ry", look),
                *_front_leg(),
                *_rear_leg(),
            ]
        ),
        *_tail(),
    ]  # fmt: skip
    sweep = control("tail_sweep", {f"{name}.ry": 1.0 / len(TAIL) for name in TAIL}, lower=-3.0, upper=3.0)
    lift = control("tail_lift", {f"{name}.rx": 1.0 / len(TAIL) for name in TAIL}, lower=-2.0, upper=2.0)
    paws = [Point(f"{leg}_{side}", (0.0, -0.022, 0.015), f"{leg}_ground_{side}")
            for leg in ("front_paw", "rear_paw") for side in "lr"]  # fmt: skip
    tip = Point(TAIL[-1], (0.0, 0.0, -TAIL_STEP), "tail_tip")
    return build_rig(bones, (sweep, lift), [*paws, tip, Point("head", (0.0, 0.0, 0.2), "muzzle")])


def _front_leg() -> list[Bone]:
    spread = (-12.0, 25.0)
    return [
        Bone("scapula_l", "chest", (0.05, 0.02, 0.015), order=LIMB_Y, dofs="rx",
             limits={"rx": (-30.0, 30.0)}, stiffness=1.5),
        Bone("upper_arm_l", "scapula_l", (0.015, -0.085, 0.055), order=LIMB_Y,
             limits={"rx": (-60.0, 50.0), "ry": (-20.0, 20.0), "rz": spread}),
        # The elbow points backwards: the forearm folds forwards and up only.
        Bone("forearm_l", "upper_arm_l", (0.0, -0.1, -0.07), order=LIMB_Y, dofs="rx", limits={"rx": (-120.0, 25.0)}),
        Bone("front_paw_l", "forearm_l", (0.0, -0.193, 0.015), order=LIMB_Y,
             limits={"rx": (-30.0, 90.0), "ry": (-20.0, 20.0), "rz": (-15.0, 15.0)}, stiffness=0.7),
    ]  # fmt: skip


def _rear_leg() -> list[Bone]:
    return [
        Bone("thigh_l", "hips", (0.055, -0.005, -0.01), order=LIMB_Y,
             limits={"rx": (-80.0, 50.0), "ry": (-20.0, 20.0), "rz": (-12.0, 25.0)}),
        # Knee and hock fold against each other; neither opens past straight.
        Bone("shank_l", "thigh_l", (0.01, -0.14, 0.07), order=LIMB_Y, dofs="rx", limits={"rx": (-60.0, 70.0)}),
        Bone("hock_l", "shank_l", (0.0, -0.105, -0.115), order=LIMB_Y, dofs="rx", limits={"rx": (-75.0, 40.0)}),
        Bone("rear_paw_l", "hock_l", (0.0, -0.098, 0.015), order=LIMB_Y,
             limits={"rx": (-40.0, 60.0), "ry": (-20.0, 20.0), "rz": (-15.0, 15.0)}, stiffness=0.7),
    ]  # fmt: skip


def _tail() -> list[Bone]:
    bend = {"rx": (-35.0, 35.0), "ry": (-35.0, 35.0)}
    bones = []
    parent, offset, before = "hips", (0.0, 0.015, -0.085), 0.0
    for name, lift in zip(TAIL, TAIL_LIFT, strict=True):
        # Each joint's −z runs along the tail, so ry is a bend to the side wherever the tail is held.
        bones.append(Bone(name, parent, offset, (lift - before, 0.0, 0.0), HEADING, "rx ry", bend, 0.6))
        parent, offset, before = name, (0.0, 0.0, -TAIL_STEP), lift
    return bones


def _sculpt() -> Sculpt:
    torso = Limb.of(
        "torso", None, 0.03, 2,
        Part("hips", (0.0, 0.0, -0.02), 1.0, scale=(0.076, 0.078, 0.095), colour=ORANGE),
        Part("spine_1", (0.0, -0.01, -0.03), 0.068, (0.0, -0.012, 0.1), 0.068, colour=ORANGE, blend=0.05),
        Part("spine_2", (0.0, -0.014, 0.0), 0.07, (0.0, -0.02, 0.1), 0.078, colour=ORANGE, blend=0.05),
        Part("chest", (0.0, -0.022, 0.03), 1.0, scale=(0.08, 0.098, 0.1), colour=ORANGE, blend=0.05),
        Part("neck", (0.0, -0.05, -0.04), 0.07, (0.0, 0.08, 0.045), 0.054, colour=ORANGE, blend=0.06),
        Part("neck", (0.0, -0.045, 0.015), 0.055, (0.0, -0.085, 0.005), 0.03, colour=WHITE, blend=0.05),
    )  # fmt: skip
    head = Limb.of(
        "head", "torso", 0.03, 4,
        Part("head", (0.0, 0.018, 0.01), 1.0, scale=(0.078, 0.07, 0.075), colour=ORANGE),
        Part("head", (0.03, -0.012, 0.02), 0.042, (0.088, -0.03, -0.01), 0.012, colour=WHITE, blend=0.03),
        Part("head", (-0.03, -0.012, 0.02), 0.042, (-0.088, -0.03, -0.01), 0.012, colour=WHITE, blend=0.03),
        Part("head", (0.0, -0.002, 0.05), 0.046, (0.0, -0.012, 0.17), 0.019, colour=ORANGE, blend=0.03),
    )  # fmt: skip
    jaw = Limb.of(
        "jaw", "head", 0.008, 4,
        Part("jaw", (0.0, -0.005, 0.0), 0.026, (0.0, -0.008, 0.095), 0.012, colour=WHITE),
    )  # fmt: skip
    ear = Limb.of(
        "ear_l", "head", 0.015, 4,
        Part("ear_l", (0.0, -0.005, 0.0), 0.055, (0.0, 0.12, 0.0), 0.009, scale=(1.0, 1.0, 0.5), colour=ORANGE),
    )  # fmt: skip
    front = Limb.of(
        "front_leg_l", "torso", 0.05, 2,
        Part("scapula_l", (0.0, 0.01, 0.0), 0.042, (0.012, -0.08, 0.045), 0.045, (0.8, 1.0, 1.0), colour=ORANGE),
        Part("upper_arm_l", (0.0, 0.0, 0.0), 0.045, (0.0, -0.1, -0.07), 0.033, colour=ORANGE, blend=0.04),
        Part("forearm_l", (0.0, 0.0, 0.0), 0.032, (0.0, -0.183, 0.014), 0.02, colour=SOCK, blend=0.03),
        *_paw("front_paw_l"),
    )  # fmt: skip
    rear = Limb.of(
        "rear_leg_l", "torso", 0.05, 2,
        Part("thigh_l", (0.0, -0.02, 0.0), 0.068, (0.01, -0.13, 0.06), 0.044, (0.75, 1.0, 1.0), colour=ORANGE),
        Part("shank_l", (0.0, 0.0, 0.0), 0.042, (0.0, -0.1, -0.11), 0.022, colour=ORANGE, blend=0.04),
        Part("hock_l", (0.0, 0.0, 0.0), 0.022, (0.0, -0.09, 0.014), 0.018, colour=SOCK, blend=0.02),
        *_paw("rear_paw_l"),
    )  # fmt: skip
    tail = Limb.of(
        "tail", "torso", 0.03, 2,
        *(
            Part(name, (0.0, 0.0, 0.0), here, (0.0, 0.0, -TAIL_STEP), after,
                 colour=WHITE if n >= 6 else ORANGE, blend=0.05)
            for n, (name, here, after) in enumerate(zip(TAIL, TAIL_RADII, TAIL_RADII[1:], strict=False))
        ),
    )  # fmt: skip
    sides = [item for limb in (ear, front, rear) for item in (limb, mirrored(limb))]
    return Sculpt((torso, head, jaw, *sides, tail), _paint(), cell=0.028, softness=10)


def _paw(joint: str) -> tuple[Part, ...]:
    """A wrist and a rounded foot that stands flat."""
    at: Vector = (0.0, 0.0, 0.03)
    return (
        Part(joint, (0.0, 0.0, 0.0), 0.021, colour=SOCK, blend=0.02),
        Part(joint, (0.0, -0.003, 0.012), 0.019, at, 0.017, scale=(1.3, 1.0, 1.15), colour=SOCK, blend=0.015),
    )


def _paint() -> tuple[Paint, ...]:
    bib = Paint(Part("chest", (0.0, -0.03, 0.125), 1.0, scale=(0.06, 0.13, 0.09), colour=WHITE))
    ears = [Paint(Part("ear_l", (0.0, 0.1, 0.0), 0.042, colour=SOCK)),
            Paint(Part("ear_l", (0.0, 0.055, 0.03), 1.0, scale=(0.028, 0.042, 0.028), colour=WHITE))]  # fmt: skip
    muzzle = Paint(Part("head", (0.03, -0.035, 0.1), 0.03, (0.016, -0.03, 0.165), 0.02, colour=WHITE))
    sides = [item for paint in (*ears, muzzle) for item in (paint, mirrored(paint))]
    return bib, *sides
