"""What a VRM file says beyond glTF, put into a document: expressions as channels, spring bones as springs."""

from dataclasses import replace

import msgspec

from inbetweener.document import Document, Loosening
from inbetweener.document.edits.clips import LENGTH, RATE
from inbetweener.errors import InbetweenerError
from inbetweener.formats.gltf.reading.meshes import Shown
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.shapes import Parts, one_channel_each
from inbetweener.formats.gltf.reading.source import Source
from inbetweener.formats.gltf.vrm.expressions import binds_of, own_shapes
from inbetweener.formats.gltf.vrm.spring_bones import NEW, OLD, Swinging, bones_of
from inbetweener.motion import Clip
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh


def with_expressions(
    source: Source, shown: Shown, rig: Rig, meshes: tuple[Mesh, ...], clips: tuple[Clip, ...]
) -> Parts:
    """Shapes that are an expression's own, under its name; of those that mix others, these keep theirs."""
    place = "/extensions/VRMC_vrm/expressions" if "VRMC_vrm" in source.gltf.extensions else "/extensions/VRM"
    by_name = {mesh.name: mesh for mesh in meshes}
    channels: dict[int, tuple[str, ...]] = {}
    nodes_of_mesh: dict[int, list[int]] = {}
    for node, names in shown.meshes_of_node.items():
        shapes = max((by_name[name].shapes for name in names), key=len)
        channels[node] = tuple(shape.channel for shape in shapes)
        mesh = source.gltf.nodes[node].mesh
        assert mesh is not None
        nodes_of_mesh.setdefault(mesh, []).append(node)
    binds = []
    try:
        for bind in binds_of(source.gltf.extensions, nodes_of_mesh):
            source.spend(200, place)
            binds.append(bind)
    except msgspec.ValidationError as error:
        source.leave_out(place, f"expressions make no sense ({error}); kept, and not shown")
        return rig, meshes, clips
    own, mixed = own_shapes(binds, channels)
    if mixed:
        shown_names = ", ".join(repr(name[:40]) for name in mixed[:4]) + (" …" if len(mixed) > 4 else "")
        source.leave_out(place, f"{len(mixed)} expressions mix shapes, which are channels of their own: {shown_names}")
    return one_channel_each(rig, meshes, clips, own)


def with_springs(source: Source, scene: Scene, document: Document) -> Document:
    """Spring bones as how loose clips are, switched off; a document without clips gets one to hold them."""
    extensions = source.gltf.extensions
    place = f"/extensions/{NEW}" if NEW in extensions else f"/extensions/{OLD}/secondaryAnimation"
    try:
        bones = bones_of(extensions, [node.children for node in source.gltf.nodes])
    except msgspec.ValidationError as error:
        source.leave_out(place, f"spring bones make no sense ({error}); kept, and not simulated")
        return document
    if not bones:
        return document
    try:
        swinging = Swinging.of(bones, document, lambda node: scene.name(node) if node in scene.joint_of_node else "")
        springs = swinging.springs
    except InbetweenerError as error:
        source.leave_out(place, f"spring bones cannot swing here ({error}); kept")
        return document
    if still := len(swinging.bones) - len(springs):
        source.leave_out(place, f"{still} spring bones have no stiffness or move no mesh: kept, and not simulated here")
    if swinging.gravity is None:
        source.leave_out(place, "spring bones are not all drawn down alike: their gravity is kept, and not simulated")
    if any(each.get("colliderGroups") for each in _records(extensions)):
        source.leave_out(place, "colliders and hit radii of spring bones are kept, and not simulated here")
    if any(each.get("center", -1) not in (-1, None) for each in _records(extensions)):
        source.leave_out(place, "centres of spring bones are kept; here what swings feels its way through the world")
    if not springs:
        return document
    clips = document.clips or (Clip("clip 1", LENGTH, rate=RATE),)
    whose = "of every clip" if document.clips else f"of {clips[0].name!r}, a clip that was made to hold them"
    source.note(place, f"{len(springs)} spring bones are springs {whose}, switched off")
    looseness = swinging.looseness()
    return replace(document, clips=clips, loosenings=tuple(Loosening(clip.name, looseness, on=False) for clip in clips))


def _records(extensions: dict[str, object]) -> list[dict[str, object]]:
    """Rows or groups, where these are records at all."""
    new, old = extensions.get(NEW), extensions.get(OLD)
    listed = new.get("springs") if isinstance(new, dict) else None
    if isinstance(old, dict) and isinstance(held := old.get("secondaryAnimation"), dict):
        listed = [*(listed or []), *(held.get("boneGroups") or [])]
    return [each for each in listed or [] if isinstance(each, dict)]
