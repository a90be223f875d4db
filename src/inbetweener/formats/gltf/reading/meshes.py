"""Nodes that show meshes: one mesh a primitive, bound to joints, with blend shapes."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.formats.gltf import schema
from inbetweener.formats.gltf.reading.instances import instances
from inbetweener.formats.gltf.reading.parts import Parts
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import Accessors, Source
from inbetweener.formats.gltf.schema import INSTANCING, MeshRecord
from inbetweener.formats.names import Names
from inbetweener.rig import DOFS, Channel
from inbetweener.skinning import BlendShape, Mesh


@dataclass(frozen=True, slots=True)
class Shown:
    """All meshes, the shape channels that move them, and which channels a node's morph weights are."""

    meshes: tuple[Mesh, ...]
    channels: tuple[Channel, ...]
    channels_of_node: dict[int, tuple[str, ...]]
    meshes_of_node: dict[int, list[str]]

    @property
    def defaults_of_node(self) -> dict[int, list[float]]:
        """The morph weights that each node rests with."""
        resting = {channel.name: channel.default for channel in self.channels}
        return {node: [resting[name] for name in names] for node, names in self.channels_of_node.items()}


def read_meshes(source: Source, accessors: Accessors, scene: Scene) -> Shown:
    """The meshes of all nodes; a node without mesh gives none."""
    parts = Parts(source, accessors)
    skins = Skins(source, accessors)
    identity = frozen(np.eye(3, 4)[None])
    meshes: list[Mesh] = []
    names = Names()
    channels: list[Channel] = []
    of_node: dict[int, tuple[str, ...]] = {}
    shown_by: dict[int, list[str]] = {}
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
            shown_by.setdefault(node, []).append(name)
            source.spend(2000 + 300 * len(part.offsets), f"/nodes/{node}/mesh")
            joints: tuple[str, ...] = (scene.name(node),)
            bind, (influences, weights) = identity, part.rigid
            if record.skin is not None:
                skin_joints, skin_bind = skins.get(record.skin, f"/nodes/{node}/skin")
                source.spend(100 * len(skin_joints), f"/nodes/{node}/skin")
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
            made_mesh = Mesh(
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
            if INSTANCING not in record.extensions or record.skin is not None:
                meshes.append(made_mesh)
            else:
                shown_by[node].pop()
                for copy in instances(source, accessors, node, made_mesh):
                    copy = replace(copy, name=names.unused(name) if shown_by[node] else name)
                    shown_by[node].append(copy.name)
                    meshes.append(copy)
            if len(part.offsets) != len(made):
                source.note(f"{place}/targets", f"{len(part.offsets)} morph targets, the mesh has {len(made)}")
    return Shown(tuple(meshes), tuple(channels), of_node, shown_by)


def _shape_channels(
    source: Source, joint: str, mesh: MeshRecord, weights: list[float] | None, place: str, taken: Names
) -> tuple[list[str], list[Channel]]:
    count = max(len(primitive.targets) for primitive in mesh.primitives)
    if count == 0:
        return [], []
    source.spend((1000 + 3 * len(joint)) * count, place)
    # VRM 0.x has them with its parts.
    named = (each.get("targetNames") for each in (mesh.extras, mesh.primitives[0].extras) if isinstance(each, dict))
    labels = next((each for each in named if each), None)
    if not (isinstance(labels, list) and len(labels) == count and all(isinstance(label, str) for label in labels)):
        labels = [""] * count
    known = Names()
    labels = [known.unused(label[:100] if label[:100].strip() else f"shape_{n}") for n, label in enumerate(labels)]
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


class Skins:
    """Joints (as nodes) and inverse bind matrices (K, 3, 4) of every skin."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self._read: dict[int, tuple[list[int], Floats]] = {}

    def get(self, index: int, place: str) -> tuple[list[int], Floats]:
        """The skin that `place` points at."""
        skin = self.source.item("skin", self.source.gltf.skins, index, place)
        if index not in self._read:
            self._read[index] = (skin.joints, self._inverse_bind(skin, f"/skins/{index}"))
            self._check_roots(skin, f"/skins/{index}")
        return self._read[index]

    def _inverse_bind(self, skin: schema.Skin, place: str) -> Floats:
        count = len(skin.joints)
        self.source.spend(300 * count, place)
        if skin.inverse_bind_matrices is None:
            return np.asarray(frozen(np.broadcast_to(np.eye(3, 4), (count, 3, 4))))
        here = f"{place}/inverseBindMatrices"
        record = self.accessors.record(skin.inverse_bind_matrices, here)
        columns = self.accessors.floats(skin.inverse_bind_matrices, here, "MAT4")
        if record.component_type != 5126:
            self.source.fail(here, "inverse bind matrices must be floats")
        if len(columns) < count:
            self.source.fail(here, f"{len(columns)} matrices for {count} joints")
        if record.buffer_view is not None and self.source.gltf.buffer_views[record.buffer_view].byte_stride:
            self.source.note(
                here, "its bufferView has a byteStride, which only vertex data may have; read all the same"
            )
        matrices = columns[:count].reshape(count, 4, 4).transpose(0, 2, 1).astype(np.float64)
        if np.abs(matrices[:, 3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-5:
            self.source.note(here, "a last row is not 0 0 0 1; taken as if it were")
        return np.asarray(frozen(matrices[:, :3]))

    def _check_roots(self, skin: schema.Skin, place: str) -> None:
        """A skin's joints shall hang together; we do not need it, so say so and go on."""
        roots, enter, leave = self._tree
        if len({roots[joint] for joint in skin.joints}) > 1:
            self.source.note(f"{place}/joints", "the joints have no common root; read as they are")
        if skin.skeleton is not None:
            top = skin.skeleton
            self.source.item("node", self.source.gltf.nodes, top, f"{place}/skeleton")
            if not all(enter[top] <= enter[joint] < leave[top] for joint in skin.joints):
                self.source.note(f"{place}/skeleton", f"node {top} is not above all joints; ignored")

    @cached_property
    def _tree(self) -> tuple[list[int], list[int], list[int]]:
        """Each node's root, and the stretch of a depth-first walk that its subtree takes."""
        nodes = self.source.gltf.nodes
        children = {child for node in nodes for child in node.children}
        roots, enter, leave = list(range(len(nodes))), [0] * len(nodes), [0] * len(nodes)
        clock = 0
        stack = [node for node in range(len(nodes)) if node not in children]
        while stack:
            node = stack.pop()
            if node < 0:
                leave[~node] = clock
                continue
            enter[node] = clock
            clock += 1
            stack.append(~node)
            for child in nodes[node].children:
                roots[child] = roots[node]
                stack.append(child)
        return roots, enter, leave
