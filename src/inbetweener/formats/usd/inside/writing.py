"""The process that writes: prims that are told in plain arrays become a layer, or a package with its pictures."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Ts, Vt

import inbetweener.system as system
from inbetweener.formats.usd.inside.telling import unpacked
from inbetweener.formats.usd.inside.values import BROKEN, CURVE, KINDS

_ARRAYS = {
    "point3f[]": Vt.Vec3fArray, "normal3f[]": Vt.Vec3fArray, "vector3f[]": Vt.Vec3fArray, "color3f[]": Vt.Vec3fArray,
    "float3[]": Vt.Vec3fArray, "texCoord2f[]": Vt.Vec2fArray, "half3[]": Vt.Vec3hArray, "quatf[]": Vt.QuatfArray,
    "matrix4d[]": Vt.Matrix4dArray, "float[]": Vt.FloatArray, "double[]": Vt.DoubleArray, "int[]": Vt.IntArray,
}  # fmt: skip
_VALUES = {
    "double3": Gf.Vec3d, "float4": Gf.Vec4f, "color3f": Gf.Vec3f,
}  # fmt: skip
_INTERPOLATIONS = {number: kind for kind, number in KINDS.items() if kind != Ts.InterpValueBlock}
MADE = 315_619_200
"""Seconds: when everything in a package was made, so that the same document gives the same bytes."""


def main(arguments: list[str]) -> None:
    """Write what the file of the first argument tells into the second; pictures are beside the first."""
    source, output = Path(arguments[0]), Path(arguments[1])
    told = unpacked(source.read_bytes())
    packed = output.suffix.lower() == ".usdz"
    plain = source.parent / f"{told['name']}.usdc" if packed else output
    layer = Sdf.Layer.CreateNew(str(plain))
    with Sdf.ChangeBlock():
        _head(layer, told)
        for prim in told["prims"]:
            _prim(layer, prim)
    layer.Save()
    if packed:
        package = Sdf.ZipFileWriter.CreateNew(str(output))
        for path, name in ((plain, plain.name), *((source.parent / each, each) for each in told["pictures"])):
            system.date_file(path, MADE)
            package.AddFile(str(path), name)
        if not package.Save():
            sys.exit("the package cannot be written")


def _head(layer: Any, told: dict[str, Any]) -> None:
    layer.defaultPrim = told["prims"][0]["path"].strip("/")
    for name, value in told["head"].items():
        layer.pseudoRoot.SetInfo(name, value)


def _prim(layer: Any, told: dict[str, Any]) -> None:
    spec = Sdf.CreatePrimInLayer(layer, told["path"])
    spec.specifier = Sdf.SpecifierDef if told["type"] else Sdf.SpecifierOver
    if told["type"]:
        spec.typeName = told["type"]
    for name, value in told["about"].items():
        spec.SetInfo(name, value)
    if told["schemas"]:
        spec.SetInfo("apiSchemas", Sdf.TokenListOp.Create(prependedItems=told["schemas"]))
    for name, choice in told["variants"].items():
        spec.variantSelections[name] = choice
    for each in told["attributes"]:
        _attribute(layer, spec, each)
    for name, targets in told["relations"].items():
        relation = Sdf.RelationshipSpec(spec, name, custom=False, variability=Sdf.VariabilityUniform)
        for target in targets:
            relation.targetPathList.explicitItems.append(target)


def _attribute(layer: Any, prim: Any, told: dict[str, Any]) -> None:
    kind = told["type"]
    variability = Sdf.VariabilityUniform if told["uniform"] else Sdf.VariabilityVarying
    spec = Sdf.AttributeSpec(prim, told["name"], Sdf.ValueTypeNames.Find(kind), variability, told["custom"])
    for name, value in told["about"].items():
        spec.SetInfo(name, value)
    if told["value"] is not None:
        spec.default = _value(kind, told["value"])
    for target in told["connected"]:
        spec.connectionPathList.explicitItems.append(target)
    if told["times"] is not None:
        for time, value in zip(told["times"].tolist(), told["values"], strict=True):
            layer.SetTimeSample(spec.path, time, _value(kind, value))
    if told["knots"] is not None:
        spec.SetSpline(_spline(told["knots"]))


def _value(kind: str, value: Any) -> Any:
    if kind in _ARRAYS:
        return _ARRAYS[kind].FromNumpy(np.ascontiguousarray(value))
    if kind in _VALUES:
        return _VALUES[kind](*(float(each) for each in value))
    if kind == "quatd":
        w, *rest = (float(each) for each in value)
        return Gf.Quatd(w, *rest)
    if kind == "matrix4d":
        return Gf.Matrix4d(np.asarray(value, np.float64).reshape(4, 4))
    if kind == "asset":
        return Sdf.AssetPath(value)
    if kind in ("token[]", "string[]"):
        return Vt.TokenArray(value) if kind == "token[]" else Vt.StringArray(value)
    return float(value) if kind in ("double", "float") else value


def _spline(knots: Any) -> Any:
    """Our keys are monotone in time already: nothing is to be made narrower."""
    made, previous = Ts.Spline("double"), -1.0
    with Ts.AntiRegressionAuthoringSelector(Ts.AntiRegressionNone):
        for row in knots.tolist():
            time, value, _, before, slope_before, after, slope_after, kind = row[:BROKEN]
            knot = Ts.Knot(
                "double", time=time, value=value, nextInterp=_INTERPOLATIONS[int(kind)], preTanWidth=before,
                preTanSlope=slope_before, postTanWidth=after, postTanSlope=slope_after,
            )  # fmt: skip
            if row[BROKEN]:
                knot.SetCustomDataByKey("broken", True)
            # Text drops tangents beside segments that are not curves; they are kept for when those become so.
            if before > 0 and previous != CURVE:
                knot.SetCustomDataByKey("before", Gf.Vec2d(before, slope_before))
            if after > 0 and kind != CURVE:
                knot.SetCustomDataByKey("after", Gf.Vec2d(after, slope_after))
            previous = kind
            made.SetKnot(knot)
    return made
