"""A young dinosaur that boxes: strong legs, red gloves, a big head, and a long heavy tail of ten joints."""

from inbetweener.builtin.rigging import HEADING, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.document import Document
from inbetweener.rig import Channel, Point, Rig, control
from inbetweener.skinning import Mesh

GREEN = paint_for("#5f9b4c")
BELLY = paint_for("#dcd79a")
STRIPE = paint_for("#35663b")
CLAW = paint_for("#f0e8d2")
GLOVE = paint_for("#cf2f33")
CUFF = paint_for("#f5f1ea")
DARK = paint_for("#1d2a1c")
IRIS = paint_for("#f2b21f")

TAIL = tuple(f"tail_{n}" for n in range(1, 11))
TAIL_STEP = 0.14
TAIL_LIFT = (-24.0, -32.0, -35.0, -32.0, -24.0, -14.0, -5.0, 3.0, 9.0, 13.0)
"""How far each joint of the tail points above the horizon at rest, in degrees."""
TAIL_RADII = (0.17, 0.145, 0.122, 0.104, 0.09, 0.077, 0.065, 0.053, 0.042, 0.031, 0.018)
"""Half the tail's thickness at each joint and at the tip, in metres."""
MIDDLE = 5
"""The joint, counted from 0, where half of the tail's length is passed."""
NOSTRILS = (("l", 0.045), ("r", -0.045))
BROWS = (0.095, -0.095)


def dinosaur() -> Document:
    """The dinosaur at rest, standing on both feet with its tail off the ground."""
    rig = _rig()
    meshes = (
        sculpted("dinosaur", _sculpt(), rig),
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), 0.06, IRIS, iris_size=44.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), 0.06, IRIS, iris_size=44.0),
        *_teeth(),
        *(bead(f"nostril_{s}", "head", (x, 0.095, 0.398), (0.014, 0.011, 0.014), DARK) for s, x in NOSTRILS),
    )
    return Document("dinosaur", rig, meshes)


