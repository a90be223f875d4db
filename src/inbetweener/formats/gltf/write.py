"""Write a document as .glb, as .gltf with its data inside, or onto the .vrm file that it came from."""

import base64
from pathlib import Path
from typing import Any

import msgspec

import inbetweener
from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.gltf import container
from inbetweener.formats.gltf.schema import Asset, Buffer, Gltf, Scene
from inbetweener.formats.gltf.vrm.model import as_model
from inbetweener.formats.gltf.writing.animation import Animations
from inbetweener.formats.gltf.writing.meshes import Meshes
from inbetweener.formats.gltf.writing.onto import base_of, merged
from inbetweener.formats.gltf.writing.packing import Nodes, Packer
from inbetweener.formats.losses import losses_of, merged_layers
from inbetweener.formats.straighten import straightened
from inbetweener.system import replace_file


def write(document: Document, path: Path | str, tolerance: float = 1e-4, sampled: bool = False) -> tuple[str, ...]:
    """Write the file, whole or not at all; returns one line for everything that glTF cannot hold.

    Held, straight and evenly handled curves are exact; other curves and turning joints get as many keys as keep
    everything within `tolerance` metres. A .gltf carries its data inside the JSON, so that one file is the whole
    scene; .glb is a quarter smaller. With `sampled`, whatever moves gets a straight key on every frame instead, and
    every clip keys all that any clip moves and the joints of skins: exact on frames, and true in programs that drop the
    slopes of cubic keys and mix a clip with the pose before, as Blender does. A .vrm is written of what was one: its
    springs are spring bones there.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".glb", ".gltf", ".vrm"):
        raise FormatError(path, "", f"glTF files end in .glb, .gltf or .vrm, not {path.suffix!r}")
    sprung, loose = as_model(document, path) if suffix == ".vrm" else (None, [])
    document, swung = baked(document if sprung is None else sprung.document)
    loose += swung
    straight = straightened(document)
    losses = [*loose, *losses_of(document, "glTF"), *merged_layers(document, "glTF"), *straight.losses()]
    document = straight.document
    base, missed = base_of(document)
    losses += missed
    if sprung is not None:
        losses += sprung.put_into(base)
    packer = Packer()
    nodes = Nodes(document.rig.joints)
    meshes = Meshes(document.rig, nodes, packer, losses)
    if base is None:
        meshes.add_all(document.meshes)
    else:
        meshes.add_all(base.new_meshes, base.homes())
        meshes.channels_of_node |= base.channels()
    animations = Animations(document, meshes.channels_of_node, packer, tolerance, sampled)
    animations.add_all()
    losses += animations.losses
    views, data = packer.finish()
    gltf = Gltf(
        asset=Asset(version="2.0", generator=f"inbetweener {inbetweener.__version__}"),
        scene=0,
        scenes=[Scene(nodes=nodes.roots())],
        nodes=nodes.records,
        meshes=meshes.records,
        skins=meshes.skins,
        animations=animations.records,
        materials=meshes.materials.records,
        textures=meshes.materials.textures,
        images=meshes.materials.images,
        accessors=packer.accessors,
        buffer_views=views,
        extensions_used=meshes.materials.extensions,
        extensions_required=meshes.materials.extensions,
    )
    if data:
        gltf.buffers = [Buffer(byte_length=len(data))]
    record: Any = gltf
    if base is not None:
        record, data = merged(base, gltf, data)
    if suffix != ".gltf":
        whole = container.pack(record, data)
    else:
        record = msgspec.to_builtins(record)
        if data:
            record["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        whole = msgspec.json.format(msgspec.json.encode(record), indent=1)
    with clear_file_errors(path):
        replace_file(path, whole)
    return tuple(losses)
