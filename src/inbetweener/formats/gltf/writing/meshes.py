"""Meshes become primitives on nodes: rigid ones on their joint, others with a skin."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidDocument
from inbetweener.formats.gltf.schema import (
    WEBP,
    Image,
    MaterialRecord,
    MeshRecord,
    Metallic,
    Primitive,
    Skin,
    Texture,
    TextureInfo,
)
from inbetweener.formats.gltf.writing.packing import Nodes, Packer
from inbetweener.rig import ROOT, Rig
from inbetweener.skinning import Material, Mesh
from inbetweener.skinning.mesh import Indices, Singles
from inbetweener.skinning.picture import media_type


@dataclass(slots=True)
class _Group:
    """Meshes that one node can show together."""

    node: int
    skin: int | None
    channels: tuple[str, ...]
    meshes: list[Mesh] = field(default_factory=list)


class Meshes:
    """Collects mesh and skin records, and which shape channels each node's morph weights are."""

    def __init__(self, rig: Rig, nodes: Nodes, packer: Packer, losses: list[str]) -> None:
        self.rig = rig
        self.nodes = nodes
        self.packer = packer
        self.losses = losses
        self.materials = Materials(packer, losses)
        self.records: list[MeshRecord] = []
        self.skins: list[Skin] = []
        self.channels_of_node: dict[int, tuple[str, ...]] = {}
        self._known: dict[bytes, int] = {}
        self._known_skins: dict[tuple[tuple[str, ...], bytes], int] = {}

    def add_all(self, meshes: tuple[Mesh, ...], taken: Collection[int] = ()) -> None:
        """Write the meshes; those named "x:0", "x:1" … share the node x, as they do when read.

        Nodes that are `taken` show something already.
        """
        groups: dict[int, list[_Group]] = {}
        for mesh in meshes:
            if len(mesh.vertices) == 0 or len(mesh.triangles) == 0:
                self.losses.append(f"mesh {mesh.name!r} has no triangles; left out")
                continue
            rigid = _is_rigid(mesh)
            skin = None if rigid else self._skin(mesh)
            channels = tuple(shape.channel for shape in mesh.shapes)
            home = self.nodes.of_joint[mesh.joints[0]] if rigid else self._home(mesh)
            for group in groups.setdefault(home, []):
                if (group.skin, group.channels) == (skin, channels):
                    group.meshes.append(mesh)
                    break
            else:
                node = home
                if home == ROOT or home in taken or groups[home]:
                    # The home shows something else already, or there is none.
                    node = self.nodes.add(_stem(mesh.name), home if rigid else ROOT)
                groups[home].append(_Group(node, skin, channels, [mesh]))
        for listed in groups.values():
            for group in listed:
                self._write(group)
        self._join_skins()

    def _home(self, mesh: Mesh) -> int:
        """The joint that bears the mesh's name, unless it is one of those that deform it."""
        name = _stem(mesh.name)
        return self.nodes.of_joint[name] if name in self.nodes.of_joint and name not in mesh.joints else ROOT

    def _write(self, group: _Group) -> None:
        defaults = [float(self.rig.channel(name).default) for name in group.channels]
        record = MeshRecord(
            primitives=[self._primitive(mesh) for mesh in group.meshes],
            weights=defaults or None,
            extras={"targetNames": [shape.name for shape in group.meshes[0].shapes]} if defaults else None,
        )
        key = msgspec.json.encode(record)
        if key not in self._known:
            self._known[key] = len(self.records)
            record.name = _stem(group.meshes[0].name) or None
            self.records.append(record)
        node = self.nodes.records[group.node]
        node.mesh, node.skin = self._known[key], group.skin
        if group.channels:
            self.channels_of_node[group.node] = group.channels

    def _primitive(self, mesh: Mesh) -> Primitive:
        for name in ("vertices", "normals", "uvs", "colours"):
            values = getattr(mesh, name)
            if values is not None and not np.isfinite(values).all():
                raise InvalidDocument(f"mesh {mesh.name!r}: {name} are not all finite numbers")
        put = self.packer.vertices
        attributes = {"POSITION": put(mesh.vertices, bounds=True)}
        if mesh.normals is not None:
            attributes["NORMAL"] = put(_unit(mesh.normals))
        if mesh.uvs is not None:
            attributes["TEXCOORD_0"] = put(mesh.uvs)
        if mesh.colours is not None:
            attributes["COLOR_0"] = put(np.clip(mesh.colours, 0, 1))
        if not _is_rigid(mesh):
            attributes |= self._influences(mesh)
        targets = []
        for shape in mesh.shapes:
            target = {"POSITION": put(shape.offsets, bounds=True)}
            if shape.normal_offsets is not None and mesh.normals is not None:
                target["NORMAL"] = put(shape.normal_offsets)
            targets.append(target)
        return Primitive(
            attributes=attributes,
            indices=self.packer.corners(mesh.triangles, len(mesh.vertices)),
            material=self.materials.index(mesh),
            targets=targets,
        )

    def _influences(self, mesh: Mesh) -> dict[str, int]:
        influences, weights = _tidied(mesh)
        joints = influences.astype("u1" if len(mesh.joints) <= 256 else "<u2")
        attributes = {}
        for n in range(influences.shape[1] // 4):
            four = slice(4 * n, 4 * n + 4)
            attributes[f"JOINTS_{n}"] = self.packer.vertices(np.ascontiguousarray(joints[:, four]))
            attributes[f"WEIGHTS_{n}"] = self.packer.vertices(np.ascontiguousarray(weights[:, four], "<f4"))
        return attributes

    def _skin(self, mesh: Mesh) -> int:
        if len(mesh.joints) > 65536:
            raise InvalidDocument(f"mesh {mesh.name!r}: glTF can bind it to 65536 joints at most")
        key = (mesh.joints, mesh.joint_from_mesh.tobytes())
        if key not in self._known_skins:
            matrices = np.zeros((len(mesh.joints), 4, 4))
            matrices[:, :3] = mesh.joint_from_mesh
            matrices[:, 3, 3] = 1.0
            self._known_skins[key] = len(self.skins)
            self.skins.append(
                Skin(
                    joints=[self.nodes.of_joint[name] for name in mesh.joints],
                    inverse_bind_matrices=self.packer.plain(matrices.transpose(0, 2, 1).reshape(-1, 16), "binding"),
                )
            )
        return self._known_skins[key]

    def _join_skins(self) -> None:
        apart: dict[int, None] = {}
        for skin in self.skins:
            roots = dict.fromkeys(self.nodes.root_of(joint) for joint in skin.joints)
            if len(roots) > 1:
                apart |= roots
        if apart:
            self.nodes.gather(list(apart))


def _stem(name: str) -> str:
    stem, colon, number = name.rpartition(":")
    return stem if colon and number.isdigit() else name


def _is_rigid(mesh: Mesh) -> bool:
    return (
        len(mesh.joints) == 1
        and mesh.influences.shape[1] == 1
        and np.array_equal(mesh.joint_from_mesh[0], np.eye(3, 4))
        and bool((mesh.weights == 1).all())
    )


def _unit(normals: Singles) -> Singles:
    length = np.linalg.norm(normals.astype(np.float64), axis=1, keepdims=True)
    return np.where(length > 1e-12, normals / np.maximum(length, 1e-12), (0.0, 1.0, 0.0)).astype("<f4")


def _tidied(mesh: Mesh) -> tuple[Indices, Floats]:
    """Influences and weights with every joint once a vertex, heaviest first, in whole sets of four, summing to one."""
    influences, weights = mesh.influences.copy(), mesh.weights.astype(np.float64)
    count = influences.shape[1]
    for a in range(count):
        for b in range(a + 1, count):
            twice = (influences[:, a] == influences[:, b]) & (weights[:, b] > 0)
            weights[twice, a] += weights[twice, b]
            weights[twice, b] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")
    influences, weights = np.take_along_axis(influences, order, 1), np.take_along_axis(weights, order, 1)
    used = max(1, int((weights > 0).sum(axis=1).max()))
    width = -(-used // 4) * 4
    padding = ((0, 0), (0, max(0, width - count)))
    influences, weights = np.pad(influences, padding)[:, :width], np.pad(weights, padding)[:, :width]
    total = weights.sum(axis=1)
    weights[total <= 0, 0] = 1.0
    weights /= np.where(total > 0, total, 1.0)[:, None]
    return np.where(weights > 0, influences, 0), weights


class Materials:
    """Collects materials, textures and images."""

    def __init__(self, packer: Packer, losses: list[str]) -> None:
        self.packer = packer
        self.losses = losses
        self.records: list[MaterialRecord] = []
        self.textures: list[Texture] = []
        self.images: list[Image] = []
        self.extensions: list[str] = []
        self._known: dict[tuple[Material, bool], int] = {}
        self._pictures: dict[bytes, int | None] = {}

    def index(self, mesh: Mesh) -> int:
        """The number of a mesh's material."""
        material = mesh.material
        if mesh.uvs is None:
            # A texture without coordinates would be an error in the file.
            material = replace(material, texture=None)
        sheer = material.colour[3] < 1 or (mesh.colours is not None and bool((mesh.colours[:, 3] < 1).any()))
        if (material, sheer) not in self._known:
            self._known[material, sheer] = len(self.records)
            self.records.append(self._record(material, sheer))
        return self._known[material, sheer]

    def _record(self, material: Material, sheer: bool) -> MaterialRecord:
        texture = None if material.texture is None else self._texture(material)
        red, green, blue, alpha = (min(max(float(part), 0.0), 1.0) for part in material.colour)
        return MaterialRecord(
            name=material.name or None,
            pbr_metallic_roughness=Metallic(
                base_color_factor=(red, green, blue, alpha),
                base_color_texture=None if texture is None else TextureInfo(index=texture),
                metallic_factor=0.0,
            ),
            double_sided=material.double_sided,
            alpha_mode="BLEND" if sheer else "OPAQUE",
        )

    def _texture(self, material: Material) -> int | None:
        picture = material.texture
        assert picture is not None
        if picture not in self._pictures:
            mime = media_type(picture)
            if mime is None:
                self.losses.append(f"the texture of material {material.name!r} is no picture; left out")
                self._pictures[picture] = None
            else:
                self._pictures[picture] = len(self.textures)
                number = len(self.images)
                if mime == "image/webp":
                    self.textures.append(Texture(extensions={WEBP: {"source": number}}))
                    self.extensions = [WEBP]
                else:
                    self.textures.append(Texture(source=number))
                self.images.append(Image(buffer_view=self.packer.picture(picture), mime_type=mime))
        return self._pictures[picture]
