"""The dinosaur winds up, punches, rocks back onto its tail and ends standing on the middle of it, feet in the air."""

from inbetweener.builtin.characters.dinosaur import TAIL, dinosaur
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.document import Document, View


def _tail(turns: tuple[float, ...]) -> Pose:
    """Degrees by which each joint of the tail lifts."""
    return {f"{name}.rx": angle for name, angle in zip(TAIL, turns, strict=True)}


FREE: Pose = _tail((0.0,) * len(TAIL))
"""The tail as at rest; the controls tail_sweep and tail_lift swing it from there."""

GUARD_ARMS: Pose = {
    "upper_arm_l > hand_l": ((-52, 0, 4), (-92, 20, 0), (-8, 0, 0)),
    "upper_arm_r > hand_r": ((-38, 0, -6), (-104, -20, 0), (-8, 0, 0)),
}  # fmt: skip

GUARD: Pose = {
    "hips.at": (0, -0.09, 0.02), "hips": (8, 0, 0), **GUARD_ARMS, "spine_1 > chest": (2, -4, 0),
    "neck_1 > head": ((-4, 4, 0), (-4, 4, 0), (4, 4, 0)), "jaw": (2, 0, 0),
    "thigh_l > foot_l": ((-30.1, 2.7, 2.6), (23.2, 0, 0), (-11.9, 0, 0), (10.9, 4.6, -1.4)),
    "thigh_r > foot_r": ((6.4, -14.1, -1.4), (14.8, 0, 0), (-14.5, 0, 0), (-14.0, -14.6, 4.8)), "tail_sweep": 0.35,
    "tail_lift": 0.1,
}  # fmt: skip

WIND_UP: Pose = {
    "hips.at": (-0.03, -0.13, -0.06), "hips": (4, -22, 0), "spine_1 > chest": ((4, -14, 0), (4, -14, 0), (4, -16, 0)),
    "neck_1 > head": ((0, 22, 0), (0, 20, 0), (2, 20, 0)), "jaw": (0, 0, 0),
    "upper_arm_l > hand_l": ((-72, 0, -4), (-70, 20, 0), (-8, 0, 0)),
    "upper_arm_r > hand_r": ((42, 0, -28), (-88, 0, 0), (-4, 0, 0)),
    "thigh_l > foot_l": ((-30.7, 10.5, 14.3), (31.2, 0, 0), (-12.4, 0, 0), (10.3, 14.0, -7.8)),
    "thigh_r > foot_r": ((-11.8, -2.6, -2.0), (35.3, 0, 0), (-19.8, 0, 0), (-7.6, -3.1, 1.6)), "tail_sweep": -0.7,
    "tail_lift": 0.0,
}  # fmt: skip

PUNCH: Pose = {
    "hips.at": (0.03, -0.12, 0.12), "hips": (20, 24, 0), "spine_1 > chest": ((0, 10, 0), (-2, 10, 0), (-4, 10, 0)),
    "neck_1 > head": ((-14, -16, 0), (-14, -18, 0), (10, -18, 0)), "jaw": (26, 0, 0),
    "upper_arm_l > hand_l": ((-30, 0, 10), (-108, 20, 0), (-8, 0, 0)),
    "upper_arm_r > hand_r": ((-104, 0, -44), (27, 0, 0), (0, 0, 0)),
    "thigh_l > foot_l": ((-40.0, -8.7, -4.9), (31.6, 0, 0), (-21.9, 0, 0), (10.8, -6.2, 1.6)),
    "thigh_r > foot_r": ((15.4, -25.4, 11.2), (-1.7, 0, 0), (-11.9, 0, 0), (-22.8, -25.0, 6.1)), "tail_sweep": 0.5,
    "tail_lift": 0.75,
}  # fmt: skip

