"""A stick figure says hello: the simplest scene, and the first to try things on."""

from inbetweener.builtin.characters.stick import stick
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.document import Document, View

CALM: Pose = {
    "hips.at": (0, 0, 0), "hips": (0, 0, 0), "chest": (0, 0, 0), "head": (0, 0, 0),
    "upper_arm_l": (0, -6, -32), "forearm_l": (0, -14, 0), "upper_arm_r": (0, 6, 32), "forearm_r": (0, 14, 0),
    "hand_r": (0, 0, 0), "thigh_l": (0, 0, 0), "thigh_r": (0, 0, 0), "foot_l": (0, 0, 0), "foot_r": (0, 0, 0),
}  # fmt: skip

LEAN: Pose = {
    "hips.at": (0.045, -0.004, 0), "hips": (0, 0, 3), "chest": (0, 8, -9), "head": (-2, -6, 9),
    "upper_arm_l": (0, -14, -26), "forearm_l": (0, -32, 0),
    "thigh_l": (0, 0, -6.8), "thigh_r": (0, 0, -6.6), "foot_l": (0, 0, 3.8), "foot_r": (0, 0, 3.6),
}  # fmt: skip

OUT: Pose = {"upper_arm_r": (-84, 0, -48), "forearm_r": (0, 42, 0), "hand_r": (0, -18, 0)}
IN: Pose = {"upper_arm_r": (-84, 0, -40), "forearm_r": (0, 104, 0), "hand_r": (0, 18, 0)}

POSES: dict[float, Pose] = {
    0: CALM,
    8: posed(CALM, {"hips.at": (-0.02, -0.006, 0), "chest": (3, -4, 3), "head": (6, 0, -3)},
             {"upper_arm_r": (0, 14, 42), "forearm_r": (0, 26, 0)},
             {"thigh_l": (0, 0, 1.6), "thigh_r": (0, 0, 1.6), "foot_l": (0, 0, -1.6), "foot_r": (0, 0, -1.6)}),
    18: posed(LEAN, OUT),
    26: posed(LEAN, IN, {"head": (-2, -6, 12)}),
    34: posed(LEAN, OUT, {"head": (-2, -6, 7)}),
    42: posed(LEAN, IN, {"head": (-2, -6, 12)}),
    50: posed(LEAN, OUT),
    64: CALM,
}  # fmt: skip


def waving() -> Document:
    """Up, two and a half waves, and down again."""
    character = stick()
    clip = keyed(character.rig, "hello", POSES, end=68)
    return staged(character, "waving", clip, View((0.55, 1.05, 3.3), (-0.06, 0.8, 0.0), 0.54))
