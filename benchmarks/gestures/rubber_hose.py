"""Rubber hose: a gentleman sways from foot to foot in a loop, limbs like hoses; four drawings ([DB] Figs. 18 and 19).

Keys say where the hips are, four times in two seconds; a line of action and four strokes a beat say the rest.
"""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.caricature import stretch, undrawn
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.posing import Pose, keyed
from inbetweener.builtin.scenes.caricature import Drawing, Hose, Line, drawn, standing
from inbetweener.document import Document, View

CLIP, RATE, END = "sway", 24.0, 48
APART = 0.03
"""Metres by which each foot stands farther out than at rest."""
HIPS: dict[float, tuple[float, float]] = {0: (-0.15, -0.1), 12: (0.0, 0.015), 24: (0.15, -0.1), 36: (0.0, 0.015)}
"""Where the hips are, from their place at rest."""


def _mirrored(drawing: Drawing) -> Drawing:
    """The same to the other side; the legs stand."""
    line = Line(-drawing.line.lean, tuple(-curve for curve in drawing.line.curves))  # type: ignore[arg-type]
    left, right = (Hose(180.0 - each.heading, (-each.curves[0], -each.curves[1])) for each in drawing.arms)
    return Drawing(line, (right, left), drawing.legs)


SWAY = Drawing(
    Line(-16.0, (0.0, 1.5, 1.9)),
    (Hose(70.0, (-5.0, 3.0)), Hose(-150.0, (5.5, -4.0))),
    standing(0.0, APART),
)
STRETCH = Drawing(
    Line(5.0, (0.0, -1.3, 1.9)),
    (Hose(8.0, (6.0, -7.0)), Hose(150.0, (-2.0, 6.0))),
    standing(0.0, APART),
)
DRAWINGS: dict[float, Drawing] = {0: SWAY, 12: STRETCH, 24: _mirrored(SWAY), 36: _mirrored(STRETCH)}


def worked() -> Worked:
    """Keys alone, and with every drawing."""
    document = swaying()
    figures = [
        Figure("drawings", len(document.rig.bends), "", at_least=4),
        Figure("strokes", sum(1 + len(each.arms) + len(each.legs or ()) for each in DRAWINGS.values()), ""),
        Figure("feet off where they stand on drawn frames", 1e3 * slide(document, [*DRAWINGS]), "mm", at_most=1e-6),
        Figure("between them, at worst", 1e3 * slide(document, [*range(END + 1)]), "mm", at_most=60.0),
        Figure("the loop's ends apart", 1e3 * seam(document), "mm", at_most=1e-6),
        Figure("one edge in a thousand stretched by more than", stretch(document, "differential"), "×"),
    ]
    return Worked({"keys alone": undrawn(document), "drawn": document}, figures)


def swaying() -> Document:
    """The loop with all its drawings."""
    character = cartoon(hat=True)
    poses: dict[float, Pose] = {
        frame: {"hips.at": (x, y, 0.0), "curl_l": 0.25, "curl_r": 0.25} for frame, (x, y) in HIPS.items()
    }
    document = replace(
        character,
        name="rubber hose",
        clips=(keyed(character.rig, CLIP, poses, rate=RATE, end=END, loops=True),),
        view=View((0.3, 1.2, 4.6), (0.0, 1.05, 0.0), 0.55),
        blending="differential",
    )
    for frame, drawing in DRAWINGS.items():
        document = drawn(document, frame / RATE, drawing, f"drawing {frame:g}")
    return document


def slide(document: Document, frames: list[float]) -> float:
    """How far a foot is at most, in metres, from where it stands."""
    feet = [document.rig.point(name) for name in ("foot_l", "foot_r")]
    stands = np.array([[0.088 + APART, 0.075, 0.0], [-0.088 - APART, 0.075, 0.0]])
    found = document.motion().point_positions(np.array(frames) / RATE, feet)
    return float(np.linalg.norm(found - stands, axis=2).max())


def seam(document: Document) -> float:
    """How far any joint is at the end of the loop from where it began, in metres."""
    first, last = document.motion().joint_positions([0.0, END / RATE])
    return float(np.linalg.norm(last - first, axis=1).max())
