"""A document's clip as BVH nodes and samples: exact where the rig is as BVH has it, converted where it is not."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.choices import Up
from inbetweener.document import Document
from inbetweener.formats.bvh.hierarchy import FILE_AXIS, POSITIONS, ROTATIONS, Node, to_file
from inbetweener.maths import euler
from inbetweener.maths.euler import Order
from inbetweener.maths.quaternions import IDENTITY
from inbetweener.maths.transforms import Vector
from inbetweener.rig import DOFS, ROOT, Point, Rig

STILL = 1e-8
"""Metres by which a joint may leave its offset before it gets position channels; far below what digits can show."""

POLE = 0.985
"""Sine of the middle angle (80°) beyond which ZYX is given up for an order that stays clear of its pole."""


@dataclass(frozen=True, slots=True, eq=False)
class Baked:
    """Joint frames that BVH can hold, inside our axes and units.

    offsets (J, 3) metres, dofs (F, 9J) as rigs have them; `written` lists the degrees of freedom of each joint in the
    order of its channels, `ends` the End Sites in each joint's frame.
    """

    offsets: Floats
    dofs: Floats
    written: list[list[str]]
    ends: list[list[Vector]]


def bake(document: Document, channels: Floats) -> Baked:
    """Samples of channels (F, C) as BVH joints."""
    rig = document.rig
    dofs = rig.dof_map.dofs(channels)
    if _is_plain(rig, dofs):
        return _plain(document, dofs)
    return _converted(document, dofs)


def nodes_and_rows(rig: Rig, baked: Baked, names: list[str], unit: float, up: Up) -> tuple[list[Node], Floats]:
    """The file's nodes, depth first as braces want them, and its rows (F, channels) in file units and degrees."""
    nodes: list[Node] = []
    columns: list[Floats] = []
    written_as = {ROOT: ROOT}
    for j in _depth_first(rig):
        channels = []
        for dof in baked.written[j]:
            axis, sign = FILE_AXIS[up]["xyz".index(dof[1])]
            values = baked.dofs[:, 9 * j + DOFS.index(dof)]
            turning = dof[0] == "r"
            channels.append((ROTATIONS if turning else POSITIONS)[axis])
            columns.append(sign * np.degrees(values) if turning else sign * values / unit)
        offset = to_file(_vector(baked.offsets[j]), unit, up)
        ends = tuple(to_file(end, unit, up) for end in baked.ends[j])
        written_as[j] = len(nodes)
        nodes.append(Node(names[j], written_as[rig.joints[j].parent], offset, tuple(channels), ends))
    rows = np.stack(columns, axis=1) if columns else np.empty((len(baked.dofs), 0))
    # Adding zero takes the sign off negative zeros.
    return nodes, rows + 0.0


def _depth_first(rig: Rig) -> list[int]:
    """All joints, each followed by everything below it; children in the rig's order."""
    children: dict[int, list[int]] = {}
    for j, joint in enumerate(rig.joints):
        children.setdefault(joint.parent, []).append(j)
    made, waiting = [], children.get(ROOT, [])[::-1]
    while waiting:
        made.append(waiting.pop())
        waiting.extend(reversed(children.get(made[-1], [])))
    return made


def _is_plain(rig: Rig, dofs: Floats) -> bool:
    """True when every joint is aligned with its parent at rest and never scaled: BVH's own kind of joint."""
    if any(joint.rest.rotation != IDENTITY or joint.rest.scale != (1.0, 1.0, 1.0) for joint in rig.joints):
        return False
    return bool((dofs.reshape(len(dofs), len(rig.joints), 9)[:, :, 6:] == 1.0).all())


def _plain(document: Document, dofs: Floats) -> Baked:
    rig = document.rig
    offsets = np.array([joint.rest.translation for joint in rig.joints]).reshape(-1, 3)
    ends = [[point.offset for point in ends] for ends in end_points(document)]
    orders = [joint.order for joint in rig.joints]
    written_as = dict(document.source.orders) if document.source is not None and came_from_bvh(document) else {}
    if written_as:
        dofs = dofs.copy()
    for j, joint in enumerate(rig.joints):
        orders[j] = written_as.get(joint.name, joint.order)
        if orders[j] != joint.order and len(dofs):
            turns = slice(9 * j + 3, 9 * j + 6)
            angles = euler.from_matrix(euler.to_matrix(dofs[:, turns], joint.order), orders[j])
            dofs[:, turns] = euler.continuous(angles, orders[j])
    return Baked(offsets, dofs, _written(document, orders), ends)


