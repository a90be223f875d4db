"""Meshes on a stage: below their node, or bound to a skeleton; with shapes and preview surfaces."""

from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidDocument
from inbetweener.formats.polygons import is_rigid
from inbetweener.formats.usd.inside.ours import AGAIN, MESH
from inbetweener.formats.usd.layout import MATERIALS, SKELETON, Bones, Layout
from inbetweener.formats.usd.prims import Idents, Prim, Prims, rows_of
from inbetweener.maths import transforms
from inbetweener.skinning import Material, Mesh
from inbetweener.skinning.picture import as_png, media_type

_METHODS = {"dual-quaternion": "dualQuaternion"}
_SAME = 1e-9
_FLAT = 1e-12
_SHOWN = {"image/png": "png", "image/jpeg": "jpg"}
"""Pictures that USD knows."""


@dataclass(slots=True, eq=False)
class _Binding:
    """Where joints are when meshes are bound, by number; a skeleton has one, another one is another skeleton."""

    path: str
    binds: dict[int, Floats] = field(default_factory=dict)

    def fitted(self, joints: list[int], found: Floats) -> Floats | None:
        """Where a mesh is, so that joints find it at `found` (K, 3, 4); None where joints are bound otherwise."""
        known = [
            transforms.product(self.binds[j], own) for j, own in zip(joints, found, strict=True) if j in self.binds
        ]
        placed = known[0] if known else np.eye(3, 4)
        if any(np.abs(each - placed).max() > _SAME * (1 + np.abs(placed).max()) for each in known):
            return None
        for j, own in zip(joints, found, strict=True):
            self.binds.setdefault(j, transforms.product(placed, transforms.inverse(own)))
        return placed


