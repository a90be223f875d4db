"""Waving past a ball: keyed it passes, guided it would go through, and kept clear it goes around."""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.document import Document, Prop
from inbetweener.document.clearance import Clearance
from inbetweener.document.edits import add_prop, guide
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform

ARM = ("chest.*", "upper_arm_r.*", "forearm_r.*")
RADIUS = 0.08


def worked() -> Worked:
    """The wave, guided as if nothing were there, and guided clear of the ball."""
    before = scene()
    results = {name: guide(before, channels=ARM, regularise=0.1, clear=name == "clear") for name in ("guided", "clear")}
    versions = {"before": before, **{name: result.document for name, result in results.items()}}
    figures = [
        *(Figure(f"torque left {name}", 100 + each.report.terms[0].percent, "%") for name, each in results.items()),
        *(
            Figure(f"skin from the ball {name}", 1e3 * distance(each), "mm", at_least=-2 if name == "clear" else None)
            for name, each in versions.items()
        ),
    ]
    return Worked(versions, figures, ("hand_r",))


def scene() -> Document:
    """The waving figure, and a ball where its hand would go if it took the least effort."""
    waving = example("waving")
    least = guide(waving, channels=ARM, regularise=0.1).document.motion()
    hand = least.states([0.6], waving.rig.point("hand_r"))[0][0] + np.array([0.0, 0.0, 0.1])
    return add_prop(waving, Prop("ball", Sphere(RADIUS), Transform(tuple(hand.tolist())), "obstacle"))


def distance(document: Document) -> float:
    """The least distance of all skin from the ball, on frames and half frames, metres; below nought it is inside."""
    return Clearance(document).least(document.motion())["ball"]
