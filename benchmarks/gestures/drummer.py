"""Drummer: loose, his sticks miss the drums; solved for together, every hit is on its frame, and the bar loops."""

import numpy as np

from benchmarks.gestures.upper_body import HIT, effort, keyed, seen, upper_body
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.builtin.scenes.drummer import HITS
from inbetweener.document import Document
from inbetweener.document.edits import add_target, solve
from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.kinodynamics.solution import Solution
from inbetweener.maths.solids import Capsule
from inbetweener.rig import Point

CLIP = "one bar"
HANDS = {"ride": "r", "snare": "l"}
BELL = Bell(0.4, 0.4)
"""Hits of one hand are half a second apart: neighbours reach into each other's windows."""


def worked() -> Worked:
    """Tight, loose, and on all of its hits."""
    tight = example("drummer")
    loose = upper_body(tight, "loose")
    on_target, solution = after(loose)
    before, now = misses(tight, loose), misses(tight, on_target)
    figures = [
        *(Figure(f"{name} misses by", off, "cm", at_least=1) for name, off in before.items()),
        *(Figure(f"{name}, off when solved", off, "cm", at_most=HIT) for name, off in now.items()),
        Figure("ends of the bar apart", 100 * seam(on_target), "cm", at_most=1e-4),
        *effort(solution),
    ]
    return Worked({"tight": tight, "loose": loose, "on target": on_target}, figures)


def hits(document: Document) -> dict[str, tuple[float, Point]]:
    """When each hit is, and which tip of a stick it is of; the last frame of the bar is its first."""
    frames = [(drum, frame) for drum, listed in HITS.items() for frame in listed if frame < 48]
    return {f"{drum} on frame {frame}": (frame / 24, tip(document, HANDS[drum])) for drum, frame in sorted(frames)}


def tip(document: Document, side: str) -> Point:
    """The far end of a hand's stick."""
    stick = next(prop for prop in document.props if prop.name == f"stick_{side}")
    assert isinstance(stick.solid, Capsule)
    matrix, reach = stick.transform.matrix(), stick.solid.half + stick.solid.radius
    ends = [matrix[:, 3] + sign * reach * matrix[:, 1] for sign in (1.0, -1.0)]
    x, y, z = max(ends, key=lambda end: float(np.linalg.norm(end))).tolist()
    return Point(f"hand_{side}", (x, y, z), f"tip_{side}")


def after(document: Document) -> tuple[Document, Solution]:
    """All hits where their keys have them."""
    for name, (time, place) in hits(document).items():
        document = add_target(document, CLIP, PointTarget(time, place, bell=BELL), name=name)
    result = solve(document, clip=CLIP)
    return result.document, result.solution


def misses(tight: Document, document: Document) -> dict[str, float]:
    """Centimetres by which each tip is seen to miss its place on the drum."""
    return {
        name: 100 * float(np.linalg.norm(seen(document, [time], place) - keyed(tight, [time], place)))
        for name, (time, place) in hits(tight).items()
    }


def seam(document: Document) -> float:
    """Metres between the tips at the start of the bar and at its end."""
    ends = [seen(document, [0.0, document.clip().end], tip(document, side)) for side in "lr"]
    return max(float(np.linalg.norm(last - first)) for first, last in ends)
