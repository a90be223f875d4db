"""Animation stacks: what each moves, in FBX's own properties and units."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, CONSTANT, Bundle, Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.document.budget import LONGEST_NAME
from inbetweener.formats.beyond import HELD, MIRRORED, RELATIVE, REPEATED, STRAIGHT, Rule, extended
from inbetweener.formats.fbx.keys import read_curve
from inbetweener.formats.fbx.scene import TICKS, Scene, Thing
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.turns import curves_of
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order

TRANSLATION, ROTATION, SCALING, SHAPE = "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent"
MOVED = (TRANSLATION, ROTATION, SCALING, SHAPE)
_COMPONENTS = {"d|X": 0, "d|Y": 1, "d|Z": 2}
_RATES = {
    1: 120.0, 2: 100.0, 3: 60.0, 4: 50.0, 5: 48.0, 6: 30.0, 7: 30.0, 8: 30000 / 1001, 9: 30000 / 1001, 10: 25.0,
    11: 24.0, 12: 1000.0, 13: 24000 / 1001, 15: 96.0, 16: 72.0, 17: 60000 / 1001, 18: 120000 / 1001,
}  # fmt: skip
_ADDED, _PASSED_THROUGH = 0, 2
"""How a layer is laid upon those below; anything else replaces them."""
SUM_TOLERANCE = 1e-7
"""Degrees or file units within which curves that cannot be added exactly are added."""

_BLINK = 1e-6
"""Seconds before a leap at which the value there is still looked at."""
_NEAR = 1e-3
"""Of a step between keys: how near to a key its slope is measured."""

Key = tuple[int, str]
"""The number of an object and a property of it."""


@dataclass(frozen=True, slots=True)
class Values:
    """Up to three numbers: curves where they have any, else constants."""

    constants: Floats
    curves: tuple[Curve | None, ...]

    def at(self, times: Floats) -> Floats:
        """(T, n)."""
        made = np.broadcast_to(self.constants, (len(times), len(self.constants))).copy()
        for n, curve in enumerate(self.curves):
            if curve is not None:
                made[:, n] = Bundle.of([curve]).evaluate(times)[:, 0]
        return made


@dataclass(frozen=True, slots=True)
class Plane:
    """What one layer of a take moves, and how it is laid upon those below."""

    name: str
    moved: dict[Key, Values]
    weight: float = 1.0
    muted: bool = False
    mode: int = _ADDED
    turns_as_one: bool = False
    scales_multiply: bool = False
    fade: Curve | None = None
    """Its weight in per cent, where that moves."""

    def adds(self) -> bool:
        """Whether it is added number by number, as our layers are."""
        if self.mode != _ADDED or self.fade is not None:
            return False
        kinds = {kind for _, kind in self.moved}
        return not (self.turns_as_one and ROTATION in kinds) and not (self.scales_multiply and SCALING in kinds)


@dataclass(frozen=True, slots=True)
class Take:
    """A stack: from when to when, and its layers, the lowest first."""

    name: str
    start: float
    end: float
    rate: float
    planes: list[Plane] = field(default_factory=list)

    def frames(self, more: Iterable[Floats] = ()) -> Floats:
        """The times of all frames, and some more."""
        count = int(np.floor((self.end - self.start) * self.rate + 1e-6)) + 1
        return np.unique(np.concatenate([self.start + np.arange(count) / self.rate, *more]))


def read_takes(scene: Scene) -> list[Take]:
    """All stacks that move something, each with layers that are simply added."""
    mode = scene.settings.whole("TimeMode", 0)
    rate = _RATES.get(mode, 30.0)
    if mode == 14:
        given = scene.settings.number_of("CustomFrameRate", 30.0)
        rate = given if 0.1 < given < 10_000 else 30.0
    orders = {each.number: rotation_order(each) for each in scene.all("Model")}
    made: list[Take] = []
    for stack in scene.all("AnimationStack"):
        start, end = (stack.whole(each, 0) / TICKS for each in ("LocalStart", "LocalStop"))
        planes = [_plane(scene, layer, (start, end)) for layer, _ in scene.below(stack, "AnimationLayer")]
        planes = [plane for plane in planes if plane.moved]
        name = stack.name[:LONGEST_NAME] or f"clip_{len(made)}"
        if not planes:
            scene.source.leave_out(f"stack {name!r}", "moves nothing; left out")
            continue
        made.append(_merged(scene, _spanned((start, end), name, rate, planes), orders))
    return made


def rotation_order(model: Thing) -> Order:
    """The Euler order of a node: FBX lists the axes as they are turned, we as matrices are multiplied."""
    if not model.whole("RotationActive", 1):
        return "ZYX"
    orders: tuple[Order, ...] = ("ZYX", "YZX", "XZY", "ZXY", "YXZ", "XYZ")
    number = model.whole("RotationOrder", 0)
    return orders[number] if 0 <= number < len(orders) else "ZYX"


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
    )  # fmt: skip


def _values(scene: Scene, node: Thing, target: Thing, kind: str, span: tuple[float, float]) -> Values | None:
    components = _COMPONENTS if kind in (TRANSLATION, ROTATION, SCALING) else {f"d|{kind}": 0}
    count = len(components)
    static = _static(target, kind)
    constants = np.array([node.number_of(label, static[n]) for label, n in components.items()])
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
    return Values(constants, tuple(curves)) if any(each is not None for each in curves) or count == 3 else None


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


def _static(thing: Thing, kind: str) -> Floats:
    """A property where nothing moves it."""
    if kind in (TRANSLATION, ROTATION, SCALING):
        return thing.vector(kind, 1.0 if kind == SCALING else 0.0)
    return np.array([thing.number_of(kind, 0.0)])


def _spanned(span: tuple[float, float], name: str, rate: float, planes: list[Plane]) -> Take:
    curves = [c for plane in planes for values in plane.moved.values() for c in values.curves if c is not None]
    start, end = span
    if end <= start:
        start = min((float(c.times[0]) for c in curves), default=0.0)
        end = max((float(c.times[-1]) for c in curves), default=0.0)
    return Take(name, start, max(end, start), rate, planes)


def _merged(scene: Scene, take: Take, orders: dict[int, Order]) -> Take:
    """The take with every layer that our layers cannot be worked into the lowest, sampled."""
    planes = take.planes
    if all(plane.adds() for plane in planes[1:]):
        return take
    scene.source.note(
        f"stack {take.name!r}", "its layers replace, turn or fade those below; merged, a key on every frame"
    )
    touched: dict[Key, None] = dict.fromkeys(key for plane in planes[1:] if not plane.muted for key in plane.moved)
    base = dict(planes[0].moved)
    for key in touched:
        base[key] = _laid_out(scene, take, key, orders.get(key[0], "ZYX"))
    return replace(take, planes=[replace(planes[0], moved=base)])


def _laid_out(scene: Scene, take: Take, key: Key, order: Order) -> Values:
    """All layers of one property as curves through every frame."""
    planes = [plane for plane in take.planes if key in plane.moved and not plane.muted]
    curves = [c for plane in planes for c in (*plane.moved[key].curves, plane.fade) if c is not None]
    kind = key[1]
    static = _static(scene.things[key[0]], kind)

    def at(times: Floats) -> Floats:
        made = np.broadcast_to(static, (len(times), len(static))).copy()
        for plane in planes:
            found = plane.moved[key].at(times)
            made = found if plane is take.planes[0] else _laid(made, found, plane, times, kind, order)
        return np.degrees(euler.continuous(np.radians(made), order)) if kind == ROTATION else made

    made = traced(at, take, curves, scene)
    return Values(np.array([curve.values[0] for curve in made]), tuple(made))


def traced(at: Callable[[Floats], Floats], take: Take, curves: Sequence[Curve], scene: Scene) -> list[Curve]:
    """Curves through what `at` gives, (T, n) at times (T,): keys on frames and wherever `curves` have any.

    Their tangents are as steep as it is on either side of a key, so that it is followed between keys too.
    """
    leaps = [c.times[1:][c.interpolations[:-1] == CONSTANT] - _BLINK for c in curves]
    times = take.frames([*(c.times for c in curves), *leaps])
    times = times[np.append(True, np.diff(times) > _BLINK / 2)]
    scene.source.spend(300 * len(times), f"stack {take.name!r}")
    if len(times) < 2:
        return [Curve.sampled(times, column) for column in np.ascontiguousarray(at(times).T)]
    steps = np.diff(times)
    near = _NEAR * steps
    looked = np.stack([times[:-1], times[:-1] + near, times[:-1] + 2 * near, times[1:] - 2 * near, times[1:] - near], 1)
    found = at(np.append(looked.ravel(), times[-1]))
    values, after, later, earlier, before = (found[n:-1:5] for n in range(5))
    ends = np.concatenate([values, found[-1:]])
    # One-sided, and exact for parabolas.
    flat = np.zeros((1, found.shape[1]))
    outs = np.concatenate([(4 * after - later - 3 * values) / (2 * near[:, None]), flat])
    ins = np.concatenate([flat, (3 * ends[1:] - 4 * before + earlier) / (2 * near[:, None])])
    kinds = np.append(np.where(steps <= 1.5 * _BLINK, CONSTANT, BEZIER), BEZIER).astype(np.uint8)
    return curves_of(times, ends, ins, outs, kinds)


def _laid(below: Floats, above: Floats, plane: Plane, times: Floats, kind: str, order: Order) -> Floats:
    """One layer upon what lies below, as FBX lays it."""
    weight = np.full((len(times), 1), plane.weight)
    if plane.fade is not None:
        weight = np.clip(Bundle.of([plane.fade]).evaluate(times) / 100.0, 0.0, 1.0)
    if plane.mode not in (_ADDED, _PASSED_THROUGH):
        return above
    added = plane.mode == _ADDED
    if kind == SCALING and plane.scales_multiply:
        rest = np.sign(below) * np.abs(below) ** (1 - weight)
        return (below if added else rest) * np.sign(above) * np.abs(above) ** weight
    if kind == ROTATION and plane.turns_as_one:
        a, b = (quaternions.from_matrix(euler.to_matrix(np.radians(each), order)) for each in (below, above))
        start = np.broadcast_to(quaternions.IDENTITY, b.shape) if added else a
        turned = quaternions.slerp(start, b, weight[:, 0])
        turned = quaternions.product(a, turned) if added else turned
        return np.degrees(euler.from_matrix(quaternions.to_matrix(turned), order))
    return below + weight * above if added else (1 - weight) * below + weight * above


def summed(values: Iterable[tuple[float, Values]]) -> Values:
    """Several layers as one."""
    listed = list(values)
    if len(listed) == 1:
        return listed[0][1]
    constants = sum((weight * each.constants for weight, each in listed), np.zeros(len(listed[0][1].constants)))
    curves: list[Curve | None] = []
    for n in range(len(constants)):
        terms = [(weight, each.curves[n], each.constants[n]) for weight, each in listed]
        if all(curve is None for _, curve, _ in terms):
            curves.append(None)
            continue
        curves.append(
            weighted_sum(
                [(weight, Curve.constant(constant) if curve is None else curve) for weight, curve, constant in terms],
                SUM_TOLERANCE,
            )
        )
    return Values(constants, tuple(curves))
