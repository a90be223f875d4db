"""Make the pictures of the page about sketching: `python docs/make_sketch_pictures.py [NAME …]`."""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import inbetweener as ib
from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.characters.fox import TAIL, fox
from inbetweener.document import Document, View, edits
from inbetweener.motion import Clip
from inbetweener.posing.sketch import ViewPlane, select, sketch
from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from inbetweener.render import render_frame
from inbetweener.render.camera import Camera

FOLDER = Path(__file__).parent / "pictures"
FRONT = ViewPlane.named("front")
BLUE, CYAN = (88, 132, 255), (72, 214, 226)


def picture(document: Document, size: tuple[int, int], *strokes: tuple[np.ndarray, tuple[int, int, int]]) -> np.ndarray:
    """The document at its first frame with strokes (n, 3) in the world drawn over it."""
    scale = 2
    large = (size[0] * scale, size[1] * scale)
    image = Image.fromarray(render_frame(document, 0.0, size=large))
    pen = ImageDraw.Draw(image)
    for points, colour in strokes:
        way = [tuple(p) for p in Camera.of(document.view).pixels(points, large)[:, :2]]
        pen.line(way, fill=colour, width=4 * scale, joint="curve")
        x, y = way[0]
        pen.ellipse((x - 6 * scale, y - 6 * scale, x + 6 * scale, y + 6 * scale), fill=colour)
    return np.asarray(image.resize(size, Image.Resampling.LANCZOS))


def still(character: Document, view: View) -> Document:
    return replace(character, clips=(Clip("pose", 0.0),), view=view, blending="differential")


def lifted(view: ViewPlane, curve: StrokeCurve, depth: float = 0.0) -> np.ndarray:
    flat = curve.positions(np.linspace(0.0, curve.length, 120))
    return view.lift(flat, np.full(len(flat), depth))


def tail() -> None:
    """A stroke that selects, a stroke that bends, and a second one that winds up."""
    document = still(fox(), View((-2.4, 0.75, -0.13), (0.0, 0.46, -0.12), 0.5))
    rig, pose = document.rig, document.rig.defaults
    side = ViewPlane(np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]))
    along = side.project(rig.rest_world()[[rig.joint_index(name) for name in TAIL], :, 3])[0]
    bones = tuple(name for name in select(along, rig, pose, side) if name in TAIL)
    base = along[0]
    t = np.linspace(0.0, 1.0, 80)[:, None]
    wave = base + np.concatenate([-0.4 * t, 0.08 * np.sin(2 * math.pi * t) + 0.2 * t], axis=1)
    angle = 0.2 + 2.4 * math.pi * t
    curl = base + np.cumsum(np.concatenate([-np.cos(angle), np.sin(angle)], axis=1), axis=0) * 0.0065
    size = (400, 330)
    pictures = [picture(document, size, (lifted(side, fit_stroke(along)), CYAN))]
    for points in (wave, curl):
        stroke = fit_stroke(points)
        made = sketch(rig, pose, bones, stroke, side)
        pictures.append(picture(edits.sketch_pose(document, "pose", 0.0, made), size, (lifted(side, stroke), BLUE)))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(FOLDER / "sketch-tail.png", optimize=True)


LINES = {
    "rest": (),
    "C": (-12.0, (0.9, 1.2, 0.7)),
    "reversed C": (16.0, (-1.2, -1.3, -0.8)),
    "S": (-6.0, (-2.2, -0.4, 2.0)),
    "reach": (-24.0, (-0.5, 0.2, 0.6)),
    "bow": (4.0, (0.2, -1.0, -3.4)),
}


def line_of_action() -> None:
    """The gentleman at rest and in five lines of action, one stroke each."""
    document = still(cartoon(hat=True), View((0.35, 1.15, 5.2), (0.0, 1.1, 0.0), 0.5))
    rig, pose = document.rig, document.rig.defaults
    bones = tuple(joint.name for joint in rig.joints)
    size, pictures = (300, 360), []
    for shape in LINES.values():
        if not shape:
            pictures.append(picture(document, size))
            continue
        lean, (low, middle, high) = shape
        down = _curve(np.array([0.0, 0.78]), math.radians(270 + lean), {0.0: -middle, 0.78: -low})
        start, heading = down.positions([0.78])[0], float(down.headings([0.78])[0]) - math.pi
        stroke = _curve(start, heading, {0.0: low, 0.78: middle, 2.1: high})
        made = sketch(rig, pose, bones, stroke, FRONT, mode="line-of-action")
        pictures.append(picture(edits.sketch_pose(document, "pose", 0.0, made), size, (lifted(FRONT, stroke), BLUE)))
    rows = [np.concatenate(pictures[i : i + 3], axis=1) for i in (0, 3)]
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "sketch-lines.png", optimize=True)


def options() -> None:
    """Kept length and stretch; children carried and level."""
    document = still(cartoon(), View((0.3, 1.2, 3.4), (0.12, 1.02, 0.0), 0.5))
    rig, pose = document.rig, document.rig.defaults
    arm = ("upper_arm_l", "forearm_l")
    shoulder = rig.rest_world()[rig.joint_index("upper_arm_l"), :2, 3]
    long = _curve(shoulder, 0.9, {0.0: 2.0, 0.45: -5.0, 0.85: 1.0})
    size, pictures = (300, 300), []
    for stretch in (False, True):
        made = sketch(rig, pose, arm, long, FRONT, stretch=stretch)
        pictures.append(picture(edits.sketch_pose(document, "pose", 0.0, made), size, (lifted(FRONT, long), BLUE)))
    spine = _curve(rig.rest_world()[rig.joint_index("spine"), :2, 3], 1.45, {0.0: -2.2, 0.31: -4.4})
    for carry in (True, False):
        made = sketch(rig, pose, ("spine", "chest"), spine, FRONT, carry=carry)
        pictures.append(picture(edits.sketch_pose(document, "pose", 0.0, made), size, (lifted(FRONT, spine), BLUE)))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(FOLDER / "sketch-options.png", optimize=True)


def leap() -> None:
    """The built-in caricature, pose by pose."""
    document = ib.example("caricature")
    pictures = [render_frame(document, frame / 24, size=(300, 240)) for frame in (4, 9, 15, 24, 32, 36, 40, 45)]
    rows = [np.concatenate(pictures[i : i + 4], axis=1) for i in (0, 4)]
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "caricature.png", optimize=True)


def _curve(start: np.ndarray, heading: float, curves: dict[float, float]) -> StrokeCurve:
    return StrokeCurve(start, heading, np.array([*curves]), np.array([*curves.values()]), np.zeros(0), 0.0)


PICTURES: dict[str, Callable[[], None]] = {"tail": tail, "lines": line_of_action, "options": options, "leap": leap}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