FOLLOW: Pose = {
    "hips.at": (0.03, -0.11, 0.1), "hips": (16, 18, 0), "spine_1 > chest": ((0, 8, 0), (-2, 8, 0), (-2, 8, 0)),
    "neck_1 > head": ((-12, -12, 0), (-12, -14, 0), (8, -14, 0)), "jaw": (18, 0, 0),
    "upper_arm_l > hand_l": ((-34, 0, 8), (-106, 20, 0), (-8, 0, 0)),
    "upper_arm_r > hand_r": ((-90, 0, -31), (18, 0, 0), (6, 0, 0)),
    "thigh_l > foot_l": ((-36.2, -5.4, -3.9), (29.4, 0, 0), (-19.0, 0, 0), (10.1, -3.5, 1.8)),
    "thigh_r > foot_r": ((15.3, -21.6, 6.5), (2.1, 0, 0), (-12.4, 0, 0), (-21.2, -24.2, 5.8)), "tail_sweep": 0.6,
    "tail_lift": 0.55,
}  # fmt: skip

ROCK_BACK: Pose = {
    "hips.at": (0, -0.0794, -0.0047), "hips": (-16, 0, 0), **GUARD_ARMS, "spine_1 > chest": (6, 0, 0),
    "neck_1 > head": ((4, 0, 0), (4, 0, 0), (6, 0, 0)), "jaw": (2, 0, 0),
    "thigh_l > foot_l": ((-9.4, 3.1, 2.7), (20.6, 0, 0), (-1.8, 0, 0), (6.7, 4.1, -1.1)),
    "thigh_r > foot_r": ((25.2, -14.3, -2.2), (16.1, 0, 0), (-6.6, 0, 0), (-17.9, -14.2, 4.4)), "tail_sweep": 0,
    "tail_lift": 0, **_tail((-12, -2, -1, 7, 14, 21, 0, -2, -2, -2)),
}  # fmt: skip

TUCK: Pose = {
    "hips.at": (0, 0.0405, -0.2615), "hips": (-30, 0, 0), **GUARD_ARMS,
    "spine_1 > chest": ((10, 0, 0), (10, 0, 0), (8, 0, 0)), "neck_1 > head": ((6, 0, 0), (4, 0, 0), (6, 0, 0)),
    "jaw": (4, 0, 0),
    "thigh_l > foot_l": ((-42, 4, 6), (20, 0, 0), (-14, 0, 0), (24, 0, 0)),
    "thigh_r > foot_r": ((-30, -4, -6), (24, 0, 0), (-18, 0, 0), (28, 0, 0)),
    **_tail((-24, -2, 1, 7, 27, 31, 3, 0, -2, -4)),
}  # fmt: skip

ON_ITS_TAIL: Pose = {
    "hips.at": (0, 0.0421, -0.2747), "hips": (-34, 0, 0), "spine_1 > chest": (6, 4, 0),
    "neck_1 > head": ((8, -4, 0), (8, -4, 0), (8, -4, 4)), "jaw": (16, 0, 0),
    "upper_arm_l > hand_l": ((-58, 0, 8), (-84, 20, 0), (-8, 0, 0)),
    "upper_arm_r > hand_r": ((-46, 0, -10), (-96, -20, 0), (-8, 0, 0)),
    "thigh_l > foot_l": ((-40, 2, 6), (-50, 0, 0), (24, 0, 0), (10, 0, 0)),
    "thigh_r > foot_r": ((-26, -4, -6), (14, 0, 0), (-16, 0, 0), (30, 0, 0)),
    **_tail((-22, -2, 1, 9, 30, 28, 5, 0, -2, -4)),
}  # fmt: skip

POSES: dict[float, Pose] = {
    0: posed(GUARD, FREE),
    10: WIND_UP,
    15: PUNCH,
    21: posed(FOLLOW, FREE),
    33: ROCK_BACK,
    44: TUCK,
    52: posed(ON_ITS_TAIL, tail_curl=0.0),
    66: posed(ON_ITS_TAIL, GUARD_ARMS, head=(10, -6, 8), jaw=(8, 0, 0), shank_l=(-44, 0, 0), tail_curl=0.12),
}


def dino_punch() -> Document:
    """Both feet stand still up to frame 33; from there on the point tail_middle carries the weight."""
    character = dinosaur()
    clip = keyed(character.rig, "punch", POSES)
    return staged(character, "dino-punch", clip, View((3.4, 1.2, 2.1), (0.0, 0.79, -0.16), 0.52))
