"""A gentleman leaps over nothing at all: every pose but the calm ones is drawn, one line of action and four hoses.

Keys say where the hips are; strokes say what he looks like there. In the air his right arm is wound up by two turns and
unwinds as he lands.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.posing import Pose, keyed
from inbetweener.document import Document, View, edits
from inbetweener.posing.sketch import Mode, ViewPlane, sketch, twist
from inbetweener.posing.strokes import StrokeCurve

CLIP, RATE = "leap", 24.0
BELOW, ABOVE = 0.78, 1.32
"""Metres from the hips down to the soles and up to the top of the hat."""
ARM, LEG = 0.57, 0.685
HAT = tuple(f"hat_{n}" for n in (1, 2, 3, 4))
BODY = ("hips", "spine", "chest", "neck", "head", *HAT)
LEGS = ("thigh_l", "shank_l", "thigh_r", "shank_r")

FRONT = ViewPlane.named("front")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of action through the hips: its lean in degrees, and how it curves at soles, hips and hat, in turns of
    1 rad/m to the left; `legs` says whether it goes through them."""

    lean: float
    curves: tuple[float, float, float]
    legs: bool = False


@dataclass(frozen=True, slots=True)
class Hose:
    """A limb as one curve: where it sets off to, in degrees from +x, and how it curves at its start and end in rad/m.

    A leg with a place to stand on goes there instead, in an arc to the left of its way, or to the right.
    """

    heading: float = 0.0
    curves: tuple[float, float] = (0.0, 0.0)
    stands: tuple[float, float] | None = None
    left: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """All strokes of one pose, and by how many turns the right arm is wound up."""

    line: Line
    arms: tuple[Hose, Hose]
    legs: tuple[Hose, Hose] | None = None
    winding: float = 0.0


START, END = -0.58, 0.58


def standing(x: float, apart: float = 0.0) -> tuple[Hose, Hose]:
    """Legs bowed outwards, on soles that rest where they stand."""
    return (
        Hose(stands=(x + 0.088 + apart, 0.075), left=True),
        Hose(stands=(x - 0.088 - apart, 0.075), left=False),
    )


HIPS: dict[float, tuple[float, float]] = {
    0: (START, 0.0), 4: (START - 0.02, -0.13), 9: (START - 0.05, -0.3), 12: (START + 0.08, -0.06),
    15: (START + 0.26, 0.1), 24: (0.0, 0.42), 32: (END - 0.2, 0.16), 36: (END + 0.02, -0.33), 40: (END + 0.01, -0.14),
    45: (END, 0.05), 58: (END, 0.0),
}  # fmt: skip
"""Where the hips are, from their place at rest."""

DRAWINGS: dict[float, Drawing] = {
    4: Drawing(
        Line(-8.0, (0.0, 0.8, 0.8)),
        (Hose(-40.0, (-2.0, 0.5)), Hose(-154.0, (2.0, -1.0))),
        standing(START),
    ),
    9: Drawing(
        Line(-20.0, (0.0, 1.6, 0.6)),
        (Hose(-42.0, (-4.0, 1.0)), Hose(-176.0, (4.0, -2.0))),
        standing(START),
    ),
    12: Drawing(
        Line(-28.0, (0.0, 1.4, 1.6)),
        (Hose(-8.0, (-1.0, 2.0)), Hose(-150.0, (1.0, -2.0))),
        standing(START),
    ),
    15: Drawing(
        Line(-34.0, (0.3, 0.9, 0.4), legs=True),
        (Hose(38.0, (2.5, 0.5)), Hose(-122.0, (-2.6, 0.4))),
    ),
    24: Drawing(
        Line(-4.0, (-3.0, -1.2, 1.6), legs=True),
        (Hose(20.0, (3.0, -3.0)), Hose(160.0, (-3.2, 3.2))),
        winding=2.0,
    ),
    32: Drawing(
        Line(28.0, (-0.9, -1.2, -0.5), legs=True),
        (Hose(40.0, (2.0, 1.5)), Hose(140.0, (-2.0, -1.5))),
        winding=1.2,
    ),
    36: Drawing(
        Line(14.0, (0.0, -1.7, -0.9)),
        (Hose(24.0, (-1.0, 5.0)), Hose(128.0, (1.0, -4.0))),
        standing(END),
    ),
    40: Drawing(
        Line(3.0, (0.0, -0.4, -1.6)),
        (Hose(8.0, (1.0, -2.0)), Hose(172.0, (-1.0, 2.0))),
        standing(END),
    ),
    45: Drawing(
        Line(-10.0, (0.0, 1.8, -1.6)),
        (Hose(-40.0, (4.5, -5.0)), Hose(-150.0, (-4.5, 5.0))),
        standing(END),
    ),
}  # fmt: skip


