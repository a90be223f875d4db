"""Held in the space of another: a hand on a guitar or on a hip, a foot on a pedal, a cup at a mouth."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, cast

from inbetweener.motion.constraints import Constraint
from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted


@dataclass(frozen=True, slots=True)
class Attach(Constraint):
    """The point keeps its place in the frame of `joint` from `start` to `end` seconds: the one it has at `start`.

    Both bodies may move, each for the other's sake. `prop` names the prop that the joint carries, where it is one; a
    prop that nothing carries has no joint, and the point stands in the world.
    """

    kind: ClassVar[str] = "attach"
    stands: ClassVar[bool] = True
    colour: ClassVar[str] = "attach"

    point: Place
    joint: str | None
    start: float
    end: float
    wanted: Wanted = "position"
    prop: str | None = None
    tolerance: float | None = None

    @classmethod
    def made(
        cls, point: Place, wanted: Wanted, start: float, end: float, joint: str | None = None, prop: str | None = None
    ) -> "Attach":
        """One to a joint or prop."""
        return cls(point, joint, start, end, wanted, prop)

    @property
    def base(self) -> str | None:
        """The joint in whose frame it holds."""
        return self.joint

    @property
    def to_name(self) -> str:
        """What it is attached to."""
        return self.prop or self.joint or ""

    @property
    def label(self) -> str:
        """As "hand on guitar"."""
        return f"{self.point} on {self.to_name}"

    @property
    def name(self) -> str:
        """As the document calls it."""
        return self.label

    def with_joint(self, joint: str, name: str) -> "Attach":
        """Point and joint follow a renamed joint."""
        moved = cast(Attach, Constraint.with_joint(self, joint, name))
        return replace(moved, joint=name) if moved.joint == joint else moved

    def with_prop(self, prop: str, name: str, joint: str | None) -> "Attach":
        """It follows its prop to another name or joint."""
        if self.prop != prop or (self.prop, self.joint) == (name, joint):
            return self
        return replace(self, prop=name, joint=joint)

    def leans_on(self, prop: str) -> bool:
        """Whether it is attached to the prop."""
        return self.prop == prop

    def problems(self, joints: Collection[str], props: Collection[str]) -> list[str]:
        """It needs times, something to be attached to, and that cannot be what its point sits on."""
        if not (math.isfinite(self.start) and math.isfinite(self.end)):
            return ["start and end of an attachment must be finite numbers"]
        found = Constraint.problems(self, joints, props)
        if self.joint is not None and self.joint not in joints:
            found.append(f"is attached to unknown joint {self.joint!r}")
        if self.prop is not None and self.prop not in props:
            found.append(f"is attached to unknown prop {self.prop!r}")
        if self.joint is None and self.prop is None:
            found.append("is attached to nothing; name a joint or a prop")
        if self.joint in {point.joint for point, _ in self.point.parts}:
            found.append(f"its point sits on {self.joint!r} itself, and cannot leave it")
        return found
