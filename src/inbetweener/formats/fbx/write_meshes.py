"""Meshes as geometry on nodes: skins as clusters, shapes as channels, pictures inside the file."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidDocument
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.writing import Objects, node, numbers, properties
from inbetweener.formats.names import Names
from inbetweener.formats.polygons import is_rigid
from inbetweener.maths import transforms
from inbetweener.rig import Rig
from inbetweener.skinning import Blending, Material, Mesh
from inbetweener.skinning.picture import media_type

UNITS_A_METRE = 100.0
"""Lengths are centimetres, as FBX counts them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Meshes of one node: its joint, or none where it gets a node of its own below `parent`."""

    name: str
    joint: str | None
    parent: str | None
    meshes: list[Mesh]


def groups_of(rig: Rig, meshes: Iterable[Mesh], losses: list[str]) -> list[Shown]:
    """Meshes by the node that shows them: those named "x:0", "x:1" … together, as they are when read.

    A joint that bears a mesh's name and binds no skin shows it itself; below bones, where Blender turns what is shown
    so the wrong way, only a skin.
    """
    meshes = list(meshes)
    names = {joint.name for joint in rig.joints}
    bones = {name for mesh in meshes if not is_rigid(mesh) for name in mesh.joints}
    found: dict[tuple[object, ...], Shown] = {}
    for mesh in meshes:
        if not len(mesh.vertices) or not len(mesh.triangles):
            losses.append(f"mesh {mesh.name!r} has no triangles; left out")
            continue
        stem, colon, number = mesh.name.rpartition(":")
        name = stem if colon and number.isdigit() else mesh.name
        rigid = is_rigid(mesh)
        own = name in names and name not in bones and (mesh.joints[0] == name and not bones if rigid else True)
        parent = mesh.joints[0] if rigid else None
        looks = tuple(part is None for part in (mesh.normals, mesh.uvs, mesh.colours))
        bound = () if rigid else (mesh.joints, mesh.joint_from_mesh.tobytes())
        key = (name, parent, bound, tuple(shape.channel for shape in mesh.shapes), looks)
        if key in found:
            found[key].meshes.append(mesh)
            continue
        taken = own and any(each.joint == name for each in found.values())
        found[key] = Shown(name or "mesh", name if own and not taken else None, parent, [mesh])
    return list(found.values())


class Meshes:
    """Writes groups of meshes; remembers which object each shape channel moves."""

    def __init__(
        self, rig: Rig, objects: Objects, models: dict[str, int], blending: Blending, losses: list[str]
    ) -> None:
        self.rig = rig
        self.objects = objects
        self.models = models
        self.blending = blending
        self.losses = losses
        self.rest = rig.rest_world()
        self.shapes: list[tuple[int, str]] = []
        """Blend-shape channels of the file and ours."""
        self._names = Names(models)
        self._materials: dict[Material, int] = {}
        self._pictures: dict[bytes, int | None] = {}

    def add(self, shown: Shown) -> None:
        """One node's meshes as one geometry with as many materials."""
        world = np.eye(3, 4)
        if shown.joint is not None:
            model = self.models[shown.joint]
            world = self.rest[self.rig.joint_index(shown.joint)]
        else:
            still = properties(
                Lcl_Translation=(0.0,) * 3, Lcl_Rotation=(0.0,) * 3, Lcl_Scaling=(1.0,) * 3, InheritType=1
            )
            model = self.objects.add("Model", self._names.unused(shown.name), "Mesh", [node("Version", 232), still])
            self.objects.connect(model, 0 if shown.parent is None else self.models[shown.parent])
        mesh = _joined(shown.meshes)
        geometry = self.objects.add("Geometry", shown.name, "Mesh", _geometry(mesh, shown.meshes))
        self.objects.connect(geometry, model)
        for each in shown.meshes:
            self.objects.connect(self._material(each), model)
        if not is_rigid(mesh):
            self._skin(mesh, geometry, world)
        if mesh.shapes:
            self._blend(mesh, geometry)

    def _skin(self, mesh: Mesh, geometry: int, world: Floats) -> None:
        kind = "DualQuaternion" if self.blending == "dual-quaternion" else "Linear"
        skin = self.objects.add(
            "Deformer",
            mesh.name,
            "Skin",
            [node("Version", 101), node("Link_DeformAcuracy", 50.0), node("SkinningType", kind)],
        )
        self.objects.connect(skin, geometry)
        for n, joint in enumerate(mesh.joints):
            weights = np.where(mesh.influences == n, mesh.weights, 0).sum(axis=1, dtype=np.float64)
            points = np.flatnonzero(weights > 0)
            bind = mesh.joint_from_mesh[n]
            link = transforms.product(world, transforms.inverse(bind)) if np.linalg.det(bind[:, :3]) else world
            inside = [node("Version", 100), node("UserData", "", "")]
            if len(points):
                inside += [node("Indexes", numbers(points, "<i4")), node("Weights", numbers(weights[points]))]
            inside += [node("Transform", _matrix(bind)), node("TransformLink", _matrix(link))]
            cluster = self.objects.add("Deformer", joint, "Cluster", inside, "SubDeformer")
            self.objects.connect(cluster, skin)
            self.objects.connect(self.models[joint], cluster)

    def _blend(self, mesh: Mesh, geometry: int) -> None:
        blend = self.objects.add("Deformer", mesh.name, "BlendShape", [node("Version", 100)])
        self.objects.connect(blend, geometry)
        for shape in mesh.shapes:
            percent = 100.0 * float(self.rig.channel(shape.channel).default)
            inside = [
                node("Version", 100),
                node("DeformPercent", percent),
                node("FullWeights", numbers([100.0])),
                properties(DeformPercent=percent),
            ]
            channel = self.objects.add("Deformer", shape.name, "BlendShapeChannel", inside, "SubDeformer")
            self.objects.connect(channel, blend)
            moved = (shape.offsets != 0).any(axis=1)
            if shape.normal_offsets is not None:
                moved |= (shape.normal_offsets != 0).any(axis=1)
            points = np.flatnonzero(moved) if moved.any() else np.zeros(1, np.int64)
            inside = [
                node("Version", 100),
                node("Indexes", numbers(points, "<i4")),
                node("Vertices", numbers(UNITS_A_METRE * shape.offsets[points].astype(np.float64))),
            ]
            if shape.normal_offsets is not None:
                inside.append(node("Normals", numbers(shape.normal_offsets[points])))
            target = self.objects.add("Geometry", shape.name, "Shape", inside)
            self.objects.connect(target, channel)
            self.shapes.append((channel, shape.channel))

    def _material(self, mesh: Mesh) -> int:
        material = mesh.material if mesh.uvs is not None else replace(mesh.material, texture=None)
        if material not in self._materials:
            red, green, blue, alpha = (min(max(float(part), 0.0), 1.0) for part in material.colour)
            look = properties(
                DiffuseColor=(red, green, blue), DiffuseFactor=1.0, TransparentColor=(1.0, 1.0, 1.0),
                TransparencyFactor=1.0 - alpha, Opacity=alpha,
            )  # fmt: skip
            inside = [node("Version", 102), node("ShadingModel", "lambert"), node("MultiLayer", 0), look]
            self._materials[material] = made = self.objects.add("Material", material.name, "", inside)
            picture = None if material.texture is None else self._picture(material.texture, material.name)
            if picture is not None:
                self.objects.connect(picture, made, "DiffuseColor")
        return self._materials[material]

    def _picture(self, data: bytes, name: str) -> int | None:
        if data not in self._pictures:
            kind = media_type(data)
            if kind is None:
                self.losses.append(f"the texture of material {name!r} is no picture; left out")
                self._pictures[data] = None
                return None
            file = f"picture_{len(self._pictures)}.{kind.partition('/')[2]}"
            names = [node("FileName", file), node("RelativeFilename", file)]
            video = self.objects.add(
                "Video", file, "Clip", [node("Type", "Clip"), *names, node("Content", data)], "Video"
            )
            inside = [node("Type", "TextureVideoClip"), node("Version", 202), node("TextureName", file), *names]
            self._pictures[data] = made = self.objects.add("Texture", file, "", inside)
            self.objects.connect(video, made)
        return self._pictures[data]


