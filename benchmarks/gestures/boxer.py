"""Boxer: drunk, both punches miss the bag; solved for, they land, by whichever bell and wherever on the bag."""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.upper_body import HIT, effort, keyed, seen, upper_body
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import add_target, replace_target, solve
from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.kinodynamics.solution import Solution

CLIP = "jab and cross"
PUNCHES = {"jab": (14 / 24, "palm_l"), "cross": (34 / 24, "palm_r")}
"""When each punch lands, and with which hand."""

WIDE, NARROW = Bell(0.5, 0.5), Bell(0.25, 0.25)
LOWER = (0.0, -0.15, 0.0)
"""Metres by which the jab is led to another spot on the bag."""


def worked() -> Worked:
    """Tight, drunk, on target by two bells, and on a target that was moved."""
    tight = example("boxer")
    drunk = upper_body(tight, "drunk")
    wide, solution = aimed(drunk, WIDE)
    narrow, _ = aimed(drunk, NARROW)
    moved, _ = lowered(wide)
    wishes = {name: keyed(tight, [time], tight.rig.point(palm))[0] for name, (time, palm) in PUNCHES.items()}
    low = {**wishes, "jab": wishes["jab"] + LOWER}
    figures = [
        *(Figure(f"{name} misses by", off, "cm", at_least=5) for name, off in misses(drunk, wishes).items()),
        *(
            Figure(f"{name}, {how}", off, "cm", at_most=HIT)
            for how, version, wished in (
                ("off with a wide bell", wide, wishes), ("off with a narrow bell", narrow, wishes),
                ("off its moved target", moved, low),
            )
            for name, off in misses(version, wished).items()
        ),
        Figure("largest correction of a channel, wide bell", np.degrees(largest(wide)), "°"),
        Figure("largest correction of a channel, narrow bell", np.degrees(largest(narrow)), "°"),
        Figure("cross comes up into the bag by, tight", 100 * rise(tight), "cm"),
        Figure("cross comes up into the bag by, wide bell", 100 * rise(wide), "cm"),
        Figure("cross comes up into the bag by, narrow bell", 100 * rise(narrow), "cm"),
        *effort(solution),
    ]  # fmt: skip
    versions = {"tight": tight, "drunk": drunk, "on target": wide, "narrow bell": narrow, "moved target": moved}
    return Worked(versions, figures, ("palm_l", "palm_r"))


def aimed(document: Document, bell: Bell) -> tuple[Document, Solution]:
    """Both punches where their keys have them."""
    for name, (time, palm) in PUNCHES.items():
        document = add_target(document, CLIP, PointTarget(time, document.rig.point(palm), bell=bell), name=name)
    result = solve(document, clip=CLIP)
    return result.document, result.solution


def lowered(document: Document) -> tuple[Document, Solution]:
    """The jab lower than its keys have it, solved anew."""
    time, palm = PUNCHES["jab"]
    x, y, z = (keyed(example("boxer"), [time], document.rig.point(palm))[0] + LOWER).tolist()
    target = document.loosening(CLIP).aim("jab").target
    assert isinstance(target, PointTarget)
    result = solve(replace_target(document, CLIP, "jab", replace(target, position=(x, y, z))), clip=CLIP)
    return result.document, result.solution


def misses(document: Document, wishes: dict[str, Floats]) -> dict[str, float]:
    """Centimetres by which each punch is seen to miss."""
    return {
        name: 100 * float(np.linalg.norm(seen(document, [time], document.rig.point(palm))[0] - wishes[name]))
        for name, (time, palm) in PUNCHES.items()
    }


def largest(document: Document) -> float:
    """Radians: what the correction of the cross adds to a channel at most."""
    return max(float(np.abs(curve.values).max()) for curve in document.clip().layer("cross").curves.values())


def rise(document: Document) -> float:
    """Metres by which the cross comes up in the frame before it lands."""
    time, palm = PUNCHES["cross"]
    before, landed = seen(document, [time - 1 / 24, time], document.rig.point(palm))
    return float(landed[1] - before[1])
