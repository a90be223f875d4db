"""Meshes with what binds them and what shapes them."""

from typing import Any

import numpy as np
from pxr import Usd, UsdGeom, UsdShade, UsdSkel

from inbetweener.formats.usd.inside.ours import MESH
from inbetweener.formats.usd.inside.surfaces import Surfaces
from inbetweener.formats.usd.inside.telling import Telling

FIRST = Usd.TimeCode.EarliestTime()


class Meshes:
    """Tells meshes; `skins` are what binds them, by path."""

    def __init__(self, telling: Telling, surfaces: Surfaces) -> None:
        self.telling = telling
        self.surfaces = surfaces
        self.skins: dict[str, tuple[str, Any]] = {}

    def bind(self, root: Any) -> None:
        """Find what a SkelRoot deforms."""
        cache = UsdSkel.Cache()
        predicate = Usd.TraverseInstanceProxies()
        skel_root = UsdSkel.Root(root)
        cache.Populate(skel_root, predicate)
        for binding in cache.ComputeSkelBindings(skel_root, predicate):
            for query in binding.GetSkinningTargets():
                skeleton = str(binding.GetSkeleton().GetPath())
                self.skins[str(query.GetPrim().GetPath())] = (skeleton, query)

    def mesh(self, prim: Any) -> dict[str, Any] | None:
        """All of a mesh; None, with a note, where it has no polygons."""
        mesh, place, put = UsdGeom.Mesh(prim), str(prim.GetPath()), self.telling.put
        attributes = [mesh.GetPointsAttr(), mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr()]
        points, counts, corners = (each.Get(FIRST) for each in attributes)
        if points is None or not points or not counts or not corners:
            self.telling.note(place, "the mesh has no polygons; left out")
            return None
        if any(each.GetNumTimeSamples() > 1 for each in attributes):
            self.telling.note(place, "points that move by themselves stay where they are first")
        if prim.GetAttribute("subdivisionScheme").Get() not in (None, "none") and (
            prim.GetAttribute("subdivisionScheme").HasAuthoredValue()
        ):
            self.telling.note(place, "a subdivision surface is shown as its cage")
        coordinates, material = self.surfaces.bound(prim)
        made: dict[str, Any] = {
            "points": put(points, np.float32, place),
            "counts": put(counts, np.int64, place),
            "corners": put(corners, np.int64, place),
            "left": mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded,
            "double": bool(mesh.GetDoubleSidedAttr().Get()),
            "normals": self._normals(mesh),
            "uvs": self._primvar(prim, coordinates, 2),
            "colours": self._primvar(prim, "displayColor", 3),
            "opacities": self._primvar(prim, "displayOpacity", 1),
            "material": material,
            "parts": self._parts(prim, coordinates),
            "skin": self._skin(prim, place),
            "shapes": self._shapes(prim, place),
            "number": prim.GetAttribute(MESH).Get() if prim.HasAttribute(MESH) else None,
        }
        return made

    def _normals(self, mesh: Any) -> Any:
        found = self._primvar(mesh.GetPrim(), "normals", 3)
        values = mesh.GetNormalsAttr().Get(FIRST)
        if found is not None or not values:
            return found
        return {
            "values": self.telling.put(values, np.float32),
            "how": str(mesh.GetNormalsInterpolation()),
            "index": None,
        }

    def _primvar(self, prim: Any, name: str, width: int) -> Any:
        primvar = UsdGeom.PrimvarsAPI(prim).FindPrimvarWithInheritance(name)
        values = primvar.Get(FIRST) if primvar else None
        if values is None or not hasattr(values, "__len__") or not len(values):
            return None
        rows = np.array(values, np.float32)
        if rows.size != len(values) * width:
            return None
        index = primvar.GetIndices(FIRST) if primvar.IsIndexed() else None
        return {
            "values": self.telling.put(rows.reshape(-1, width), np.float32, str(prim.GetPath())),
            "how": str(primvar.GetInterpolation()),
            "index": None if index is None else self.telling.put(index, np.int64, str(prim.GetPath())),
        }

    def _parts(self, prim: Any, coordinates: str) -> list[dict[str, Any]]:
        """Faces that have a material of their own."""
        made = []
        for subset in UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets():
            faces = subset.GetIndicesAttr().Get(FIRST)
            other, material = self.surfaces.bound(subset.GetPrim())
            if other != coordinates and material.get("texture") is not None:
                self.telling.note(
                    str(subset.GetPath()), "its texture is laid by other coordinates; those of the mesh taken"
                )
            if faces:
                made.append({"faces": self.telling.put(faces, np.int64), "material": material})
        return made

    def _skin(self, prim: Any, place: str) -> Any:
        found = self.skins.get(place)
        if found is None:
            if prim.HasAttribute("primvars:skel:jointIndices"):
                self.telling.note(place, "is bound to no skeleton below a SkelRoot; it stays as it stands")
            return None
        skeleton, query = found
        made: dict[str, Any] = {"skeleton": skeleton, "method": str(query.GetSkinningMethod() or "")}
        if not query.HasJointInfluences():
            return {**made, "joints": None} if query.HasBlendShapes() else None
        joints, weights = query.GetJointIndicesPrimvar().Get(FIRST), query.GetJointWeightsPrimvar().Get(FIRST)
        order = query.GetJointOrder()
        width = query.GetNumInfluencesPerComponent()
        if not joints or len(joints) != len(weights) or len(joints) % width:
            self.telling.note(place, "its influences and weights do not fit; it stays as it stands")
            return None
        return {
            **made,
            "joints": self.telling.put(np.array(joints).reshape(-1, width), np.int64, place),
            "weights": self.telling.put(np.array(weights).reshape(-1, width), np.float64, place),
            "rigid": bool(query.IsRigidlyDeformed()),
            "order": None if order is None else [str(each) for each in order],
            "bind": [float(each) for each in np.array(query.GetGeomBindTransform(FIRST)).T.ravel()],
        }

    def _shapes(self, prim: Any, place: str) -> list[dict[str, Any]]:
        found = self.skins.get(place)
        if found is None or not found[1].HasBlendShapes():
            return []
        query = found[1]
        names, targets = query.GetBlendShapeOrder() or [], query.GetBlendShapeTargetsRel().GetForwardedTargets()
        made = []
        for name, target in zip(names, targets, strict=False):
            shape = UsdSkel.BlendShape(prim.GetStage().GetPrimAtPath(target))
            if not shape:
                self.telling.note(place, f"shape {str(name)!r} is nowhere; left out")
                continue
            points = shape.GetPointIndicesAttr().Get()
            told = shape.GetPrim().GetDisplayName() or str(name)
            made.append(
                {
                    "name": str(name),
                    "title": told,
                    "points": None if not points else self.telling.put(points, np.int64, place),
                    **self._offsets(shape.GetOffsetsAttr(), shape.GetNormalOffsetsAttr(), place),
                    "between": [
                        {
                            "name": str(each.GetAttr().GetName()).rpartition(":")[2],
                            "weight": float(each.GetWeight() or 0.0),
                            **self._offsets(each.GetAttr(), each.GetNormalOffsetsAttr(), place),
                        }
                        for each in shape.GetInbetweens()
                    ],
                }
            )
        return made

    def _offsets(self, offsets: Any, normals: Any, place: str) -> dict[str, Any]:
        found = {"offsets": offsets.Get() if offsets else None, "normals": normals.Get() if normals else None}
        return {
            name: self.telling.put(np.array(values).reshape(-1, 3), np.float32, place) if values else None
            for name, values in found.items()
        }
