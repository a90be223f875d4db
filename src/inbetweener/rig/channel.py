"""Channels: the animated numbers, and which degrees of freedom each of them drives."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.rig.joint import DOFS, Joint

ChannelKind = Literal["translation", "rotation", "scale", "shape", "control", "bend"]
SHAPES_A_RADIAN = 20.0
"""A whole blend shape counts as much as a turn by three degrees: a face moves by its shapes before the head turns."""
_KIND_OF: dict[str, ChannelKind] = {"t": "translation", "r": "rotation", "s": "scale"}


@dataclass(frozen=True, slots=True)
class Drive:
    """`weight` × (channel − its default) is added to the degree of freedom `dof`, written "joint.rx"."""

    dof: str
    weight: float = 1.0

    @property
    def joint(self) -> str:
        """The name of the driven joint; joint names may contain dots themselves."""
        return self.dof.rpartition(".")[0]

    @property
    def axis(self) -> str:
        """One of DOFS."""
        return self.dof.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Channel:
    """One animated number: metres, radians, a scale factor, a shape weight or a control's own unit.

    `lower` and `upper` limit it; `stiffness` > 0 is its resistance to change, relative to other channels. What is not
    `free` is changed by those only who name it: a bone's length is none of the ways to reach a place.
    """

    name: str
    kind: ChannelKind
    drives: tuple[Drive, ...] = ()
    default: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    stiffness: float = 1.0
    free: bool = True

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InvalidRig(f"channel {self.name!r}: lower limit {self.lower:g} is above upper limit {self.upper:g}")
        if not (self.stiffness > 0 and math.isfinite(self.stiffness)):
            raise InvalidRig(f"channel {self.name!r}: stiffness {self.stiffness:g} must be positive and finite")
        if not math.isfinite(self.default):
            raise InvalidRig(f"channel {self.name!r}: default is not a finite number")

    @property
    def poses(self) -> bool:
        """Whether a pose may use it unasked: what is free, but no scale, as no pose makes a limb longer."""
        return self.free and self.kind != "scale"

    def unit(self, height: float) -> float:
        """The change that counts as much as a turn of one radian, on a character of that height in metres."""
        return height if self.kind == "translation" else SHAPES_A_RADIAN if self.kind == "shape" else 1.0


def joint_channels(
    joint: Joint,
    dofs: str = "rx ry rz",
    *,
    limits: Mapping[str, tuple[float, float]] | None = None,
    stiffness: float = 1.0,
) -> tuple[Channel, ...]:
    """Plain channels "joint.dof" for the named degrees of freedom, e.g. "tx ty tz rx ry rz"."""
    limits = limits or {}
    made = []
    for dof in dofs.split():
        if dof not in DOFS:
            raise UnknownName("degree of freedom", dof, DOFS)
        lower, upper = limits.get(dof, (-math.inf, math.inf))
        made.append(
            Channel(
                name=f"{joint.name}.{dof}",
                kind=_KIND_OF[dof[0]],
                drives=(Drive(f"{joint.name}.{dof}"),),
                default=joint.rest_dof(dof),
                lower=lower,
                upper=upper,
                stiffness=stiffness,
            )
        )
    return tuple(made)


def control(name: str, drives: Mapping[str, float], *, lower: float = -math.inf, upper: float = math.inf) -> Channel:
    """A channel that drives several degrees of freedom, such as a finger curl: {"index_1.rz": 0.8, …}."""
    return Channel(
        name, "control", tuple(Drive(dof, weight) for dof, weight in drives.items()), lower=lower, upper=upper
    )


def shape_channels(names: Iterable[str]) -> tuple[Channel, ...]:
    """Blend-shape weights, 0 to 1; a mesh's shape names the channel that moves it."""
    return tuple(Channel(name, "shape", lower=0.0, upper=1.0) for name in names)


def bend_channel(name: str) -> Channel:
    """How much of a bend there is: 0 none, 1 as sketched, beyond is more of it."""
    return Channel(name, "bend")
