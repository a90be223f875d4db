"""Layers of a stack: which are layers of ours too, and the rest worked into the lowest.

Ours are added number by number, or take the place of what lies below by a share. So do those of FBX that add by
channel, or replace; those that turn by quaternions, or multiply scales, do something else to just these properties.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, CONSTANT, Bundle, Curve
from inbetweener.formats.fbx.scene import Scene, Thing
from inbetweener.formats.turns import curves_of
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order

TRANSLATION, ROTATION, SCALING, SHAPE = "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent"
ADDED, REPLACED, PASSED_THROUGH = 0, 1, 2
"""How a layer is laid upon those below: added, in their place, or in their place by its weight."""
TRACED = 2e-6
"""Of how much a property changes, and of its unit: within which a merged curve follows what it is made of."""
ROUNDS = 5
"""How often keys are put between keys at most, where curves do not follow yet."""

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

    def is_always(self, value: float) -> bool:
        """Whether nothing is ever anything else."""
        moving = (curve for curve in self.curves if curve is not None)
        still = ((c.values == value).all() and not c.ins[:, 1].any() and not c.outs[:, 1].any() for c in moving)
        fixed = (each == value for each, curve in zip(self.constants, self.curves, strict=True) if curve is None)
        return all(still) and all(fixed)


@dataclass(frozen=True, slots=True)
class Plane:
    """What one layer of a take moves, and how it is laid upon those below."""

    name: str
    moved: dict[Key, Values]
    weight: float = 1.0
    muted: bool = False
    mode: int = ADDED
    turns_as_one: bool = False
    scales_multiply: bool = False
    fade: Curve | None = None
    """Its weight in per cent, where that moves."""
    solo: bool = False

    @property
    def replaces(self) -> bool:
        """Whether it takes the place of what lies below, as our overriding layers do."""
        return self.mode != ADDED

    @property
    def share(self) -> float:
        """How much it weighs, where that does not move: what replaces does so altogether."""
        return self.weight if self.mode in (ADDED, PASSED_THROUGH) else 1.0

    @property
    def weights(self) -> Curve | None:
        """How much it weighs, where that moves."""
        return self.fade if self.mode in (ADDED, PASSED_THROUGH) else None

    def is_ours(self, kind: str) -> bool:
        """Whether it does to a property what a layer of ours would."""
        if self.replaces and self.weights is None and self.share == 1.0:
            return True
        if self.weights is not None and not stays_within(self.weights, 100.0):
            return False
        return not (self.turns_as_one and kind == ROTATION) and not (self.scales_multiply and kind == SCALING)

    def is_neutral(self, key: Key) -> bool:
        """Whether it adds nothing to a property, whatever its weight."""
        multiplied = key[1] == SCALING and self.scales_multiply
        return not self.replaces and self.moved[key].is_always(1.0 if multiplied else 0.0)


def stays_within(weights: Curve, whole: float) -> bool:
    """Whether a weight stays between nothing and the whole: FBX cuts off what does not."""
    looked = np.unique(np.concatenate([weights.times, np.linspace(weights.times[0], weights.times[-1], 200)]))
    found = Bundle.of([weights]).evaluate(looked)
    return bool(found.min() >= 0.0 and found.max() <= whole)


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


def rotation_order(model: Thing) -> Order:
    """The Euler order of a node: FBX lists the axes as they are turned, we as matrices are multiplied."""
    if not model.whole("RotationActive", 1):
        return "ZYX"
    orders: tuple[Order, ...] = ("ZYX", "YZX", "XZY", "ZXY", "YXZ", "XYZ")
    number = model.whole("RotationOrder", 0)
    return orders[number] if 0 <= number < len(orders) else "ZYX"


def static(thing: Thing, kind: str) -> Floats:
    """A property where nothing moves it."""
    if kind in (TRANSLATION, ROTATION, SCALING):
        return thing.vector(kind, 1.0 if kind == SCALING else 0.0)
    return np.array([thing.number_of(kind, 0.0)])


def as_ours(scene: Scene, take: Take) -> Take:
    """The take with layers that do what ours do; what others do to a property is worked into the lowest."""
    planes = take.planes
    if planes[0].muted:
        # Our base is always heard.
        planes = [Plane(planes[0].name, {}), replace(planes[0], mode=REPLACED), *planes[1:]]
    upper = [
        replace(plane, moved={key: each for key, each in plane.moved.items() if not plane.is_neutral(key)})
        for plane in planes[1:]
    ]
    take = replace(take, planes=[planes[0], *(plane for plane in upper if plane.moved)])
    other = dict.fromkeys(key for plane in take.planes[1:] for key in plane.moved if not plane.is_ours(key[1]))
    heard = [key for key in other if any(key in plane.moved and not plane.muted for plane in take.planes[1:])]
    if heard:
        scene.source.note(
            f"stack {take.name!r}",
            f"layers turn by quaternions or multiply scales: {len(heard)} properties are merged, a key on every frame",
        )
    return merged(scene, take, list(other))


def merged(scene: Scene, take: Take, keys: Sequence[Key]) -> Take:
    """The take with some properties in its lowest layer alone."""
    if not keys:
        return take
    base = dict(take.planes[0].moved)
    for key in keys:
        base[key] = _laid_out(scene, take, key)
    upper = [
        replace(plane, moved={key: each for key, each in plane.moved.items() if key not in keys})
        for plane in take.planes[1:]
    ]
    return replace(take, planes=[replace(take.planes[0], moved=base), *(plane for plane in upper if plane.moved)])


def _laid_out(scene: Scene, take: Take, key: Key) -> Values:
    """All layers of one property as curves through every frame."""
    thing, kind = scene.things[key[0]], key[1]
    order = rotation_order(thing)
    base = take.planes[0]
    # Where any is solo, the others above the base are not heard.
    alone = any(plane.solo and not plane.muted for plane in take.planes[1:])
    planes = [
        plane for plane in take.planes[1:] if key in plane.moved and not plane.muted and (plane.solo or not alone)
    ]
    lowest = base.moved.get(key)
    curves = [c for plane in planes for c in (*plane.moved[key].curves, plane.fade) if c is not None]
    curves += [c for c in (lowest.curves if lowest is not None else ()) if c is not None]
    resting = static(thing, kind)

    def at(times: Floats) -> Floats:
        made = np.broadcast_to(resting, (len(times), len(resting))).copy() if lowest is None else lowest.at(times)
        for plane in planes:
            made = _laid(made, plane.moved[key].at(times), plane, times, kind, order)
        return np.degrees(euler.continuous(np.radians(made), order)) if kind == ROTATION else made

    made = traced(at, take, curves, scene)
    return Values(np.array([curve.values[0] for curve in made]), tuple(made))


def traced(at: Callable[[Floats], Floats], take: Take, curves: Sequence[Curve], scene: Scene) -> list[Curve]:
    """Curves through what `at` gives, (T, n) at times (T,): keys on frames and wherever `curves` have any.

    Their tangents are as steep as it is on either side of a key, so that it is followed between keys too; where that is
    not enough, there are keys in the middle.
    """
    leaps = [c.times[1:][c.interpolations[:-1] == CONSTANT] - _BLINK for c in curves]
    times = take.frames([*(c.times for c in curves), *leaps])
    times = times[np.append(True, np.diff(times) > _BLINK / 2)]
    scene.source.spend(300 * len(times), f"stack {take.name!r}")
    if len(times) < 2:
        return [Curve.sampled(times, column) for column in np.ascontiguousarray(at(times).T)]
    for _ in range(ROUNDS):
        made, wanted = _through(at, times)
        middles = (times[:-1] + times[1:]) / 2
        off = np.abs(Bundle.of(made).evaluate(middles) - wanted).max(axis=1)
        allowed = TRACED * (1.0 + float(np.ptp(wanted, axis=0).max()))
        added = middles[(off > allowed) & (np.diff(times) > 10 * _BLINK)]
        if not len(added):
            break
        scene.source.spend(300 * len(added), f"stack {take.name!r}")
        times = np.sort(np.concatenate([times, added]))
    return made


def _through(at: Callable[[Floats], Floats], times: Floats) -> tuple[list[Curve], Floats]:
    """Curves with keys at times (T,), and what they should be in the middles between (T − 1, n)."""
    steps = np.diff(times)
    near = _NEAR * steps
    ahead = (0.0 * near, near, 2 * near, steps / 2, steps - 2 * near, steps - near)
    found = at(np.append(np.stack([times[:-1] + each for each in ahead], axis=1).ravel(), times[-1]))
    values, after, later, middle, earlier, before = (found[n:-1:6] for n in range(6))
    ends = np.concatenate([values, found[-1:]])
    # One-sided, and exact for parabolas.
    flat = np.zeros((1, found.shape[1]))
    outs = np.concatenate([(4 * after - later - 3 * values) / (2 * near[:, None]), flat])
    ins = np.concatenate([flat, (3 * ends[1:] - 4 * before + earlier) / (2 * near[:, None])])
    kinds = np.append(np.where(steps <= 1.5 * _BLINK, CONSTANT, BEZIER), BEZIER).astype(np.uint8)
    return curves_of(times, ends, ins, outs, kinds), middle


def _laid(below: Floats, above: Floats, plane: Plane, times: Floats, kind: str, order: Order) -> Floats:
    """One layer upon what lies below, as FBX lays it."""
    weight = np.full((len(times), 1), plane.share)
    if plane.weights is not None:
        weight = np.clip(Bundle.of([plane.weights]).evaluate(times) / 100.0, 0.0, 1.0)
    if plane.mode not in (ADDED, PASSED_THROUGH):
        return above
    added = plane.mode == ADDED
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
