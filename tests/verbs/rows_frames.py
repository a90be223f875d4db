"""Verbs on which frames a clip has."""

import numpy as np

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from tests.verbs.table import OUTPUT, SOURCE, Row


def captured() -> Document:
    """The waving figure as a camera would have seen it: a key on every frame."""
    document = ib.example("waving")
    times = document.clip().frame_times
    values = document.motion().channels(times)
    curves = {
        name: Curve.sampled(times, np.ascontiguousarray(values[:, document.rig.channel_index(name)]))
        for name in document.clip().curves
    }
    return edits.set_curves(document, document.clip().name, curves)


ROWS = [
    Row(
        "trim",
        captured,
        lambda d: edits.trim(d, start="12f", end=1.0),
        ("trim", SOURCE, "-o", OUTPUT, "--start", "12f", "--end", "1.0"),
        lambda page: page.done("trim-clip", start=0.5, end=1.0),
    ),
    Row(
        "resample",
        captured,
        lambda d: edits.resample(d, 30.0),
        ("resample", SOURCE, "30", "-o", OUTPUT),
        lambda page: page.done("resample-clip", rate=30.0),
    ),
]
