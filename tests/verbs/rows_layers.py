"""Verbs on layers: make one, weigh it over time, and merge it."""

from inbetweener.document import edits
from tests.studio.documents import arm
from tests.studio.pages import PageForTests
from tests.verbs.table import OUTPUT, SOURCE, Row


def changed(page: PageForTests, **fields: object) -> None:
    page.ask("change-layer", layer="lean", **fields)


ROWS = [
    Row(
        "layer",
        arm,
        lambda document: edits.layer(document, "lean", weight=0.25, frame=12, joints=["hips"], clip="swing"),
        (
            "layer", SOURCE, "lean", "-o", OUTPUT, "--weight", "0.25", "--at", "12f", "--joint", "hips",
            "--clip", "swing",
        ),
        lambda page: changed(page, weight=0.25, time=0.5, joints=["hips"]),
    ),
    Row(
        "merge",
        arm,
        lambda document: edits.merge(document, "lean", clip="swing"),
        ("merge", SOURCE, "lean", "-o", OUTPUT, "--clip", "swing"),
        lambda page: page.ask("merge-layer", layer="lean"),
    ),
]  # fmt: skip
