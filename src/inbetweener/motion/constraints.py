"""What must hold while something else changes. Every kind says itself what it watches, where, when and how well.

Solvers know only what is here: a constraint's state at a time, seen from the world or from another joint; how that
moves with the channels; the times at which it holds; and whether it keeps the state of its start or that of each
moment. A new kind is a new class, and a struct in the native schema.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import InvalidDocument
from inbetweener.motion.motion import Motion
from inbetweener.rig import Place, Rig
from inbetweener.rig.freedom import Wanted, channels_moving
from inbetweener.rig.naming import Renaming
from inbetweener.rig.posed import Posed

EVERY: slice = slice(None)


class Constraint:
    """A point whose state must keep to something from `start` to `end` seconds.

    `tolerance` is how far it may be off, in metres and radians; None leaves that to who asks.
    """

    __slots__ = ()

    KINDS: ClassVar[dict[str, type["Constraint"]]] = {}
    """All kinds there are, by name."""

    kind: ClassVar[str]
    """What an animator calls such a constraint, and a file too."""
    stands: ClassVar[bool] = False
    """Whether it keeps the state that it has at its start; otherwise that of each moment before the change."""
    colour: ClassVar[str] = "pin"
    """The page's name of the colour in which it is drawn."""

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            Constraint.KINDS[cls.kind] = cls

    @classmethod
    def made(
        cls, point: Place, wanted: Wanted, start: float, end: float, joint: str | None = None, prop: str | None = None
    ) -> "Constraint":
        """One of this kind; what it is attached to is for those that are."""
        if joint is not None or prop is not None:
            raise InvalidDocument(f"a {cls.kind} holds in the world, not in the space of {(prop or joint)!r}")
        kind: Any = cls
        return cast(Constraint, kind(point=point, wanted=wanted, start=start, end=end))

    # Fields of every kind. Properties at run time would count as their defaults.
    if TYPE_CHECKING:

        @property
        def point(self) -> Place:
            """Whose state."""

        @property
        def wanted(self) -> Wanted:
            """Which half of it."""

        @property
        def start(self) -> float:
            """Seconds; minus infinity where it has always held."""

        @property
        def end(self) -> float:
            """Seconds; infinity where it holds for good."""

        @property
        def tolerance(self) -> float | None:
            """Metres and radians."""

    @property
    def name(self) -> str:
        """What an animator calls it, where it blocks something or has no name of its own."""
        return f"{self.point} {self.kind}"

    @property
    def shown_kind(self) -> str:
        """The kind as it is shown: a pin of a single moment is a lock."""
        return self.kind

    @property
    def label(self) -> str:
        """What the document calls it by default."""
        return f"{self.point} {self.shown_kind}"

    @property
    def base(self) -> str | None:
        """The joint in whose frame the state is seen; None for the world."""
        return None

    @property
    def wants(self) -> tuple[bool, bool]:
        """Whether position and orientation are wanted."""
        return self.wanted != "orientation", self.wanted != "position"

    @property
    def is_endless(self) -> bool:
        """Whether it holds at all times."""
        return self.start == -math.inf and self.end == math.inf

    @property
    def is_settled(self) -> bool:
        """Whether it fixes a full state for good that holds already: what moves it can stay as it is."""
        return False

    @property
    def is_momentary(self) -> bool:
        """Whether it is about a single moment, and stays so when it is moved."""
        return False

    @property
    def to_name(self) -> str:
        """What an animator calls the thing in whose space it holds; empty for the world."""
        return self.base or ""

    @property
    def is_planted(self) -> bool:
        """Whether it stands still in the world, as a foot that bears the body does."""
        return self.stands and self.base is None

    def during(self, start: float, end: float) -> Self:
        """The same from another start to another end."""
        return cast(Self, replace(cast(Any, self), start=start, end=end))

    def wanting(self, wanted: Wanted) -> Self:
        """The same of another half of the state, or of all of it."""
        return cast(Self, replace(cast(Any, self), wanted=wanted))

    def holds_at(self, time: float) -> bool:
        """Whether it holds at a time."""
        return self.start - 1e-9 <= time <= self.end + 1e-9

    def allowed(self, height: float, default: float) -> tuple[float, float]:
        """How far it may be off: heights of the character, and radians; `default` for both where it does not say."""
        return (default, default) if self.tolerance is None else (self.tolerance / height, self.tolerance)

    def of(self, dragged: Place) -> "Constraint":
        """Itself, or what it means while a place is dragged."""
        return self

    def channels(self, rig: Rig) -> frozenset[int]:
        """The channels that can change its state."""
        return channels_moving(rig, self.point, self.wanted, self.base)

    def reference(self, times: Floats) -> Floats:
        """The times (T,) whose states it should have at times (T,)."""
        return np.full_like(times, self.start) if self.stands else times

    def states(self, motion: Motion, times: Floats | list[float]) -> tuple[Floats, Floats]:
        """Positions (T, 3) and orientations (T, 3, 3) of its point, as seen from its base."""
        return self.seen(motion.rig.posed(motion.channels(times)))

    def seen(self, posed: Posed, rows: Ints | slice = EVERY) -> tuple[Floats, Floats]:
        """The same in poses."""
        return posed.states(self.point, rows, base=self.base)

    def jacobian(self, posed: Posed, rows: Ints | slice = EVERY) -> Floats:
        """(T, 6, C) how position and orientation, as seen from its base, move with each channel; of both bodies."""
        return posed.jacobian(self.point, rows, base=self.base)

    def renamed(self, names: Renaming) -> "Constraint":
        """Itself where things are called otherwise; the same object where it is not concerned."""
        place = self.point.renamed(names)
        return self if place is self.point else cast("Constraint", replace(cast(Any, self), point=place))

    def with_prop(self, prop: str, name: str, joint: str | None) -> "Constraint":
        """Itself when a prop gets another name, or another joint carries it."""
        return self

    def leans_on(self, prop: str) -> bool:
        """Whether it means nothing without a prop."""
        return False

    def names(self) -> tuple[str, ...]:
        """The joints and props without which it means nothing."""
        return tuple(point.joint for point, _ in self.point.parts)

    def problems(self, joints: Collection[str], props: Collection[str]) -> list[str]:
        """What is wrong with it by itself, one line each; `joints` and `props` are those of its document."""
        if math.isnan(self.start) or math.isnan(self.end) or self.start == math.inf or self.end == -math.inf:
            return ["holds at no time at all"]
        if self.start > self.end:
            return [f"its end {self.end:g} s lies before its start {self.start:g} s"]
        if self.tolerance is not None and not 0.0 < self.tolerance < math.inf:
            return [f"its tolerance {self.tolerance:g} must be positive and finite"]
        return []


