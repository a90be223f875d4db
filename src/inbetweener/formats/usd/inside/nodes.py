"""Transforms: in pieces that our joints have too, or as matrices over time."""

from typing import Any

import numpy as np
from pxr import Usd, UsdGeom

from inbetweener.formats.usd.inside.telling import Telling
from inbetweener.formats.usd.inside.values import moved

_AXES = {
    UsdGeom.XformOp.TypeRotateX: "X", UsdGeom.XformOp.TypeRotateY: "Y", UsdGeom.XformOp.TypeRotateZ: "Z",
    UsdGeom.XformOp.TypeRotateXYZ: "ZYX", UsdGeom.XformOp.TypeRotateXZY: "YZX", UsdGeom.XformOp.TypeRotateYXZ: "ZXY",
    UsdGeom.XformOp.TypeRotateYZX: "XZY", UsdGeom.XformOp.TypeRotateZXY: "YXZ", UsdGeom.XformOp.TypeRotateZYX: "XYZ",
}  # fmt: skip
"""Axes from the left as matrices are multiplied; the names of USD's operations go the other way."""
_SHIFTS = {
    UsdGeom.XformOp.TypeTranslate: "xyz", UsdGeom.XformOp.TypeTranslateX: "x", UsdGeom.XformOp.TypeTranslateY: "y",
    UsdGeom.XformOp.TypeTranslateZ: "z",
}  # fmt: skip
_SCALES = {
    UsdGeom.XformOp.TypeScale: "xyz", UsdGeom.XformOp.TypeScaleX: "x", UsdGeom.XformOp.TypeScaleY: "y",
    UsdGeom.XformOp.TypeScaleZ: "z",
}  # fmt: skip
_SHIFT, _REST, _TURN, _SCALE = range(4)


def transform(xformable: Any, telling: Telling) -> dict[str, Any]:
    """{"matrix"} where nothing moves; {"pieces"} as T · rest · R · S; else {"times", "matrices"}."""
    ops = xformable.GetOrderedXformOps()
    if not xformable.TransformMightBeTimeVarying() and not any(op.GetAttr().HasSpline() for op in ops):
        return {"matrix": _matrix(xformable.GetLocalTransformation(Usd.TimeCode.EarliestTime()))}
    pieces = _pieces(ops, telling)
    return {"pieces": pieces} if pieces is not None else _sampled(xformable, ops, telling)


def _pieces(ops: list[Any], telling: Telling) -> dict[str, Any] | None:
    made: dict[str, Any] = {"shift": {}, "turns": [], "scale": {}}
    stage = _SHIFT
    for op in ops:
        kind = op.GetOpType()
        if op.IsInverseOp():
            return None
        value = moved(op.GetAttr(), telling)
        if value is None:
            continue
        if kind in _SHIFTS and stage == _SHIFT:
            target, axes = made["shift"], _SHIFTS[kind]
        elif kind in _SCALES:
            target, axes, stage = made["scale"], _SCALES[kind], _SCALE
        elif kind == UsdGeom.XformOp.TypeOrient and stage < _TURN:
            made["rest" if isinstance(value, list) else "orient"] = value
            stage = _REST if isinstance(value, list) else _SCALE
            continue
        elif kind in _AXES and stage <= _TURN:
            made["turns"].append([_AXES[kind], value])
            stage = _TURN
            continue
        else:
            return None
        if any(axis in target for axis in axes):
            return None
        for n, axis in enumerate(axes):
            target[axis] = [n, value]
    axes = "".join(each for each, _ in made["turns"])
    if len(set(axes)) != len(axes) or ("orient" in made and ("rest" in made or axes)):
        return None
    return made


def _sampled(xformable: Any, ops: list[Any], telling: Telling) -> dict[str, Any]:
    """Where operations are none of ours: on all their samples, and on every frame where more than one move."""
    times: set[float] = set(xformable.GetTimeSamples())
    moving = [op for op in ops if op.MightBeTimeVarying() or op.GetAttr().HasSpline()]
    for op in moving:
        if op.GetAttr().HasSpline():
            knots = op.GetAttr().GetSpline().GetKnots()
            times |= {knot.GetTime() for knot in knots.values()}
    bent = len(moving) > 1 or any(op.GetAttr().HasSpline() or op.GetOpType() in _AXES for op in moving)
    if bent and times:
        place = str(xformable.GetPath())
        first, last = min(times), max(times)
        telling.spend(200 * (last - first), place)
        telling.note(place, "its operations are none of a joint; a key on every frame")
        times |= set(np.arange(np.ceil(first), last).tolist())
    ordered = sorted(times)
    telling.spend(400 * len(ordered), str(xformable.GetPath()))
    matrices = [_matrix(xformable.GetLocalTransformation(time)) for time in ordered]
    return {"times": telling.put(ordered), "matrices": telling.put(matrices)}


def _matrix(found: Any) -> list[float]:
    """Sixteen numbers, row by row, for columns of coordinates as ours are."""
    return [float(each) for each in np.array(found, np.float64).T.ravel()]
