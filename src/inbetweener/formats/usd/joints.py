"""Nodes and the joints of skeletons become joints of one rig; each knows how the stage moves it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from inbetweener.arrays import Floats, are_sane
from inbetweener.curves import Bundle, Curve
from inbetweener.document.budget import LONGEST_NAME
from inbetweener.formats.degrees import scaled
from inbetweener.formats.names import Names
from inbetweener.formats.notes import Source
from inbetweener.formats.usd.splines import curve_of, samples_of
from inbetweener.maths import euler, quaternions, transforms
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.maths.transforms import Quaternion, Transform
from inbetweener.rig import ROOT, Joint

Part = Curve | float
"""One number: how it moves, or what it is for good."""
_SAME = 1e-9
_SHEARED = 1e-4


@dataclass(slots=True)
class Moves:
    """What moves a joint: shifts in metres, angles in radians or rotations over time, scales; None as it rests."""

    shift: list[Part] | None = None
    angles: list[Part] | None = None
    turns: tuple[Floats, Floats] | None = None
    """Times (n,) and quaternions (n, 4); the shorter way from one to the next."""
    scale: list[Part] | None = None


@dataclass(slots=True)
class Skeleton:
    """Joints, how the stage moves them by itself, and which joint a node or a joint of a skeleton is."""

    joints: list[Joint] = field(default_factory=list)
    moves: dict[int, Moves] = field(default_factory=dict)
    of_node: dict[int, int] = field(default_factory=dict)
    """By number of a node: the joint that it is or hangs on; ROOT where there is none."""
    of_joint: dict[tuple[str, str], int] = field(default_factory=dict)
    """By path of a skeleton and of a joint in it."""


def read_joints(scene: dict[str, Any], source: Source) -> Skeleton:
    """All joints of a scene."""
    return _Building(scene, source).built()


class _Building:
    def __init__(self, scene: dict[str, Any], source: Source) -> None:
        self.scene = scene
        self.source = source
        self.unit = float(scene["unit"])
        self.rate = float(scene["rate"])
        self.axes = axes_of(scene)
        first, last = scene["span"] or (0.0, 0.0)
        self.span = first / self.rate, last / self.rate
        self.names = Names()
        self.made = Skeleton()

    def built(self) -> Skeleton:
        nodes, skeletons = self.scene["nodes"], {each["node"]: each for each in self.scene["skeletons"]}
        kept = self._kept(nodes, skeletons)
        for n, node in enumerate(nodes):
            above = self.made.of_node[node["parent"]] if node["parent"] >= 0 else ROOT
            # What is shown has to hang on something.
            shown = "mesh" in node and not _is_skinned(node)
            if kept[n] or (shown and above == ROOT):
                above = self._node(node, above)
            self.made.of_node[n] = above
            if n in skeletons:
                self._skeleton(skeletons[n], above)
        return self.made

    def _kept(self, nodes: list[dict[str, Any]], skeletons: dict[int, Any]) -> list[bool]:
        """Which nodes are joints: those that move, or stand elsewhere than their parent and bear something."""
        bears = [False] * len(nodes)
        for n in range(len(nodes) - 1, -1, -1):
            node = nodes[n]
            own = "matrix" not in node or n in skeletons
            bears[n] |= own or ("mesh" in node and not _is_skinned(node))
            if bears[n] and node["parent"] >= 0:
                bears[node["parent"]] = True
        kept = []
        for n, node in enumerate(nodes):
            still = "matrix" in node and np.abs(_placed(node["matrix"]) - np.eye(3, 4)).max() < _SAME
            skinned = _is_skinned(node)
            kept.append("joint" in node or (bears[n] and not skinned and not still))
            if "joint" not in node and not bears[n] and not skinned and not still:
                self.source.leave_out(node["path"], "carries nothing; left out")
        return kept

    def _node(self, node: dict[str, Any], parent: int) -> int:
        name = self.names.unused(node.get("joint", node["name"])[:LONGEST_NAME].strip() or "node")
        if "matrix" in node:
            rest, moves = self._still(_placed(node["matrix"]), node["path"]), Moves()
            order: Order = "ZYX"
        elif "pieces" in node:
            rest, moves, order = self._pieces(node["pieces"], node["path"])
        else:
            rest, moves, order = *self._matrices(node), "ZYX"
        return self._add(name, parent, rest, moves, order)

    def _add(self, name: str, parent: int, rest: Transform, moves: Moves, order: Order = "ZYX") -> int:
        if parent == ROOT:
            rest, moves = self._upright(rest, moves)
        self.made.joints.append(Joint(name, parent, rest, order))
        if moves != Moves():
            self.made.moves[len(self.made.joints) - 1] = moves
        return len(self.made.joints) - 1

    def _upright(self, rest: Transform, moves: Moves) -> tuple[Transform, Moves]:
        """What has no parent is turned from the file's axes to ours."""
        turned = quaternions.product(quaternions.from_matrix(self.axes), rest.rotation)
        x, y, z = (self.axes @ np.array(rest.translation)).tolist()
        return Transform((x, y, z), _unit(turned), rest.scale), upright(moves, self.axes)

    def _still(self, matrix: Floats, place: str) -> Transform:
        self._require_sane(matrix, place)
        shift, rotation, scale, shear = transforms.decompose(matrix)
        self._require_sane(rotation, place)
        if shear > _SHEARED:
            self.source.leave_out(place, "its shear is left out; joints have none")
        x, y, z = (self.unit * shift).tolist()
        sx, sy, sz = scale.tolist()
        return Transform((x, y, z), _unit(rotation), (sx, sy, sz))

    def _require_sane(self, numbers: Floats, place: str) -> None:
        if not are_sane(numbers).all():
            self.source.fail(place, "its transform is not made of finite numbers below 1e30", "export the file anew")

    def _matrices(self, node: dict[str, Any]) -> tuple[Transform, Moves]:
        rows = np.asarray(node["matrices"]).reshape(-1, 4, 4)[:, :3]
        self._require_sane(rows, node["path"])
        shift, rotation, scale, shear = transforms.decompose(rows)
        if (shear > _SHEARED).any():
            self.source.leave_out(node["path"], "its shear is left out; joints have none")
        times = np.asarray(node["times"]) / self.rate
        moves = Moves(
            columns_of(times, self.unit * shift),
            None,
            (times, quaternions.continuous(rotation)),
            columns_of(times, scale),
        )
        return self._still(rows[0], node["path"]), moves

    def _pieces(self, pieces: dict[str, Any], place: str) -> tuple[Transform, Moves, Order]:
        shift = self._parts(pieces["shift"], 0.0, self.unit, place)
        scale = self._parts(pieces["scale"], 1.0, 1.0, place)
        rotation = np.array(pieces.get("rest") or quaternions.IDENTITY)
        moves = Moves(shift, None, None, scale)
        turned, order = "".join(axes for axes, _ in pieces["turns"]), ORDERS[-1]
        if "orient" in pieces:
            times = np.asarray(pieces["orient"]["times"]) / self.rate
            values = quaternions.normalised(pieces["orient"]["values"])
            moves.turns = times, quaternions.continuous(values)
            rotation = values[0]
        angles: dict[str, list[Any]] = {}
        for axes, value in pieces["turns"]:
            # Operations on all three axes list their angles by axis.
            angles |= {axis: ["XYZ".index(axis) if len(axes) == 3 else 0, value] for axis in axes}
        if angles:
            order = next(each for each in ORDERS if _begins(each, turned))
            found = self._parts({axis.lower(): each for axis, each in angles.items()}, 0.0, np.pi / 180, place)
            if all(isinstance(each, float) for each in found):
                turn = quaternions.from_matrix(euler.to_matrix(np.array(found), order))
                rotation = quaternions.product(rotation, turn)
            else:
                moves.angles = found
        x, y, z = (_first(each) for each in shift)
        sx, sy, sz = (_first(each) for each in scale)
        return Transform((x, y, z), _unit(rotation), (sx, sy, sz)), moves, order

    def _parts(self, given: dict[str, list[Any]], otherwise: float, factor: float, place: str) -> list[Part]:
        made: list[Part] = []
        for axis in "xyz":
            column, value = given.get(axis, (0, [otherwise]))
            if isinstance(value, list):
                made.append(factor * float(value[column]) if axis in given else otherwise)
            elif "keys" in value:
                curve = curve_of(value, self.rate, self.span, place, self.source)
                made.append(scaled(curve, factor))
            else:
                times, values = np.asarray(value["times"]) / self.rate, np.asarray(value["values"])[:, column]
                steady = float(values[0]) if (values == values[0]).all() else None
                made.append(
                    scaled(samples_of(times, values, self.scene["held"]), factor) if steady is None else factor * steady
                )
        return made

    def _skeleton(self, told: dict[str, Any], above: int) -> None:
        joints, place = told["joints"], told["path"]
        first = [self.made.of_joint.get((told["again"], path)) for path in joints]
        if first and all(each is not None for each in first):
            # The same joints, to which other meshes are bound elsewhere.
            self.made.of_joint |= {(place, path): j for path, j in zip(joints, first, strict=True) if j is not None}
            return
        if not joints:
            self.source.leave_out(place, "has no joints; left out")
            return
        rest = told["rest"]
        if rest is None and told["bind"] is not None:
            self.source.note(place, "does not say how it rests; it rests as it is bound")
            binds = np.asarray(told["bind"])[:, :3]
            rest = np.stack(
                [
                    transforms.product(transforms.inverse(binds[parent]), own) if parent >= 0 else own
                    for parent, own in zip(told["parents"], binds, strict=True)
                ]
            )
        if rest is None:
            self.source.note(place, "says neither how it rests nor how it is bound; all its joints rest in one place")
            rest = np.broadcast_to(np.eye(3, 4), (len(joints), 3, 4))
        titles = told["titles"] if len(told["titles"]) == len(joints) else [each.rpartition("/")[2] for each in joints]
        for n, (path, parent, title) in enumerate(zip(joints, told["parents"], titles, strict=True)):
            if parent >= n:
                self.source.fail(place, f"joint {path!r} comes before its parent", "export the file anew")
            over = above if parent < 0 else self.made.of_joint[place, joints[parent]]
            name = self.names.unused(title[:LONGEST_NAME].strip() or "joint")
            resting = self._still(np.asarray(rest[n])[:3], f"{place} {path}")
            self.made.of_joint[place, path] = self._add(name, over, resting, Moves())


