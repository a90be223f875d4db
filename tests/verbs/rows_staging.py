"""Verbs on what a clip is heard with."""

from inbetweener.document import Document, edits
from tests.sounds import beep
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
]
