"""Looseness in messages: springs, soft parts, targets, as the library has them; and what the page is told of them.

What is set is told when it changes; how things stand, whenever they move.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from inbetweener import kinodynamics as kd
from inbetweener.document import Aim
from inbetweener.document.native.structs import from_struct, to_told
from inbetweener.studio.places import from_place, place_of
from inbetweener.studio.protocol.binary import MalformedMessage
from inbetweener.studio.protocol.derived import Told, tells
from inbetweener.studio.protocol.parts import ChannelKind, Message, Name, Number, Place, Vector

Channels = Annotated[list[Name], Meta(min_length=1, max_length=100_000)]

# --- what is set, in both directions --------------------------------------------------------------------------------


@tells(kd.Spring)
class SpringInfo(Told, forbid_unknown_fields=True):
    """How a joint's turns, or a channel, swing: so many times a second; at damping 1 they come to rest soonest."""

    name: Name


@tells(kd.Spring)
class SpringChange(Told, forbid_unknown_fields=True):
    """Another spring for a joint or channel; no frequency: it is tight."""

    name: Name
    frequency: float | None


@tells(kd.ElasticPart, spread=["spring"])
class ElasticPart(Told, tag_field="kind", tag="elastic", forbid_unknown_fields=True):
    """An elastic solid on its joint, such as a hat; `held` is the share of its reach that does not give."""


@tells(kd.SpringyPart, spread=["spring"])
class SpringyPart(Told, tag_field="kind", tag="springy", forbid_unknown_fields=True):
    """Vertices on a spring each, such as a face, as seen from their joint or from the world."""


@tells(kd.Looseness)
class LoosenessSettings(Told, forbid_unknown_fields=True):
    """Which parts are loose, and the world they swing in; `gravity` is a share of the earth's, `error` in metres.

    With `collide` the ground and props stop what is loose.
    """

    springs: Annotated[list[SpringInfo], Meta(max_length=100_000)]


@tells(kd.Bell)
class BellInfo(Told, forbid_unknown_fields=True):
    """How a correction comes over `before` seconds and goes over `after`; `drawn` is a shape of one's own.

    A drawn bell runs from (−1, 0) over (0, 1) to (1, 0).
    """


@tells(kd.SoftPoint)
class VertexPlace(Told, forbid_unknown_fields=True):
    """A vertex of a soft mesh, by the mesh's name, wherever the mesh has swung to."""

    vertex: Number


@tells(kd.PointTarget, without=["point"])
class PointTarget(Told, tag_field="kind", tag="point", forbid_unknown_fields=True, kw_only=True):
    """A place on the body, or a vertex of a soft mesh: where it is, how it is turned, how fast it goes; null is free.

    `channels` may give way; null: all that move the place, but for those of the root.
    """

    place: Place | None = None
    vertex: VertexPlace | None = None
    channels: Channels | None = None

    @classmethod
    def tell(cls, target: kd.PointTarget) -> dict[str, object]:
        """Where it is."""
        if isinstance(target.point, kd.SoftPoint):
            return {"vertex": to_told(target.point, VertexPlace)}
        return {"place": from_place(target.point)}

    def mean(self) -> dict[str, object]:
        """What it is on: one or the other."""
        if (self.place is None) == (self.vertex is None):
            raise MalformedMessage("a target is on a place of the body, or on a vertex of a soft mesh")
        return {"point": from_struct(self.vertex) if self.place is None else place_of(self.place)}


@tells(kd.PoseTarget)
class PoseTarget(Told, tag_field="kind", tag="pose", forbid_unknown_fields=True, kw_only=True):
    """The whole pose, as keyed or by channel; with `velocity` loose channels also go as fast as keyed, or stand."""

    pose: Annotated[dict[Name, float], Meta(min_length=1, max_length=100_000)] | Literal["keyed"] = "keyed"


AnyTarget = PointTarget | PoseTarget

# --- what the page is told ------------------------------------------------------------------------------------------


@tells(Aim)
class AimInfo(Told):
    """A target under its name; once solved, a layer of the same name holds its correction.

    For a point `gives` are the channels that may give way, `could` all that move it; for a pose there are none.
    """

    solved: bool
    gives: list[str]
    could: list[str]


class SoftInfo(Struct):
    """A mesh with soft vertices, by its number in the scene: how far these are off comes in arrays, in this order."""

    mesh: int
    vertices: list[int]


class SoftVertices(Message, tag="soft-vertices"):
    """All meshes with soft vertices; they are many, so they are told only when they change."""

    meshes: list[SoftInfo]


@tells(kd.Spring)
class ChainInfo(Told, forbid_unknown_fields=True):
    """A joint and all below it, looser and looser down to `tip` times the stiffness; as a whole it swings as told."""

    first: Name
    joints: list[Name]
    tip: float


class Looseness(Message, tag="looseness"):
    """How loose the shown clip is. `loose`: what is shown swings; if not though it is on, `problem` says why.

    Channels that swing do so with the body's masses, those that follow by themselves. `unbumped` says why nothing can
    bump into things here; empty when it can. `sway` is how all loose joints swing as a whole; null where their springs
    differ. `held` joints lead to pins and contacts: who loosens the whole body leaves them out.
    """

    on: bool
    loose: bool
    problem: str
    unbumped: str
    settings: LoosenessSettings
    presets: list[SpringInfo]
    sway: SpringInfo | None
    chains: list[ChainInfo]
    held: list[str]
    swinging: list[str]
    following: list[str]
    targets: list[AimInfo]


class ChannelMiss(Struct):
    """How far a channel is from its value, in its own unit; `joint` is the one that it moves alone."""

    channel: str
    kind: ChannelKind
    joint: str | None
    by: float


class TargetState(Struct):
    """Where the shown motion is at a target, and what the target wants; null: no such thing is asked for.

    `distance` in metres, `turn` in radians, `speed` in metres a second are what is missing; `pose` names those parts of
    a pose that are farthest from their values, the farthest first, one channel for each.
    """

    name: str
    position: Vector | None
    wish: Vector | None
    distance: float | None
    turn: float | None
    speed: float | None
    pose: list[ChannelMiss] | None


class LooseState(Message, tag="loose-state"):
    """How far the shown motion is from its targets, and how long its windows are, shortest and longest."""

    targets: list[TargetState]
    shortest: float
    longest: float


class Windows(Message, tag="windows"):
    """Of every frame: how long its window is, and how far that leaves any joint from a simulation of the whole clip."""

    lengths: list[float]
    errors: list[float]
