"""Hat and door: the tall hat swings and runs into the lintel; one target for its tip makes the gentleman bow in time.

The hat is an elastic solid on the head, so nothing moves its tip but the posture below: spine, neck and head give way.
"""

import numpy as np

from benchmarks.gestures.upper_body import HIT, effort
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import add_target, remove_curves, set_looseness, solve
from inbetweener.kinodynamics import Bell, ElasticPart, LooseMotion, Looseness, PointTarget, SoftPoint
from inbetweener.kinodynamics.solution import Solution
from inbetweener.maths.solids import Box
from inbetweener.skinning import Skin

CLIP = "through the door"
TIME, PLACE = 13 / 24, (0.0, 1.66, 0.2)
"""When the tip is wanted below and just beyond the lintel, and where."""

BELL = Bell(0.6, 0.65, drawn=((-1.0, 0.0), (-0.25, 1.0), (0.0, 1.0), (0.5, 1.0), (1.0, 0.0)))
"""Drawn by hand: down without haste, and no higher before the hat is through."""

POSTURE = ("spine", "chest", "neck", "head")


def worked() -> Worked:
    """Tight, soft and in the way, and under the door."""
    tight = example("hat-and-door")
    soft = softened(tight)
    under, solution = after(soft)
    before, now = clearances(soft), clearances(under)
    figures = [
        Figure("swing of the tip", 100 * swing(soft), "cm"),
        Figure("clearance of the skin, soft", 100 * float(before.min()), "cm", at_most=0),
        Figure("half frames inside the lintel, soft", int((before < 0).sum()), "", at_least=1),
        Figure("tip is wanted lower and further by", 100 * off(soft), "cm"),
        Figure("tip, off when solved", 100 * off(under), "cm", at_most=HIT),
        Figure("clearance of the skin, solved", 100 * float(now.min()), "cm", at_least=0.5),
        *effort(solution),
    ]
    return Worked({"tight": tight, "soft": soft, "under the door": under}, figures)


def softened(document: Document) -> Document:
    """A hat of felt; what was keyed on its joints goes, for it swings by itself now."""
    hat = [name for name in document.clip().curves if name.startswith("hat_")]
    document = remove_curves(document, CLIP, hat)
    return set_looseness(document, CLIP, Looseness(soft=(ElasticPart("cartoon", "hat_1"),)))


def tip(document: Document) -> SoftPoint:
    """The topmost vertex of the hat."""
    return SoftPoint("cartoon", int(np.argmax(document.meshes[0].vertices[:, 1])))


def after(document: Document) -> tuple[Document, Solution]:
    """The tip led below the lintel."""
    channels = frozenset(f"{joint}.{turn}" for joint in POSTURE for turn in ("rx", "ry", "rz"))
    target = PointTarget(TIME, tip(document), PLACE, bell=BELL, channels=channels)
    result = solve(add_target(document, CLIP, target, name="under the door"), clip=CLIP)
    return result.document, result.solution


def off(document: Document) -> float:
    """Metres by which the tip is seen to miss its place."""
    place = document.loose_motion().soft_states([TIME], tip(document))[0][0]
    return float(np.linalg.norm(place - np.array(PLACE)))


def skins(document: Document, times: Floats) -> Floats:
    """Vertices (T, V, 3) of the body as they are seen."""
    motion, skin = document.shown_motion(), Skin(document.meshes[0], document.rig)
    offsets = motion.offsets(times)[0] if isinstance(motion, LooseMotion) else [None] * len(times)
    return np.array(
        [skin.vertices(pose, None, each) for pose, each in zip(motion.channels(times), offsets, strict=True)]
    )


def clearances(document: Document) -> Floats:
    """Metres (T,) from the skin to the lintel on every half frame, negative inside it."""
    lintel = next(prop for prop in document.props if prop.name == "lintel")
    assert isinstance(lintel.solid, Box)
    times = np.linspace(0.0, document.clip().end, 2 * len(document.clip().frame_times) - 1)
    beyond = np.abs(skins(document, times) - np.array(lintel.transform.translation)) - np.array(lintel.solid.half)
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=2)
    return np.asarray((outside + np.minimum(beyond.max(axis=2), 0.0)).min(axis=1))


def swing(document: Document) -> float:
    """Metres by which the tip is at most away from where the head would carry it."""
    times, vertex = document.clip().frame_times, tip(document).vertex
    tight = Skin(document.meshes[0], document.rig)
    stiff = np.array([tight.vertices(pose)[vertex] for pose in document.motion().channels(times)])
    return float(np.linalg.norm(document.loose_motion().soft_states(times, tip(document))[0] - stiff, axis=1).max())
