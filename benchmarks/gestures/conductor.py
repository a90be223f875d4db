"""Conductor: smooth by itself, sharp on the beats where kernels allow it; one arm follows an IK handle."""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import guide
from inbetweener.guidance import GuideRequest, Kernel, Report
from inbetweener.motion import Motion

CHANNELS = frozenset({*(f"arm_l.{a}" for a in "xyz"), *(f"upper_arm_r.r{a}" for a in "xyz")})
BEATS = np.array([12, 24, 36]) / 24
SHARP = tuple(Kernel(float(beat), 0.06) for beat in (*BEATS, 2.0))
"""Effort is free on the beats."""


def worked() -> Worked:
    """Four beats: guided, and guided with the beats set free."""
    before = example("conductor")
    guided, report = after(before)
    versions = {"before": before, "guided": guided, "with kernels": after(before, *SHARP)[0]}
    figures = [
        Figure("parameters", report.parameters, ""),
        Figure("torque left guided", 100 + report.terms[0].percent, "%", at_most=80),
        *(
            Figure(f"sharpest jerk on a beat {name}", float(jerks(document.motion()).max()), "m/s³")
            for name, document in versions.items()
        ),
    ]
    return Worked(versions, figures, ("hand_r", "hand_l"))


def request(*kernels: Kernel) -> GuideRequest:
    """The IK handle of the left arm and the right shoulder, kept near what was keyed."""
    return GuideRequest(channels=CHANNELS, start=0.1, end=1.9, regularise=0.1, kernels=kernels)


def after(document: Document, *kernels: Kernel) -> tuple[Document, Report]:
    """The bar guided, and what changed."""
    wish = request(*kernels)
    result = guide(
        document, channels=CHANNELS, start=wish.start, end=wish.end, regularise=wish.regularise, kernels=kernels
    )
    return result.document, result.report


def jerks(motion: Motion) -> Floats:
    """Jerk of the right hand (n,) around the beats, in m/s³, over hundredths of a second."""
    step, hand = 0.01, motion.rig.point("hand_r")
    times = (BEATS[:, None] + np.linspace(-0.04, 0.04, 33)).ravel()
    path = [motion.states(times + offset * step, hand)[0] for offset in (-1.5, -0.5, 0.5, 1.5)]
    return np.linalg.norm(path[3] - 3 * path[2] + 3 * path[1] - path[0], axis=1) / step**3