def _joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes that differ in their material alone, as one."""
    first = meshes[0]
    if len(meshes) == 1:
        return first
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    width = max(mesh.influences.shape[1] for mesh in meshes)

    def padded(values: np.ndarray) -> np.ndarray:
        return np.pad(values, ((0, 0), (0, width - values.shape[1])))

    def stacked(name: str) -> np.ndarray | None:
        parts = [getattr(mesh, name) for mesh in meshes]
        return None if parts[0] is None else np.concatenate(parts)

    shapes = []
    for n, shape in enumerate(first.shapes):
        own = [mesh.shapes[n] for mesh in meshes]
        turned = [each.normal_offsets for each in own if each.normal_offsets is not None]
        shapes.append(
            replace(
                shape,
                offsets=np.concatenate([each.offsets for each in own]),
                normal_offsets=np.concatenate(turned) if len(turned) == len(own) else None,
            )
        )
    return replace(
        first,
        vertices=np.concatenate([mesh.vertices for mesh in meshes]),
        triangles=np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)]),
        influences=np.concatenate([padded(mesh.influences) for mesh in meshes]),
        weights=np.concatenate([padded(mesh.weights) for mesh in meshes]),
        normals=stacked("normals"),
        uvs=stacked("uvs"),
        colours=stacked("colours"),
        shapes=tuple(shapes),
    )


def _geometry(mesh: Mesh, parts: list[Mesh]) -> list[Record]:
    for name in ("vertices", "normals", "uvs", "colours"):
        values = getattr(mesh, name)
        if values is not None and not np.isfinite(values).all():
            raise InvalidDocument(f"mesh {mesh.name!r}: {name} are not all finite numbers")
    corners = mesh.triangles.copy()
    corners[:, 2] = ~corners[:, 2]
    flat = mesh.triangles.ravel()
    inside = [
        node("GeometryVersion", 124),
        node("Vertices", numbers(UNITS_A_METRE * mesh.vertices.astype(np.float64))),
        node("PolygonVertexIndex", numbers(corners, "<i4")),
    ]
    listed = ["LayerElementMaterial"]
    if mesh.normals is not None:
        inside.append(_layer("Normal", "Direct", [node("Normals", numbers(mesh.normals[flat]))]))
        listed.append("LayerElementNormal")
    if mesh.uvs is not None:
        uvs = np.stack([mesh.uvs[:, 0], 1.0 - mesh.uvs[:, 1].astype(np.float64)], axis=1)
        inside.append(_layer("UV", "IndexToDirect", [node("UV", numbers(uvs)), node("UVIndex", numbers(flat, "<i4"))]))
        listed.append("LayerElementUV")
    if mesh.colours is not None:
        colours = [node("Colors", numbers(mesh.colours)), node("ColorIndex", numbers(flat, "<i4"))]
        inside.append(_layer("Color", "IndexToDirect", colours))
        listed.append("LayerElementColor")
    owners = np.repeat(np.arange(len(parts)), [len(each.triangles) for each in parts])
    mapping = "ByPolygon" if len(parts) > 1 else "AllSame"
    materials = [node("Materials", numbers(owners if len(parts) > 1 else [0], "<i4"))]
    inside.append(_layer("Material", "IndexToDirect", materials, mapping))
    layer = [node("LayerElement", inside=[node("Type", name), node("TypedIndex", 0)]) for name in listed]
    return [*inside, node("Layer", 0, inside=[node("Version", 100), *layer])]


def _layer(kind: str, reference: str, data: list[Record], mapping: str = "ByPolygonVertex") -> Record:
    head = [
        node("Version", 101),
        node("Name", ""),
        node("MappingInformationType", mapping),
        node("ReferenceInformationType", reference),
    ]
    return node(f"LayerElement{kind}", 0, inside=[*head, *data])


def _matrix(placed: Floats) -> np.ndarray:
    """A (3, 4) matrix as FBX lists it: sixteen numbers, column by column, lengths in its unit."""
    whole = np.eye(4)
    whole[:3] = placed
    whole[:3, 3] *= UNITS_A_METRE
    return numbers(whole.T)
