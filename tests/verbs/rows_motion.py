"""Verbs on motion that is keyed: drag, pull, time, fit, and those on contacts."""

import inbetweener as ib
from inbetweener.document import Document, edits
from tests.verbs.table import OUTPUT, SOURCE, Row


def captured() -> Document:
    """The waving figure as a motion capture would have it: a straight key on every frame."""
    document = ib.example("waving")
    clip = document.clip()
    values = document.motion().channels(clip.frame_times)
    index = document.rig.channel_index
    samples = {name: ib.curves.Curve.sampled(clip.frame_times, values[:, index(name)]) for name in clip.curves}
    return edits.set_curves(document, clip.name, samples)


ROWS = [
    Row(
        "fit",
        captured,
        lambda document: edits.fit(document, tolerance=0.003),
        ("fit", SOURCE, "-o", OUTPUT, "--tolerance", "3"),
        lambda page: page.done("fit-keys", tolerance=0.003),
    ),
]
