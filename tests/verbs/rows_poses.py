"""Verbs on kept poses."""

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


ROWS = [
    Row(
        "apply_pose",
        arm,
        lambda document: edits.apply_pose(document, POSE, frame=12, amount=0.5, clip="swing"),
        ("pose", SOURCE, str(_FILE), "-o", OUTPUT, "--frame", "12", "--amount", "0.5", "--clip", "swing"),
        applied,
    )
]
