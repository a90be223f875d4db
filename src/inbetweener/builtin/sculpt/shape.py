"""What a sculpted body consists of: parts, grouped into limbs."""

from dataclasses import dataclass, replace
from typing import TypeVar

from inbetweener.maths.transforms import Vector

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0 to 1."""


def paint_for(code: str) -> Colour:
    """The linear colour of a screen colour written "#rrggbb"."""
    r, g, b = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return linear[0], linear[1], linear[2]


@dataclass(frozen=True, slots=True)
class Part:
    """A rounded cone (two spheres and their common hull) in the frame of a joint at rest.

    From a ball of `radius` at `a` to one of `end_radius` at `b`; both default to the first, so that a part with `a`
    and `radius` alone is a ball. `scale` then stretches everything about the joint's own axes: a ball of radius 1
    with scale (x, y, z) at the joint's origin is an ellipsoid. `a` and `b` are meant after the stretch. `blend` is
    how far, in metres, the part melts into others of its limb.
    """

    joint: str
    a: Vector
    radius: float
    b: Vector | None = None
    end_radius: float | None = None
    scale: Vector = (1.0, 1.0, 1.0)
    blend: float = 0.03
    colour: Colour = (0.6, 0.6, 0.6)


@dataclass(frozen=True, slots=True)
class Paint:
    """Everything inside `region` takes its colour, whatever part it belongs to; later paint covers earlier."""

    region: Part


@dataclass(frozen=True, slots=True)
class Limb:
    """Parts that melt into each other, and into the limb called `onto` over `blend` metres.

    Limbs on the same parent never melt into each other: so fingers stay apart. `detail` 1, 2 or 4 divides the cells
    of the sculpt's grid near this limb.
    """

    name: str
    parts: tuple[Part, ...]
    onto: str | None = None
    blend: float = 0.03
    detail: int = 1


@dataclass(frozen=True, slots=True)
class Sculpt:
    """A body: limbs with parents before children, the grid's cell in metres, and how softly joints share the skin.

    `softness` counts the steps by which influence spreads along the surface, each about one edge long.
    """

    limbs: tuple[Limb, ...]
    paint: tuple[Paint, ...] = ()
    cell: float = 0.018
    softness: int = 12


Sided = TypeVar("Sided", Part, Limb, Paint)


def mirrored(item: Sided) -> Sided:
    """The same on the other side: names ending in _l become _r, x changes sign."""
    if isinstance(item, Part):
        flip = (-item.a[0], item.a[1], item.a[2])
        end = None if item.b is None else (-item.b[0], item.b[1], item.b[2])
        return replace(item, joint=_other(item.joint), a=flip, b=end)
    if isinstance(item, Paint):
        return replace(item, region=mirrored(item.region))
    onto = None if item.onto is None else _other(item.onto)
    return replace(item, name=_other(item.name), onto=onto, parts=tuple(mirrored(part) for part in item.parts))


def _other(name: str) -> str:
    return name[:-2] + "_r" if name.endswith("_l") else name
