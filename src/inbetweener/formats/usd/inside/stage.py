"""All of a stage that we have a place for, told in plain arrays."""

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Usd, UsdGeom, UsdShade, UsdSkel

from inbetweener.formats.usd.inside.layers import Layers
from inbetweener.formats.usd.inside.meshes import Meshes
from inbetweener.formats.usd.inside.nodes import transform
from inbetweener.formats.usd.inside.ours import AGAIN, CHANNEL, CLIP, DOCUMENT, JOINT, PROP
from inbetweener.formats.usd.inside.surfaces import Surfaces
from inbetweener.formats.usd.inside.telling import Telling
from inbetweener.formats.usd.inside.values import spline

_SILENT = ("", "Scope", "Material", "Shader", "NodeGraph", "GeomSubset", "BlendShape", "SkelAnimation", "Skeleton")


def told(path: Path, work: Path, telling: Telling) -> dict[str, Any]:
    """The stage of a file."""
    layers = Layers(path, work, telling)
    stage = Usd.Stage.Open(layers.root(), Usd.Stage.LoadAll)
    for error in stage.GetCompositionErrors():
        telling.note("composition", str(error).splitlines()[0][:200])
    return {**_Gathering(stage, layers, telling).told(), "size": layers.size}


class _Gathering:
    def __init__(self, stage: Any, layers: Layers, telling: Telling) -> None:
        self.stage = stage
        self.layers = layers
        self.telling = telling
        self.meshes = Meshes(telling, Surfaces(telling, layers))
        self.nodes: list[dict[str, Any]] = []
        self.skeletons: list[dict[str, Any]] = []
        self.animations: dict[str, Any] = {}
        self.props = 0
        self.clips: dict[str, dict[str, Any]] = {}

    def told(self) -> dict[str, Any]:
        stage = self.stage
        roots: list[Any] = []
        # The node that a prim's children hang on; a prim that is left out hides all below it.
        above: dict[str, int] = {"/": -1}
        prims = iter(Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()))
        for prim in prims:
            if prim.IsPseudoRoot():
                continue
            path = prim.GetPath()
            self.telling.spend(1000, str(path))
            if not self._is_shown(prim):
                prims.PruneChildren()
                continue
            if prim.IsA(UsdSkel.Root):
                roots.append(prim)
                self.meshes.bind(prim)
            above[str(path)] = self._prim(prim, above[str(path.GetParentPath())])
        return {
            "unit": float(UsdGeom.GetStageMetersPerUnit(stage)),
            "up": str(UsdGeom.GetStageUpAxis(stage)),
            "rate": float(stage.GetTimeCodesPerSecond()),
            "frames": float(stage.GetFramesPerSecond()),
            "span": [float(stage.GetStartTimeCode()), float(stage.GetEndTimeCode())]
            if stage.HasAuthoredTimeCodeRange()
            else None,
            "held": stage.GetInterpolationType() == Usd.InterpolationTypeHeld,
            "nodes": self.nodes,
            "skeletons": self.skeletons,
            "animations": list(self.animations.values()),
            "props": self.props,
            "kept": self._kept(),
        }

    def _is_shown(self, prim: Any) -> bool:
        """Whether a prim and what is below it belong to what we read; told where not."""
        kind, place = str(prim.GetTypeName()), str(prim.GetPath())
        if prim.HasAttribute(PROP):
            self.props += 1
            return False
        if prim.HasVariantSets() and not prim.HasAttribute(DOCUMENT):
            names = list(prim.GetVariantSets().GetNames())
            self.telling.note(place, f"variants other than the chosen are left out ({', '.join(names)[:100]})")
        if prim.IsA(UsdGeom.Imageable):
            purpose = prim.GetAttribute("purpose").Get()
            if purpose in ("proxy", "guide"):
                self.telling.note(place, f"what is there as {purpose} is left out")
                return False
        known = kind in (*_SILENT, "Xform", "SkelRoot", "Mesh") or prim.IsA(UsdShade.Material)
        if not known:
            self.telling.note(place, f"a {kind} is left out")
        return known

    def _prim(self, prim: Any, parent: int) -> int:
        """Tell a prim; returns the node that its children hang on."""
        if prim.IsA(UsdSkel.Animation):
            self._animation(prim)
            return parent
        if prim.HasAttribute(CLIP):
            self._clip(prim)
        xformable = UsdGeom.Xformable(prim)
        if not xformable:
            return parent
        place = str(prim.GetPath())
        if xformable.GetResetXformStack():
            parent = -1
        self.telling.spend(4000, place)
        name = prim.GetDisplayName() if prim.HasAuthoredMetadata("displayName") else prim.GetName()
        node: dict[str, Any] = {
            "path": place, "name": name, "parent": parent, **transform(xformable, self.telling),
        }  # fmt: skip
        if prim.HasAttribute(JOINT):
            node["joint"] = str(prim.GetAttribute(JOINT).Get())
        visibility = prim.GetAttribute("visibility")
        if visibility and (visibility.GetNumTimeSamples() > 1 or visibility.Get() == "invisible"):
            self.telling.note(place, "visibility is left out")
        self.nodes.append(node)
        if prim.IsA(UsdGeom.Mesh):
            found = self.meshes.mesh(prim)
            if found is not None:
                node["mesh"] = found
        if prim.IsA(UsdSkel.Skeleton):
            self._skeleton(prim, len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _kept(self) -> dict[str, Any] | None:
        """What a file of ours keeps of its document."""
        root = self.stage.GetDefaultPrim()
        if not root or not root.HasAttribute(DOCUMENT):
            return None
        text = root.GetAttribute(DOCUMENT).Get()
        self.telling.spend(10 * len(text or ""), DOCUMENT)
        chosen = root.GetVariantSets().GetVariantSelection("clip")
        return {"text": str(text or ""), "clips": self.clips, "chosen": chosen}

    def _clip(self, prim: Any) -> None:
        curves = self.clips[str(prim.GetAttribute(CLIP).Get())] = {}
        for each in prim.GetAuthoredAttributes():
            if each.GetName().startswith(CHANNEL) and each.HasSpline():
                told = spline(each.GetSpline(), self.telling, str(each.GetPath()), ours=True)
                if told is not None:
                    curves[each.GetDisplayName()] = told

    def _skeleton(self, prim: Any, node: int) -> None:
        skeleton, place = UsdSkel.Skeleton(prim), str(prim.GetPath())
        joints = [str(each) for each in skeleton.GetJointsAttr().Get() or ()]
        titles = skeleton.GetJointNamesAttr().Get()
        source = UsdSkel.BindingAPI(prim).GetInheritedAnimationSource()
        made = {"path": place, "node": node, "joints": joints, "titles": [str(each) for each in titles or ()]}
        for name, attribute in (("bind", skeleton.GetBindTransformsAttr()), ("rest", skeleton.GetRestTransformsAttr())):
            rows = attribute.Get()
            made[name] = None
            if rows is not None and len(rows) == len(joints) and joints:
                made[name] = self.telling.put(np.transpose(np.array(rows, np.float64), (0, 2, 1)), place=place)
        if source:
            self._animation(source)
            made["animation"] = str(source.GetPath())
        made["again"] = str(prim.GetAttribute(AGAIN).Get()) if prim.HasAttribute(AGAIN) else ""
        topology = UsdSkel.Topology(skeleton.GetJointsAttr().Get() or [])
        made["parents"] = [int(topology.GetParent(n)) for n in range(len(joints))]
        self.skeletons.append(made)

    def _animation(self, prim: Any) -> None:
        animation, place = UsdSkel.Animation(prim), str(prim.GetPath())
        if place in self.animations or not animation:
            return
        name = prim.GetDisplayName() if prim.HasAuthoredMetadata("displayName") else prim.GetName()
        joints = [str(each) for each in animation.GetJointsAttr().Get() or ()]
        shapes = [str(each) for each in animation.GetBlendShapesAttr().Get() or ()]
        self.animations[place] = {
            "path": place,
            "name": name,
            "joints": joints,
            "shapes": shapes,
            "translations": self._rows(animation.GetTranslationsAttr(), (len(joints), 3)),
            "rotations": self._rows(animation.GetRotationsAttr(), (len(joints), 4)),
            "scales": self._rows(animation.GetScalesAttr(), (len(joints), 3)),
            "weights": self._rows(animation.GetBlendShapeWeightsAttr(), (len(shapes),)),
        }

    def _rows(self, attribute: Any, shape: tuple[int, ...]) -> Any:
        """An array over time: {"times", "values" (n, …)}; one time where it does not move; None where there is none."""
        times = attribute.GetTimeSamples()
        if not shape[0] or not attribute.HasAuthoredValue():
            return None
        size, place = int(np.prod(shape)), str(attribute.GetPath())
        rows, kept = [], []
        for time in times or [0.0]:
            values = attribute.Get(time)
            row = np.array(() if values is None else values, np.float64)
            if row.size != size:
                self.telling.note(place, f"a sample is not of {shape[0]} elements; left out")
                continue
            self.telling.spend(8 * size, place)
            rows.append(np.roll(row, 1, axis=-1) if shape[1:] == (4,) else row)
            kept.append(time)
        if not rows:
            return None
        return {"times": self.telling.put(kept), "values": self.telling.put(np.stack(rows).reshape(-1, *shape))}
