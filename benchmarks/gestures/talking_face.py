"""Talking face: shapes on springs blur the smile; asked for as a pose it is there, also where no key has it."""

import numpy as np

from benchmarks.gestures.upper_body import effort
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.builtin.scenes.talking_face import SMILE_FRAME
from inbetweener.document import Document
from inbetweener.document.edits import add_target, set_looseness, solve
from inbetweener.kinodynamics import Bell, Looseness, PoseTarget, Spring
from inbetweener.kinodynamics.solution import Solution

CLIP = "hello"
SHAPES = ("open", "ooh", "wide", "smile", "brow_up")
FLESH, NECK = Spring(2.2, 0.35), Spring(2.5, 0.3)
SMILE, EARLY, TILT = SMILE_FRAME / 24, 44 / 24, 30 / 24
GRIN = {"smile": 0.9, "open": 0.35}
"""What is wanted in the middle of the speech, where the mouth is keyed nearly shut."""

HEAD = {"neck.rz": np.radians(-6.0), "head.rz": np.radians(-14.0)}
"""Twice the tilt that is keyed there."""


def worked() -> Worked:
    """Tight, loose, with the smile on its frame, and with a stronger tilt of the head as well."""
    tight = example("talking-face")
    loose = loosened(tight)
    smiling, solution = after(loose, tilted=False)
    tilted, _ = after(loose, tilted=True)
    figures = [
        Figure("smile on its frame, keyed", value(tight, SMILE, "smile"), ""),
        Figure("shapes on that frame off by", shapes_off(tight, loose), "", at_least=0.02),
        Figure("shapes off when solved", shapes_off(tight, smiling), "", at_most=1e-6),
        Figure("shapes off when solved with the tilt", shapes_off(tight, tilted), "", at_most=1e-6),
        Figure("early smile, loose", value(loose, EARLY, "smile"), "", at_most=0.4),
        Figure("early smile, off when solved", off(smiling, EARLY, GRIN), "", at_most=1e-6),
        Figure("tilt on its frame, keyed", np.degrees(value(tight, TILT, "head.rz")), "°"),
        Figure("tilt on its frame, loose", np.degrees(value(loose, TILT, "head.rz")), "°"),
        Figure("tilt on its frame, wanted", np.degrees(HEAD["head.rz"]), "°"),
        Figure("tilt off when solved", np.degrees(off(tilted, TILT, HEAD)), "°", at_most=1e-5),
        *effort(solution),
    ]
    return Worked({"tight": tight, "loose": loose, "smile": smiling, "smile and tilt": tilted}, figures)


def loosened(document: Document) -> Document:
    """Lips, cheeks and brows that come late and overshoot, on a head that nods after."""
    springs = {**dict.fromkeys(SHAPES, FLESH), "neck": NECK, "head": NECK, "jaw": Spring(5.0, 0.5)}
    return set_looseness(document, CLIP, Looseness(springs))


def after(document: Document, *, tilted: bool) -> tuple[Document, Solution]:
    """The shapes of the smile as keyed on its frame, a grin earlier and, if asked for, the head tilted further."""
    wanted = {shape: value(example("talking-face"), SMILE, shape) for shape in SHAPES}
    document = add_target(document, CLIP, PoseTarget(SMILE, wanted, bell=Bell(0.3, 0.3)), name="smile")
    document = add_target(document, CLIP, PoseTarget(EARLY, GRIN, bell=Bell(0.3, 0.3)), name="grin")
    if tilted:
        document = add_target(document, CLIP, PoseTarget(TILT, HEAD, bell=Bell(0.4, 0.4)), name="tilt")
    result = solve(document, clip=CLIP)
    return result.document, result.solution


def value(document: Document, time: float, channel: str) -> float:
    """What a channel is seen to be."""
    return float(document.shown_motion().channels([time])[0, document.rig.channel_index(channel)])


def shapes_off(tight: Document, document: Document) -> float:
    """How far the shape of the face that is furthest off is from what is keyed for the smile."""
    return max(abs(value(document, SMILE, shape) - value(tight, SMILE, shape)) for shape in SHAPES)


def off(document: Document, time: float, wanted: dict[str, float]) -> float:
    """How far the channel that is furthest off is seen to be from what was asked for."""
    return max(abs(value(document, time, channel) - wish) for channel, wish in wanted.items())
