"""The document: everything an animator made, immutable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Literal

import numpy.typing as npt

from inbetweener import motion
from inbetweener.anatomy import Anatomy, Part, recognise
from inbetweener.choices import Up
from inbetweener.document.kept import Kept
from inbetweener.document.staging import Staging, View
from inbetweener.dynamics import Body
from inbetweener.dynamics.body import Weighing
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, Target
from inbetweener.maths.euler import Order
from inbetweener.maths.solids import Solid
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig
from inbetweener.skinning import Blending, Mesh, bound_joints

Rule = motion.Constraint
"""A pin, a contact or another kind, as solvers take it."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule that holds in the clip called `clip` while it is on; names are unique in the document."""

    name: str
    clip: str
    rule: Rule
    on: bool = True

    @property
    def kind(self) -> str:
        """What an animator calls it; a pin of a single moment is a lock."""
        return self.rule.shown_kind


@dataclass(frozen=True)
class Aim:
    """A target under its name, unique in its clip; while `on` it is solved for.

    What a solved target changes is kept in the layer of the same name, to be scaled, muted or taken away.
    """

    name: str
    target: Target
    on: bool = True

    __hash__ = None  # type: ignore[assignment]  # targets hold mappings


@dataclass(frozen=True)
class Loosening:
    """How loose the clip called `clip` is; while it is not `on`, the clip moves as keyed."""

    clip: str
    looseness: Looseness = field(default_factory=Looseness)
    on: bool = True
    aims: tuple[Aim, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    def aim(self, name: str) -> Aim:
        """The target called `name`."""
        for aim in self.aims:
            if aim.name == name:
                return aim
        raise UnknownName("target", name, [aim.name for aim in self.aims])


PropRole = Literal["prop", "obstacle"]


@dataclass(frozen=True, slots=True)
class Prop:
    """A solid placed in the world or, with `joint`, in that joint's frame. Obstacles are to be avoided."""

    name: str
    solid: Solid
    transform: Transform = field(default_factory=Transform)
    role: PropRole = "prop"
    joint: str | None = None
    colour: tuple[float, float, float] = (0.55, 0.57, 0.6)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document came from, so that it can be written back the same way.

    `unit` is the length of one file unit in metres, `up` the file's up axis. Inside, everything is metres and Y up.
    `orders` are the Euler orders of joints that turn in another one here, and `kept` is what of the file nobody edits.
    """

    format: str
    unit: float = 1.0
    up: Up = "y"
    orders: tuple[tuple[str, Order], ...] = ()
    kept: Kept | None = None


@dataclass(frozen=True)
class Document:
    """A rig with its meshes, props and clips, the constraints that hold in them and how loose they are.

    An edit returns a new document that shares all unchanged parts.
    """

    name: str = "untitled"
    rig: Rig = field(default_factory=Rig)
    meshes: tuple[Mesh, ...] = ()
    props: tuple[Prop, ...] = ()
    clips: tuple[Clip, ...] = ()
    view: View | None = None
    source: Source | None = None
    constraints: tuple[Constraint, ...] = ()
    blending: Blending = "linear"
    loosenings: tuple[Loosening, ...] = ()
    roles: tuple[Part, ...] = ()
    """What somebody, or the file, said of joints; all others are recognised."""
    stagings: tuple[Staging, ...] = ()

    @staticmethod
    def from_arrays(
        names: Sequence[str],
        parents: npt.ArrayLike,
        offsets: npt.ArrayLike,
        rotations: npt.ArrayLike,
        positions: npt.ArrayLike | None = None,
        *,
        rate: float,
        order: str | Sequence[str] | None = None,
        rest: npt.ArrayLike | None = None,
        name: str = "untitled",
        clip: str = "clip",
    ) -> "Document":
        """A document with a key on every frame, in metres, radians and Y up.

        `parents` (J,) are numbers of joints, −1 for a root, each before its children; `offsets` (J, 3) say where
        joints are in their parents. `rotations` turn joints within their parents: quaternions (F, J, 4) as w, x, y, z,
        or Euler angles (F, J, 3) by axis x, y, z in an `order`, one for all or one a joint; "ZYX" is Rz·Ry·Rx.
        `positions` are those of the first joint (F, 3), or of all in their parents (F, J, 3). `rest` (J, 4) are
        rotations of the rest pose, none by default. An order whose angles would break between frames is left for
        another.
        """
        # By name: whatever makes documents of something else stands above them.
        make = import_module("inbetweener.formats.arrays").from_arrays
        made: Document = make(
            names, parents, offsets, rotations, positions, rate=rate, order=order, rest=rest, name=name, clip=clip
        )
        return made

    def anatomy(self) -> Anatomy:
        """What every joint is, as it was said or recognised."""
        return recognise(self.rig, bound_joints(self.meshes), self.roles)

    def clip(self, name: str | None = None) -> Clip:
        """The clip called `name`; the first one when no name is given."""
        if name is None and self.clips:
            return self.clips[0]
        for clip in self.clips:
            if clip.name == name:
                return clip
        if name is None:
            raise InvalidDocument(f"{self.name!r} has no clip")
        raise UnknownName("clip", name, [clip.name for clip in self.clips])

    def constraint(self, name: str) -> Constraint:
        """The constraint called `name`."""
        for constraint in self.constraints:
            if constraint.name == name:
                return constraint
        raise UnknownName("constraint", name, [constraint.name for constraint in self.constraints])

    def carrier(self, name: str) -> tuple[str | None, str | None]:
        """The joint that carries a prop, if any does, and the prop; or the joint called `name`, and no prop."""
        for prop in self.props:
            if prop.name == name:
                return prop.joint, name
        if all(joint.name != name for joint in self.rig.joints):
            known = [*(prop.name for prop in self.props), *(joint.name for joint in self.rig.joints)]
            raise UnknownName("prop or joint", name, known)
        return name, None

    def rules(self, clip: str | None = None) -> tuple[Rule, ...]:
        """The pins and contacts that are on in a clip, as drags take them."""
        name = self.clip(clip).name
        return tuple(each.rule for each in self.constraints if each.on and each.clip == name)

    def motion(self, clip: str | None = None) -> Motion:
        """The rig and a clip, compiled: where everything is at any time."""
        return Motion(self.rig, self.clip(clip))

    def loosening(self, clip: str | None = None) -> Loosening:
        """How loose a clip is; one without springs where nobody has loosened it."""
        name = self.clip(clip).name
        return next((each for each in self.loosenings if each.clip == name), Loosening(name))

    def staging(self, clip: str | None = None) -> Staging:
        """What a clip is heard with and seen by; nothing where nobody has brought anything."""
        name = self.clip(clip).name
        return next((each for each in self.stagings if each.clip == name), Staging(name))

    def is_loose(self, clip: str | None = None) -> bool:
        """Whether anything of a clip swings when it is watched, rendered, measured or written."""
        loosening = self.loosening(clip)
        return loosening.on and loosening.looseness.is_loose

    def shown_motion(self, clip: str | None = None) -> Motion:
        """The motion as it is watched: loose where the clip is loosened, else as keyed."""
        return self.loose_motion(clip) if self.is_loose(clip) else self.motion(clip)

    def loose_motion(self, clip: str | None = None, loosened: Loosened | None = None) -> LooseMotion:
        """The motion with what is loose about it; while that is switched off, nothing is.

        With `loosened`, the rig that was loosened so before is not worked out again.
        """
        found = self.clip(clip)
        solids = [(prop.solid, prop.transform) for prop in self.props if prop.joint is None]
        return LooseMotion(loosened or self.loosened(clip), found, solids)

    def loosened(self, clip: str | None = None, like: Loosened | None = None) -> Loosened:
        """The rig with a clip's looseness worked out; what is the same as of one loosened `like` it is taken over."""
        found, loosening = self.clip(clip), self.loosening(clip)
        looseness = loosening.looseness if loosening.on else replace(loosening.looseness, springs={}, soft=())
        return Loosened(self.rig, looseness, found.rate, self.meshes, like, self.roles)

    def body(
        self,
        clip: str | None = None,
        masses: Weighing | None = None,
        *,
        overrides: Mapping[str, float] | None = None,
    ) -> Body:
        """What the rig weighs in a clip: as its looseness says, boxes unless another way was chosen there, or here.

        The kg of single joints may be given in `overrides`.
        """
        looseness = self.loosening(clip).looseness if self.clips else Looseness()
        if masses is None:
            masses = looseness.masses
        return Body.of(
            self.rig,
            masses,
            meshes=self.meshes,
            total=looseness.total,
            overrides=overrides,
            anatomy=self.anatomy(),
        )
