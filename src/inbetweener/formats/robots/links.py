"""A robot as links: frames in frames, hinges between them, what they weigh and solids that show them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.document import Document, Prop, Source
from inbetweener.maths import quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.solids import Box, Solid
from inbetweener.maths.transforms import Transform
from inbetweener.rig import ROOT, Channel, Drive, Joint, Rig, Weight, joint_channels
from inbetweener.rig.naming import free_name

OURS_FROM_ROBOT = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""x ahead, y left, z up to x left, y up, z ahead."""
LIGHTEST = 1e-9
"""Kilograms; of less no box could be made that turns as heavily."""


@dataclass(frozen=True, slots=True)
class Hinge:
    """Turns about, or slides along, an axis through a place, both in the link's frame."""

    name: str
    axis: Floats
    at: Floats
    slides: bool = False
    lower: float = -math.inf
    upper: float = math.inf


@dataclass(slots=True)
class Link:
    """A frame in that of its parent, or in the world, and what hangs on it.

    inertia  mass, centre (3,) and inertia (3, 3) about it, in the link's frame; None where nothing weighs
    """

    name: str
    parent: int
    at: Floats
    turn: Floats
    hinges: list[Hinge] = field(default_factory=list)
    floats: bool = False
    inertia: tuple[float, Floats, Floats] | None = None
    solids: list[tuple[Solid, Floats, Floats]] = field(default_factory=list)


def document_of(name: str, format: str, links: list[Link]) -> Document:
    """Rig, limits, weights and solids; each link's joint is the last of its hinges, and is called as the link is."""
    joints, channels, props = list[Joint](), list[Channel](), list[Prop]()
    own, frames = list[int](), list[tuple[Floats, Floats]]()
    taken, named = {link.name for link in links}, set[str]()
    for link in links:
        above, base, shift = (own[link.parent], *frames[link.parent]) if link.parent >= 0 else (
            ROOT, OURS_FROM_ROBOT.T, np.zeros(3),
        )  # fmt: skip
        # From the joint above to this link's frame: `base` and `shift` lead from the link above to its joint.
        turn, at = base.T @ link.turn, base.T @ (link.at - shift)
        last: tuple[Floats, Floats] = (np.eye(3), np.zeros(3))
        if link.floats or not link.hinges:
            kept = turn.T if link.floats else np.eye(3)
            above = _joint(joints, link.name, above, at, turn @ kept, "YXZ")
            last = (kept, np.zeros(3))
            if link.floats:
                channels += joint_channels(joints[-1], "tx ty tz rx ry rz")
        for number, hinge in enumerate(link.hinges if not link.floats else ()):
            along = _towards(hinge.axis)
            inner = number < len(link.hinges) - 1
            called = free_name(hinge.name, taken) if inner else link.name
            taken.add(called)
            where = at + turn @ (last[0].T @ (hinge.at - last[1])) if not number else last[0].T @ (hinge.at - last[1])
            facing = turn @ along if not number else last[0].T @ along
            above = _joint(joints, called, above, where, facing, "XYZ")
            last = (along, hinge.at)
            label = free_name(hinge.name, named)
            named.add(label)
            channels.append(_channel(joints[-1], hinge, label))
        own.append(above)
        frames.append(last)
        _weigh(joints, above, link, last)
        for solid, place, facing in link.solids or _boxes(link):
            rotation = quaternions.from_matrix(last[0].T @ facing)
            rest = Transform(_tuple(last[0].T @ (place - last[1])), _tuple(rotation))
            props.append(
                Prop(free_name(link.name, {each.name for each in props}), solid, rest, joint=joints[above].name)
            )
    return Document(name, Rig(tuple(joints), tuple(channels)), props=tuple(props), source=Source(format, 1.0, "z"))


def _joint(joints: list[Joint], name: str, parent: int, at: Floats, turn: Floats, order: Order) -> int:
    joints.append(Joint(name, parent, Transform(_tuple(at), _tuple(quaternions.from_matrix(turn))), order))
    return len(joints) - 1


def _channel(joint: Joint, hinge: Hinge, name: str) -> Channel:
    """The hinge's own number: how far it is from where its author drew it."""
    if not hinge.slides:
        return Channel(name, "rotation", (Drive(f"{joint.name}.rx"),), 0.0, hinge.lower, hinge.upper)
    along = quaternions.to_matrix(joint.rest.rotation)[:, 0]
    drives = tuple(Drive(f"{joint.name}.t{axis}", float(share)) for axis, share in zip("xyz", along, strict=True))
    return Channel(name, "translation", drives, 0.0, hinge.lower, hinge.upper)


def _weigh(joints: list[Joint], index: int, link: Link, frame: tuple[Floats, Floats]) -> None:
    mass, centre, about = link.inertia or (0.0, np.zeros(3), np.zeros((3, 3)))
    turned = frame[0].T @ about @ frame[0]
    diagonal, beside = np.diag(turned), (turned[0, 1], turned[0, 2], turned[1, 2])
    xx, yy, zz, xy, xz, yz = (float(each) for each in (*diagonal, *beside))
    x, y, z = (float(each) for each in frame[0].T @ (centre - frame[1]))
    joints[index] = replace(joints[index], weight=Weight(mass, (x, y, z), (xx, yy, zz, xy, xz, yz)))
    for n in range(index):
        if joints[n].weight is None:
            joints[n] = replace(joints[n], weight=Weight(0.0))


def _boxes(link: Link) -> Iterable[tuple[Solid, Floats, Floats]]:
    """The box that weighs as much and turns as heavily, where nothing else shows a link."""
    if link.inertia is None or link.inertia[0] < LIGHTEST:
        return
    mass, centre, about = link.inertia
    moments, axes = np.linalg.eigh(about)
    halves = np.sqrt(np.maximum(1.5 / mass * (moments.sum() - 2 * moments), 1e-8))
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    yield Box((float(halves[0]), float(halves[1]), float(halves[2]))), centre, axes


def _towards(axis: Floats) -> Floats:
    """A turn (3, 3) that brings x onto an axis."""
    x = axis / np.linalg.norm(axis)
    y = np.cross(x, np.eye(3)[int(np.argmin(np.abs(x)))])
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _tuple(values: Floats) -> Any:
    return tuple(float(each) for each in values)
