"""Waving, guided with three regularisations: naive, medium, strong ([OM] Fig. 6)."""

from benchmarks.gestures import waving
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.document.edits import guide

WEIGHTS = {"naive": 0.0, "medium": 0.3, "strong": 3.0}


def worked() -> Worked:
    """The same keys, kept to not at all, in measure, and closely."""
    before = example("waving")
    channels = waving.request(before.motion()).channels
    results = {name: guide(before, channels=channels, regularise=weight) for name, weight in WEIGHTS.items()}
    figures = [
        figure
        for name, result in results.items()
        for figure in (
            Figure(f"torque left {name}", 100 + result.report.terms[0].percent, "%"),
            Figure(f"{result.report.furthest[0]} off its path {name}", 1e2 * result.report.furthest[1], "cm"),
        )
    ]
    return Worked({"before": before, **{name: each.document for name, each in results.items()}}, figures, ("hand_r",))