def _written(document: Document, orders: list[Order]) -> list[list[str]]:
    """What each joint's channels are. A file read from BVH keeps its own; others get what all programs understand."""
    rig = document.rig
    driven: list[dict[str, None]] = [{} for _ in rig.joints]
    for channel in rig.channels:
        for drive in channel.drives:
            if drive.axis[0] in "tr":
                driven[rig.joint_index(drive.joint)][drive.axis] = None
    for name in rig.turned:
        driven[rig.joint_index(name)].update(dict.fromkeys(("rx", "ry", "rz")))
    written = []
    for joint, dofs, order in zip(rig.joints, driven, orders, strict=True):
        turns = [f"r{letter.lower()}" for letter in order]
        if came_from_bvh(document):
            # Rotations fill their places in the order in which they turn, whatever the order of the rig's channels.
            turning = iter([turn for turn in turns if turn in dofs])
            written.append([next(turning) if dof[0] == "r" else dof for dof in dofs])
        else:
            moves = joint.parent == ROOT or any(dof[0] == "t" for dof in dofs)
            written.append([*(("tx", "ty", "tz") if moves else ()), *turns])
    return written


def _converted(document: Document, dofs: Floats) -> Baked:
    """World-aligned frames: every joint's rotation is how far it turned from the rest pose, seen from its parent.

    Offsets are differences of rest positions. A joint that leaves its offset, be it moved or under a scaled parent,
    gets position channels, so that all joints are where they were.
    """
    rig = document.rig
    rest_dofs = rig.rest_dofs[None]
    rest_world, rest_turned = (each[0] for each in rig.skeleton.forward(rest_dofs))
    world, turned = rig.skeleton.forward(dofs)
    turned = turned @ np.swapaxes(rest_turned, -1, -2)
    offsets = np.empty((len(rig.joints), 3))
    made = np.zeros((len(dofs), len(rig.joints), 9))
    written: list[list[str]] = []
    orders: list[Order] = []
    for j, joint in enumerate(rig.joints):
        p = joint.parent
        offsets[j] = rest_world[j, :, 3] - (rest_world[p, :, 3] if p >= 0 else 0.0)
        if p >= 0:
            back = np.swapaxes(turned[:, p], -1, -2)
            local = back @ turned[:, j]
            made[:, j, :3] = (back @ (world[:, j, :, 3] - world[:, p, :, 3])[..., None])[..., 0]
        else:
            local, made[:, j, :3] = turned[:, j], world[:, j, :, 3]
        order = _clear_order(local)
        made[:, j, 3:6] = euler.from_matrix(local, order)
        moves = p < 0 or bool((np.abs(made[:, j, :3] - offsets[j]) > STILL).any())
        written.append([*(("tx", "ty", "tz") if moves else ()), *(f"r{letter.lower()}" for letter in order)])
        orders.append(order)
    if len(made) and orders:
        made[:, :, 3:6] = euler.continuous(np.ascontiguousarray(made[:, :, 3:6]), orders)
    ends = [
        [_vector(rest_world[rig.joint_index(point.joint), :, :3] @ np.array(point.offset)) for point in ends]
        for ends in end_points(document)
    ]
    # The conversion leaves crumbs of 1e-16 where zeros belong.
    return Baked(np.round(offsets, 12), np.round(made, 13).reshape(dofs.shape), written, ends)


def _clear_order(local: Floats) -> Order:
    if len(local) == 0 or np.abs(local[:, 2, 0]).max() < POLE:
        return "ZYX"
    return euler.best_order(local)


def end_points(document: Document) -> list[list[Point]]:
    """The points of each joint that are written as End Sites.

    Those that came from End Sites; else, on a leaf, the first point. A leaf without any gets an End Site on the joint
    itself, which other programs need, unless the document came from a BVH file that did without.
    """
    rig = document.rig
    listed: list[list[Point]] = [[] for _ in rig.joints]
    for point in rig.points:
        listed[rig.joint_index(point.joint)].append(point)
    parents = {joint.parent for joint in rig.joints}
    made = []
    for j, joint in enumerate(rig.joints):
        ends = [point for point in listed[j] if point.name.startswith(f"{joint.name}_end")]
        if not ends and j not in parents:
            ends = listed[j][:1]
            if not ends and not came_from_bvh(document):
                ends = [Point(joint.name)]
        made.append(ends)
    return made


def came_from_bvh(document: Document) -> bool:
    """True when the document was read from a BVH file, whose layout it then keeps."""
    return document.source is not None and document.source.format == "bvh"


def _vector(values: Floats) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