class Meshes:
    """Writes meshes, the skeletons that they are bound to, and materials; remembers pictures by their file names."""

    def __init__(self, layout: Layout, prims: Prims, names: str, losses: list[str]) -> None:
        self.layout = layout
        self.prims = prims
        self.names = names
        """What names of pictures begin with."""
        self.losses = losses
        self.pictures: dict[str, bytes] = {}
        self._rest = layout.document.rig.rest_world()
        self._numbers = {id(mesh): n for n, mesh in enumerate(layout.document.meshes)}
        self._idents: dict[str, Idents] = {}
        self._materials: dict[tuple[Material, bool], str] = {}
        self._material_idents = Idents()

    def add_all(self) -> None:
        """All skeletons with what is bound to them, then what nodes carry."""
        rig = self.layout.document.rig
        homes = {rig.joints[j].name: bones for bones in self.layout.bones for j in bones.joints}
        bound: dict[str, list[Mesh]] = {}
        for mesh in self.layout.document.meshes:
            if not len(mesh.vertices) or not len(mesh.triangles):
                self.losses.append(f"mesh {mesh.name!r} has no triangles; left out")
            elif mesh.joints[0] in homes:
                bound.setdefault(homes[mesh.joints[0]].root, []).append(mesh)
            else:
                path = self.layout.nodes[rig.joint_index(mesh.joints[0])]
                taken = {each for each in self.layout.nodes.values() if each.rpartition("/")[0] == path}
                ident = self._ident(path, mesh.name, *(each.rpartition("/")[2] for each in taken))
                self._mesh(mesh, f"{path}/{ident}")
        for bones in self.layout.bones:
            self._bound(bones, bound.get(bones.root, []))

    def _ident(self, path: str, wanted: str, *taken: str) -> str:
        return self._idents.setdefault(path, Idents(*taken)).unused(wanted or "mesh")

    def _bound(self, bones: Bones, meshes: list[Mesh]) -> None:
        self.prims.add(bones.root, "SkelRoot")
        bindings = [_Binding(bones.path)]
        self._ident(bones.root, SKELETON)
        made = []
        # Skins say where joints are bound; what simply follows a joint fits any such place.
        for mesh in sorted(meshes, key=is_rigid):
            made.append((mesh, *self._binding(bones, bindings, mesh)))
        for binding in bindings:
            self._skeleton(bones, binding, binding is not bindings[0])
        order = {id(mesh): n for n, mesh in enumerate(meshes)}
        for mesh, binding, placed in sorted(made, key=lambda each: order[id(each[0])]):
            prim = self._mesh(mesh, f"{bones.root}/{self._ident(bones.root, mesh.name)}", "SkelBindingAPI")
            self._skin(prim, mesh, bones, binding, placed)

    def _binding(self, bones: Bones, bindings: list[_Binding], mesh: Mesh) -> tuple[_Binding, Floats]:
        rig = self.layout.document.rig
        joints, found = [rig.joint_index(name) for name in mesh.joints], mesh.joint_from_mesh
        first = found[[joints.index(j) for j in joints]]
        if (np.abs(found - first) > _SAME * (1 + np.abs(first))).any():
            self.losses.append(f"mesh {mesh.name!r} is bound to one joint in two ways; all of it is bound in the first")
            found = first
        if is_rigid(mesh):
            binds = bindings[0].binds
            return bindings[0], binds.setdefault(joints[0], _sound(self._rest[joints[0]]))
        flat = np.abs(np.linalg.det(found[:, :, :3])) < _FLAT
        if flat.any():
            self.losses.append(
                f"mesh {mesh.name!r}: {int(flat.sum())} joints that bind it to nothing are taken as at rest"
            )
            found = np.where(flat[:, None, None], transforms.inverse(_sound(self._rest[joints])), found)
        for binding in bindings:
            placed = binding.fitted(joints, found)
            if placed is not None:
                return binding, placed
        bindings.append(_Binding(f"{bones.root}/{self._ident(bones.root, SKELETON)}"))
        return bindings[-1], bindings[-1].fitted(joints, found)  # type: ignore[return-value]  # the first always fits

    def _skeleton(self, bones: Bones, binding: _Binding, again: bool) -> None:
        prim = self.prims.add(binding.path, "Skeleton", None, "SkelBindingAPI")
        joints = list(bones.joints)
        binds = np.stack([binding.binds.get(j, _sound(self._rest[j])) for j in joints])
        binds[:, :, :3] /= self.layout.scales[joints][:, None, None]
        prim.attribute("joints", "token[]", bones.tokens, uniform=True)
        titles = [self.layout.document.rig.joints[j].name for j in joints]
        prim.attribute("jointNames", "token[]", titles, uniform=True)
        prim.attribute("bindTransforms", "matrix4d[]", rows_of(binds), uniform=True)
        prim.attribute("restTransforms", "matrix4d[]", rows_of(self.layout.rest(bones)), uniform=True)
        if again:
            prim.attribute(AGAIN, "string", bones.path, uniform=True)
        played = self.layout.played
        for each in played:
            target = prim if len(played) == 1 else self.prims.add(self.layout.chosen(binding.path, each), "")
            target.relation("skel:animationSource", self.layout.animation(bones, each))

    def _mesh(self, mesh: Mesh, path: str, *schemas: str) -> Prim:
        for name in ("vertices", "normals", "uvs", "colours"):
            values = getattr(mesh, name)
            if values is not None and not np.isfinite(values).all():
                raise InvalidDocument(f"mesh {mesh.name!r}: {name} are not all finite numbers")
        prim = self.prims.add(path, "Mesh", mesh.name, *schemas, "MaterialBindingAPI")
        prim.attribute(MESH, "int", self._numbers[id(mesh)], uniform=True)
        prim.attribute("subdivisionScheme", "token", "none", uniform=True)
        prim.attribute("points", "point3f[]", mesh.vertices)
        prim.attribute("extent", "float3[]", np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)]))
        prim.attribute("faceVertexCounts", "int[]", np.full(len(mesh.triangles), 3))
        prim.attribute("faceVertexIndices", "int[]", mesh.triangles.ravel())
        if mesh.material.double_sided:
            prim.attribute("doubleSided", "bool", True, uniform=True)
        if mesh.normals is not None:
            prim.attribute("normals", "normal3f[]", mesh.normals, interpolation="vertex")
        if mesh.uvs is not None:
            flipped = np.stack([mesh.uvs[:, 0], 1 - mesh.uvs[:, 1]], axis=1)
            prim.attribute("primvars:st", "texCoord2f[]", flipped, interpolation="vertex")
        if mesh.colours is not None:
            tint = np.array(mesh.material.colour[:3], np.float32)
            prim.attribute("primvars:displayColor", "color3f[]", mesh.colours[:, :3] * tint, interpolation="vertex")
            prim.attribute("primvars:displayOpacity", "float[]", mesh.colours[:, 3], interpolation="vertex")
            if mesh.material.texture is not None:
                self.losses.append(
                    f"mesh {mesh.name!r}: colours of vertices are hidden by its texture in other programs"
                )
        prim.relation("material:binding", self._material(mesh))
        return prim

    def _skin(self, prim: Prim, mesh: Mesh, bones: Bones, binding: _Binding, placed: Floats) -> None:
        rig = self.layout.document.rig
        tokens = {rig.joints[j].name: token for j, token in zip(bones.joints, bones.tokens, strict=True)}
        rigid = is_rigid(mesh) and not mesh.shapes
        how = {"interpolation": "constant" if rigid else "vertex", "elementSize": mesh.influences.shape[1]}
        rows = slice(0, 1) if rigid else slice(None)
        # A mesh may name a joint twice, UsdSkel may not.
        names = list(dict.fromkeys(mesh.joints))
        numbers = np.array([names.index(name) for name in mesh.joints])
        prim.attribute("primvars:skel:jointIndices", "int[]", numbers[mesh.influences[rows]].ravel(), **how)
        prim.attribute("primvars:skel:jointWeights", "float[]", mesh.weights[rows].ravel(), **how)
        prim.attribute("primvars:skel:geomBindTransform", "matrix4d", rows_of(placed).ravel().tolist())
        method = _METHODS.get(self.layout.document.blending)
        if method is not None:
            prim.attribute("primvars:skel:skinningMethod", "token", method, uniform=True)
        prim.attribute("skel:joints", "token[]", [tokens[name] for name in names], uniform=True)
        prim.relation("skel:skeleton", binding.path)
        if mesh.shapes:
            self._shapes(prim, mesh)

    def _shapes(self, prim: Prim, mesh: Mesh) -> None:
        idents, paths = Idents(), []
        for shape in mesh.shapes:
            paths.append(f"{prim.path}/{idents.unused(shape.name or 'shape')}")
            made = self.prims.add(paths[-1], "BlendShape", shape.name)
            moved = (shape.offsets != 0).any(axis=1)
            if shape.normal_offsets is not None:
                moved |= (shape.normal_offsets != 0).any(axis=1)
            points = np.flatnonzero(moved) if moved.any() else np.zeros(1, np.int64)
            made.attribute("offsets", "vector3f[]", shape.offsets[points], uniform=True)
            if shape.normal_offsets is not None:
                made.attribute("normalOffsets", "vector3f[]", shape.normal_offsets[points], uniform=True)
            made.attribute("pointIndices", "int[]", points, uniform=True)
        prim.attribute("skel:blendShapes", "token[]", [shape.channel for shape in mesh.shapes], uniform=True)
        prim.relation("skel:blendShapeTargets", *paths)

    def _material(self, mesh: Mesh) -> str:
        coloured = mesh.colours is not None and mesh.material.texture is None
        material = mesh.material if mesh.uvs is not None else replace(mesh.material, texture=None)
        key = material, coloured
        if key not in self._materials:
            parent = f"{self.layout.root}/{MATERIALS}"
            if not self._materials:
                self.prims.add(parent, "Scope")
            path = f"{parent}/{self._material_idents.unused(material.name or 'Material')}"
            self._materials[key] = path
            self._surface(path, material, coloured)
        return self._materials[key]

    def _surface(self, path: str, material: Material, coloured: bool) -> None:
        made = self.prims.add(path, "Material", material.name)
        made.attribute("outputs:surface", "token", connected=f"{path}/Surface.outputs:surface")
        surface = self.prims.add(f"{path}/Surface", "Shader")
        surface.attribute("info:id", "token", "UsdPreviewSurface", uniform=True)
        *colour, alpha = (min(max(float(part), 0.0), 1.0) for part in material.colour)
        picture = None if material.texture is None else self._picture(material.texture, material.name)
        if picture is not None:
            surface.attribute("inputs:diffuseColor", "color3f", connected=f"{path}/Picture.outputs:rgb")
            self._laid(path, picture, [*colour, 1.0])
        elif coloured:
            surface.attribute("inputs:diffuseColor", "color3f", connected=f"{path}/Colours.outputs:result")
            reader = self.prims.add(f"{path}/Colours", "Shader")
            reader.attribute("info:id", "token", "UsdPrimvarReader_float3", uniform=True)
            reader.attribute("inputs:varname", "string", "displayColor")
            reader.attribute("outputs:result", "float3")
        else:
            surface.attribute("inputs:diffuseColor", "color3f", colour)
        if alpha < 1.0:
            surface.attribute("inputs:opacity", "float", alpha)
        surface.attribute("outputs:surface", "token")

    def _laid(self, path: str, picture: str, scale: list[float]) -> None:
        texture = self.prims.add(f"{path}/Picture", "Shader")
        texture.attribute("info:id", "token", "UsdUVTexture", uniform=True)
        texture.attribute("inputs:file", "asset", picture)
        texture.attribute("inputs:sourceColorSpace", "token", "sRGB")
        texture.attribute("inputs:wrapS", "token", "repeat")
        texture.attribute("inputs:wrapT", "token", "repeat")
        texture.attribute("inputs:scale", "float4", scale)
        texture.attribute("inputs:st", "float2", connected=f"{path}/Coordinates.outputs:result")
        texture.attribute("outputs:rgb", "float3")
        reader = self.prims.add(f"{path}/Coordinates", "Shader")
        reader.attribute("info:id", "token", "UsdPrimvarReader_float2", uniform=True)
        reader.attribute("inputs:varname", "string", "st")
        reader.attribute("outputs:result", "float2")

    def _picture(self, data: bytes, name: str) -> str | None:
        try:
            # USD wants PNG or JPEG.
            data = data if media_type(data) in _SHOWN else as_png(data)
        except InvalidDocument:
            self.losses.append(f"the texture of material {name!r} is no picture; left out")
            return None
        kind = _SHOWN[media_type(data) or ""]
        known = next((file for file, each in self.pictures.items() if each == data), None)
        file = known or f"{self.names}_{len(self.pictures)}.{kind}"
        self.pictures[file] = data
        return f"./{file}"


def _sound(placed: Floats) -> Floats:
    """Transforms (…, 3, 4); without scale and turn where they cannot be undone."""
    flat = np.abs(np.linalg.det(placed[..., :3])) < _FLAT
    made = placed.copy()
    made[..., :3] = np.where(flat[..., None, None], np.eye(3), placed[..., :3])
    return made
