"""Joints, and the nine degrees of freedom each of them has."""

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from inbetweener.errors import InvalidRig
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.maths.transforms import Transform
from inbetweener.rig.naming import Renaming

DOFS = ("tx", "ty", "tz", "rx", "ry", "rz", "sx", "sy", "sz")
"""Translation in metres, rotation in radians, scale: the order in which every joint stores them."""

ROOT = -1
"""The parent of a joint without one."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a joint's body part weighs, where that is known: kg, its centre of mass and the inertia about that.

    The centre is a place in the joint's own frame, the inertia is in kg·m² along its axes: xx, yy, zz, xy, xz, yz.
    """

    mass: float
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.mass, *self.centre, *self.inertia))) or self.mass < 0:
            raise InvalidRig(f"a weight of {self.mass:g} kg: its numbers must be finite, and none below nought")


@dataclass(frozen=True, slots=True)
class Follows:
    """Which part of another joint's turn is added to one of a joint's own angles, as a twist bone takes it.

    The twist of `joint` about `axis`, in that joint's own frame, times `share`, goes to the angle `about` an axis.
    """

    joint: str
    share: float
    axis: tuple[float, float, float]
    about: Literal["x", "y", "z"]

    def __post_init__(self) -> None:
        if not math.isfinite(self.share) or not all(map(math.isfinite, self.axis)):
            raise InvalidRig(f"what follows {self.joint!r}: its share and axis must be finite numbers")
        if abs(math.hypot(*self.axis) - 1.0) > 1e-6:
            raise InvalidRig(f"what follows {self.joint!r}: its axis has length {math.hypot(*self.axis):g}, not 1")
        if self.about not in ("x", "y", "z"):
            raise InvalidRig(f"what follows {self.joint!r} turns about {self.about!r}; known: x, y, z")


@dataclass(frozen=True, slots=True)
class Joint:
    """A node of the skeleton: parent_from_joint = T(tx,ty,tz) · rest rotation · Euler(rx,ry,rz; order) · S(sx,sy,sz).

    `parent` is an index into the rig's joints, smaller than the joint's own, or ROOT. At rest the translation and
    scale are those of `rest` and the Euler angles are zero. `weight` is what a file says that it weighs; without one it
    is found, see `masses`. A joint that `follows` another turns with it, on top of its own angles.
    """

    name: str
    parent: int = ROOT
    rest: Transform = field(default_factory=Transform)
    order: Order = "ZYX"
    weight: Weight | None = None
    follows: Follows | None = None

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InvalidRig(f"joint {self.name!r}: unknown rotation order {self.order!r}; known: {', '.join(ORDERS)}")
        rest = self.rest
        if not all(map(math.isfinite, (*rest.translation, *rest.rotation, *rest.scale))):
            raise InvalidRig(f"joint {self.name!r}: its rest transform holds a value that is not a finite number")
        length = math.hypot(*rest.rotation)
        if abs(length - 1.0) > 1e-5:
            raise InvalidRig(f"joint {self.name!r}: rest rotation has length {length:g}; normalise it to 1")

    def renamed(self, names: Renaming) -> "Joint":
        """The joint where things are called otherwise; the same object where it is not concerned."""
        follows = self.follows and replace(self.follows, joint=names.joint(self.follows.joint))
        name = names.joint(self.name)
        return self if (name, follows) == (self.name, self.follows) else replace(self, name=name, follows=follows)

    def rest_dof(self, dof: str) -> float:
        """The value of one degree of freedom in the rest pose."""
        index = DOFS.index(dof)
        return (*self.rest.translation, 0.0, 0.0, 0.0, *self.rest.scale)[index]


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the body: an offset in metres in a joint's own frame.

    `shapes` move it there: by channel, metres in that frame for a value of one, as blend shapes move a vertex.
    """

    joint: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""
    shapes: tuple[tuple[str, tuple[float, float, float]], ...] = ()

    @property
    def parts(self) -> tuple[tuple["Point", float], ...]:
        """Itself, with weight one."""
        return ((self, 1.0),)

    def renamed(self, names: Renaming) -> "Point":
        """The point where things are called otherwise; the same object where it is not concerned."""
        shapes = tuple((names.channel(channel), move) for channel, move in self.shapes)
        made = Point(names.joint(self.joint), self.offset, self.name and names.other(self.name), shapes)
        return self if made == self else made

    def __str__(self) -> str:
        return self.name or self.joint


@dataclass(frozen=True, slots=True)
class BlendedPoint:
    """A place that several joints carry, such as a vertex of a skin: the weighted mean of points; weights sum to 1.

    Its orientation is that of the first part's joint.
    """

    parts: tuple[tuple[Point, float], ...]
    name: str = ""

    def renamed(self, names: Renaming) -> "BlendedPoint":
        """The place where things are called otherwise; the same object where it is not concerned."""
        parts = tuple((point.renamed(names), weight) for point, weight in self.parts)
        made = BlendedPoint(parts, self.name and names.other(self.name))
        return self if made == self else made

    def __str__(self) -> str:
        return self.name or f"point on {self.parts[0][0].joint}"


Place = Point | BlendedPoint
