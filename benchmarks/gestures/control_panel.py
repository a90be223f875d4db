"""Control panel: relaxed, the operator misses the buttons; solved for, fingertips are on them, and tap without a push.

Presses follow each other within windows and bells of their neighbours, and two of them are at the same time: all are
solved for together, first where they are, then with the fingertips at rest there as well.
"""

import numpy as np

from benchmarks.gestures.upper_body import HIT, effort, keyed, seen, upper_body
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.builtin.scenes.control_panel import BUTTONS, HIGH, PRESSES, UP
from inbetweener.document import Document
from inbetweener.document.edits import add_target, solve
from inbetweener.kinodynamics import Bell, LooseMotion, PointTarget
from inbetweener.kinodynamics.residuals import place_velocity
from inbetweener.kinodynamics.solution import Solution
from inbetweener.rig import Point

CLIP = "buttons"
BELL = Bell(0.3, 0.3)
AROUND = np.linspace(-3 / 24, 3 / 24, 13)
"""Seconds before and after a press in which a finger may be pushed into the panel."""


def worked() -> Worked:
    """Tight, relaxed, on the buttons, and tapping them."""
    tight = example("control-panel")
    relaxed = upper_body(tight, "relaxed")
    on_target, _ = after(relaxed, still=False)
    tapping, solution = after(relaxed, still=True)
    figures = [
        *(Figure(f"{name} misses by", off, "cm", at_least=0.2) for name, off in misses(tight, relaxed).items()),
        *(
            Figure(f"{name}, {how}", off, "cm", at_most=HIT)
            for how, version in (("off when solved", on_target), ("off when tapped", tapping))
            for name, off in misses(tight, version).items()
        ),
        *(Figure(f"{name}, speed when solved", speed, "cm/s") for name, speed in speeds(on_target).items()),
        *(Figure(f"{name}, speed when tapped", v, "cm/s", at_most=1e-3) for name, v in speeds(tapping).items()),
        Figure("deepest push of a fingertip, tight", depth(tight), "cm"),
        Figure("deepest push of a fingertip, relaxed", depth(relaxed), "cm"),
        Figure("deepest push of a fingertip, solved", depth(on_target), "cm"),
        Figure("deepest push of a fingertip, tapped", depth(tapping), "cm"),
        *effort(solution),
    ]
    versions = {"tight": tight, "relaxed": relaxed, "on target": on_target, "tapping": tapping}
    return Worked(versions, figures, ("fingertip_l", "fingertip_r"))


def presses(document: Document) -> dict[str, tuple[float, Point, str]]:
    """When each press is, by which fingertip, and on which button."""
    tips = {side: document.rig.point(f"fingertip_{side}") for side in "lr"}
    return {f"{button} on frame {frame}": (frame / 24, tips[side], button) for button, frame, side in PRESSES}


def after(document: Document, *, still: bool) -> tuple[Document, Solution]:
    """All presses where their keys have them, and at rest there if `still`."""
    speed = (0.0, 0.0, 0.0) if still else None
    for name, (time, tip, _) in presses(document).items():
        document = add_target(document, CLIP, PointTarget(time, tip, velocity=speed, bell=BELL), name=name)
    result = solve(document, clip=CLIP)
    return result.document, result.solution


def misses(tight: Document, document: Document) -> dict[str, float]:
    """Centimetres by which each fingertip is seen to miss its button."""
    return {
        name: 100 * float(np.linalg.norm(seen(document, [time], tip) - keyed(tight, [time], tip)))
        for name, (time, tip, _) in presses(tight).items()
    }


def speeds(document: Document) -> dict[str, float]:
    """Centimetres a second at which each fingertip is seen to move when it presses."""
    motion = document.shown_motion()
    assert isinstance(motion, LooseMotion)
    return {
        name: 100 * float(np.linalg.norm(place_velocity(motion, time, tip)))
        for name, (time, tip, _) in presses(document).items()
    }


def depth(document: Document) -> float:
    """Centimetres by which a fingertip is at worst below the top of the button that it presses, shortly around then."""
    deepest = 0.0
    for time, tip, button in presses(document).values():
        top = np.array(BUTTONS[button][0]) + HIGH * np.array(UP)
        deepest = max(deepest, -100 * float(((seen(document, time + AROUND, tip) - top) @ np.array(UP)).min()))
    return deepest
