"""Two balls: one keyed, one on a spring above it, shown by short windows and, solved for, on its mark and at rest."""

import numpy as np

from benchmarks.gestures.upper_body import HIT, effort, seen
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin.rigging import Bone, build_rig
from inbetweener.builtin.sculpt import paint_for
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document, View
from inbetweener.document.edits import add_target, set_looseness, solve
from inbetweener.kinodynamics import Bell, LooseMotion, Looseness, PointTarget, Spring
from inbetweener.kinodynamics.solution import Solution
from inbetweener.motion import Clip
from inbetweener.motion.clip import Curves
from inbetweener.rig import Point
from inbetweener.skinning import Mesh

CLIP, TIME, SECONDS = "to and fro", 40 / 24, 3.0
SPRING = Spring(2.0, 0.2)
WINDOWS = (0.15, 0.6, 1.5)
"""Seconds: from much too short to nearly all that there is to see."""

WAY = {"red.tx": (-0.6, 0.5, -0.3, 0.6, -0.6), "red.ty": (0.5, 0.9, 0.5, 0.8, 0.5)}
RADIUS, ABOVE = 0.12, 0.45


def worked() -> Worked:
    """As keyed, by two windows, and with the loose ball on its mark and at rest there."""
    tight = balls()
    by_window = {window: loosened(tight, window) for window in WINDOWS}
    caught, solution = after(by_window[WINDOWS[-1]])
    short, middle, long = (strays(document) for document in by_window.values())
    mark, here = seen(tight, [TIME], green(tight))[0], seen(by_window[WINDOWS[-1]], [TIME], green(tight))[0]
    figures = [
        Figure("a window of 0.15 s misses of the whole simulation", 100 * short, "cm", at_least=3),
        Figure("a window of 0.6 s", 100 * middle, "cm"),
        Figure("a window of 1.5 s", 100 * long, "cm", at_most=1),
        Figure("the mark is missed by", 100 * float(np.linalg.norm(here - mark)), "cm", at_least=5),
        Figure("when solved", 100 * float(np.linalg.norm(seen(caught, [TIME], green(tight))[0] - mark)), "cm",
               at_most=HIT),
        Figure("and it moves by", 100 * speed(caught), "cm/s", at_most=0.01),
        *effort(solution),
    ]  # fmt: skip
    names = {0.15: "window of 0.15 s", 0.6: "window of 0.6 s"}
    versions = {"rigid": tight, **{name: by_window[window] for window, name in names.items()}, "on its mark": caught}
    return Worked(versions, figures, ("green",))


def balls() -> Document:
    """A red ball that is keyed, and a green one that it carries above it."""
    shifts = "tx ty tz"
    rig = build_rig(
        [Bone("red", None, (0.0, 0.5, 0.0), dofs=shifts), Bone("green", "red", (0.0, ABOVE, 0.0), dofs=shifts)]
    )
    meshes = tuple(_ball(name, colour) for name, colour in (("red", "#c8403a"), ("green", "#58a65c")))
    times = np.linspace(0.0, SECONDS, len(WAY["red.tx"]))
    curves = {
        channel: tangent_presets.smooth(Curve.from_keys([Key(float(t), v) for t, v in zip(times, values, strict=True)]))
        for channel, values in WAY.items()
    }
    clip = Clip(CLIP, SECONDS, curves=Curves(curves))
    return Document("two-balls", rig, meshes, clips=(clip,), view=View((0.5, 1.15, 2.5), (0.0, 0.85, 0.0), 0.6))


def _ball(joint: str, colour: str, rings: int = 12) -> Mesh:
    """A sphere around a joint."""
    turns, tilts = np.arange(2 * rings) * np.pi / rings, np.arange(1, rings) * np.pi / rings
    turn, tilt = (each.ravel() for each in np.meshgrid(turns, tilts))
    around = np.stack([np.sin(tilt) * np.cos(turn), np.cos(tilt), np.sin(tilt) * np.sin(turn)], axis=1)
    vertices = RADIUS * np.concatenate([around, [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]])
    here = np.arange(2 * rings)
    there, top, bottom = (here + 1) % (2 * rings), len(around), len(around) + 1
    last = len(around) - 2 * rings
    triangles = [np.stack([np.full_like(here, top), there, here], axis=1),
                 np.stack([np.full_like(here, bottom), last + here, last + there], axis=1)]  # fmt: skip
    for ring in range(rings - 2):
        a, b = 2 * rings * ring + here, 2 * rings * ring + there
        triangles += [np.stack([a, b, a + 2 * rings], axis=1), np.stack([b, b + 2 * rings, a + 2 * rings], axis=1)]
    tint = np.tile([*paint_for(colour), 1.0][:4], (len(vertices), 1))
    return Mesh.rigid(joint, joint, vertices, np.concatenate(triangles), colours=tint)


def green(document: Document) -> Point:
    """The place of the loose ball."""
    return document.rig.point("green")


def loosened(document: Document, window: float) -> Document:
    """The green ball on a spring in all three directions."""
    springs = {f"green.t{axis}": SPRING for axis in "xyz"}
    return set_looseness(document, CLIP, Looseness(springs, window, masses="mesh"))


def after(document: Document) -> tuple[Document, Solution]:
    """The green ball where it would be if it were rigid, and at rest there."""
    mark = PointTarget(TIME, green(document), velocity=(0.0, 0.0, 0.0), bell=Bell(0.5, 0.5))
    result = solve(add_target(document, CLIP, mark), clip=CLIP)
    return result.document, result.solution


def strays(document: Document) -> float:
    """Metres by which windows are off one simulation of the whole, at most."""
    motion, times = document.shown_motion(), document.clip().frame_times
    assert isinstance(motion, LooseMotion)
    whole = document.rig.states(motion.simulated(times), green(document))[0]
    return float(np.linalg.norm(seen(document, times, green(document)) - whole, axis=1).max())


def speed(document: Document) -> float:
    """Metres a second at the mark, from two states a step apart."""
    step = 1 / 120
    before, now = seen(document, [TIME - step, TIME], green(document))
    return float(np.linalg.norm(now - before) / step)
