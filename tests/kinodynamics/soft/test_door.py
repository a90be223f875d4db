"""The gentleman's tall hat and the low door: with three targets for its tip, no part of him touches the lintel."""

from dataclasses import replace

import numpy as np

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.kinodynamics import Bell, ElasticPart, LooseMotion, Loosened, Looseness, PointTarget, SoftPoint
from inbetweener.kinodynamics.solve import solve
from inbetweener.maths.solids import Box
from inbetweener.motion import Clip
from inbetweener.skinning import Skin

LOOSENESS = Looseness(soft=(ElasticPart("cartoon", "hat_1"),), window=0.8)
AIMS = ((15, (0.0, 1.72, -0.1), Bell(0.6, 0.5)), (20, (0.0, 1.64, 0.3), Bell()), (25, (0.0, 1.62, 0.78), Bell()))
"""Frame, place of the tip and bell: down before the door, and along below it."""


def watched(document: Document, clip: Clip) -> LooseMotion:
    return LooseMotion(Loosened(document.rig, LOOSENESS, clip.rate, document.meshes), clip)


def frames_inside(document: Document, motion: LooseMotion) -> list[float]:
    """Half frames at which a vertex of the body is within the lintel."""
    lintel = next(prop for prop in document.props if prop.name == "lintel")
    assert isinstance(lintel.solid, Box)
    half, middle = np.array(lintel.solid.half), np.array(lintel.transform.translation)
    times = np.arange(2 * 56 + 1) / 48
    skin, offsets = Skin(document.meshes[0], document.rig), motion.offsets(times)[0]
    found = []
    for time, pose, offset in zip(times, motion.channels(times), offsets, strict=True):
        if (np.abs(skin.vertices(pose, None, offset) - middle) < half).all(axis=1).any():
            found.append(24 * float(time))
    return found


def test_the_hat_goes_under_the_door():
    document = example("hat-and-door")
    # The hat swings by itself here, so what was keyed on its joints goes.
    keyed = document.clips[0]
    hat = {channel.name: None for channel in document.rig.channels if channel.name.startswith("hat_")}
    clip = replace(keyed, curves=keyed.curves.replaced(hat))
    motion = watched(document, clip)
    assert len(frames_inside(document, motion)) > 5
    tip = SoftPoint("cartoon", int(np.argmax(document.meshes[0].vertices[:, 1])))
    targets = {f"tip {frame}": PointTarget(frame / 24, tip, place, bell=bell) for frame, place, bell in AIMS}
    solution = solve(motion, targets)
    assert solution.reached, solution.summary
    assert frames_inside(document, watched(document, solution.applied(clip))) == []
