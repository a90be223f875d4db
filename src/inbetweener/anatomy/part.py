"""What a joint is: its role in a body, its side, and how sure that is."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.rig.mirror import Side, mirrored_name

Role = Literal[
    "root", "hips", "spine", "chest", "neck", "head", "jaw", "eye", "ear",
    "clavicle", "upper_arm", "forearm", "hand", "finger",
    "thigh", "shin", "foot", "toe", "tail", "wing",
    "twist", "helper", "end", "control",
]  # fmt: skip
Kind = Literal["humanoid", "quadruped", "creature", "hand", "object"]
ROLES: tuple[Role, ...] = get_args(Role)
NO_BODY: frozenset[Role] = frozenset({"root", "twist", "helper", "end", "control"})
"""Roles of joints that are no part of a body by themselves."""
BARE: frozenset[Role] = frozenset({"root", "end", "control"})
"""Roles of joints that nothing of a body hangs on directly: they weigh nothing, and no pull moves them."""
SURE = 0.5
"""The confidence from which a joint counts as recognised."""


@dataclass(frozen=True, slots=True)
class Part:
    """A joint and what it is.

    number      which of a row it is, from the trunk outwards: spine 2, tail 3, the second joint of a finger; of
                those who have many legs, which pair. Nought where it is the only one
    digit       of fingers and toes: 1 the thumb, 5 the little one; nought where they are one
    confidence  from 0 to 1, which is what somebody said
    """

    joint: str
    role: Role
    side: Side | None = None
    number: int = 0
    digit: int = 0
    confidence: float = 1.0

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise UnknownName("role", self.role, ROLES)
        if not 0 <= self.number <= 999 or not 0 <= self.digit <= 9:
            raise InvalidRig(f"{self.joint!r}: number {self.number} or digit {self.digit} cannot be")
        if not (math.isfinite(self.confidence) and 0.0 <= self.confidence <= 1.0):
            raise InvalidRig(f"{self.joint!r}: a confidence of {self.confidence:g} must lie from 0 to 1")

    def __str__(self) -> str:
        number = f" {self.number}" if self.number else ""
        if self.digit:
            number = f" {self.digit}.{self.number}" if self.number else f" {self.digit}"
        return f"{self.role.replace('_', ' ')}{number}"


@dataclass(frozen=True)
class Anatomy:
    """A part for every joint of a rig, in the rig's order, and the kind of body that they make.

    `bound` are the joints that carry vertices; none where there are no meshes. Where a rig has several characters,
    `bodies` has the anatomy of each, and the kind is that of the first.
    """

    parts: tuple[Part, ...] = ()
    kind: Kind = "object"
    bound: frozenset[str] = frozenset()
    bodies: tuple["Anatomy", ...] = ()

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    @cached_property
    def _by_joint(self) -> dict[str, Part]:
        return {part.joint: part for part in self.parts}

    def __getitem__(self, joint: str) -> Part:
        if joint not in self._by_joint:
            raise UnknownName("joint", joint, self._by_joint)
        return self._by_joint[joint]

    def find(self, role: Role, side: Side | None = None) -> tuple[Part, ...]:
        """All parts of a role, on one side where one is said."""
        return tuple(part for part in self.parts if part.role == role and side in (None, part.side))

    @property
    def body(self) -> tuple[Part, ...]:
        """The parts that are of a body, and sure to be so."""
        return tuple(part for part in self.parts if part.role not in NO_BODY and part.confidence >= SURE)

    @cached_property
    def bare(self) -> frozenset[str]:
        """The joints without flesh: roots, ends, controls, and helpers that no vertex follows. Objects have none."""
        if self.bodies:
            return frozenset[str]().union(*(body.bare for body in self.bodies))
        if self.kind == "object":
            return frozenset()
        return frozenset(
            part.joint
            for part in self.parts
            if part.role in BARE or (part.role == "helper" and self.bound and part.joint not in self.bound)
        )

    def partner(self, joint: str) -> str | None:
        """The joint of the other side, by its name or as the same part there; None where there is none."""
        part = self[joint]
        for body in self.bodies:
            if joint in body._by_joint:
                return body.partner(joint)
        if part.side is None:
            return None
        named = mirrored_name(joint)
        if named != joint and named in self._by_joint:
            return named
        other = [
            each.joint
            for each in self.parts
            if (each.role, each.number, each.digit) == (part.role, part.number, part.digit)
            and each.side not in (None, part.side)
        ]
        return other[0] if len(other) == 1 else None

    def of(self, joints: Collection[str]) -> "Anatomy":
        """That of the character of several whose joints these are; itself where it is of one."""
        return next((body for body in self.bodies if joints == body._by_joint.keys()), self)

    @property
    def summary(self) -> str:
        """One line: what it is, and how many of its joints are known."""
        known = sum(part.confidence >= SURE for part in self.parts)
        return f"{self.kind}: {known} of {len(self.parts)} joints recognised"

    def corrected(self, said: Iterable[Part]) -> "Anatomy":
        """The same with what somebody said in place of what was found."""
        by = {part.joint: part for part in said}
        bodies = tuple(body.corrected(by.values()) for body in self.bodies)
        return replace(self, parts=tuple(by.get(part.joint, part) for part in self.parts), bodies=bodies)


def all_below(below: Sequence[Sequence[int]], joint: int) -> list[int]:
    """All that hangs on a joint, directly or not, where `below` lists what hangs on each directly."""
    found, left = [], list(below[joint])
    while left:
        each = left.pop()
        found.append(each)
        left.extend(below[each])
    return found
