"""Verbs on what a clip is heard with and seen by."""

import math

from inbetweener.document import Document, edits
from tests.sounds import PNG, beep, video
from tests.studio.documents import arm
from tests.verbs.table import OUTPUT, SOURCE, Row


def heard() -> Document:
    return edits.sound(arm(), beep(), name="beep.wav", clip="swing").document


ROWS = [
    Row(
        "sound",
        heard,
        lambda document: edits.sound(document, start=0.25, muted=True, clip="swing"),
        ("sound", SOURCE, "-o", OUTPUT, "--at", "6f", "--mute", "--clip", "swing"),
        lambda page: page.ask("change-sound", start=0.25, muted=True),
    ),
    Row(
        "camera",
        heard,
        lambda document: edits.camera(document, (0.0, 1.5, 4.0), (0.0, 1.0, 0.0), fov=0.5, frame=6, clip="swing"),
        (
            "camera", SOURCE, "-o", OUTPUT, "--eye", "0,1.5,4", "--target", "0,1,0", "--fov", str(math.degrees(0.5)),
            "--frame", "6", "--clip", "swing",
        ),
        lambda page: page.ask("key-camera", eye=[0.0, 1.5, 4.0], target=[0.0, 1.0, 0.0], fov=0.5, time=0.25),
    ),
    Row(
        "camera",
        lambda: edits.camera(arm(), (0.0, 1.5, 4.0), (0.0, 1.0, 0.0), frame=6, clip="swing").document,
        lambda document: edits.camera(document, frame=6, to="12f", clip="swing"),
        ("camera", SOURCE, "-o", OUTPUT, "--frame", "6", "--to", "12f", "--clip", "swing"),
        lambda page: page.ask("key-camera", time=0.25, to=0.5),
    ),
    Row(
        "picture",
        lambda: edits.picture(arm(), video(), name="take.mp4", clip="swing").document,
        lambda document: edits.picture(document, start="6f", clip="swing"),
        ("picture", SOURCE, "-o", OUTPUT, "--at", "6f", "--clip", "swing"),
        lambda page: page.ask("change-picture", start=0.25),
    ),
    Row(
        "picture",
        lambda: edits.picture(arm(), PNG, name="pose.png", clip="swing").document,
        lambda document: edits.picture(document, position=(0.0, 0.5, -1.0), height=1.5, opacity=0.25, clip="swing"),
        (
            "picture", SOURCE, "-o", OUTPUT, "--position", "0,0.5,-1", "--height", "1.5", "--opacity", "0.25",
            "--clip", "swing",
        ),
        lambda page: page.ask("change-picture", position=[0.0, 0.5, -1.0], height=1.5, opacity=0.25),
    ),
]  # fmt: skip
