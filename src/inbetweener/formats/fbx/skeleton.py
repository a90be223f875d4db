"""Nodes become joints.

parent_from_node = T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹, and ours is T · rest · R · S. Where
all pivots cancel or nothing turns about them one joint is enough; else a node is a row of up to three, the last of
which bears its name and is where its children hang.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import CONSTANT, Curve
from inbetweener.formats.fbx.planes import ROTATION, SCALING, TRANSLATION, Take, rotation_order
from inbetweener.formats.fbx.scene import Scene, Thing
from inbetweener.formats.names import Names
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Transform
from inbetweener.rig import ROOT, Joint

LEFT_OUT = ("Camera", "CameraStereo", "CameraSwitcher", "Light", "FKEffector", "IKEffector", "Marker", "OpticalMarker")
"""Sorts of nodes that carry no body."""
COMPONENTWISE, PLAIN, COMPENSATED = 0, 1, 2
"""How a node takes its parent's scale: along its own axes, as matrices do, or not at all."""
_SAME = 1e-9
_PLACES = (
    TRANSLATION, ROTATION, "PreRotation", "PostRotation", "RotationPivot", "RotationOffset", "ScalingPivot",
    "ScalingOffset",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dof:
    """A degree of freedom of a joint: factor · (first + shift) · others, each a component of a property in the file."""

    name: str
    first: tuple[int, str, int]
    factor: float
    shift: float = 0.0
    others: tuple[tuple[int, str, int], ...] = ()


@dataclass(slots=True)
class Node:
    """A Model as it stands in the file: its transform in pieces, degrees made matrices."""

    thing: Thing
    parent: int
    translation: Floats
    angles: Floats
    scale: Floats
    order: Order
    before: Floats
    after: Floats
    pivot: Floats
    offset: Floats
    scale_pivot: Floats
    scale_offset: Floats
    inherits: int
    moving: frozenset[str]
    baked: bool
    scale_from: list[int] = field(default_factory=list)
    """Nodes whose scales together are this one's."""

    @classmethod
    def of(cls, thing: Thing, parent: int, moving: frozenset[str], baked: bool) -> "Node":
        """From the properties of a Model."""
        turned = bool(thing.whole("RotationActive", 1)) and not thing.whole("RotationSpaceForLimitOnly", 0)
        flat = np.zeros(3)
        before, after = (thing.vector(name) if turned else flat for name in ("PreRotation", "PostRotation"))
        inherits = thing.whole("InheritType", PLAIN)
        return cls(
            thing,
            parent,
            thing.vector(TRANSLATION),
            thing.vector(ROTATION),
            thing.vector(SCALING, 1.0),
            rotation_order(thing),
            turn(before),
            turn(after).T,
            thing.vector("RotationPivot"),
            thing.vector("RotationOffset"),
            thing.vector("ScalingPivot"),
            thing.vector("ScalingOffset"),
            inherits if inherits in (COMPONENTWISE, COMPENSATED) else PLAIN,
            moving,
            baked,
        )


@dataclass(slots=True)
class Skeleton:
    """Joints, the degrees of freedom that the file may move, and for each Model its joints."""

    joints: list[Joint] = field(default_factory=list)
    dofs: list[Dof] = field(default_factory=list)
    turned: dict[int, tuple[str, Floats, Order]] = field(default_factory=dict)
    """By Model that turns: the joint, the rotation at which it rests, and the order of its angles in the file."""
    joint_of: dict[int, str] = field(default_factory=dict)
    """By Model: the joint where its children and its skin are."""
    zeroed: list[str] = field(default_factory=list)
    """Joints that rest where their angles are nought, not as the file shows them without a clip."""


def turn(degrees: Floats, order: str = "ZYX") -> Floats:
    """The matrix of Euler angles in degrees."""
    return euler.to_matrix(np.radians(degrees), order)


def read_skeleton(scene: Scene, takes: list[Take], unit: float, axes: Floats) -> Skeleton:
    """All Models that carry a body. `axes` (3, 3) turns the file's axes to ours."""
    moving, baked = _moving(scene, takes)
    things, parents, riding = _tree(scene, moving.keys())
    nodes = [
        Node.of(thing, parent, moving.get(thing.number, frozenset()), thing.number in baked)
        for thing, parent in zip(things, parents, strict=True)
    ]
    scene.source.spend(4000 * len(nodes), "Objects")
    made = _Building(scene, nodes, unit, axes).built()
    made.joint_of |= {number: made.joint_of[parent] for number, parent in riding.items()}
    return made


def _rides(scene: Scene, model: Thing) -> bool:
    """Whether a node is nothing but a mesh in its parent's place."""
    plain = all(not model.vector(name).any() for name in _PLACES) and (model.vector(SCALING, 1.0) == 1.0).all()
    alone = next(scene.below(model, "Model"), None) is None and next(scene.below(model, "Geometry"), None) is not None
    return model.sort == "Mesh" and alone and bool(plain) and model.whole("InheritType", PLAIN) == PLAIN


def _only_shows(scene: Scene, model: Thing) -> bool:
    """Whether a node is nothing but where a skin is listed: that follows its joints wherever the node is."""
    skins = [
        any(each.sort == "Skin" and next(scene.below(each), None) for each, _ in scene.below(geometry, "Deformer"))
        for geometry, _ in scene.below(model, "Geometry")
    ]
    return model.sort == "Mesh" and bool(skins) and all(skins) and next(scene.below(model, "Model"), None) is None


def _tree(scene: Scene, moving: Collection[int]) -> tuple[list[Thing], list[int], dict[int, int]]:
    """Models that are kept, parents first, and the places of their parents; and who shows the meshes of others."""
    models = scene.all("Model")
    parent_of: dict[int, int] = {}
    for model in models:
        above = [each for each, name in scene.above(model, "Model") if not name]
        if len(above) > 1:
            scene.source.note(model.place, "has several parents; the first counts")
        parent_of[model.number] = above[0].number if above else 0
    state: dict[int, int] = {}
    order: list[int] = []
    for model in models:
        path = []
        number = model.number
        while number and number not in state:
            state[number] = 1
            path.append(number)
            number = parent_of[number]
        if number and state[number] == 1 and number in path:
            scene.source.fail(scene.things[number].place, "is its own ancestor", "export the file anew")
        for each in reversed(path):
            state[each] = 2
            order.append(each)
    kept: set[int] = set()
    still = [number for number in order if number not in moving]
    skins = {number for number in still if _only_shows(scene, scene.things[number])}
    riding = {n for n in still if n not in skins and parent_of[n] and _rides(scene, scene.things[n])}
    skins |= riding
    kept |= {parent_of[number] for number in riding}
    for number in reversed(order):
        if (scene.things[number].sort not in LEFT_OUT and number not in skins) or number in kept:
            kept.add(number)
            kept.add(parent_of[number])
    out = [scene.things[number] for number in order if number not in kept and number not in skins]
    if out:
        sorts = ", ".join(sorted({each.sort for each in out}))
        some = ", ".join(each.name for each in out[:3]) + (" …" if len(out) > 3 else "")
        scene.source.leave_out("Objects", f"{len(out)} nodes that carry no body are left out ({sorts}: {some})")
    listed = [number for number in order if number in kept]
    places = {number: n for n, number in enumerate(listed)}
    things = [scene.things[number] for number in listed]
    return things, [places.get(parent_of[number], ROOT) for number in listed], {n: parent_of[n] for n in riding}


def _moving(scene: Scene, takes: list[Take]) -> tuple[dict[int, frozenset[str]], set[int]]:
    """Which properties of each Model any take really changes, and whose angles have a key on every frame."""
    moving: dict[int, set[str]] = {}
    curved: set[int] = set()
    for take in takes:
        for plane in take.planes:
            for (number, kind), values in plane.moved.items():
                thing = scene.things[number]
                if kind not in (TRANSLATION, ROTATION, SCALING):
                    continue
                static = thing.vector(kind, 1.0 if kind == SCALING else 0.0)
                upper = plane is not take.planes[0]
                for n, curve in enumerate(values.curves):
                    size = 1e-7 * max(1.0, abs(static[n]))
                    found = values.constants[n : n + 1] if curve is None else curve.values
                    base = 0.0 if upper and not plane.replaces else static[n]
                    bends = (
                        curve is not None and (np.abs(curve.outs[:, 1]).max() + np.abs(curve.ins[:, 1]).max()) > size
                    )
                    if np.abs(found - base).max() > size or bends:
                        moving.setdefault(number, set()).add(kind)
                    if kind == ROTATION and (upper or (curve is not None and not _is_dense(curve, take.rate))):
                        curved.add(number)
    return {number: frozenset(kinds) for number, kinds in moving.items()}, set(moving) - curved


def _is_dense(curve: Curve, rate: float) -> bool:
    """Whether a curve is nothing that somebody keyed: a key on every frame, or one for all."""
    held = curve.interpolations[:-1] == CONSTANT
    return bool(np.ptp(curve.times) * rate <= 1.5 * len(curve)) and not (held & (np.diff(curve.values) != 0)).any()


class _Building:
    def __init__(self, scene: Scene, nodes: list[Node], unit: float, axes: Floats) -> None:
        self.scene = scene
        self.nodes = nodes
        self.unit = unit
        self.axes = axes
        self.made = Skeleton()
        self.names = Names(node.thing.name for node in nodes)
        self._used: set[str] = set()
        self._renamed: list[str] = []
        self._places: dict[str, int] = {}
        self._bare: dict[int, str] = {}
        """By node: the joint before its scale, where it has one of its own."""
        for node in nodes:
            above = nodes[node.parent] if node.parent != ROOT else None
            own = [node.thing.number]
            if above is None or node.inherits == PLAIN:
                node.scale_from = own
            elif node.inherits == COMPONENTWISE:
                node.scale_from = own + above.scale_from
            else:
                node.scale_from = own + (above.scale_from[1:] if above.inherits != PLAIN else [])
        self._node = {node.thing.number: node for node in nodes}
        self._apart = {
            node.parent
            for node in nodes
            if node.parent != ROOT and node.inherits != PLAIN and not self._is_even(nodes[node.parent])
        }

    def _scale(self, node: Node) -> Floats:
        made = np.ones(3)
        for number in node.scale_from:
            made = made * self._node[number].scale
        return made

    def _is_even(self, node: Node) -> bool:
        """Whether a node's scale is the same along all axes and never moves."""
        scale = self._scale(node)
        still = all(SCALING not in self._node[number].moving for number in node.scale_from)
        return still and bool(np.ptp(scale) <= _SAME * np.abs(scale).max()) and scale[0] != 0

    def built(self) -> Skeleton:
        for index, node in enumerate(self.nodes):
            self._add(index, node)
        if self._renamed:
            shown = ", ".join(self._renamed[:3]) + (" …" if len(self._renamed) > 3 else "")
            self.scene.source.note("Objects", f"{len(self._renamed)} nodes share their name; called {shown}")
        return self.made

    def _add(self, index: int, node: Node) -> None:
        name = self._name(node)
        number = node.thing.number
        parent, factors, shrink = self._hung(node)
        turning, scaling = ROTATION in node.moving, any(SCALING in self._node[n].moving for n in node.scale_from)
        scale = self._scale(node) * shrink
        start = node.translation + node.offset + node.pivot
        inner = -node.pivot + node.scale_offset + node.scale_pivot
        last = np.zeros(3)
        if scaling:
            last = -node.scale_pivot
        else:
            inner = inner - scale * node.scale_pivot
        resting = turn(node.angles, node.order)
        first_turn, second_turn = node.before, node.after
        if not turning:
            first_turn = node.before @ resting @ node.after
            start, inner, second_turn = start + first_turn @ inner, np.zeros(3), np.eye(3)
        elif node.baked and np.abs(node.angles).max() > 1e-4:
            first_turn = node.before @ resting
        elif np.abs(node.angles).max() > 1e-4:
            self.made.zeroed.append(name)
        apart = index in self._apart
        second = bool(np.abs(inner).max() > _SAME * max(1.0, np.abs(start).max())) or _differs(second_turn)
        third = bool(np.abs(last).max() > 0)
        axes = self.axes if node.parent == ROOT else np.eye(3)
        parts = 1 + (second or apart) + third
        labels = self._labels(name, parts, apart)
        size = np.prod([self._node[n].scale for n in factors], axis=0) if factors else np.ones(3)
        self._joint(
            labels[0], parent, self.unit * axes @ (start * size), axes @ first_turn,
            scale if parts == 1 or (third and parts == 2) else np.ones(3), node.order,
        )  # fmt: skip
        self._move(labels[0], number, start - node.translation, axes, factors)
        if turning:
            self.made.turned[number] = labels[0], node.before.T @ first_turn, node.order
        scaled = labels[0]
        if second or apart:
            scaled = labels[1]
            self._joint(labels[1], labels[0], self.unit * (second_turn @ inner), second_turn, scale, "ZYX")
        if third:
            self._joint(labels[-1], scaled, self.unit * last, np.eye(3), np.ones(3), "ZYX")
        others = tuple(node.scale_from[1:])
        for axis in range(3):
            terms = tuple((each, SCALING, axis) for each in others)
            self.made.dofs.append(Dof(f"{scaled}.s{'xyz'[axis]}", (number, SCALING, axis), shrink, 0.0, terms))
        self.made.joint_of[number] = labels[-1]
        if apart:
            self._bare[number] = labels[0]

    def _labels(self, name: str, parts: int, apart: bool) -> list[str]:
        """Names for a node's joints: the last is the node's own, unless only its scale is apart from it."""
        more = [self.names.unused(f"{name}_{what}") for what in ("pivot", "scaled")[: parts - 1]]
        if apart and parts == 2:
            return [name, self.names.unused(f"{name}_scale")]
        return [*more, name]

    def _hung(self, node: Node) -> tuple[str | None, tuple[int, ...], float]:
        """The joint that a node hangs from, the nodes whose scales stretch its way, and what undoes its parent's."""
        if node.parent == ROOT:
            return None, (), 1.0
        above = self.nodes[node.parent]
        number = above.thing.number
        if node.inherits == PLAIN:
            return self.made.joint_of[number], (), 1.0
        if node.parent in self._apart:
            return self._bare[number], tuple(above.scale_from), 1.0
        return self.made.joint_of[number], (), 1.0 / float(self._scale(above)[0])

    def _joint(self, name: str, parent: str | None, at: Floats, turned: Floats, scale: Floats, order: Order) -> None:
        x, y, z = (float(each) for each in at)
        q0, q1, q2, q3 = (float(each) for each in quaternions.normalised(quaternions.from_matrix(turned)))
        sx, sy, sz = (float(each) for each in scale)
        self._places[name] = len(self.made.joints)
        above = ROOT if parent is None else self._places[parent]
        self.made.joints.append(Joint(name, above, Transform((x, y, z), (q0, q1, q2, q3), (sx, sy, sz)), order))

    def _move(self, name: str, number: int, shift: Floats, axes: Floats, factors: tuple[int, ...]) -> None:
        for row in range(3):
            axis = int(np.argmax(np.abs(axes[row])))
            others = tuple((each, SCALING, axis) for each in factors)
            factor = self.unit * float(axes[row, axis])
            self.made.dofs.append(
                Dof(f"{name}.t{'xyz'[row]}", (number, TRANSLATION, axis), factor, float(shift[axis]), others)
            )

    def _name(self, node: Node) -> str:
        name = wanted = node.thing.name or f"node_{len(self.made.joints)}"
        if name in self._used or not node.thing.name:
            name = self.names.unused(wanted)
            self._renamed.append(name)
        self._used.add(name)
        return name


def _differs(turned: Floats) -> bool:
    return bool(np.abs(turned - np.eye(3)).max() > _SAME)
