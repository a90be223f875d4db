"""Spider-walk: four feet stand in each half of the step, by tangents alone, from its two key poses."""

from dataclasses import replace

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.contacts import Slide, hold
from inbetweener.document import Document
from inbetweener.stock import example
from inbetweener.tangents import Contact

HALF = 14 / 24
FIRST, SECOND = ("1_l", "2_r", "3_l", "4_r"), ("1_r", "2_l", "3_r", "4_l")


def contacts(document: Document) -> list[Contact]:
    """The feet that stand in the first half of the step, and those of the second."""
    halves = ((FIRST, 0.0, HALF), (SECOND, HALF, 2 * HALF))
    return [Contact(document.rig.point(f"foot_{leg}"), start, end) for legs, start, end in halves for leg in legs]


def worked() -> Worked:
    """Two key poses, four planted feet in each half."""
    before = example("spider-walk")
    walked, slides = after(before)
    figures = [
        Figure("worst slide of a standing foot before", 1e3 * max(s.before for s in slides), "mm"),
        Figure("worst slide of a standing foot after", 1e3 * max(s.after for s in slides), "mm", at_most=1),
    ]
    return Worked({"before": before, "after": walked}, figures, ("foot_1_l", "foot_2_l"))


def after(document: Document) -> tuple[Document, tuple[Slide, ...]]:
    """The walk with standing feet, and how far each slid and slides."""
    held = hold(document.motion(), contacts(document))
    return replace(document, clips=(replace(document.clip(), curves=held.curves),)), held.report
