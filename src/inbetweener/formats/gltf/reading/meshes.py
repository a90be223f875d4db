"""Mesh primitives become meshes bound to joints, with blend shapes."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.formats.gltf import schema
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.materials import Surfaces
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import Source
from inbetweener.formats.gltf.reading.weights import read_influences
from inbetweener.formats.gltf.schema import MeshRecord, Primitive
from inbetweener.rig import Channel
from inbetweener.skinning import BlendShape, Material, Mesh
from inbetweener.skinning.mesh import Indices, Singles


@dataclass(frozen=True, slots=True)
class Part:
    """A primitive without its binding: shared by all nodes that show it."""

    vertices: Singles
    triangles: Indices
    normals: Singles | None
    uvs: Singles | None
    colours: Singles | None
    offsets: tuple[tuple[Singles, Singles | None], ...]
    material: Material
    rigid: tuple[Indices, Singles]
    """Influences and weights for when it follows one joint."""


@dataclass(frozen=True, slots=True)
class Shown:
    """All meshes, the shape channels that move them, and which channels a node's morph weights are."""

    meshes: tuple[Mesh, ...]
    channels: tuple[Channel, ...]
    channels_of_node: dict[int, tuple[str, ...]]


def read_meshes(source: Source, accessors: Accessors, scene: Scene) -> Shown:
    """The meshes of all nodes; a node without mesh gives none."""
    parts = _Parts(source, accessors)
    skins = _Skins(source, accessors)
    meshes: list[Mesh] = []
    channels: list[Channel] = []
    of_node: dict[int, tuple[str, ...]] = {}
    # Named like this, a shape cannot take the name of a joint's own channel.
    taken = {f"{joint.name}.{dof}" for joint in scene.joints for dof in ("tx", "ty", "tz", "rx", "ry", "rz")}
    taken |= {f"{joint.name}.{dof}" for joint in scene.joints for dof in ("sx", "sy", "sz")}
    for skin in range(len(source.gltf.skins)):
        skins.get(skin, f"/skins/{skin}")
    for node in scene.joint_of_node:
        record = source.gltf.nodes[node]
        if record.mesh is None:
            continue
        mesh = source.item("mesh", source.gltf.meshes, record.mesh, f"/nodes/{node}/mesh")
        labels, made = _shape_channels(
            source, scene.name(node), mesh, record.weights, f"/meshes/{record.mesh}", taken
        )
        channels += made
        of_node[node] = tuple(channel.name for channel in made)
        for index, primitive in enumerate(mesh.primitives):
            place = f"/meshes/{record.mesh}/primitives/{index}"
            part = parts.get(record.mesh, index, primitive)
            if part is None or node not in scene.shown:
                continue
            name = scene.name(node) + (f":{index}" if len(mesh.primitives) > 1 else "")
            joints, inverse_bind, (influences, weights) = (
                (scene.name(node),), frozen(np.eye(3, 4)[None]), part.rigid,
            )  # fmt: skip
            if record.skin is not None:
                skin_joints, bind = skins.get(record.skin, f"/nodes/{node}/skin")
                if node in scene.shown and scene.shown.isdisjoint(skin_joints):
                    source.note(f"/nodes/{node}/skin", "none of its joints is in a scene; they are read all the same")
                bound = parts.influences(record.mesh, index, primitive, len(skin_joints))
                if bound is None:
                    source.note(place, "has no joints although its node has a skin; it follows the node")
                else:
                    joints, inverse_bind = tuple(scene.name(n) for n in skin_joints), bind
                    influences, weights = bound
            shapes = tuple(
                BlendShape(label, channel.name, offsets, normals)
                for label, channel, (offsets, normals) in zip(labels, made, part.offsets, strict=False)
            )
            meshes.append(
                Mesh(
                    name, part.vertices, part.triangles, joints, inverse_bind, influences, weights,
                    part.normals, part.uvs, part.colours, shapes, part.material,
                )  # fmt: skip
            )
            if len(part.offsets) != len(made):
                source.note(f"{place}/targets", f"{len(part.offsets)} morph targets, the mesh has {len(made)}")
    return Shown(tuple(meshes), tuple(channels), of_node)