def _rig() -> Rig:
    back = {"rx": (-25.0, 25.0), "ry": (-25.0, 25.0), "rz": (-20.0, 20.0)}
    throat = {"rx": (-40.0, 40.0), "ry": (-40.0, 40.0), "rz": (-25.0, 25.0)}
    bones = [
        Bone("hips", None, (0.0, 0.74, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("spine_1", "hips", (0.0, 0.06, 0.06), order=HEADING, limits=back, stiffness=2.0),
        Bone("spine_2", "spine_1", (0.0, 0.11, 0.07), order=HEADING, limits=back, stiffness=2.0),
        Bone("chest", "spine_2", (0.0, 0.12, 0.06), order=HEADING, limits=back, stiffness=2.0),
        Bone("neck_1", "chest", (0.0, 0.13, 0.05), order=HEADING, limits=throat, stiffness=1.5),
        Bone("neck_2", "neck_1", (0.0, 0.12, 0.03), order=HEADING, limits=throat, stiffness=1.5),
        Bone("head", "neck_2", (0.0, 0.12, 0.03), order=HEADING,
             limits={"rx": (-45.0, 45.0), "ry": (-60.0, 60.0), "rz": (-35.0, 35.0)}),
        Bone("jaw", "head", (0.0, -0.015, 0.05), order=HEADING, dofs="rx", limits={"rx": (-3.0, 45.0)}),
        *both_sides([Bone("eye_l", "head", (0.1, 0.155, 0.115), (0.0, 14.0, 0.0), LIMB_Y, "rx ry",
                          {"rx": (-25.0, 25.0), "ry": (-30.0, 30.0)})]),
        *both_sides([*_arm(), *_leg()]),
        *_tail(),
    ]  # fmt: skip
    soles = [Point(f"foot_{side}", (0.0, -0.04, 0.06), f"sole_{side}") for side in "lr"]
    tail = [
        Point(TAIL[MIDDLE], (0.0, -TAIL_RADII[MIDDLE], 0.0), "tail_middle"),
        Point(TAIL[-1], (0.0, 0.0, -TAIL_STEP), "tail_tip"),
    ]
    fists = [Point(f"hand_{side}", (0.0, -0.16, 0.0), f"fist_{side}") for side in "lr"]
    return build_rig(bones, _tail_controls(), [*soles, *fists, *tail, Point("head", (0.0, 0.06, 0.41), "nose")])


def _arm() -> list[Bone]:
    return [
        Bone("upper_arm_l", "chest", (0.155, 0.03, 0.06), (0.0, 0.0, 14.0), LIMB_Y,
             limits={"rx": (-150.0, 60.0), "ry": (-80.0, 80.0), "rz": (-25.0, 110.0)}),
        # Elbows fold the forearm forwards and up, never past straight.
        Bone("forearm_l", "upper_arm_l", (0.0, -0.2, 0.0), (-30.0, 0.0, 0.0), LIMB_Y, "rx ry",
             {"rx": (-115.0, 30.0), "ry": (-80.0, 80.0)}),
        Bone("hand_l", "forearm_l", (0.0, -0.2, 0.0), order=LIMB_Y,
             limits={"rx": (-50.0, 50.0), "ry": (-30.0, 30.0), "rz": (-30.0, 30.0)}, stiffness=0.7),
    ]  # fmt: skip


def _leg() -> list[Bone]:
    return [
        Bone("thigh_l", "hips", (0.135, -0.01, 0.0), order=LIMB_Y,
             limits={"rx": (-95.0, 55.0), "ry": (-35.0, 35.0), "rz": (-15.0, 40.0)}),
        Bone("shank_l", "thigh_l", (0.025, -0.27, 0.14), order=LIMB_Y, dofs="rx", limits={"rx": (-62.0, 60.0)}),
        Bone("hock_l", "shank_l", (0.0, -0.22, -0.19), order=LIMB_Y, dofs="rx", limits={"rx": (-60.0, 50.0)}),
        Bone("foot_l", "hock_l", (0.0, -0.2, 0.05), order=LIMB_Y,
             limits={"rx": (-50.0, 60.0), "ry": (-25.0, 25.0), "rz": (-25.0, 25.0)}, stiffness=0.7),
    ]  # fmt: skip


def _tail() -> list[Bone]:
    bend = {"rx": (-40.0, 40.0), "ry": (-35.0, 35.0)}
    bones = []
    parent, offset, before = "hips", (0.0, 0.0, -0.1), 0.0
    for n, (name, lift) in enumerate(zip(TAIL, TAIL_LIFT, strict=True)):
        # Each joint's −z runs along the tail, so ry is a bend to the side however the tail is held.
        stiffness = 2.0 - 0.15 * n
        bones.append(Bone(name, parent, offset, (lift - before, 0.0, 0.0), HEADING, "rx ry", bend, stiffness))
        parent, offset, before = name, (0.0, 0.0, -TAIL_STEP), lift
    return bones


def _tail_controls() -> tuple[Channel, ...]:
    """Bends in radians over the whole tail, or over its outer half."""
    outer = TAIL[MIDDLE:]
    return (
        control("tail_sweep", {f"{name}.ry": 1.0 / len(TAIL) for name in TAIL}, lower=-3.0, upper=3.0),
        control("tail_lift", {f"{name}.rx": 1.0 / len(TAIL) for name in TAIL}, lower=-2.5, upper=2.5),
        control("tail_curl", {f"{name}.rx": 1.0 / len(outer) for name in outer}, lower=-2.5, upper=2.5),
    )


def _teeth() -> list[Mesh]:
    places = ((0.09, 0.2), (0.087, 0.25), (0.083, 0.3), (0.073, 0.348), (0.05, 0.387), (0.018, 0.402))
    return [
        bead(f"tooth_{n}_{side}", "head", (sign * x, 0.0, z), (0.013, 0.024, 0.013), CLAW)
        for side, sign in (("l", 1.0), ("r", -1.0))
        for n, (x, z) in enumerate(places, 1)
    ]


def _sculpt() -> Sculpt:
    torso = Limb.of(
        "torso", None, 0.03, 2,
        Part("hips", (0.0, 0.01, -0.02), 1.0, scale=(0.19, 0.2, 0.2), colour=GREEN),
        Part("spine_1", (0.0, 0.0, 0.0), 0.18, (0.0, 0.1, 0.06), 0.175, colour=GREEN, blend=0.08),
        Part("spine_2", (0.0, 0.03, 0.01), 0.175, (0.0, 0.1, 0.05), 0.165, colour=GREEN, blend=0.08),
        Part("chest", (0.0, 0.0, 0.0), 1.0, scale=(0.17, 0.165, 0.155), colour=GREEN, blend=0.08),
        Part("neck_1", (0.0, -0.03, -0.01), 0.12, (0.0, 0.12, 0.03), 0.098, colour=GREEN, blend=0.08),
        Part("neck_2", (0.0, 0.0, 0.0), 0.098, (0.0, 0.1, 0.03), 0.1, colour=GREEN, blend=0.05),
    )  # fmt: skip
    head = Limb.of(
        "head", "torso", 0.05, 2,
        Part("head", (0.0, 0.085, 0.02), 1.0, scale=(0.165, 0.15, 0.17), colour=GREEN),
        Part("head", (0.0, 0.07, 0.1), 0.122, (0.0, 0.066, 0.33), 0.086, (1.0, 0.8, 1.0), 0.05, GREEN),
        *(Part("head", (x, 0.2, 0.11), 0.045, (x, 0.19, 0.03), 0.04, blend=0.04, colour=GREEN) for x in BROWS),
    )  # fmt: skip
    jaw = Limb.of(
        "jaw", "head", 0.015, 4,
        Part("jaw", (0.0, -0.02, 0.0), 0.1, (0.0, -0.016, 0.26), 0.066, scale=(1.0, 0.5, 1.0), colour=BELLY),
    )  # fmt: skip
    arm = Limb.of(
        "arm_l", "torso", 0.05, 2,
        Part("upper_arm_l", (0.0, 0.0, 0.0), 0.072, (0.0, -0.19, 0.0), 0.05, colour=GREEN),
        Part("forearm_l", (0.0, 0.0, 0.0), 0.052, (0.0, -0.15, 0.0), 0.046, colour=GREEN, blend=0.03),
    )  # fmt: skip
    glove = Limb.of(
        "glove_l", "arm_l", 0.01, 2,
        Part("hand_l", (0.0, 0.03, 0.0), 0.056, (0.0, -0.01, 0.0), 0.056, colour=CUFF),
        Part("hand_l", (0.0, -0.075, 0.008), 1.0, scale=(0.078, 0.088, 0.086), colour=GLOVE, blend=0.02),
        Part("hand_l", (-0.05, -0.04, 0.05), 0.032, (-0.052, -0.085, 0.06), 0.03, colour=GLOVE, blend=0.02),
    )  # fmt: skip
    leg = Limb.of(
        "leg_l", "torso", 0.08, 2,
        Part("thigh_l", (0.0, -0.03, 0.0), 0.15, (0.025, -0.25, 0.12), 0.1, scale=(0.82, 1.0, 1.0), colour=GREEN),
        Part("shank_l", (0.0, 0.0, 0.0), 0.095, (0.0, -0.2, -0.175), 0.052, colour=GREEN, blend=0.07),
        Part("hock_l", (0.0, 0.0, 0.0), 0.054, (0.0, -0.18, 0.045), 0.045, colour=GREEN, blend=0.04),
        Part("foot_l", (0.0, 0.006, -0.01), 0.046, (0.0, -0.002, 0.06), 0.038, colour=GREEN, blend=0.03),
    )  # fmt: skip
    toes = [_toe(n, x) for n, x in enumerate((-0.06, 0.0, 0.06), 1)]
    tail = Limb.of(
        "tail", "torso", 0.1, 2,
        *(
            Part(name, (0.0, 0.0, 0.0), here, (0.0, 0.0, -TAIL_STEP), after, colour=GREEN, blend=0.6 * here)
            for name, here, after in zip(TAIL, TAIL_RADII, TAIL_RADII[1:], strict=False)
        ),
    )  # fmt: skip
    sides = [item for limb in (arm, glove, leg, *toes) for item in (limb, mirrored(limb))]
    return Sculpt((torso, head, jaw, *sides, tail), _paint(), cell=0.05, softness=7)


def _toe(n: int, x: float) -> Limb:
    return Limb.of(
        f"toe_{n}_l", "leg_l", 0.03, 4,
        Part("foot_l", (x * 0.5, -0.002, 0.04), 0.033, (x * 1.15, -0.009, 0.125), 0.028, colour=GREEN),
        Part("foot_l", (x * 1.15, -0.012, 0.135), 0.022, (x * 1.3, -0.03, 0.185), 0.008, colour=CLAW, blend=0.006),
    )  # fmt: skip


def _paint() -> tuple[Paint, ...]:
    belly = [
        Part("chest", (0.0, 0.02, 0.17), 1.0, scale=(0.105, 0.2, 0.13), colour=BELLY),
        Part("spine_2", (0.0, 0.0, 0.2), 1.0, scale=(0.11, 0.19, 0.13), colour=BELLY),
        Part("hips", (0.0, -0.02, 0.2), 1.0, scale=(0.1, 0.17, 0.13), colour=BELLY),
        Part("neck_1", (0.0, 0.05, 0.12), 0.06, (0.0, 0.2, 0.13), 0.06, colour=BELLY),
    ]
    # Saddles across the back: discs that reach down to half the height of the body.
    stripes = [
        Part(name, (0.0, 0.8 * radius, -0.035), 1.0, scale=(0.75 * radius, 0.75 * radius, 0.03), colour=STRIPE)
        for name, radius in zip(TAIL[:8], TAIL_RADII, strict=False)
    ]
    spine = [
        Part("spine_2", (0.0, 0.08, -0.16), 1.0, scale=(0.14, 0.035, 0.1), colour=STRIPE),
        Part("chest", (0.0, 0.06, -0.13), 1.0, scale=(0.12, 0.035, 0.1), colour=STRIPE),
        Part("neck_2", (0.0, 0.03, -0.08), 1.0, scale=(0.09, 0.03, 0.07), colour=STRIPE),
    ]
    return tuple(Paint(region) for region in (*belly, *stripes, *spine))
