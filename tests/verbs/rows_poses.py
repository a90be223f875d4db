"""Verbs on kept poses and copied keys."""

import tempfile
from pathlib import Path

from inbetweener.document import Pose, edits, write_pose
from tests.studio.documents import arm
from tests.studio.pages import PageForTests
from tests.verbs.table import OUTPUT, SOURCE, Row

POSE = Pose.of(arm(), "bent", "swing", 0.25)
_FOLDER = tempfile.TemporaryDirectory()
_FILE = Path(_FOLDER.name) / "bent.pose"
write_pose(POSE, _FILE)


def applied(page: PageForTests) -> None:
    page.session.poses = {"bent": POSE}.__getitem__
    page.ask("apply-pose", pose="bent", time=0.5, amount=0.5)


KEYS = edits.copy_keys(arm(), joints=["elbow"], end="6f", clip="swing")
_KEYS = Path(_FOLDER.name) / "keys.json"
_KEYS.write_text(KEYS)

ROWS = [
    Row(
        "apply_pose",
        arm,
        lambda document: edits.apply_pose(document, POSE, frame=12, amount=0.5, clip="swing"),
        ("pose", SOURCE, str(_FILE), "-o", OUTPUT, "--frame", "12", "--amount", "0.5", "--clip", "swing"),
        applied,
    ),
    Row(
        "paste_keys",
        arm,
        lambda document: edits.paste_keys(document, KEYS, frame=12, clip="swing"),
        ("paste-keys", SOURCE, str(_KEYS), "-o", OUTPUT, "--frame", "12", "--clip", "swing"),
        lambda page: page.ask("paste-keys", text=KEYS, time=0.5),
    ),
    Row(
        "stagger",
        arm,
        lambda document: edits.stagger(document, ["hips"], 2.0, start="3f", end="12f", clip="swing"),
        (
            "stagger", SOURCE, "-o", OUTPUT, "--joint", "hips", "--by", "2", "--from", "3f", "--until", "12f",
            "--clip", "swing",
        ),
        lambda page: page.ask("stagger", joints=["hips"], by=2.0, start=0.125, end=0.5),
    ),
    Row(
        "chart",
        arm,
        lambda document: edits.chart(document, "1/2 3/4", frame=18, clip="swing"),
        ("chart", SOURCE, "1/2 3/4", "-o", OUTPUT, "--frame", "18", "--clip", "swing"),
        lambda page: page.ask("chart", shares="1/2 3/4", time=0.75),
    ),
    Row(
        "snap_keys",
        arm,
        lambda document: edits.snap_keys(document, clip="swing"),
        ("snap-keys", SOURCE, "-o", OUTPUT, "--clip", "swing"),
        lambda page: page.ask("snap-keys"),
    ),
]  # fmt: skip