def caricature() -> Document:
    """Squash, stretch, an S in the air, and a landing that rings on; the calm poses are plain keys."""
    character = cartoon(hat=True)
    poses: dict[float, Pose] = {}
    for frame, (x, y) in HIPS.items():
        poses[frame] = {"hips.at": (x, y, 0.0), "curl_l": 0.15, "curl_r": 0.15}
    document = replace(
        character,
        name="caricature",
        clips=(keyed(character.rig, CLIP, poses, rate=RATE),),
        view=View((0.5, 1.3, 5.0), (0.0, 1.2, 0.0), 0.55),
        blending="differential",
    )
    for frame, drawing in DRAWINGS.items():
        document = drawn(document, frame / RATE, drawing, f"drawing {frame:g}")
    return document


def drawn(document: Document, time: float, drawing: Drawing, name: str) -> Document:
    """The document with all strokes of a pose drawn into one bend."""
    hips = _place(document, time, "hips")
    bones = (*BODY, *LEGS, "foot_l", "foot_r") if drawing.line.legs else BODY
    # Whoever stands has level feet, however the hips tilt.
    stroke, flies = _line(drawing.line, hips), drawing.legs is None
    document = _stroked(document, time, bones, stroke, "line-of-action", name, carry=flies)
    for side, arm in zip("lr", drawing.arms, strict=True):
        shoulder = _place(document, time, f"upper_arm_{side}")
        stroke = _curve(shoulder, math.radians(arm.heading), {0.0: arm.curves[0], ARM: arm.curves[1]})
        document = _stroked(document, time, (f"upper_arm_{side}", f"forearm_{side}"), stroke, "direct", name)
    for side, leg in zip("lr", drawing.legs or (), strict=False):
        hip = _place(document, time, f"thigh_{side}")
        stroke = _arc(hip, np.array(leg.stands), LEG, leg.left)
        document = _stroked(
            document, time, (f"thigh_{side}", f"shank_{side}"), stroke, "direct", name, stretch=True, carry=False
        )
    if drawing.winding:
        pose = document.motion().channels([time])[0]
        wound = twist(document.rig, pose, ("upper_arm_r", "forearm_r"), drawing.winding * 2.0 * math.pi, onto=name)
        document = edits.sketch_pose(document, document.clip().name, time, wound)
    return document


def _stroked(
    document: Document,
    time: float,
    bones: tuple[str, ...],
    stroke: StrokeCurve,
    mode: Mode,
    name: str,
    *,
    stretch: bool = False,
    carry: bool = True,
) -> Document:
    known = any(bend.name == name for bend in document.rig.bends)
    pose = document.motion().channels([time])[0]
    made = sketch(
        document.rig, pose, bones, stroke, FRONT, mode=mode, stretch=stretch, carry=carry, onto=name if known else None
    )
    return edits.sketch_pose(document, document.clip().name, time, made, name=None if known else name)


def _place(document: Document, time: float, joint: str) -> np.ndarray:
    return document.motion().states([time], document.rig.point(joint))[0][0, :2]


def _curve(start: np.ndarray, heading: float, curves: Mapping[float, float]) -> StrokeCurve:
    """A stroke whose curvature is known at some arc lengths and even between them."""
    return StrokeCurve(start, heading, np.array([*curves]), np.array([*curves.values()]), np.zeros(0), 0.0)


def _line(line: Line, hips: np.ndarray) -> StrokeCurve:
    """From the soles, or from the hips, to the hat."""
    upwards = math.radians(90.0 + line.lean)
    soles, middle, hat = line.curves
    if not line.legs:
        return _curve(hips, upwards, {0.0: middle, ABOVE: hat})
    down = _curve(hips, upwards + math.pi, {0.0: -middle, BELOW: -soles})
    start, heading = down.positions([BELOW])[0], float(down.headings([BELOW])[0])
    return _curve(start, heading - math.pi, {0.0: soles, BELOW: middle, BELOW + ABOVE: hat})


def _arc(start: np.ndarray, end: np.ndarray, length: float, left: bool) -> StrokeCurve:
    """The circular arc of a length between two places, to one side of the straight way; straight where it is short."""
    way = end - start
    chord = float(np.linalg.norm(way))
    # chord / length = sin(half) / half; a few rounds of Newton from the series of sin.
    ratio = min(chord / length, 1.0)
    half = math.sqrt(max(6.0 * (1.0 - ratio), 0.0))
    for _ in range(8):
        if half > 1e-6:
            value, slope = math.sin(half) / half - ratio, (half * math.cos(half) - math.sin(half)) / half**2
            half -= value / slope
    half *= 1.0 if left else -1.0
    long = length if ratio < 1.0 else chord
    heading = math.atan2(way[1], way[0]) + half
    return _curve(start, heading, {0.0: -2.0 * half / long, long: -2.0 * half / long})
