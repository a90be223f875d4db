"""How captured clips come out of cleaning: our curves beside the file, evaluated by plain numpy and scipy alone."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from benchmarks.library.ours import Fitted, Take
from inbetweener.document import Document, edits
from inbetweener.document.edits.contacts import SlideResult
from inbetweener.formats.bvh.read import read
from tests.captured import plain

STANDS = 1e-3
"""Metres of slide, at quarter frames, that nobody sees."""

SINKS = 1e-3
"""Metres below the lowest place of the capture that nobody sees."""


@dataclass(frozen=True)
class Cleaned:
    """What one clip came to.

    before, after   metres between the farthest two places of each trusted contact, at quarter frames
    named           which of these cleaning says it has left, or slide still
    slipping        how many were found that slip too far to be planted
    pops            frames and points that are jerked harder than 1.5 times as before and 5 mm a frame a frame
    sunk            metres by which the lowest place on any frame is lower than before
    finding, cleaning  seconds of one core
    """

    name: str
    seconds: float
    rate: float
    before: np.ndarray
    after: np.ndarray
    named: np.ndarray
    slipping: int
    pops: int
    sunk: float
    finding: float
    cleaning: float

    @classmethod
    def of(cls, path: Path, document: Document | None = None) -> Self:
        """Read, find, clean and judge; or judge from a document with contacts on."""
        source = read(path).document
        started = time.process_time()
        found = edits.suggest_contacts(source)
        finding = time.process_time() - started
        slipping = sum(each.slips for each in found.found)
        if document is None:
            document = found.document
        started = time.process_time()
        result = edits.remove_slide(document) if document.constraints else None
        cleaning = time.process_time() - started
        capture = plain.read(path)
        quarters = np.arange(plain.QUARTERS * (capture.frames - 1) + 1) / plain.QUARTERS
        made = result.document if result else document
        assert made.source is not None
        unit = made.source.unit
        capture = capture.in_metres(unit)
        ours = Fitted(Take(path.stem, capture, made, made, (), False), made.clip())
        was, now = (plain.in_metres(capture.positions(quarters, moving) / unit, made) for moving in (capture, ours))
        rate = document.clip().rate
        names = [str(point) for point in (*(joint.name for joint in document.rig.joints), *document.rig.points)]
        spans = [
            (names.index(str(rule.point)), round(4 * rate * rule.start), round(4 * rate * rule.end))
            for rule in (each.rule for each in document.constraints)
        ]
        slides = [
            np.array([plain.slide(places[first : last + 1, point]) for point, first, last in spans])
            for places in (was, now)
        ]
        return cls(
            path.stem, capture.seconds, rate, *slides, _named(document, result), slipping,
            plain.pops(was[::4], now[::4]), float(was[::4, :, 1].min() - now[::4, :, 1].min()), finding, cleaning,
        )  # fmt: skip

    @property
    def standing(self) -> int:
        return int((self.after <= STANDS).sum())


def _named(document: Document, result: SlideResult | None) -> np.ndarray:
    """Which contacts a result says are not held: by where they are in its own words."""
    problem = result.problem if result else ""
    left = {(str(each.point), each.start) for each in result.report.left} if result else set()
    told = np.array([(str(each.rule.point), each.rule.start) in left for each in document.constraints], bool)
    assert bool(problem) == bool(told.any() or "slides still" in problem)
    return told


def totals(clips: Iterable[Cleaned]) -> dict[str, float]:
    """Over all clips: contacts, the share that stands, pops, sinking, and how many times real time."""
    listed = list(clips)
    contacts = sum(len(each.after) for each in listed)
    return {
        "contacts": contacts,
        "standing": sum(each.standing for each in listed) / max(contacts, 1),
        "pops": sum(each.pops for each in listed),
        "sunk": max(each.sunk for each in listed),
        "slipping": sum(each.slipping for each in listed),
        "times": sum(each.seconds for each in listed) / sum(each.finding + each.cleaning for each in listed),
    }


COLUMNS = ("clip", "contacts", "slip", "stand", "left", "worst slide", "after", "pops", "lower by", "× real time")


def table(clips: Iterable[Cleaned]) -> str:
    """All clips and all of them together, for people; "after" without what was left."""
    listed = list(clips)
    rows = [
        (
            f"{each.name}, {each.seconds:.1f} s, {each.rate:.0f}/s",
            str(len(each.after)), str(each.slipping), str(each.standing), str(int(each.named.sum())),
            f"{1000 * each.before.max(initial=0.0):.1f} mm",
            f"{1000 * each.after[~each.named].max(initial=0.0):.2f} mm",
            str(each.pops), f"{1000 * max(each.sunk, 0.0):.1f} mm",
            f"{each.seconds / (each.finding + each.cleaning):.1f}",
        )
        for each in listed
    ]  # fmt: skip
    every = totals(listed)
    rows.append(
        (
            "all", str(int(every["contacts"])), str(int(every["slipping"])), f"{100 * every['standing']:.1f} %",
            str(sum(int(each.named.sum()) for each in listed)),
            f"{1000 * max(each.before.max(initial=0.0) for each in listed):.1f} mm",
            f"{1000 * max(each.after[~each.named].max(initial=0.0) for each in listed):.2f} mm",
            str(int(every["pops"])), f"{1000 * max(every['sunk'], 0.0):.1f} mm", f"{every['times']:.1f}",
        )
    )  # fmt: skip
    lines = [COLUMNS, ("---",) * len(COLUMNS), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
