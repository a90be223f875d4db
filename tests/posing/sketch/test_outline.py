"""[DB] §7, silhouettes: where a stroke is the edge of the skin, the skin's edge lies on the stroke."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

import inbetweener as ib
from inbetweener.builtin.characters.dinosaur import TAIL
from inbetweener.document import Document, edits
from inbetweener.posing.sketch import NotAChain, ViewPlane
from inbetweener.posing.sketch.outline import NoOutline
from inbetweener.posing.strokes import StrokeCurve
from inbetweener.skinning import Skin

SIDE = ViewPlane.named("side")
PIXELS = 1000.0
"""A metre."""


@pytest.fixture(scope="module")
def dino() -> Document:
    return edits.skin(ib.example("dino-punch"), "differential").document


def shadow(document: Document) -> tuple[np.ndarray, np.ndarray]:
    """The tail seen from the side, triangle by triangle, as a mask (x, y), and which place its first pixel has."""
    mesh, pose = document.meshes[0], document.motion().channels([0.0])
    flat = SIDE.project(Skin(mesh, document.rig, document.blending, poses=pose).vertices(pose[0]))[0]
    heaviest = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
    mine = np.isin(np.array(mesh.joints)[heaviest], TAIL)
    low = flat.min(axis=0) - 0.2
    image = Image.new("1", tuple(((np.ptp(flat, axis=0) + 0.4) * PIXELS).astype(int)))
    pen = ImageDraw.Draw(image)
    for triangle in mesh.triangles[mine[mesh.triangles].all(axis=1)]:
        pen.polygon([tuple(point) for point in (flat[triangle] - low) * PIXELS], fill=1)
    return np.asarray(image).T, low


def edge(document: Document, stroke: StrokeCurve, side: float) -> np.ndarray:
    """The edge (n, 2) of the shadow on one side of a stroke that runs within it."""
    mask, low = shadow(document)
    places = np.linspace(0.3, 1.25, 50)
    points, headings = stroke.positions(places), stroke.headings(places)
    out = side / PIXELS * np.stack([-np.sin(headings), np.cos(headings)], axis=1)
    found = []
    for point, step in zip(points, out, strict=True):
        while mask[tuple(((point - low) * PIXELS).astype(int))]:
            point = point + step
        found.append(point)
    return np.array(found)


def missed(document: Document, drawn: np.ndarray) -> np.ndarray:
    """How far drawn points (n, 2) are from the nearest edge of the shadow, in metres."""
    mask, low = shadow(document)
    inner = mask[1:-1, 1:-1] & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    rim = np.argwhere(mask[1:-1, 1:-1] & ~inner) + 1
    return np.linalg.norm(low + (rim[None] + 0.5) / PIXELS - drawn[:, None], axis=2).min(axis=1)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("backwards", [False, True])
def test_the_edge_of_the_skin_lies_on_the_stroke(dino: Document, side: float, backwards: bool) -> None:
    root = SIDE.project(dino.motion().states([0.0], dino.rig.point(TAIL[0]))[0])[0][0]
    curl = StrokeCurve(
        root, math.radians(-30.0), np.array([0.0, 0.7, 1.4]), np.array([0.5, 1.5, 2.5]), np.zeros(0), 0.0
    )
    # What is drawn is the edge of a tail that lies on a curl: there is a pose that has it.
    drawn = edge(edits.sketch(dino, curl, TAIL, frame=0, view=SIDE, mode="direct").document, curl, side)
    stroke = drawn[::-1] if backwards else drawn
    outlined, direct = (
        edits.sketch(dino, stroke, TAIL, frame=0, view=SIDE, mode=mode).document for mode in ("outline", "direct")
    )
    # Before the stroke begins the tail stays as it was, and comes round from there.
    assert missed(outlined, drawn).max() < 0.02
    assert missed(outlined, drawn)[5:].max() < 0.006
    assert missed(direct, drawn).max() > 0.075
    assert missed(dino, drawn).max() > 0.25


def test_bones_without_skin_and_bones_that_are_no_chain_are_refused(dino: Document) -> None:
    stroke = np.array([[0.1, 0.7], [0.4, 0.7], [0.8, 0.8], [1.2, 1.0]])
    with pytest.raises(NoOutline, match="no skin follows these bones"):
        edits.sketch(replace(dino, meshes=()), stroke, TAIL, frame=0, view=SIDE, mode="outline")
    with pytest.raises(NotAChain):
        edits.sketch(dino, stroke, ("tail_1", "thigh_l"), frame=0, view=SIDE, mode="outline")
