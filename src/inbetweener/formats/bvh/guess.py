"""How long is a file unit, and which axis points up? BVH does not say; bodies do."""

import math
import re

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.formats.bvh.axes import Up
from inbetweener.formats.bvh.node import Node

UNITS = {1.0: "metres", 0.01: "centimetres", 0.001: "millimetres", 0.0254: "inches", 0.056444: "as the CMU database"}
"""Metres in a file unit, for the units that files are known to use."""

PERSON = 1.7
"""Metres from sole to crown along the bones."""

_HEAD = re.compile(r"head|skull|neck", re.IGNORECASE)
_FOOT = re.compile(r"foot|toe|ankle|shin|knee|leg", re.IGNORECASE)


def guess_unit(nodes: list[Node]) -> tuple[float, str]:
    """Metres in one file unit, and why.

    A person's size is measured along the bones, from the head's tip to the root to the farther foot's tip, because
    many files' rest pose does not stand. Anything else is taken as centimetres, which most programs write, unless it
    would be smaller than 2 cm or larger than 100 m.
    """
    reach = _reach(nodes)
    head = max((reach[i] for i in _named(nodes, _HEAD)), default=0.0)
    foot = max((reach[i] for i in _named(nodes, _FOOT)), default=0.0)
    if head > 0 and foot > 0:
        size = head + foot
        unit = min(UNITS, key=lambda metres: abs(math.log(metres * size / PERSON)))
        return unit, f"{UNITS[unit]}: a person {unit * size:.2f} m tall"
    size = max(reach, default=0.0)
    if size == 0:
        return 0.01, "centimetres: there is nothing to measure"
    unit = 1.0 if 0.01 * size < 0.02 else 0.001 if 0.01 * size > 100.0 else 0.01
    return unit, f"{UNITS[unit]}: {unit * size:.3g} m from the root to the farthest tip"


def guess_up(nodes: list[Node], rest: Floats, posed: Floats) -> Up:
    """The up axis from where heads and feet lie along the file's axes.

    rest (J, 3) counts if it stands: head and feet apart by half of the bones between them, mostly along one axis.
    Otherwise the frames posed (F, J, 3) decide by their median.
    """
    heads, feet = _named(nodes, _HEAD), _named(nodes, _FOOT)
    if not heads or not feet:
        return "y"
    reach = _reach(nodes)
    size = max(reach[i] for i in heads) + max(reach[i] for i in feet)

    def rise(positions: Floats) -> Floats:
        return positions[..., heads, :].mean(axis=-2) - positions[..., feet, :].mean(axis=-2)

    _, y, z = np.abs(rise(rest))
    if max(y, z) < 0.25 * size or max(y, z) < 2.0 * min(y, z):
        if len(posed) == 0:
            return "y"
        y, z = np.abs(np.median(rise(posed), axis=0))[1:]
    return "z" if z > y else "y"


def _named(nodes: list[Node], pattern: re.Pattern[str]) -> list[int]:
    return [i for i, node in enumerate(nodes) if pattern.search(node.name)]


def _reach(nodes: list[Node]) -> list[float]:
    """Length of the bones from the root to each node's farthest own tip, in file units."""
    origins: list[float] = []
    tips: list[float] = []
    for node in nodes:
        # The root's offset places the body, it is no bone.
        along = origins[node.parent] + math.hypot(*node.offset) if node.parent >= 0 else 0.0
        origins.append(along)
        tips.append(along + max((math.hypot(*end) for end in node.ends), default=0.0))
    return tips
