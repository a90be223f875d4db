"""The face says "Oh, hello there!": one shape a sound, a blink on the turn, brows that stress, a smile to end on."""

from collections.abc import Mapping

from inbetweener.builtin.characters.face import face
from inbetweener.builtin.posing import Given, Pose, keyed, staged
from inbetweener.document import Document, View
from inbetweener.motion import Clip

SMILE_FRAME = 66
"""When the smile is at its widest."""

HEAD: dict[float, Pose] = {
    0: {"neck": (4, 12, -2), "head": (8, 14, -4), "eye_l": (6, 18, 0), "eye_r": (6, 18, 0)},
    14: {"neck": (-2, -4, 2), "head": (-7, -8, 3), "eye_l": (-2, -4, 0), "eye_r": (-2, -4, 0)},
    30: {"neck": (2, -2, -3), "head": (5, -2, -7), "eye_l": (0, 0, 0), "eye_r": (0, 0, 0)},
    48: {"neck": (-1, 2, 2), "head": (-3, 4, 4), "eye_l": (0, -4, 0), "eye_r": (0, -4, 0)},
    66: {"neck": (3, 4, 5), "head": (6, 5, 11), "eye_l": (-4, -6, 0), "eye_r": (-4, -6, 0)},
    84: {"neck": (2, 4, 4), "head": (5, 5, 9), "eye_l": (-4, -6, 0), "eye_r": (-4, -6, 0)},
}

# How far each shape goes, by frame; every sound has its own few keys.
SPEECH: dict[str, Mapping[float, float]] = {
    "open": {0: 0.0, 10: 0.0, 14: 0.45, 22: 0.05,  # oh
             28: 0.7, 33: 0.15, 38: 0.4, 44: 0.05,  # hel-lo
             50: 0.6, 56: 0.1, 66: 0.4, 78: 0.0},  # there
    "ooh": {8: 0.0, 15: 1.0, 23: 0.0, 33: 0.0, 39: 0.85, 46: 0.0},
    "wide": {24: 0.0, 28: 0.55, 34: 0.0, 46: 0.0, 51: 0.8, 58: 0.2, 70: 0.0},
    "smile": {0: 0.1, 40: 0.15, 56: 0.5, SMILE_FRAME: 1.0, 84: 0.8},
    "jaw.rx": {10: 0.0, 14: 4.0, 22: 1.0, 28: 8.0, 33: 2.0, 38: 4.0, 44: 1.0, 50: 7.0, 57: 1.0, 66: 3.0, 78: 0.0},
    "brow_up": {0: 0.0, 8: 0.0, 14: 0.9, 24: 0.3, 28: 0.6, 42: 0.1, 50: 0.7, 66: 0.4, 84: 0.3},
    # Lids close in two frames and open in four; the first blink hides the turn of the head.
    "blink_l": {3: 0.0, 6: 1.0, 10: 0.0, 55: 0.0, 58: 1.0, 63: 0.12, 84: 0.12},
    "blink_r": {3: 0.0, 6: 1.0, 10: 0.0, 55: 0.0, 58: 1.0, 63: 0.12, 84: 0.12},
}  # fmt: skip


def talking_face() -> Document:
    """Three and a half seconds of speech; the smile is widest at SMILE_FRAME."""
    character = face()
    return staged(character, "talking-face", _speaking(character), View((0.14, 0.42, 1.3), (0.0, 0.28, 0.0), 0.48))


def _speaking(character: Document) -> Clip:
    poses: dict[float, dict[str, Given]] = {frame: dict(pose) for frame, pose in HEAD.items()}
    for channel, values in SPEECH.items():
        for frame, value in values.items():
            poses.setdefault(frame, {})[channel] = value
    return keyed(character.rig, "hello", poses)
