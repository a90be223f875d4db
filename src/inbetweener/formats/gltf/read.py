"""Read a .gltf or .glb file as a document."""

from pathlib import Path

from inbetweener.document import Document, Source
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.formats.files import file_bytes
from inbetweener.formats.gltf import container
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.animation import animate, read_takes
from inbetweener.formats.gltf.reading.extensions import check_extensions
from inbetweener.formats.gltf.reading.meshes import read_meshes
from inbetweener.formats.gltf.reading.scene import read_scene
from inbetweener.formats.gltf.reading.source import Source as File
from inbetweener.formats.reading import Reading

SHARE = 0.25
"""The part of the tolerance that reading may use: open, save and open again together stay within it."""


def read(path: Path | str, tolerance: float = 1e-4) -> Reading:
    """The document in a glTF file.

    All nodes become joints, all primitives meshes, all animations clips. Keys are exact; rotations between keys stay
    within `tolerance` metres on joints and vertices, translations, scales and weights are exact there too.
    """
    path = Path(path)
    data = file_bytes(path)
    gltf, binary, notes = container.unpack(data, path)
    file = File(path, gltf, binary, len(data))
    file.notes += notes
    check_extensions(file)
    accessors = Accessors(file)
    scene = read_scene(file)
    shown = read_meshes(file, accessors, scene)
    takes = read_takes(file, accessors, shown)
    if gltf.cameras:
        file.note("/cameras", f"{len(gltf.cameras)} cameras are left out")
    try:
        rig, clips = animate(file, scene, shown, takes, SHARE * tolerance)
    except InbetweenerError as error:
        raise FormatError(path, "", str(error)) from None
    document = Document(path.stem.strip() or "untitled", rig, shown.meshes, clips=clips, source=Source("gltf"))
    return Reading(document, tuple(dict.fromkeys(file.notes)))
