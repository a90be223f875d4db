"""Caricature: a leap of which only the hips are keyed, and what strokes make of it.

Drawn bends turn little from one sample of a bone to the next, so that all ways of blending carry this leap about alike;
bars that are bound curled or turned as a whole tell them apart.
"""

import math
from dataclasses import replace

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.builtin.scenes.caricature import DRAWINGS, END, RATE, START
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.skinning import Blending, Skin

FEET = ("foot_l", "foot_r")
WOUND = "drawing 24"
ONE_IN_A_THOUSAND = 0.999


def worked() -> Worked:
    """Keys alone, and with every drawing."""
    drawn = example("caricature")
    ways: tuple[Blending, ...] = ("linear", "dual-quaternion", "differential")
    figures = [
        Figure("drawings", len(drawn.rig.bends), ""),
        Figure("right arm wound up by", turns(drawn), "turns", at_least=1.96),
        Figure("feet off where they stand on drawn frames", 1e3 * off_their_stands(drawn), "mm", at_most=1e-6),
        *(
            Figure(f"one edge in a thousand stretched by more than, {way}", stretch(drawn, way), "×")
            for way in ways
        ),
    ]  # fmt: skip
    return Worked({"keys alone": undrawn(drawn), "drawn": drawn}, figures)


def undrawn(document: Document) -> Document:
    """The leap as it is keyed, without any drawing."""
    clip = document.clip()
    gone = {bend.channel: None for bend in document.rig.bends}
    return replace(document, clips=(replace(clip, curves=clip.curves.replaced(gone)),))


def turns(document: Document) -> float:
    """How often the right arm is wound up in the air."""
    wound = next(bend for bend in document.rig.bends if bend.name == WOUND)
    about = sum(wound.screws[bone][:, 0].sum() for bone in ("upper_arm_r", "forearm_r"))
    return abs(float(about)) / (2 * math.pi)


def off_their_stands(document: Document) -> float:
    """The largest distance in metres of a foot from where it stands, on frames that are drawn with feet."""
    standing = [frame for frame, drawing in DRAWINGS.items() if drawing.legs]
    return float(max(_off(document, frame).max() for frame in standing))


def drawn_times(document: Document) -> list[float]:
    """When drawings are dialled in whole, in seconds."""
    curves = document.clip().curves
    return sorted({float(time) for bend in document.rig.bends for time in _whole(curves[bend.channel])})


def _whole(curve: Curve) -> Floats:
    return curve.times[curve.values == 1.0]


def stretch(document: Document, way: Blending) -> float:
    """By which factor one edge in a thousand is longer or shorter than at rest, or more, in the worst drawn pose."""
    mesh = document.meshes[0]
    poses = document.motion().channels(drawn_times(document))
    skin = Skin(mesh, document.rig, way, poses=poses)
    edges = np.unique(np.sort(mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    rest = _lengths(mesh.vertices, edges)
    found = []
    for pose in poses:
        ratio = _lengths(skin.vertices(pose), edges) / rest
        found.append(float(np.quantile(np.maximum(ratio, 1 / np.maximum(ratio, 1e-9)), ONE_IN_A_THOUSAND)))
    return max(found)


def _off(document: Document, frame: float) -> Floats:
    x = START if frame < 24 else END
    stands = np.array([[x + 0.088, 0.075, 0.0], [x - 0.088, 0.075, 0.0]])
    found = document.motion().point_positions([frame / RATE], [document.rig.point(name) for name in FEET])[0]
    return np.linalg.norm(found - stands, axis=1)


def _lengths(vertices: np.ndarray, edges: np.ndarray) -> Floats:
    return np.linalg.norm(np.diff(np.asarray(vertices, np.float64)[edges], axis=1)[:, 0], axis=1)
