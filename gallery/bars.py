"""The bars of [DB] Fig. 16 as they deform, by four ways of blending."""

from dataclasses import replace

import numpy as np

from benchmarks.bars import CASES, METHODS, SIDES, Case, Tear
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin.sculpt import paint_for
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document
from inbetweener.motion import Clip
from inbetweener.motion.clip import Curves
from inbetweener.skinning import Blending

SECONDS = 2.0
LIGHT, DARK, SEAM = paint_for("#d9a15c"), paint_for("#8d5a2b"), paint_for("#3f7fd0")
RING = 8
"""Every so many rings of vertices the bar's colour changes, so that turns and stretches can be read off."""


def straighten() -> Worked:
    """Bound when it is curled by more than a turn, straightened by keys."""
    return _worked("straighten")


def twist() -> Worked:
    """Two turns about its axis, evenly along half of it."""
    return _worked("twist")


def bend() -> Worked:
    """More than a turn across its axis, evenly along half of it."""
    return _worked("bend")


def _worked(name: str) -> Worked:
    """One bar from its rest into its pose, by every way of blending."""
    case = CASES[name]()
    tears = {way: Tear.of(case.mesh, case.posed(blending)) for way, blending in METHODS.items()}
    most = {"DB": (2.0, 20.0)}
    figures = [
        *(
            Figure(f"an edge stretched or squeezed by {way}", tear.stretch, "×", at_most=most.get(way, (None, None))[0])
            for way, tear in tears.items()
        ),
        *(
            Figure(f"sharpest new crease {way}", tear.crease, "°", at_most=most.get(way, (None, None))[1])
            for way, tear in tears.items()
        ),
    ]
    return Worked({way: _document(case, blending) for way, blending in METHODS.items()}, figures)


def _document(case: Case, blending: Blending) -> Document:
    curves = {
        channel.name: tangent_presets.smooth(Curve.from_keys([Key(0.0, channel.default), Key(SECONDS, float(value))]))
        for channel, value in zip(case.rig.channels, case.pose, strict=True)
        if value != channel.default
    }
    ring, side = np.divmod(np.arange(len(case.mesh.vertices)), SIDES)
    paint = np.where((ring // RING % 2 == 0)[:, None], np.array(LIGHT), np.array(DARK))
    paint[side < 2] = SEAM
    mesh = replace(case.mesh, colours=np.concatenate([paint, np.ones((len(paint), 1))], axis=1).astype(np.float32))
    return Document("bar", case.rig, (mesh,), clips=(Clip("bend", SECONDS, curves=Curves(curves)),), blending=blending)
