"""Roar: a dinosaur gathers itself and roars, two strokes a drawing, seen from the side ([DB] Figs. 18 and 19).

Keys open the jaw and spread the arms. One stroke is the back from the hips to the head, the other is the tail, which
answers it: where one curls up, the other uncurls.
"""

import math
from collections.abc import Mapping

import numpy as np

from benchmarks.gestures.caricature import stretch, undrawn
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin.characters.dinosaur import TAIL, dinosaur
from inbetweener.builtin.posing import Pose, keyed, staged
from inbetweener.document import Document, View, edits
from inbetweener.posing.sketch import ViewPlane
from inbetweener.posing.strokes import StrokeCurve

CLIP, RATE, END = "roar", 24.0, 60
BACK = ("spine_1", "spine_2", "chest", "neck_1", "neck_2", "head")
SIDE = ViewPlane.named("side")
Profile = tuple[float, Mapping[float, float]]
"""Where a stroke sets off to, in degrees from the right of the view, and how it curves in rad/m at metres along it."""

DRAWINGS: dict[float, tuple[Profile, Profile]] = {
    10: ((142.0, {0.0: 1.0, 0.4: 1.0, 0.8: -0.6}), (-14.0, {0.0: 0.2, 0.7: 1.2, 1.4: 2.6})),
    17: ((114.0, {0.0: -2.4, 0.4: -0.8, 0.8: 0.8}), (-52.0, {0.0: 0.9, 0.6: 1.1, 1.4: -2.4})),
    24: ((122.0, {0.0: -2.2, 0.4: 1.4, 0.8: -3.2}), (-44.0, {0.0: 0.7, 0.6: 0.2, 1.4: 3.0})),
    31: ((110.0, {0.0: -2.5, 0.4: -0.8, 0.8: 0.6}), (-52.0, {0.0: 0.9, 0.6: 1.1, 1.4: -2.4})),
    42: ((130.0, {0.0: 0.6, 0.4: 0.5, 0.8: 0.0}), (-28.0, {0.0: 0.2, 0.7: 0.9, 1.4: 1.4})),
}  # fmt: skip
CALM: Pose = {"upper_arm_l": (-20, 0, 4), "upper_arm_r": (-20, 0, -4), "jaw": (0, 0, 0)}
GATHERED: Pose = {"upper_arm_l": (-45, 0, -8), "upper_arm_r": (-45, 0, 8), "jaw": (0, 0, 0)}
OPEN: Pose = {"upper_arm_l": (25, 0, 62), "upper_arm_r": (25, 0, -62), "jaw": (42, 0, 0)}
POSES: dict[float, Pose] = {0: CALM, 10: GATHERED, 17: OPEN, 24: OPEN, 31: OPEN, 42: GATHERED, END: CALM}


def worked() -> Worked:
    """Keys alone, and with every drawing."""
    document = roaring()
    figures = [
        Figure("drawings", len(document.rig.bends), "", at_least=5),
        Figure("strokes", 2 * len(DRAWINGS), ""),
        Figure("a bone off its stroke by at most", 1e3 * off(document), "mm", at_most=5.0),
        Figure("head thrown from its lowest to its highest place by", 1e2 * thrown(document), "cm"),
        Figure("one edge in a thousand stretched by more than", stretch(document, "differential"), "×"),
    ]
    return Worked({"keys alone": undrawn(document), "drawn": document}, figures)


def roaring() -> Document:
    """The clip with all its drawings."""
    character = dinosaur()
    clip = keyed(character.rig, CLIP, POSES, rate=RATE)
    document = staged(character, "roar", clip, View((4.6, 1.1, 0.6), (0.0, 0.78, -0.22), 0.55))
    for frame, profiles in DRAWINGS.items():
        for bones, profile in zip((BACK, TAIL), profiles, strict=True):
            stroke = _stroke(document, frame, bones[0], profile)
            name = None if any(bend.name == _name(frame) for bend in document.rig.bends) else _name(frame)
            document = edits.sketch(document, stroke, bones, frame=frame, view=SIDE, mode="direct", name=name).document
    return document


def off(document: Document) -> float:
    """How far a joint is at most, in metres in the plane of the view, from the strokes of its drawing."""
    worst = 0.0
    for frame, profiles in DRAWINGS.items():
        for bones, profile in zip((BACK, TAIL), profiles, strict=True):
            curve = _stroke(document, frame, bones[0], profile)
            fine = curve.positions(np.linspace(0.0, curve.length, 2000))
            found = document.motion().point_positions([frame / RATE], [document.rig.point(name) for name in bones])[0]
            apart = np.linalg.norm(SIDE.project(found)[0][:, None] - fine, axis=2).min(axis=1)
            worst = max(worst, float(apart.max()))
    return worst


def thrown(document: Document) -> float:
    """How far apart the lowest and the highest place of the head are, in metres."""
    head = document.motion().states(document.clip().frame_times, document.rig.point("head"))[0]
    return float(np.ptp(head[:, 1]))


def _stroke(document: Document, frame: float, joint: str, profile: Profile) -> StrokeCurve:
    start = SIDE.project(document.motion().states([frame / RATE], document.rig.point(joint))[0])[0][0]
    heading, curves = profile
    return StrokeCurve(
        start, math.radians(heading), np.array([*curves]), np.array([*curves.values()]), np.zeros(0), 0.0
    )


def _name(frame: float) -> str:
    return f"drawing {frame:g}"
