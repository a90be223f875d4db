"""A joint as a BVH file writes it: file axes, file units, degrees."""

from dataclasses import dataclass

from inbetweener.maths.transforms import Vector

POSITIONS = ("Xposition", "Yposition", "Zposition")
ROTATIONS = ("Xrotation", "Yrotation", "Zrotation")
CHANNELS = POSITIONS + ROTATIONS


@dataclass(frozen=True, slots=True)
class Node:
    """A ROOT or JOINT with its End Sites; `parent` is the number of an earlier node or −1, `line` where it stands."""

    name: str
    parent: int
    offset: Vector = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    ends: tuple[Vector, ...] = ()
    line: int = 0
