"""Spider-walk: four feet stand in each half of the step, by tangents alone, from its two key poses.

Both poses have all feet on the floor, so a foot that swings shuffles along it. It is dragged up amid its swing; so that
this stays out of the half in which it stands, the leg's tangents are broken on the pose between.
"""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.contacts import Slide, hold
from inbetweener.contacts.slide import slides
from inbetweener.document import Document
from inbetweener.document.edits import drag, tie_tangents
from inbetweener.tangents import Certificate, Contact

CLIP, HALF = "walk", 14 / 24
FIRST, SECOND = ("1_l", "2_r", "3_l", "4_r"), ("1_r", "2_l", "3_r", "4_l")
HIGH = 0.06
"""Metres by which a foot is dragged up."""


def worked() -> Worked:
    """Two key poses: four planted feet in each half, then the others lifted."""
    before = example("spider-walk")
    planted, _ = after(before)
    walked, certificates = lifted(planted)
    versions = {"before": before, "planted": planted, "lifted": walked}
    figures = [
        Figure("drags", len(certificates), ""),
        *(Figure(f"worst slide of a standing foot {name}", 1e3 * worst_slide(before, each), "mm",
                 at_most=None if name == "before" else 1) for name, each in versions.items()),
        *(Figure(f"lowest swing of a foot {name}", 100 * lowest_swing(each), "cm",
                 at_least=4 if name == "lifted" else None) for name, each in versions.items()),
    ]  # fmt: skip
    return Worked(versions, figures, ("foot_1_l", "foot_2_l"))


def contacts(document: Document) -> list[Contact]:
    """The feet that stand in the first half of the step, and those of the second."""
    halves = ((FIRST, 0.0, HALF), (SECOND, HALF, 2 * HALF))
    return [Contact(document.rig.point(f"foot_{leg}"), start, end) for legs, start, end in halves for leg in legs]


def after(document: Document) -> tuple[Document, tuple[Slide, ...]]:
    """The walk with standing feet, and how far each slid and slides."""
    held = hold(document.motion(), contacts(document))
    return replace(document, clips=(replace(document.clip(), curves=held.curves),)), held.report


def lifted(document: Document) -> tuple[Document, list[Certificate]]:
    """Every foot dragged up amid its swing, by the tangents of its own leg, and what each drag is worth."""
    standing = {contact.point: contact for contact in contacts(document)}
    certificates = []
    for legs, start in ((SECOND, 0.0), (FIRST, HALF)):
        for leg in legs:
            channels = frozenset(name for name in document.clip().curves if name.split(".")[0].endswith(leg))
            for channel in sorted(channels):
                document = tie_tangents(document, CLIP, channel, [1], tied=False)
            foot, time = document.rig.point(f"foot_{leg}"), start + HALF / 2
            dragged = drag(document, foot, time=time, by=(0.0, HIGH, 0.0), contacts=[standing[foot]], channels=channels)
            document = dragged.document
            certificates.append(dragged.certificate)
    return document, certificates


def worst_slide(before: Document, document: Document) -> float:
    """How far the worst of the standing feet slides, in metres."""
    return max(slide.after for slide in slides(before.motion(), document.motion(), contacts(before)))


def lowest_swing(document: Document) -> float:
    """How high, in metres, the foot that is lifted least comes while it swings."""
    found = []
    for legs, start in ((SECOND, 0.0), (FIRST, HALF)):
        feet = [document.rig.point(f"foot_{leg}") for leg in legs]
        heights = document.motion().point_positions(np.linspace(start, start + HALF, 57), feet)[..., 1]
        found.append(float(heights.max(axis=0).min()))
    return min(found)
