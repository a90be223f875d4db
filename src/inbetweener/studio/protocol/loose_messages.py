"""What the page is told of loose motion: what is set, when that changes; how things stand, whenever they move."""

from msgspec import Struct

from inbetweener.studio.protocol.loose import AnyTarget, LoosenessSettings, SpringInfo
from inbetweener.studio.protocol.message import Message
from inbetweener.studio.protocol.parts import ChannelKind, Vector


class AimInfo(Struct):
    """A target under its name; once solved, a layer of the same name holds its correction."""

    name: str
    on: bool
    solved: bool
    target: AnyTarget


class SoftInfo(Struct):
    """A mesh with soft vertices, by its number in the scene: how far these are off comes in arrays, in this order."""

    mesh: int
    vertices: list[int]


class SoftVertices(Message, tag="soft-vertices"):
    """All meshes with soft vertices; they are many, so they are told only when they change."""

    meshes: list[SoftInfo]


class ChainInfo(Struct):
    """A joint and all below it, looser and looser down to `tip` times the stiffness; as a whole it swings as told."""

    first: str
    joints: list[str]
    frequency: float
    damping: float
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