@dataclass(frozen=True, slots=True)
class Pin(Constraint):
    """The motion curve of `point` must not change from `start` to `end` seconds; the whole clip by default."""

    kind: ClassVar[str] = "pin"

    point: Place
    wanted: Wanted = "position"
    start: float = -math.inf
    end: float = math.inf
    tolerance: float | None = None

    @property
    def is_momentary(self) -> bool:
        """A pin of a single moment is a lock."""
        return self.start == self.end

    @property
    def shown_kind(self) -> str:
        """A pin of a single moment is a lock."""
        return "lock" if self.is_momentary else "pin"

    @property
    def is_settled(self) -> bool:
        """A full state, pinned for good, holds already."""
        return self.wanted == "both" and self.is_endless


@dataclass(frozen=True, slots=True)
class Contact(Constraint):
    """The point must not move from `start` to `end` seconds; it stays where it is at `start`."""

    kind: ClassVar[str] = "contact"
    stands: ClassVar[bool] = True
    colour: ClassVar[str] = "contact"

    point: Place
    start: float
    end: float
    wanted: Wanted = "position"
    tolerance: float | None = None

    def problems(self, joints: Collection[str], props: Collection[str]) -> list[str]:
        """A contact has a start and an end."""
        if not (math.isfinite(self.start) and math.isfinite(self.end)):
            return ["start and end of a contact must be finite numbers"]
        return Constraint.problems(self, joints, props)


@dataclass(frozen=True, slots=True)
class Lock:
    """The dragged point keeps its state at this time, while it is dragged at another: a pin of that moment alone."""

    time: float
    wanted: Wanted = "position"
    tolerance: float | None = None

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"lock at {self.time:g} s"

    def wanting(self, wanted: Wanted) -> "Lock":
        """The same of another half of the state, or of all of it."""
        return replace(self, wanted=wanted)

    def of(self, dragged: Place) -> Constraint:
        """What it means while a place is dragged."""
        return _Moment(dragged, self.wanted, self.time, self.time, self.tolerance)


class _Moment(Pin):
    """A lock of the dragged place."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """What an animator calls it."""
        return f"lock at {self.start:g} s"


@dataclass(frozen=True, slots=True)
class Held:
    """How well something holds: how far it is off, in metres and radians, at its worst moment.

    before            how far off it was before the change, in metres, or radians where only an orientation is wanted
    key_poses_apart   metres by which key poses contradict it, which no tangent can mend
    part              of something to be clear of, what is inside of what
    """

    name: str
    distance: float
    turn: float
    time: float = math.nan
    holds: bool = True
    before: float = 0.0
    key_poses_apart: float = 0.0
    part: str = ""

    @property
    def where(self) -> str:
        """What is inside, and when, where something is."""
        return f" ({self.part} at {self.time:.2f} s)" if self.part else ""

    @property
    def off(self) -> str:
        """How far off it is as people say it: "2.3 mm off", "5.7° off", or both."""
        said = [f"{1e3 * self.distance:.1f} mm"] if self.distance or not self.turn else []
        return " and ".join([*said, *([f"{math.degrees(self.turn):.1f}°"] if self.turn else [])]) + " off"

    @property
    def after(self) -> float:
        """How far off it is: metres, or radians where only an orientation is wanted."""
        return self.distance or self.turn


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

    def renamed(self, names: Renaming) -> "Attach":
        """Point, joint and prop under other names."""
        moved = cast(Attach, Constraint.renamed(self, names))
        joint, prop = self.joint and names.joint(self.joint), self.prop and names.other(self.prop)
        return moved if (joint, prop) == (self.joint, self.prop) else replace(moved, joint=joint, prop=prop)

    def with_prop(self, prop: str, name: str, joint: str | None) -> "Attach":
        """It follows its prop to another name or joint."""
        if self.prop != prop or (self.prop, self.joint) == (name, joint):
            return self
        return replace(self, prop=name, joint=joint)

    def leans_on(self, prop: str) -> bool:
        """Whether it is attached to the prop."""
        return self.prop == prop

    def names(self) -> tuple[str, ...]:
        """Those of its point, and what it is attached to."""
        return (*Constraint.names(self), *(each for each in (self.joint, self.prop) if each is not None))

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
