"""Fox tail: its tip follows its root, and a kernel makes one of its sweeps faster.

Squared torque knows no direction of time, and the scene is its own mirror in time: on the way back the tip leads,
unless follow-through counts too.
"""

import numpy as np

from benchmarks.gestures import follow_through
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import guide
from inbetweener.guidance import GuideRequest, Kernel, Report
from inbetweener.motion import Motion

RIGHT, END = 0.75, 1.5
"""Seconds: when the tail is on the right, half of the clip, and when it ends."""
FASTER = Kernel(1.125, 0.12)
"""Effort is free halfway from right to left."""


def worked() -> Worked:
    """Three keys: guided, and guided with one sweep set free."""
    before = example("fox-tail")
    guided, report = after(before)
    versions = {
        "before": before,
        "guided": guided,
        "with a kernel": after(before, FASTER)[0],
        "with follow-through": follow_through.guided(before, follow_through.LIMP),
    }
    motions = {name: document.motion() for name, document in versions.items()}
    figures = [
        Figure("torque left guided", 100 + report.terms[0].percent, "%", at_most=50),
        *(
            Figure(f"tip behind the root {way} {name}", 1e3 * late, "ms")
            for name, motion in motions.items()
            for way, late in zip(("to the right", "back"), follow_through.lags(motion, RIGHT, 2), strict=True)
        ),
        *(
            Figure(f"fastest sweep {way} {name}", fastest(motion, start, end), "m/s")
            for way, start, end in (("to the right", 0.0, RIGHT), ("back to the left", RIGHT, END))
            for name, motion in motions.items()
        ),
    ]
    return Worked(versions, figures, ("tail_9",))


def request(motion: Motion, *kernels: Kernel) -> GuideRequest:
    """All tangents of the tail, kept near what was keyed."""
    tail = frozenset(name for name in motion.clip.curves if name.startswith("tail"))
    return GuideRequest(channels=tail, regularise=0.1, kernels=kernels)


def after(document: Document, *kernels: Kernel) -> tuple[Document, Report]:
    """The sweep guided, and what changed."""
    wish = request(document.motion(), *kernels)
    result = guide(document, channels=wish.channels, regularise=wish.regularise, kernels=kernels)
    return result.document, result.report


def crossing(motion: Motion, joint: str) -> float:
    """When a joint comes through the middle on its way to the right, in seconds."""
    times = np.linspace(0.0, RIGHT, 2001)
    side = np.sign(_sideways(motion, joint, times))
    return float(times[np.argmax(side != side[0])])


def lag(motion: Motion) -> float:
    """How much later than the root the tip comes through the middle, in seconds."""
    return crossing(motion, "tail_9") - crossing(motion, "tail_2")


def fastest(motion: Motion, start: float, end: float) -> float:
    """The largest speed of the tip sideways, in m/s."""
    times = np.linspace(start, end, 1001)
    return float(np.abs(np.diff(_sideways(motion, "tail_9", times))).max() / (times[1] - times[0]))


def _sideways(motion: Motion, joint: str, times: Floats) -> Floats:
    return motion.states(times, motion.rig.point(joint))[0][:, 0]
