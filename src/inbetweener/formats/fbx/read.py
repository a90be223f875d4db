"""Read an FBX file, binary or text, as a document."""

from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document import Source as Origin
from inbetweener.document.budget import Budget
from inbetweener.formats.bones import with_bones
from inbetweener.formats.fbx import container, words
from inbetweener.formats.fbx.animation import animate
from inbetweener.formats.fbx.meshes import read_meshes
from inbetweener.formats.fbx.scene import Scene
from inbetweener.formats.fbx.skeleton import read_skeleton
from inbetweener.formats.fbx.takes import read_takes
from inbetweener.formats.fbx.tree import Tree
from inbetweener.formats.files import Reading, file_bytes, naming
from inbetweener.formats.names import called
from inbetweener.formats.notes import Source

CENTIMETRE = 0.01
"""Metres: what FBX counts its units in."""


def read(path: Path | str, *, trust: bool = False) -> Reading:
    """The document in an FBX file of 7.0 to 7.7.

    All nodes but cameras, lights and the like become joints, all meshes meshes, all stacks clips. Curves keep their
    keys and tangents; angles are those of the file where a joint rests at its pre-rotation. A file that unfolds to far
    more than its size explains is refused unless you `trust` it.
    """
    path = Path(path)
    data = file_bytes(path)
    source = Source(path, Budget(len(data), trust=trust))
    scene = Scene(_tree(data, source), source)
    unit, axes = _measure(scene)
    takes = read_takes(scene)
    with naming(path):
        skeleton = read_skeleton(scene, takes, unit, axes)
        shown = read_meshes(scene, skeleton, unit)
        rig, clips = animate(scene, skeleton, shown, takes)
    if skeleton.zeroed:
        some = ", ".join(skeleton.zeroed[:3]) + (" …" if len(skeleton.zeroed) > 3 else "")
        source.note(
            "Objects", f"{len(skeleton.zeroed)} joints rest where their angles are nought ({some}), to keep keys"
        )
    rig, kept = with_bones(rig, shown.meshes, clips)
    document = Document(
        called(path),
        rig,
        tuple(shown.meshes),
        clips=clips,
        source=Origin("fbx", unit),
        blending="dual-quaternion" if shown.is_dual else "linear",
    )
    for line in kept:
        source.note("", line)
    return source.reading(document)


def _tree(data: bytes, source: Source) -> Tree:
    if data.startswith(container.MAGIC):
        return container.unpack(data, source)
    if not words.is_words(data):
        source.fail("header", "not an FBX file", "expected the binary or the text container of FBX 7.x")
    return words.parse(data, source)


def _measure(scene: Scene) -> tuple[float, Floats]:
    """The length of a unit in metres, and the turn (3, 3) from the file's axes to ours."""
    settings = scene.settings
    unit = CENTIMETRE * settings.number_of("UnitScaleFactor", 1.0)
    if not 1e-9 < unit < 1e9:
        scene.source.fail("GlobalSettings", f"a unit of {unit:g} m cannot be", "export the file anew")
    axes = np.zeros((3, 3))
    # Right, up and to the front, as ours are X, Y and Z.
    for row, (name, usual) in enumerate((("CoordAxis", 0), ("UpAxis", 1), ("FrontAxis", 2))):
        axis, sign = settings.whole(name, usual), settings.whole(f"{name}Sign", 1)
        if axis not in (0, 1, 2) or sign not in (1, -1):
            scene.source.note("GlobalSettings", f"{name} {axis} is no axis; Y is taken as up")
            return unit, np.eye(3)
        axes[row, axis] = sign
    if round(float(np.linalg.det(axes))) != 1:
        scene.source.fail("GlobalSettings", "its axes are left-handed", "export it with right-handed axes, Y up")
    return unit, axes