def _shape_channels(
    source: Source, joint: str, mesh: MeshRecord, weights: list[float] | None, place: str, taken: set[str]
) -> tuple[list[str], list[Channel]]:
    count = max(len(primitive.targets) for primitive in mesh.primitives)
    if count == 0:
        return [], []
    labels = mesh.extras.get("targetNames") if isinstance(mesh.extras, dict) else None
    if not (isinstance(labels, list) and len(labels) == count and all(isinstance(x, str) and x for x in labels)):
        labels = [f"shape_{n}" for n in range(count)]
    defaults = weights if weights is not None else (mesh.weights or [0.0] * count)
    if len(defaults) != count:
        source.note(f"{place}/weights", f"{len(defaults)} weights for {count} morph targets; missing ones are 0")
        defaults = [*defaults, *[0.0] * count][:count]
    channels = []
    for label, default in zip(labels, defaults, strict=True):
        name, number = f"{joint}.{label}", 1
        while name in taken:
            name, number = f"{joint}.{label}_{number}", number + 1
        taken.add(name)
        if not abs(default) < 1e30:
            source.fail(f"{place}/weights", "is not made of finite numbers")
        channels.append(Channel(name, "shape", default=default, lower=min(0.0, default), upper=max(1.0, default)))
    return labels, channels


class _Skins:
    """Joints (as nodes) and inverse bind matrices (K, 3, 4) of every skin."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self._read: dict[int, tuple[list[int], Floats]] = {}

    def get(self, index: int, place: str) -> tuple[list[int], Floats]:
        skin = self.source.item("skin", self.source.gltf.skins, index, place)
        if index not in self._read:
            self._read[index] = (skin.joints, self._inverse_bind(skin, f"/skins/{index}"))
            self._check_roots(skin, f"/skins/{index}")
        return self._read[index]

    def _inverse_bind(self, skin: schema.Skin, place: str) -> Floats:
        count = len(skin.joints)
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
            self.source.note(here, "its bufferView has a byteStride, which only vertex data may have; read all the same")
        matrices = columns[:count].reshape(count, 4, 4).transpose(0, 2, 1).astype(np.float64)
        if np.abs(matrices[:, 3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-5:
            self.source.note(here, "a last row is not 0 0 0 1; taken as if it were")
        return np.asarray(frozen(matrices[:, :3]))

    def _check_roots(self, skin: schema.Skin, place: str) -> None:
        """A skin's joints shall hang together; we do not need it, so say so and go on."""
        nodes = self.source.gltf.nodes
        parent = {child: n for n, node in enumerate(nodes) for child in node.children}

        def path(node: int) -> list[int]:
            steps = [node]
            while steps[-1] in parent:
                steps.append(parent[steps[-1]])
            return steps

        shared = set(path(skin.joints[0]))
        for joint in skin.joints[1:]:
            shared.intersection_update(path(joint))
        if not shared:
            self.source.note(f"{place}/joints", "the joints have no common root; read as they are")
        if skin.skeleton is not None:
            self.source.item("node", nodes, skin.skeleton, f"{place}/skeleton")
            if skin.skeleton not in shared:
                self.source.note(f"{place}/skeleton", f"node {skin.skeleton} is not above all joints; ignored")


