"""Materials: the base colour of a preview surface and, where there is one, the picture it wears."""

from typing import Any

import numpy as np
from pxr import UsdShade

from inbetweener.formats.usd.inside.layers import Layers
from inbetweener.formats.usd.inside.telling import Telling

COORDINATES = "st"
_KEPT = ("diffuseColor", "opacity", "useSpecularWorkflow")


class Surfaces:
    """Materials of a stage, each read once."""

    def __init__(self, telling: Telling, layers: Layers) -> None:
        self.telling = telling
        self.layers = layers
        self._known: dict[str, tuple[str, dict[str, Any]]] = {}
        self._pictures: dict[str, str] = {}

    def bound(self, prim: Any) -> tuple[str, dict[str, Any]]:
        """The name of the texture coordinates and the material of a mesh or a part of one."""
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        if not material:
            return COORDINATES, {}
        path = str(material.GetPath())
        if path not in self._known:
            self._known[path] = self._read(material)
        return self._known[path]

    def _read(self, material: Any) -> tuple[str, dict[str, Any]]:
        prim = material.GetPrim()
        name = prim.GetDisplayName() if prim.HasAuthoredMetadata("displayName") else prim.GetName()
        made: dict[str, Any] = {"name": name}
        shader = next(iter(material.ComputeSurfaceSource()), None)
        if not shader or shader.GetShaderId() != "UsdPreviewSurface":
            self.telling.note(str(prim.GetPath()), "the material is no preview surface; its look is left out")
            return COORDINATES, made
        left = sorted(
            each.GetBaseName()
            for each in shader.GetInputs()
            if each.GetBaseName() not in _KEPT and (each.HasConnectedSource() or each.GetAttr().HasAuthoredValue())
        )
        if left:
            self.telling.note(str(prim.GetPath()), f"only the base colour is kept; left out: {', '.join(left)}"[:300])
        coordinates = COORDINATES
        colour, opacity = shader.GetInput("diffuseColor"), shader.GetInput("opacity")
        texture = None
        if colour:
            texture = next((each for each in _sources(colour) if each.GetShaderId() == "UsdUVTexture"), None)
            if any(each.GetShaderId() == "UsdPrimvarReader_float3" for each in _sources(colour)):
                made["coloured"] = True
            value = None if _sources(colour) else colour.Get()
            if value is not None:
                made["colour"] = [float(each) for each in value]
        if opacity and not _sources(opacity) and opacity.Get() is not None:
            made["opacity"] = float(opacity.Get())
        if texture is not None:
            made["texture"] = self._picture(texture)
            scale = texture.GetInput("scale")
            if scale and scale.Get() is not None:
                made["colour"] = [float(each) for each in scale.Get()][:3]
            coordinates = self._coordinates(texture)
        return coordinates, made

    def _coordinates(self, texture: Any) -> str:
        """The primvar that lays a texture, through whatever turns it on the way."""
        at = texture.GetInput("st")
        for _ in range(8):
            source = next(iter(_sources(at)), None) if at else None
            if source is None:
                return COORDINATES
            if source.GetShaderId() == "UsdPrimvarReader_float2":
                name = source.GetInput("varname")
                value = None if not name else name.GetValueProducingAttributes()
                found = value[0].Get() if value else None
                return str(found) if found else COORDINATES
            self.telling.note(str(source.GetPath()), "a texture's own placement is left out")
            at = source.GetInput("in")
        return COORDINATES

    def _picture(self, texture: Any) -> str | None:
        file = texture.GetInput("file")
        attributes = file.GetValueProducingAttributes() if file else []
        asset = attributes[0].Get() if attributes else None
        place = str(texture.GetPath())
        stack = attributes[0].GetPropertyStack() if attributes else []
        path = self.layers.beside(stack[0].layer, asset.path) if asset and stack else None
        if path is None:
            self.telling.note(place, "its picture is neither in the package nor beside the file; left out")
            return None
        if str(path) not in self._pictures:
            data = path.read_bytes()
            self.layers.size += len(data)
            self._pictures[str(path)] = self.telling.put(np.frombuffer(data, np.uint8), np.uint8, place)
        return self._pictures[str(path)]


def _sources(connected: Any) -> list[Any]:
    """The shaders that an input takes its value from."""
    found = connected.GetValueProducingAttributes()
    prims = [each.GetPrim() for each in found]
    return [UsdShade.Shader(prim) for prim in prims if prim.IsA(UsdShade.Shader)]
