"""Nodes that show meshes: one mesh a primitive, bound to joints, with blend shapes."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import frozen
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.parts import Parts
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.skins import Skins
from inbetweener.formats.gltf.reading.source import Names, Source
from inbetweener.formats.gltf.schema import MeshRecord
from inbetweener.rig import DOFS, Channel
from inbetweener.skinning import BlendShape, Mesh


@dataclass(frozen=True, slots=True)
class Shown:
    """All meshes, the shape channels that move them, and which channels a node's morph weights are."""

    meshes: tuple[Mesh, ...]
    channels: tuple[Channel, ...]
    channels_of_node: dict[int, tuple[str, ...]]


def read_meshes(source: Source, accessors: Accessors, scene: Scene) -> Shown:
    """The meshes of all nodes; a node without mesh gives none."""
    parts = Parts(source, accessors)
    skins = Skins(source, accessors)
    identity = frozen(np.eye(3, 4)[None])
    meshes: list[Mesh] = []
    names = Names()
    channels: list[Channel] = []
    of_node: dict[int, tuple[str, ...]] = {}
    # Named like this, a shape cannot take the name of a joint's own channel.
    taken = Names(f"{joint.name}.{dof}" for joint in scene.joints for dof in DOFS)
    for skin in range(len(source.gltf.skins)):
        skins.get(skin, f"/skins/{skin}")
    for node in scene.joint_of_node:
        record = source.gltf.nodes[node]
        if record.mesh is None:
            continue
        mesh = source.item("mesh", source.gltf.meshes, record.mesh, f"/nodes/{node}/mesh")
        labels, made = _shape_channels(source, scene.name(node), mesh, record.weights, f"/meshes/{record.mesh}", taken)
        channels += made
        of_node[node] = tuple(channel.name for channel in made)
        for index, primitive in enumerate(mesh.primitives):
            place = f"/meshes/{record.mesh}/primitives/{index}"
            part = parts.get(record.mesh, index, primitive)
            if part is None or node not in scene.shown:
                continue
            name = names.unused(scene.name(node) + (f":{index}" if len(mesh.primitives) > 1 else ""))
            joints: tuple[str, ...] = (scene.name(node),)
            bind, (influences, weights) = identity, part.rigid
            if record.skin is not None:
                skin_joints, skin_bind = skins.get(record.skin, f"/nodes/{node}/skin")
                if scene.shown.isdisjoint(skin_joints):
                    source.note(f"/nodes/{node}/skin", "none of its joints is in a scene; they are read all the same")
                bound = parts.influences(record.mesh, index, primitive, len(skin_joints))
                if bound is None:
                    source.note(place, "has no joints although its node has a skin; it follows the node")
                else:
                    joints, bind = tuple(scene.name(n) for n in skin_joints), skin_bind
                    influences, weights = bound
            shapes = tuple(
                BlendShape(label, channel.name, offsets, normals)
                for label, channel, (offsets, normals) in zip(labels, made, part.offsets, strict=False)
            )
            meshes.append(
                Mesh(
                    name,
                    part.vertices,
                    part.triangles,
                    joints,
                    bind,
                    influences,
                    weights,
                    normals=part.normals,
                    uvs=part.uvs,
                    colours=part.colours,
                    shapes=shapes,
                    material=part.material,
                )
            )
            if len(part.offsets) != len(made):
                source.note(f"{place}/targets", f"{len(part.offsets)} morph targets, the mesh has {len(made)}")
    return Shown(tuple(meshes), tuple(channels), of_node)


def _shape_channels(
    source: Source, joint: str, mesh: MeshRecord, weights: list[float] | None, place: str, taken: Names
) -> tuple[list[str], list[Channel]]:
    count = max(len(primitive.targets) for primitive in mesh.primitives)
    if count == 0:
        return [], []
    labels = mesh.extras.get("targetNames") if isinstance(mesh.extras, dict) else None
    if not (isinstance(labels, list) and len(labels) == count and all(isinstance(label, str) for label in labels)):
        labels = [""] * count
    known = Names()
    labels = [known.unused(label if label.strip() else f"shape_{n}") for n, label in enumerate(labels)]
    defaults = weights if weights is not None else (mesh.weights or [0.0] * count)
    if len(defaults) != count:
        source.note(f"{place}/weights", f"{len(defaults)} weights for {count} morph targets; missing ones are 0")
        defaults = [*defaults, *[0.0] * count][:count]
    channels = []
    for label, default in zip(labels, defaults, strict=True):
        name = taken.unused(f"{joint}.{label}")
        if not abs(default) < 1e30:
            source.fail(f"{place}/weights", "is not made of finite numbers")
        channels.append(Channel(name, "shape", default=default, lower=min(0.0, default), upper=max(1.0, default)))
    return labels, channels


def widened(channels: tuple[Channel, ...], lows: dict[str, float], highs: dict[str, float]) -> tuple[Channel, ...]:
    """Channels whose limits hold all values that clips give them."""
    return tuple(
        replace(
            channel,
            lower=min(channel.lower, lows.get(channel.name, channel.lower)),
            upper=max(channel.upper, highs.get(channel.name, channel.upper)),
        )
        for channel in channels
    )
