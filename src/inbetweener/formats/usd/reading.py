"""Read a USD file as a document."""

from dataclasses import replace
from pathlib import Path

from inbetweener.document import Document
from inbetweener.document import Source as Origin
from inbetweener.document.budget import Budget
from inbetweener.formats.bones import with_bones
from inbetweener.formats.files import Reading, naming
from inbetweener.formats.names import called
from inbetweener.formats.notes import Source
from inbetweener.formats.usd.animation import animate, read_takes
from inbetweener.formats.usd.joints import read_joints
from inbetweener.formats.usd.kept import restored
from inbetweener.formats.usd.meshes import read_meshes
from inbetweener.formats.usd.stage import opened


def read(path: Path | str, *, tolerance: float = 1e-4, trust: bool = False) -> Reading:
    """The document on the stage of a .usda, .usdc or .usdz file.

    All joints of skeletons become joints, and so do nodes that move or carry something; meshes become meshes, and what
    moves in the stage's time the first clip. Splines and Euler angles keep their keys and tangents; quaternions are
    followed between samples within `tolerance` metres on the character. A file that unfolds to far more than its size
    explains is refused unless you `trust` it.
    """
    path = Path(path)
    scene = opened(path, trust=trust)
    source = Source(path, Budget(int(scene["size"]), trust=trust))
    for place, text in scene["notes"]:
        (source.leave_out if "left out" in text else source.note)(place, text)
    if not 1e-9 < scene["unit"] < 1e9 or not 1e-6 < scene["rate"] < 1e9:
        source.fail("stage", f"a unit of {scene['unit']:g} m or {scene['rate']:g} codes a second cannot be")
    with naming(path):
        skeleton = read_joints(scene, source)
        shown = read_meshes(scene, skeleton, source)
        document = restored(scene, skeleton, shown, path, source, trust=trust)
        if document is not None:
            return source.reading(replace(document, source=Origin("usd")))
        if scene["props"]:
            source.leave_out(f"{scene['props']} props", "are left out")
        takes = read_takes(scene, skeleton, path, source)
        rig, clips = animate(scene, skeleton, shown, takes, tolerance, source)
    rig, kept = with_bones(rig, shown.meshes, clips)
    document = Document(
        called(path),
        rig,
        tuple(shown.meshes),
        clips=clips,
        source=Origin("usd", scene["unit"], "z" if scene["up"] == "Z" else "y"),
        blending="dual-quaternion" if shown.is_dual else "linear",
    )
    for line in kept:
        source.note("", line)
    return source.reading(document)
