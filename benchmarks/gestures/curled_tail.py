"""Curled tail: a soft fox draws its tail in and winds it up, by every way of blending ([DB] Figs. 9, 10 and 15).

Weights that reach over several bones ask for means of transforms that are more than half a turn apart.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.bars import METHODS, Tear
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin.characters.fox import TAIL, TAIL_STEP, fox
from inbetweener.builtin.posing import keyed, staged
from inbetweener.document import Document, View, edits
from inbetweener.posing.sketch import ViewPlane, sketch, twist
from inbetweener.posing.strokes import StrokeCurve
from inbetweener.skinning import Blending, Mesh, Skin
from inbetweener.skinning.automatic import bind

CLIP, RATE = "curl", 24.0
CURLED, WOUND, END = 18, 36, 48
"""Frames."""
SOFT = 8.0
"""How well the skin conducts: a bone is felt over nearly three thicknesses of the tail."""
LENGTH = TAIL_STEP * len(TAIL)
SIDE = ViewPlane.named("side")
TAIL_VIEW = View((-1.75, 0.6, -0.55), (0.0, 0.33, -0.4), 0.5)
GENTLE = 0.5
"""How much of the curl is dialled in where shortest paths are still smooth."""


def worked() -> Worked:
    """The drawn fox by four ways of blending, how torn it is in both drawings and how steadily it gets there."""
    document = drawn()
    skins = {letters: skinned(document, way) for letters, way in METHODS.items()}
    figures = []
    for what, frame, most in (("curled", CURLED, 3.0), ("wound up", WOUND, 5.0)):
        pose = posed(document, frame)
        for letters, skin in skins.items():
            mesh, vertices = skin.mesh, skin.vertices(pose).astype(np.float64)
            bound = most if letters == "DB" else None
            tear = Tear.of(mesh, vertices)
            figures += [
                Figure(f"{what}, {letters}: an edge stretched or squeezed by", tear.stretch, "×", at_most=bound),
                Figure(f"{what}, {letters}: smallest triangle", 100 * smallest(mesh, vertices), "% of its area"),
                Figure(f"{what}, {letters}: volume", 100 * kept(mesh, vertices), "%"),
            ]
    figures += [
        *(
            Figure(f"a vertex jumps at a thousandth of the curl, {way}", 1e3 * jump(skins[way], document), "mm",
                   at_most=5.0 if way == "DB" else None)
            for way in ("LB", "DB")
        ),
        *(
            Figure(f"half curled, DB off {way} by up to", 1e3 * apart(document, skins["DB"], skins[way]), "mm")
            for way in ("LB", "SB")
        ),
    ]  # fmt: skip
    return Worked({letters: replace(document, blending=way) for letters, way in METHODS.items()}, figures)


def drawn() -> Document:
    """Weights found softly, the tail curled by 450° at one frame and wound up by one and a half turns at another."""
    character = fox()
    meshes = (bind(character.meshes[0], character.rig, conduction=SOFT), *character.meshes[1:])
    clip = keyed(character.rig, CLIP, {frame: {"tail_lift": 0.0} for frame in (0, CURLED, WOUND, END)}, rate=RATE)
    document = replace(staged(character, "curled tail", clip, TAIL_VIEW), meshes=meshes, blending="differential")
    document = _stroked(document, CURLED, -30.0, (0.0, 150.0, 675.0))
    document = _stroked(document, WOUND, -10.0, (0.0, 20.0, 90.0))
    made = twist(document.rig, posed(document, WOUND), TAIL, 3.0 * math.pi, onto=_name(WOUND))
    return edits.sketch_pose(document, CLIP, WOUND / RATE, made)


def _stroked(document: Document, frame: int, heading: float, curves: tuple[float, float, float]) -> Document:
    """The tail on a stroke that sets off so many degrees from where the tail points, seen from the side.

    It curves by degrees per length of the tail: at its root, a quarter along, and at its tip.
    """
    root, second = (document.motion().states([frame / RATE], document.rig.point(name))[0][0] for name in TAIL[:2])
    start, ahead = SIDE.project(np.array([root, second]))[0]
    leads = math.atan2(*(ahead - start)[::-1]) + math.radians(heading)
    bends = np.radians(curves) / LENGTH
    stroke = StrokeCurve(start, leads, np.array([0.0, 0.25, 1.0]) * LENGTH, bends, np.zeros(0), 0.0)
    made = sketch(document.rig, posed(document, frame), TAIL, stroke, SIDE)
    return edits.sketch_pose(document, CLIP, frame / RATE, made, name=_name(frame))


def _name(frame: int) -> str:
    return f"drawing {frame}"


def posed(document: Document, frame: float) -> Floats:
    """Channel values (C,)."""
    return document.motion().channels([frame / RATE])[0]


def skinned(document: Document, way: Blending) -> Skin:
    """The body as one way of blending carries it."""
    return Skin(document.meshes[0], document.rig, way, poses=document.motion().channels(document.clip().frame_times))


def smallest(mesh: Mesh, vertices: Floats) -> float:
    """The smallest area of a triangle, times what it was at rest."""
    return float((_areas(mesh, vertices) / _areas(mesh, mesh.vertices.astype(np.float64))).min())


def kept(mesh: Mesh, vertices: Floats) -> float:
    """The volume within the skin, times what it was at rest."""
    return _volume(mesh, vertices) / _volume(mesh, mesh.vertices.astype(np.float64))


def jump(skin: Skin, document: Document, dials: int = 8) -> float:
    """How far a vertex moves at most, in metres, where the curl is dialled on by a thousandth ([DB] Fig. 9)."""
    near = (skin.vertices(each) for each in _dialled(document, np.linspace(GENTLE, 0.999, dials)))
    far = (skin.vertices(each) for each in _dialled(document, np.linspace(GENTLE, 0.999, dials) + 0.001))
    return max(float(np.linalg.norm(b - a, axis=1).max()) for a, b in zip(near, far, strict=True))


def apart(document: Document, one: Skin, other: Skin) -> float:
    """How far two ways of blending put a vertex apart at most, in metres, half curled ([DB] Fig. 15)."""
    (pose,) = _dialled(document, np.array([GENTLE]))
    return float(np.linalg.norm(one.vertices(pose) - other.vertices(pose), axis=1).max())


def _dialled(document: Document, shares: Floats) -> Iterator[Floats]:
    """The curled pose, so much of it."""
    bend = next(bend for bend in document.rig.bends if bend.name == _name(CURLED))
    for share in shares:
        pose = document.rig.defaults.copy()
        pose[document.rig.channel_index(bend.channel)] = share
        yield pose


def _areas(mesh: Mesh, vertices: Floats) -> Floats:
    a, b, c = (vertices[mesh.triangles[:, i]] for i in range(3))
    return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))


def _volume(mesh: Mesh, vertices: Floats) -> float:
    a, b, c = (vertices[mesh.triangles[:, i]] for i in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)
