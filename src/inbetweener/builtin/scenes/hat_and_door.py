"""A gentleman in a very tall hat strides through a doorway that is too low for it."""

from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.posing import Pose, keyed, mirrored_pose, posed, staged
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Box
from inbetweener.maths.transforms import Transform

HAT = (2.0, 1.25, 1.0, 1.0)
"""By how much less each joint of the hat bends than its tip."""

STRIDE: Pose = {
    "hips": (2, 6, 0), "spine": (3, -5, 0), "chest": (3, -7, 0), "neck": (-2, 4, 0), "head": (-2, 3, 0),
    "upper_arm_l > hand_l": ((0, 36, -30), (0, -24, 0), (0, 0, -4)),
    "upper_arm_r > hand_r": ((0, 40, 30), (0, 42, 0), (0, 0, 4)),
    "thigh_l > toe_l": ((-34.8, -2.4, -2.8), (20.3, 0, 0), (-3.3, -2.7, -0.2), (0, 0, 0)),
    "thigh_r > toe_r": ((-8.8, -5.6, -1.1), (59.9, 0, 0), (-15.1, -3.9, 3.6), (-36, 0, 0)),
}  # fmt: skip

PASSING: Pose = {
    "hips": (2, -0.6, 0), "spine": (2, 0.5, 0), "chest": (2, 0.7, 0), "neck": (0, -0.4, 0), "head": (0, -0.3, 0),
    "upper_arm_l > hand_l": ((0, -5.8, -30), (0, -25.8, 0), (0, 0, -4)),
    "upper_arm_r > hand_r": ((0, -1.8, 30), (0, 24, 0), (0, 0, 4)),
    "thigh_l > toe_l": ((-17.6, 2.7, 0.8), (34.1, 0, 0), (-18.5, 2.8, 0), (0, 0, 0)),
    "thigh_r > toe_r": ((-38.9, -1.5, -2.2), (95.1, 0, 0), (-24.2, -1.1, 1.8), (6, 0, 0)),
}  # fmt: skip


def _step(pose: Pose, y: float, z: float, hat: float, changes: Pose | None = None) -> Pose:
    """A pose with its hips at a place and the tip of its hat bent by so many degrees."""
    bent = {f"hat_{n}": (hat / less, 0, 0) for n, less in enumerate(HAT, 1)}
    return posed({"hips.at": (0, y, z), **pose}, bent, changes or {})


POSES: dict[float, Pose] = {
    0: _step(STRIDE, -0.06, -1.04, -4),
    7: _step(PASSING, -0.03, -0.78, 3),
    14: _step(mirrored_pose(STRIDE), -0.06, -0.52, -5),
    21: _step(mirrored_pose(PASSING), -0.03, -0.26, 4, {"neck": (2, 0.4, 0), "head": (2, 0.3, 0)}),
    28: _step(STRIDE, -0.09, 0, -6, {
        "spine": (9, -5, 0), "chest": (12, -7, 0), "neck": (8, 4, 0), "head": (8, 3, 0),
        "thigh_l > toe_l": ((-44.2, -1.9, -3.2), (38.5, 0, 0), (-12.1, -2.7, -0.6), (0, 0, 0)),
        "thigh_r > toe_r": ((-11.7, -5.7, -1.6), (68.8, 0, 0), (-21.1, -3.7, 3.6), (-36, 0, 0)),
    }),
    35: _step(PASSING, -0.04, 0.26, 5, {
        "spine": (6, 0.5, 0), "chest": (6, 0.7, 0), "neck": (4, -0.4, 0), "head": (4, -0.3, 0),
        "thigh_l > toe_l": ((-20, 2.7, 0.9), (39.5, 0, 0), (-21.4, 2.8, 0), (0, 0, 0)),
        "thigh_r > toe_r": ((-39.7, -1.4, -2.3), (97.4, 0, 0), (-25.6, -1, 1.8), (6, 0, 0)),
    }),
    42: _step(mirrored_pose(STRIDE), -0.06, 0.52, -4),
    49: _step(mirrored_pose(PASSING), -0.03, 0.78, 4),
    56: _step(STRIDE, -0.06, 1.04, -4),
}  # fmt: skip

WALL, FRAME, MAT = paint_for("#c9bfa8"), paint_for("#7d4b32"), paint_for("#8d3b3b")


def hat_and_door() -> Document:
    """Two double steps; the lintel is an obstacle, and the hat runs into it."""
    character = cartoon(hat=True)
    props = (
        Prop("lintel", Box((0.62, 0.06, 0.09)), Transform((0.0, 1.9, 0.0)), "obstacle", colour=FRAME),
        Prop("post_l", Box((0.06, 0.93, 0.09)), Transform((0.56, 0.93, 0.0)), colour=FRAME),
        Prop("post_r", Box((0.06, 0.93, 0.09)), Transform((-0.56, 0.93, 0.0)), colour=FRAME),
        Prop("wall_above", Box((0.62, 0.22, 0.06)), Transform((0.0, 2.18, 0.0)), colour=WALL),
        Prop("wall_far", Box((0.45, 1.2, 0.06)), Transform((-1.07, 1.2, 0.0)), colour=WALL),
        Prop("mat", Box((0.36, 0.006, 0.22)), Transform((0.0, 0.006, -0.42)), colour=MAT),
    )
    clip = keyed(character.rig, "through the door", POSES)
    return staged(character, "hat-and-door", clip, View((2.0, 1.75, 5.1), (-0.12, 1.08, 0.0), 0.6), props)