class _Parts:
    """Primitives, each read once however many nodes show it."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self.surfaces = Surfaces(source)
        self._parts: dict[tuple[int, int], Part | None] = {}
        self._influences: dict[tuple[int, int, int], tuple[Indices, Singles] | None] = {}
        self._rigid: dict[int, tuple[Indices, Singles]] = {}

    def get(self, mesh: int, index: int, primitive: Primitive) -> Part | None:
        if (mesh, index) not in self._parts:
            self._parts[mesh, index] = self._read(primitive, f"/meshes/{mesh}/primitives/{index}")
        return self._parts[mesh, index]

    def influences(
        self, mesh: int, index: int, primitive: Primitive, joint_count: int
    ) -> tuple[Indices, Singles] | None:
        key = (mesh, index, joint_count)
        if key not in self._influences:
            part = self.get(mesh, index, primitive)
            self._influences[key] = read_influences(
                self.source, self.accessors, primitive, len(part.vertices) if part else 0, joint_count,
                f"/meshes/{mesh}/primitives/{index}/attributes",
            )  # fmt: skip
        return self._influences[key]

    def _read(self, primitive: Primitive, place: str) -> Part | None:
        source, accessors = self.source, self.accessors
        attributes = primitive.attributes
        if primitive.mode < schema.TRIANGLES:
            source.note(f"{place}/mode", "points and lines are left out; only triangles are read")
            return None
        if "POSITION" not in attributes:
            source.note(f"{place}/attributes", "has no positions; left out")
            return None
        vertices = accessors.floats(attributes["POSITION"], f"{place}/attributes/POSITION", "VEC3")
        count = len(vertices)
        surface = self.surfaces.get(primitive.material, f"{place}/material")
        uvs = self._attribute(primitive, f"TEXCOORD_{surface.coordinates}", count, place, "VEC2")
        if uvs is not None and surface.placement is not None:
            uvs = (uvs @ surface.placement[:, :2].T + surface.placement[:, 2]).astype(np.float32)
        colours = self._attribute(primitive, "COLOR_0", count, place, "VEC3", "VEC4")
        if colours is not None and colours.shape[1] == 3:
            colours = np.concatenate([colours, np.ones((count, 1), np.float32)], axis=1)
        return Part(
            vertices,
            self._triangles(primitive, count, place),
            self._attribute(primitive, "NORMAL", count, place, "VEC3"),
            None if uvs is None else np.asarray(frozen(uvs, np.float32)),
            None if colours is None else np.asarray(frozen(colours, np.float32)),
            tuple(self._target(target, count, f"{place}/targets/{n}") for n, target in enumerate(primitive.targets)),
            surface.material,
            self._rigid_binding(count),
        )

    def _attribute(self, primitive: Primitive, name: str, count: int, place: str, *types: str) -> Singles | None:
        if name not in primitive.attributes:
            return None
        here = f"{place}/attributes/{name}"
        values = self.accessors.floats(primitive.attributes[name], here, *types)
        if len(values) != count:
            self.source.fail(here, f"{len(values)} elements for {count} vertices")
        return values

    def _target(self, target: dict[str, int], count: int, place: str) -> tuple[Singles, Singles | None]:
        moved: dict[str, Any] = {}
        for name in ("POSITION", "NORMAL"):
            if name in target:
                moved[name] = self.accessors.floats(target[name], f"{place}/{name}", "VEC3")
                if len(moved[name]) != count:
                    self.source.fail(f"{place}/{name}", f"{len(moved[name])} elements for {count} vertices")
        if "POSITION" not in moved:
            moved["POSITION"] = np.asarray(frozen(np.zeros((count, 3)), np.float32))
        return moved["POSITION"], moved.get("NORMAL")

    def _rigid_binding(self, count: int) -> tuple[Indices, Singles]:
        if count not in self._rigid:
            zeros, ones = np.zeros((count, 1), np.int32), np.ones((count, 1), np.float32)
            self._rigid[count] = np.asarray(frozen(zeros, np.int32)), np.asarray(frozen(ones, np.float32))
        return self._rigid[count]

    def _triangles(self, primitive: Primitive, count: int, place: str) -> Indices:
        if primitive.indices is None:
            corners = np.arange(count, dtype=np.int64)
        else:
            here = f"{place}/indices"
            raw = self.accessors.raw(primitive.indices, here, "SCALAR")[:, 0]
            if raw.dtype.kind != "u":
                self.source.fail(here, "indices must be unsigned whole numbers")
            corners = raw.astype(np.int64)
            if corners.max() >= count:
                self.source.fail(here, f"vertex {int(corners.max())} is used, but there are {count}")
        if primitive.mode == schema.TRIANGLES:
            if len(corners) % 3:
                self.source.note(place, f"{len(corners)} corners do not make whole triangles; the rest is dropped")
            triangles = corners[: len(corners) // 3 * 3].reshape(-1, 3)
        else:
            triangles = _unrolled(corners, fan=primitive.mode == schema.TRIANGLE_FAN)
        return np.asarray(frozen(triangles, np.int32))


def _unrolled(corners: np.ndarray[Any, np.dtype[np.int64]], fan: bool) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Separate triangles of a strip or a fan, all turned the same way; those without area are dropped."""
    if len(corners) < 3:
        return np.zeros((0, 3), np.int64)
    if fan:
        triangles = np.stack([np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]], axis=1)
    else:
        triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        triangles[1::2] = triangles[1::2, [1, 0, 2]]
    a, b, c = triangles.T
    return np.asarray(triangles[(a != b) & (b != c) & (a != c)])


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
