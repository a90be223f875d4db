"""Write a document as .glb, or as .gltf with its data inside."""

import base64
import math
from pathlib import Path

import msgspec

import inbetweener
from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.gltf import container
from inbetweener.formats.gltf.schema import Asset, Buffer, Gltf, Scene
from inbetweener.formats.gltf.writing.animation import Animations
from inbetweener.formats.gltf.writing.meshes import Meshes
from inbetweener.formats.gltf.writing.packing import Nodes, Packer
from inbetweener.formats.straighten import straightened
from inbetweener.rig import Channel
from inbetweener.system import replace_file


def write(document: Document, path: Path | str, tolerance: float = 1e-4, sampled: bool = False) -> tuple[str, ...]:
    """Write the file, whole or not at all; returns one line for everything that glTF cannot hold.

    Held, straight and evenly handled curves are exact; other curves and turning joints get as many keys as keep
    everything within `tolerance` metres. A .gltf carries its data inside the JSON, so that one file is the whole
    scene; .glb is a quarter smaller. With `sampled`, whatever moves gets a straight key on every frame instead, and
    every clip keys all that any clip moves and the joints of skins: exact on frames, and true in programs that drop the
    slopes of cubic keys and mix a clip with the pose before, as Blender does.
    """
    path = Path(path)
    binary = path.suffix.lower() == ".glb"
    if not binary and path.suffix.lower() != ".gltf":
        raise FormatError(path, "", f"glTF files end in .glb or .gltf, not {path.suffix!r}")
    document, loose = baked(document)
    straight = straightened(document)
    losses = [*loose, *_losses(document), *straight.losses()]
    document = straight.document
    packer = Packer()
    nodes = Nodes(document.rig.joints)
    meshes = Meshes(document.rig, nodes, packer, losses)
    meshes.add_all(document.meshes)
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
        uri = None if binary else "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        gltf.buffers = [Buffer(byte_length=len(data), uri=uri)]
    whole = container.pack(gltf, data) if binary else msgspec.json.format(msgspec.json.encode(gltf), indent=1)
    with clear_file_errors(path):
        replace_file(path, whole)
    return tuple(losses)


def _losses(document: Document) -> list[str]:
    losses = []
    if document.props:
        # They would come back as joints and meshes of the character.
        losses.append(f"{len(document.props)} props are left out: glTF cannot tell them from the character")
    if document.rig.points:
        losses.append(f"{len(document.rig.points)} named points are left out: glTF has none")
    controls = [channel.name for channel in document.rig.channels if channel.kind == "control"]
    if controls:
        losses.append(f"{len(controls)} controls are written as the joints they move: glTF has none")
    limited = [channel for channel in document.rig.channels if channel.kind != "shape" and _is_restrained(channel)]
    if limited:
        losses.append(f"limits and stiffness of {len(limited)} channels are left out: glTF has none")
    if document.blending != "linear" and document.meshes:
        losses.append(f"{document.blending} blending is left out: other programs will blend the skin linearly")
    if document.view is not None:
        losses.append("the view is left out: it belongs to no node")
    layered = [clip.name for clip in document.clips if clip.layers]
    if layered:
        losses.append(f"the layers of {len(layered)} clips are merged: glTF has none")
    return losses


def _is_restrained(channel: Channel) -> bool:
    return math.isfinite(channel.lower) or math.isfinite(channel.upper) or channel.stiffness != 1.0
