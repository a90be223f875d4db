"""Animation stacks: what each moves, in FBX's own properties and units."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.document.budget import LONGEST_NAME
from inbetweener.formats.beyond import HELD, MIRRORED, RELATIVE, REPEATED, STRAIGHT, Rule, extended
from inbetweener.formats.fbx.keys import read_curve
from inbetweener.formats.fbx.planes import (
    ROTATION,
    SCALING,
    SHAPE,
    TRANSLATION,
    Key,
    Plane,
    Take,
    Values,
    as_ours,
    rotation_order,
    static,
)
from inbetweener.formats.fbx.scene import TICKS, Scene, Thing
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.turning import turned

MOVED = (TRANSLATION, ROTATION, SCALING, SHAPE)
_COMPONENTS = {"d|X": 0, "d|Y": 1, "d|Z": 2}
_RATES = {
    1: 120.0, 2: 100.0, 3: 60.0, 4: 50.0, 5: 48.0, 6: 30.0, 7: 30.0, 8: 30000 / 1001, 9: 30000 / 1001, 10: 25.0,
    11: 24.0, 12: 1000.0, 13: 24000 / 1001, 15: 96.0, 16: 72.0, 17: 60000 / 1001, 18: 120000 / 1001,
}  # fmt: skip


def read_takes(scene: Scene) -> list[Take]:
    """All stacks that move something, each with layers that do what ours do."""
    mode = scene.settings.whole("TimeMode", 0)
    rate = _RATES.get(mode, 30.0)
    if mode == 14:
        given = scene.settings.number_of("CustomFrameRate", 30.0)
        rate = given if 0.1 < given < 10_000 else 30.0
    made: list[Take] = []
    for stack in scene.all("AnimationStack"):
        start, end = (stack.whole(each, 0) / TICKS for each in ("LocalStart", "LocalStop"))
        planes = [_plane(scene, layer, (start, end)) for layer, _ in scene.below(stack, "AnimationLayer")]
        planes = [plane for plane in planes if plane.moved]
        name = stack.name[:LONGEST_NAME] or f"clip_{len(made)}"
        if not planes:
            scene.source.leave_out(f"stack {name!r}", "moves nothing; left out")
            continue
        made.append(as_ours(scene, _spanned((start, end), name, rate, planes)))
    return made


def own_shapes(geometry: Thing) -> dict[str, Record]:
    """Blend shapes that lie in a geometry itself, as before version 7.2; its properties of their names move them."""
    return {str(each.values[0]): each for each in geometry.record.all("Shape") if each.values}


def _plane(scene: Scene, layer: Thing, span: tuple[float, float]) -> Plane:
    moved: dict[Key, Values] = {}
    fade = None
    for node, _ in scene.below(layer, "AnimationCurveNode"):
        for target, name in scene.above(node):
            if target is layer and name == "Weight":
                found = next((each for each, _ in scene.below(node, "AnimationCurve")), None)
                fade = None if found is None else read_curve(found, f"weight of layer {layer.name!r}", scene.source)
            elif (target.number, name) not in moved and (
                (name in MOVED and target.kind in ("Model", "Deformer"))
                or (target.kind == "Geometry" and name in own_shapes(target))
            ):
                values = _values(scene, node, target, name, span)
                if values is not None:
                    moved[target.number, name] = values
    weight = min(max(layer.number_of("Weight", 100.0) / 100.0, 0.0), 1.0)
    return Plane(
        layer.name or "layer", moved, weight, bool(layer.whole("Mute", 0)), layer.whole("BlendMode", 0),
        layer.whole("RotationAccumulationMode", 0) == 0, layer.whole("ScaleAccumulationMode", 0) == 0, fade,
        bool(layer.whole("Solo", 0)),
    )  # fmt: skip


def _values(scene: Scene, node: Thing, target: Thing, kind: str, span: tuple[float, float]) -> Values | None:
    components = _COMPONENTS if kind in (TRANSLATION, ROTATION, SCALING) else {f"d|{kind}": 0}
    count = len(components)
    resting = static(target, kind)
    constants = np.array([node.number_of(label, resting[n]) for label, n in components.items()])
    curves: list[Curve | None] = [None] * count
    for each, label in scene.below(node, "AnimationCurve"):
        n = components.get(label, count)
        if n >= count or curves[n] is not None:
            continue
        place = f"{kind} {'XYZ'[n]} of {target.name!r}" if count == 3 else f"{kind} of {target.name!r}"
        curves[n] = read_curve(each, place, scene.source)
        found = curves[n]
        if found is not None and span[0] < span[1]:
            curves[n] = extended(found, _rules(each.record), *span, place, scene.source)
    if not any(each is not None for each in curves) and count != 3:
        return None
    values = Values(constants, tuple(curves))
    mode = target.whole("QuaternionInterpolate", 0) if kind == ROTATION else 0
    return turned(values, rotation_order(target), mode, target.place, scene.source) if mode else values


def _rules(record: Record) -> tuple[Rule, Rule]:
    """What a curve does before its first key and after its last."""
    made = []
    for side in ("Pre-Extrapolation", "Post-Extrapolation"):
        found = record.find(side)
        kind = found.value("Type") if found is not None else None
        letter = chr(kind) if isinstance(kind, int) and 0 < kind < 128 else str(kind or HELD)
        count = found.value("Repetition", -1) if found is not None else -1
        known = letter if letter in (REPEATED, RELATIVE, MIRRORED, STRAIGHT) else HELD
        made.append(Rule(known, count if isinstance(count, int) else -1))
    return made[0], made[1]


def _spanned(span: tuple[float, float], name: str, rate: float, planes: list[Plane]) -> Take:
    curves = [c for plane in planes for values in plane.moved.values() for c in values.curves if c is not None]
    start, end = span
    if end <= start:
        start = min((float(c.times[0]) for c in curves), default=0.0)
        end = max((float(c.times[-1]) for c in curves), default=0.0)
    return Take(name, start, max(end, start), rate, planes)