def _is_skinned(node: dict[str, Any]) -> bool:
    """Whether joints of a skeleton carry its mesh, and not the node."""
    skin = node["mesh"]["skin"] if "mesh" in node else None
    return skin is not None and skin["joints"] is not None


def axes_of(scene: dict[str, Any]) -> Floats:
    """The turn (3, 3) from the file's axes to ours: right, up and to the front, as ours are X, Y and Z."""
    return np.eye(3) if scene["up"] != "Z" else np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def upright(moves: Moves, axes: Floats) -> Moves:
    """A root's moves turned by axes (3, 3), whose rows are axes of the file, perhaps mirrored."""
    if (axes == np.eye(3)).all():
        return moves
    shift = moves.shift
    if shift is not None:
        columns = np.abs(axes).argmax(axis=1)
        signs = axes[np.arange(3), columns]
        shift = [_times(shift[column], float(sign)) for column, sign in zip(columns, signs, strict=True)]
    turns = moves.turns
    if turns is not None:
        turns = turns[0], quaternions.product(quaternions.from_matrix(axes), turns[1])
    return Moves(shift, moves.angles, turns, moves.scale)


def _times(part: Part, factor: float) -> Part:
    return factor * part if isinstance(part, float) else scaled(part, factor)


def _placed(matrix: Any) -> Floats:
    return np.array(matrix, np.float64).reshape(4, 4)[:3]


def columns_of(times: Floats, values: Floats) -> list[Part]:
    """Each column as a number for good where it never changes."""
    return [
        float(column[0]) if (column == column[0]).all() else Curve.sampled(times, column)
        for column in np.ascontiguousarray(values.T)
    ]


def _first(part: Part) -> float:
    return part if isinstance(part, float) else float(Bundle.of([part]).evaluate(part.times[:1])[0, 0])


def _begins(order: str, axes: str) -> bool:
    """Whether an order has these axes, of which there may be fewer, one after another."""
    return [axis for axis in order if axis in axes] == list(axes)


def _unit(q: Floats) -> Quaternion:
    w, x, y, z = quaternions.normalised(q).tolist()
    return w, x, y, z
