"""The skeleton of a person: 54 joints, limits of a healthy adult, controls for spine and fingers.

Left limbs: arms lie along +x and bend at the elbow about −y, fingers curl about −z; legs hang along −y and bend at
the knee about +x. Right limbs are mirror images.
"""

import math

from inbetweener.builtin.rigging import HEADING, LIMB_X, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.maths.transforms import Vector
from inbetweener.rig import Channel, Point, Rig, control

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
        *both_sides([*_arm(), *_hand()]),
        *both_sides(_leg()),
    ]
    points = [
        Point("head", (0.0, 0.18, 0.0), "head_top"),
        *(Point(f"hand_{s}", (x, -0.02, 0.0), f"palm_{s}") for s, x in (("l", 0.07), ("r", -0.07))),
        *(Point(f"foot_{s}", (0.0, -0.075, -0.05), f"heel_{s}") for s in "lr"),
        *(Point(f"toe_{s}", (0.0, -0.02, 0.0), f"ball_{s}") for s in "lr"),
    ]
    return build_rig(bones, [*_spine_controls(), *_curls("l", -1.0), *_curls("r", 1.0)], points)


def _arm() -> list[Bone]:
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


def _leg() -> list[Bone]:
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
