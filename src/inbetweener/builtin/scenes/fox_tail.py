"""The fox stands still and watches; only its tail sweeps, left, right and left again, in three keys."""

from inbetweener.builtin.characters.fox import TAIL, fox
from inbetweener.builtin.posing import Pose, keyed, posed, staged
from inbetweener.document import Document, View

SWEEP = (17.0, 16.0, 14.0, 11.0, 8.0, 4.0, -2.0, -8.0, -14.0)
"""Degrees to the side, joint by joint: the root of the tail leads and the tip still drags behind."""

LEFT: Pose = {f"{name}.ry": -angle for name, angle in zip(TAIL, SWEEP, strict=True)}
RIGHT: Pose = {f"{name}.ry": angle for name, angle in zip(TAIL, SWEEP, strict=True)}

WATCHING: Pose = {"neck": (2, 44, 0), "head": (4, 56, 8), "ear_l": (0, 0, 0), "ear_r": (-12, 0, 8)}
LISTENING: Pose = {"neck": (0, 40, 0), "head": (0, 52, -6), "ear_l": (-14, 0, -8), "ear_r": (0, 0, 0)}

POSES: dict[float, Pose] = {
    0: posed(LEFT, WATCHING),
    18: posed(RIGHT, LISTENING),
    36: posed(LEFT, WATCHING),
}


def fox_tail() -> Document:
    """Nine joints bend to the side on three keys; the paws never move."""
    character = fox()
    clip = keyed(character.rig, "sweep", POSES, loops=True)
    return staged(character, "fox-tail", clip, View((0.55, 1.35, -1.8), (0.0, 0.36, -0.2), 0.53))
