"""Read a .gltf or .glb file as a document."""

from pathlib import Path

from inbetweener.document import Document, Source
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats.bones import with_bones
from inbetweener.formats.files import Reading, file_bytes, naming
from inbetweener.formats.gltf import container
from inbetweener.formats.gltf.packed import draco, meshopt
from inbetweener.formats.gltf.packed.plain import is_packed, plain
from inbetweener.formats.gltf.reading.animation import animate, read_takes
from inbetweener.formats.gltf.reading.keeping import keep
from inbetweener.formats.gltf.reading.meshes import read_meshes
from inbetweener.formats.gltf.reading.scene import read_scene
from inbetweener.formats.gltf.reading.shapes import shared_shapes
from inbetweener.formats.gltf.reading.source import Accessors
from inbetweener.formats.gltf.reading.source import Source as File
from inbetweener.formats.gltf.schema import INSTANCING, WEBP
from inbetweener.formats.gltf.vrm.humanoid import humanoid_parts
from inbetweener.formats.gltf.vrm.reading import with_expressions, with_springs
from inbetweener.formats.names import called

SHARE = 0.25
"""The part of the tolerance that reading may use: open, save and open again together stay within it."""


def read(path: Path | str, tolerance: float = 1e-4, *, trust: bool = False) -> Reading:
    """The document in a glTF file.

    All nodes become joints, all primitives meshes, all animations clips. Keys are exact; rotations between keys stay
    within `tolerance` metres on joints and vertices, translations, scales and weights are exact there too. A file that
    unfolds to far more than its size explains is refused unless you `trust` it.
    """
    path = Path(path)
    data = file_bytes(path)
    budget = Budget(len(data), trust=trust)
    gltf, parts, binary, notes = container.unpack(data, path, budget)
    file = File(path, gltf, binary, budget)
    for place, text in notes:
        file.note(place, text)
    check_extensions(file)
    if is_packed(gltf):
        gltf, parts, binary = plain(file, parts)
        file = file.become(gltf, binary)
    accessors = Accessors(file)
    scene = read_scene(file)
    shown = read_meshes(file, accessors, scene)
    takes = read_takes(file, accessors, shown)
    with naming(path):
        rig, clips = animate(file, scene, shown, takes, SHARE * tolerance)
    roles = humanoid_parts(file, scene)
    rig, meshes, clips = shared_shapes(rig, shown.meshes, clips)
    rig, meshes, clips = with_expressions(file, shown, rig, meshes, clips)
    rig, kept = with_bones(rig, meshes, clips)
    for line in kept:
        file.note("", line)
    try:
        origin = Source("gltf", kept=keep(file, parts, scene, takes))
    except UnicodeDecodeError as error:
        # Names that nothing else looks at are decoded here for the first time.
        raise FormatError(path, "", f"is no text of Unicode ({error.reason})", "export it anew") from error
    document = Document(called(path), rig, meshes, clips=clips, source=origin, roles=roles)
    return file.reading(with_springs(file, scene, document))


UNDERSTOOD = frozenset(
    {
        *meshopt.NAMES,
        draco.NAME,
        INSTANCING,
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        WEBP,
        "VRM",
        "VRMC_vrm",
        "VRMC_springBone",
        "VRMC_vrm_animation",
    }
)
_LOOKS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp")
"""Extensions with these beginnings change how things look, never how they move."""


def check_extensions(source: File) -> None:
    """Refuse files whose required extensions hide vertices or motion; note the others."""
    gltf = source.gltf
    for n, name in enumerate(gltf.extensions_required):
        if name in UNDERSTOOD or name.startswith(_LOOKS):
            continue
        source.fail(
            f"/extensionsRequired/{n}",
            f"needs the extension {name[:60]}, which is not supported",
            "export the file without this extension",
        )
    ignored = [name for name in dict.fromkeys(gltf.extensions_used) if name not in UNDERSTOOD]
    if ignored:
        shown = ", ".join(name[:60] for name in ignored[:8]) + (" …" if len(ignored) > 8 else "")
        source.note("/extensionsUsed", f"kept for the next glTF, and not shown here: {shown}")
